#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = -k*x - dot(m)*dot(x);
}]
pub struct Rocket {
    pub m: f64,
    pub k: f64,
}

fn main() {}
