#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    friction pad: x = 0*mu*m;
}]
pub struct Slider {
    pub m: f64,
    pub mu: f64,
}

fn main() {}
