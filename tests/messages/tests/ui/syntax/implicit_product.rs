use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta;
    lagrangian = m*l^2*dot(theta)^2/2 + 2m*g*l*cos(theta);
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}

fn main() {}
