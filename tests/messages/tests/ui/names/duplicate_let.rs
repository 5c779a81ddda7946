use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta;
    let height = -l*cos(theta);
    let height = l*cos(theta);
    lagrangian = m*l^2*dot(theta)^2/2 - m*g*height;
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}

fn main() {}
