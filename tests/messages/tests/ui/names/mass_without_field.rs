use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = mass*dot(x)^2/2;
    potential = mass*k*x;
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
    pub l: f64,
}

fn main() {}
