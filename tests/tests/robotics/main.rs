//! What robotics needs beside accelerations: the Jacobians of outputs, the mass matrix alone, the operational-space inertia, reactions of joints, and
//! momenta of whole mechanisms.

mod mass;
mod operational;
mod outputs;
mod reactions;

use lagrange_runtime::prelude::*;

/// Three bodies with full tensors, a position that depends on the time, and outputs of every kind.
#[lagrangian {
    coordinates q[3];
    let r0 = rotation_z(q[0]);
    let r1 = r0*rotation_y(q[1]);
    let r2 = r1*rotation_x(q[2]);
    let elbow = r0*[3/10, 0, 1/5];
    let wrist = elbow + r1*[l, 0, 0];
    let tip   = wrist + r2*[1/10, 2/5, s*sin(t)];
    kinetic   = rigid_body_energy(m, [1/10, 1/5, 3/10], elbow + r1*[1/10, 0, 1/20], r1)
              + rigid_body_energy(m, [1/10, 1/5, 3/10], tip, r2)
              + norm2(dot(elbow))/2 + dot(q[0])^2/2;
    potential = 9.81*m*tip[2];
    force q[0] = tau;

    output hand    = tip;
    output speed   = dot(tip);
    output mixed   = tau*tip[0] + dot(q[0])^2*sin(q[1]);
    output felt    = dot(dot(tip))[2] + tau;
    output turning = angular_velocity_space(r2);
}]
pub struct Arm {
    m: f64,
    l: f64,
    s: f64,
    #[input]
    tau: f64,
}

/// An arm whose hand moves with the time.
pub fn arm() -> Arm {
    Arm { m: 1.3, l: 0.5, s: 0.2, tau: 0.7 }
}
