#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    symmetry odd: [sqrt(-1 - x^2)];
}]
pub struct Point {
    pub m: f64,
}

fn main() {}
