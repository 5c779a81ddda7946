//! The robot `crane`, which `lagrange import` wrote from `crane.xml` (MJCF).
//!
//! Lengths are in m, angles in rad, masses in kg. Vectors and tensors of a link are in its own frame.
//!
//! The file also has, without a counterpart here:
//! - `actuator` (line 31)
//! - `frictionloss` (line 23)
//! - `geom (shape and contact)`, 4 times (lines 14, 17, 24, 25)
//! - `light` (line 13)
//! - `site` (line 26)

use lagrange_runtime::prelude::*;

/// The robot `crane`.
#[lagrangian {
    // `mast` turns on `world`, by the joint `slew`.
    coordinates slew: rad;
    force slew = slew_torque;
    let mast_frame = rotation_z(pi/2)*rotation_z(slew);
    let mast: m = 1[m]*[0, 0, 1];

    // `jib` turns on `mast`, by the joint `luff`, from -0.7853981633974483 to 1.0471975511965976 rad.
    // Fixed to it: `jib_own`.
    coordinates luff: rad;
    force luff = luff_torque;
    let jib_frame = mast_frame*rotation_y(luff - 0.17453292519943295);
    let jib: m = mast + mast_frame*(1[m]*[0.1, 0, 0.55]);
    let jib_center: m = jib + jib_frame*(1[m]*[0.6, 0, 0.05]);

    // `hook_hoist` slides on `jib_own`, by the joint `hoist`.
    coordinates hoist: m;
    force hoist = hoist_force;
    let hook_hoist_frame = jib_frame*rotation_x(0.5235987755982988);
    let hook_hoist: m = jib + jib_frame*(1[m]*[1.1, 0, -0.05]) + hook_hoist_frame*[0, 0, -hoist];

    // `hook` turns on `hook_hoist`, by the joint `spin`.
    coordinates spin: rad;
    force spin = spin_torque;
    let hook_frame = hook_hoist_frame*rotation_z(spin);
    let hook_center: m = hook_hoist + hook_frame*(1[m]*[0.027639626647327088, 0, -0.2552792532946542]);

    kinetic = rigid_body_energy(15.707963267948967[kg], 1[kg*m^2]*[1.3482668471656196, 1.3482668471656196, 0.07853981633974486], mast, mast_frame)
        + 0.02[kg*m^2]*dot(luff)^2/2
        + rigid_body_energy(3[kg], 1[kg*m^2]*[[0.1, 0.01, -0.02], [0.01, 0.3, 0.005], [-0.02, 0.005, 0.35]], jib_center, jib_frame)
        + 0.02[kg*m^2]*dot(spin)^2/2
        + rigid_body_energy(2.5325957145940463[kg], 1[kg*m^2]*[[0.0573105402418526, 0, 0.010130452269374209], [0, 0.0606257663765397, 0], [0.010130452269374209, 0, 0.010207187597646543]], hook_center, hook_frame);
    potential = gravity*(15.707963267948967[kg]*mast[2]
            + 3[kg]*jib_center[2]
            + 2.5325957145940463[kg]*hook_center[2])
        + 3[N*m]*(luff - 0.5235987755982988)^2/2
        + 3[N*m]*(spin - 0.5235987755982988)^2/2;
    dissipation = 0.1[N*m*s]*dot(slew)^2/2
        + 0.1[N*s/m]*dot(hoist)^2/2;

    output hook_position: m = hook_hoist;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Crane {
    /// The acceleration of free fall, along −z.
    #[unit(m/s^2)]
    pub gravity: f64,
    /// The torque of the joint `slew`.
    #[unit(N*m)]
    #[input]
    pub slew_torque: f64,
    /// The torque of the joint `luff`.
    #[unit(N*m)]
    #[input]
    pub luff_torque: f64,
    /// The force of the joint `hoist`.
    #[unit(N)]
    #[input]
    pub hoist_force: f64,
    /// The torque of the joint `spin`.
    #[unit(N*m)]
    #[input]
    pub spin_torque: f64,
}

impl Default for Crane {
    fn default() -> Self {
        Self {
            gravity: 9.8,
            slew_torque: 0.0,
            luff_torque: 0.0,
            hoist_force: 0.0,
            spin_torque: 0.0,
        }
    }
}
