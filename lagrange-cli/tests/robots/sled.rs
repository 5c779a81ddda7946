//! The robot `sled`, which `lagrange import` wrote from `sled.urdf` (URDF).
//!
//! Lengths are in m, angles in rad, masses in kg. Vectors and tensors of a link are in its own frame.

use lagrange_runtime::prelude::*;

/// The robot `sled`.
#[lagrangian {
    // `sled` moves in a plane on `hill`, by the joint `plane`.
    // Fixed to it: `rail`.
    coordinates plane_x: m, plane_y: m, plane_yaw: rad;
    let sled_frame = rotation_z(pi/2)*rotation_y(0.6435011087932844)*rotation_z(plane_yaw)*rotation_y(-0.6435011087932844)*rotation_z(-pi/2);
    let sled: m = 1[m]*[0, 0, 0.5] + (plane_x*[0, 0.8, -0.6] + plane_y*[-1, 0, 0]);

    kinetic = rigid_body_energy(2[kg], 1[kg*m^2]*[[0.1, 0, 0], [0, 0.2, 0.05], [0, 0.05, 0.3]], sled, sled_frame);
    potential = gravity*(2[kg]*sled[2]);

    output rail_position: m = sled + sled_frame*(1[m]*[0.3, 0, 0]);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Sled {
    /// The acceleration of free fall, along −z.
    #[unit(m/s^2)]
    pub gravity: f64,
}

impl Default for Sled {
    fn default() -> Self {
        Self {
            gravity: 9.81,
        }
    }
}
