#![deny(deprecated)]
use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, roll;
    kinetic = m*dot(x)^2/2 + i*dot(roll)^2/2;
    nonholonomic rolling: exp(x)*dot(x) == r*exp(x)*dot(roll);
}]
pub struct Wheel {
    pub m: f64,
    pub i: f64,
    pub r: f64,
}

fn main() {}
