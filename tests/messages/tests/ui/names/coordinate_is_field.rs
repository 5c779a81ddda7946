use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates l;
    lagrangian = m*dot(l)^2/2 - m*g*l;
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}

fn main() {}
