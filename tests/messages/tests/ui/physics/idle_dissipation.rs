#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    dissipation = c*x^2/2;
}]
pub struct Slider {
    pub m: f64,
    pub c: f64,
}

fn main() {}
