use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta;
    let a = b + 1;
    let b = 2*a;
    lagrangian = m*l^2*dot(theta)^2/2 + m*g*l*cos(theta) + a;
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}

fn main() {}
