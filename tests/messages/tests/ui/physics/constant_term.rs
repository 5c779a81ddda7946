#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2 + m*v0^2/2;
}]
pub struct Slider {
    pub m: f64,
    pub v0: f64,
}

fn main() {}
