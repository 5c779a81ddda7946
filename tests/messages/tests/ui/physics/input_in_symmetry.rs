use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = push;
    symmetry shift: [push];
}]
pub struct Point {
    pub m: f64,
    #[input]
    pub push: f64,
}

fn main() {}
