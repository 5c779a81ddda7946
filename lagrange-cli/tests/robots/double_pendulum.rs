//! The robot `double_pendulum`, which `lagrange import` wrote from `double_pendulum.urdf` (URDF).
//!
//! Lengths are in m, angles in rad, masses in kg. Vectors and tensors of a link are in its own frame.

use lagrange_runtime::prelude::*;

/// The robot `double_pendulum`.
#[lagrangian {
    // `upper` turns on `ceiling`, by the joint `shoulder`.
    coordinates shoulder: rad;
    force shoulder = shoulder_torque;
    let upper_frame = rotation_y(-shoulder);
    let upper_center: m = upper_frame*(1[m]*[0, 0, -1]);

    // `lower` turns on `upper`, by the joint `elbow`.
    // Fixed to it: `tip`.
    coordinates elbow: rad;
    force elbow = elbow_torque;
    let lower_frame = upper_frame*rotation_y(-elbow);
    let lower: m = upper_frame*(1[m]*[0, 0, -1]);
    let lower_center: m = lower + lower_frame*(1[m]*[0, 0, -0.5]);

    kinetic = 1.5[kg]*norm2(dot(upper_center))/2
        + 0.7[kg]*norm2(dot(lower_center))/2;
    potential = gravity*(1.5[kg]*upper_center[2]
            + 0.7[kg]*lower_center[2]);

    output tip_position: m = lower + lower_frame*(1[m]*[0, 0, -0.5]);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct DoublePendulum {
    /// The acceleration of free fall, along −z.
    #[unit(m/s^2)]
    pub gravity: f64,
    /// The torque of the joint `shoulder`.
    #[unit(N*m)]
    #[input]
    pub shoulder_torque: f64,
    /// The torque of the joint `elbow`.
    #[unit(N*m)]
    #[input]
    pub elbow_torque: f64,
}

impl Default for DoublePendulum {
    fn default() -> Self {
        Self {
            gravity: 9.81,
            shoulder_torque: 0.0,
            elbow_torque: 0.0,
        }
    }
}
