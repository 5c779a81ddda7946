use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    assume k > m;
    assume k < 0;
    assume m > 1;
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
}

fn main() {}
