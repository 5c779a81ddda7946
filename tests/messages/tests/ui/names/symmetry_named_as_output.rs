use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    output shift = x;
    symmetry shift: [1];
}]
pub struct Point {
    pub m: f64,
}

fn main() {}
