use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates t;
    lagrangian = m*dot(t)^2/2;
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}

fn main() {}
