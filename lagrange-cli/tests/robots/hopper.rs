//! The robot `hopper`, which `lagrange import` wrote from `hopper.urdf` (URDF).
//!
//! Lengths are in m, angles in rad, masses in kg. Vectors and tensors of a link are in its own frame.

use lagrange_runtime::prelude::*;

/// The robot `hopper`.
#[lagrangian {
    // `trunk` moves freely on space, by the joint `base`.
    coordinates base_x: m, base_y: m, base_z: m;
    coordinates base_yaw: rad, base_pitch: rad, base_roll: rad;
    let trunk_frame = rotation_z(base_yaw)*rotation_y(base_pitch)*rotation_x(base_roll);
    let trunk: m = [base_x, base_y, base_z];
    let trunk_center: m = trunk + trunk_frame*(1[m]*[0.02, 0, 0.01]);

    // `leg` turns on `trunk`, by the joint `hip`, from -1 to 1 rad, at most 10 rad/s.
    coordinates hip: rad;
    force hip = hip_torque;
    let leg_frame = trunk_frame*rotation_z(0.2)*rotation_y(hip);
    let leg: m = trunk + trunk_frame*(1[m]*[0.1, 0.02, -0.05]);
    let leg_center: m = leg + leg_frame*(1[m]*[0, 0, -0.2]);

    kinetic = rigid_body_energy(3[kg], 1[kg*m^2]*[[0.02, 0.001, 0], [0.001, 0.03, 0], [0, 0, 0.04]], trunk_center, trunk_frame)
        + rigid_body_energy(0.6[kg], 1[kg*m^2]*[0.004, 0.005, 0.001], leg_center, leg_frame);
    potential = gravity*(3[kg]*trunk_center[2]
            + 0.6[kg]*leg_center[2]);

    output leg_position: m = leg;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Hopper {
    /// The acceleration of free fall, along −z.
    #[unit(m/s^2)]
    pub gravity: f64,
    /// The torque of the joint `hip`, at most 30 N m.
    #[unit(N*m)]
    #[input]
    pub hip_torque: f64,
}

impl Default for Hopper {
    fn default() -> Self {
        Self {
            gravity: 9.81,
            hip_torque: 0.0,
        }
    }
}
