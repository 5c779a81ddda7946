use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta;
    lagrangian = m*l^2*dot(theta)^2/2 + m*g*l*cos(theta);
    verify mass[theta, theta] = m*l^2;
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}

fn main() {}
