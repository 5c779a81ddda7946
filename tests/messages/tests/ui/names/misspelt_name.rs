use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta;
    kinetic = m*l^2*dot(thta)^2/2;
    potential = -m*g*l*cos(theta);
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}

fn main() {}
