#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*dot(x)^2/2 + n*dot(y)^2/2;
    potential = k*x^2/2;
}]
pub struct Pair {
    pub m: f64,
    pub n: f64,
    pub k: f64,
}

fn main() {}
