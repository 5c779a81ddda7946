use lagrange_runtime::prelude::*;

/// A light shaft that turns a heavy arm.
#[lagrangian {
    coordinates shaft, arm;
    kinetic = j*dot(arm)^2/2;
    potential = k*(arm - shaft)^2/2;
    dissipation = c*dot(shaft)^2/2;
}]
pub struct Arm {
    pub j: f64,
    pub k: f64,
    pub c: f64,
}

fn main() {}
