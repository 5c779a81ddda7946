//! The robot `rrp-arm 2`, which `lagrange import` wrote from `arm.urdf` (URDF).
//!
//! Lengths are in m, angles in rad, masses in kg. Vectors and tensors of a link are in its own frame.
//!
//! The file also has, without a counterpart here:
//! - `material` (line 4)
//! - `visual` (line 17)

use lagrange_runtime::prelude::*;

/// The robot `rrp-arm 2`.
#[lagrangian {
    // `Turret-Link` turns on `base`, by the joint `turret`, from -3 to 3 rad, at most 2 rad/s.
    // Fixed to it: `motor`.
    coordinates turret: rad;
    force turret = turret_torque;
    let turret_link_frame = rotation_z(turret);
    let turret_link: m = 1[m]*[0, 0, 0.3];
    let turret_link_center: m = turret_link + turret_link_frame*(1[m]*[0.02706026210610097, -0.014279821323589906, 0.044397338661590124]);

    // `type` turns on `motor`, by the joint `type`, from -1.5 to 1.5 rad, at most 2 rad/s.
    coordinates type_2: rad;
    force type_2 = type_2_torque;
    let type_link_frame = turret_link_frame*rotation_z(0.5)*rotation_x(1.7707963267948965)*rotation_z(-type_2);
    let type_link: m = turret_link + turret_link_frame*(1[m]*[0.07206253548916022, 0.051139185762869584, 0.23588024864775445]);
    let type_link_center: m = type_link + type_link_frame*(1[m]*[0.15, 0, 0.02]);

    // `slider` slides on `type`, by the joint `slide`, from 0 to 0.2 m, at most 0.5 m/s.
    // Fixed to it: `höhe`.
    coordinates slide: m;
    force slide = slide_force;
    let slider_frame = type_link_frame*rotation_y(0.4);
    let slider: m = type_link + type_link_frame*(1[m]*[0.3, 0, 0]) + slider_frame*(slide*[0.6, 0, 0.8]);
    let slider_center: m = slider + slider_frame*(1[m]*[0.05, 0.01, -0.03]);

    // `finger` turns on `slider`, by the joint `finger_joint`.
    let finger_joint: rad = 2[1/m]*slide + 0.1;
    let finger_frame = slider_frame*rotation_z(1.1071487177940904)*rotation_y(0.8410686705679303)*rotation_z(finger_joint)*rotation_y(-0.8410686705679303)*rotation_z(-1.1071487177940904);
    let finger: m = slider + slider_frame*(1[m]*[0.1, 0, 0]);
    let finger_center: m = finger + finger_frame*(1[m]*[0.02, 0, 0.04]);

    kinetic = rigid_body_energy(2.5[kg], 1[kg*m^2]*[[0.02328292138664049, -0.003355657661117224, -0.0028698127796138776], [-0.003355657661117224, 0.03387593580927312, 0.003011228953128561], [-0.0028698127796138776, 0.003011228953128561, 0.029444398829923085]], turret_link_center, turret_link_frame)
        + rigid_body_energy(1.2[kg], 1[kg*m^2]*[[0.003, 0, 0.0004], [0, 0.02, 0], [0.0004, 0, 0.021]], type_link_center, type_link_frame)
        + rigid_body_energy(0.8[kg], 1[kg*m^2]*[0.002, 0.003, 0.004], slider_center, slider_frame)
        + rigid_body_energy(0.1[kg], 1[kg*m^2]*[0.0001, 0.0002, 0.00015], finger_center, finger_frame);
    potential = gravity*(2.5[kg]*turret_link_center[2]
            + 1.2[kg]*type_link_center[2]
            + 0.8[kg]*slider_center[2]
            + 0.1[kg]*finger_center[2]);
    dissipation = 0.6[N*m*s]*dot(turret)^2/2
        + 0.4[N*m*s]*dot(type_2)^2/2;

    friction turret_friction: turret = 0.2[N*m];
    output motor_position: m = turret_link + turret_link_frame*(1[m]*[0.1, 0, 0.02]);
    output h_he_position: m = slider + slider_frame*(1[m]*[0.12, 0, 0.01]);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct RrpArm2 {
    /// The acceleration of free fall, along −z.
    #[unit(m/s^2)]
    pub gravity: f64,
    /// The torque of the joint `turret`, at most 40 N m.
    #[unit(N*m)]
    #[input]
    pub turret_torque: f64,
    /// The torque of the joint `type`, at most 20 N m.
    #[unit(N*m)]
    #[input]
    pub type_2_torque: f64,
    /// The force of the joint `slide`, at most 50 N.
    #[unit(N)]
    #[input]
    pub slide_force: f64,
}

impl Default for RrpArm2 {
    fn default() -> Self {
        Self {
            gravity: 9.81,
            turret_torque: 0.0,
            type_2_torque: 0.0,
            slide_force: 0.0,
        }
    }
}
