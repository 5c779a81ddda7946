use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta: rad;
    kinetic = m*l^2*dot(theta)^2/2;
    potential = -m*g*l*cos(theta*l);
}]
pub struct Pendulum {
    #[unit(kg)]
    pub m: f64,
    #[unit(m)]
    pub l: f64,
    #[unit(m/s^2)]
    pub g: f64,
}

fn main() {}
