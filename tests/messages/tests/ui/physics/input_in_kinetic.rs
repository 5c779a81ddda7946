use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta;
    kinetic = m*l^2*dot(theta)^2/2 + torque*dot(theta);
    potential = -m*g*l*cos(theta);
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
    #[input]
    pub torque: f64,
}

fn main() {}
