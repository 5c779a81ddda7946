use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*diff(x, t)^2/2;
    potential = k*pow(x, 2)/2;
    output a = ddot(x);
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
    pub l: f64,
}

fn main() {}
