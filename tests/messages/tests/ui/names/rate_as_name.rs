use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta;
    kinetic = m*l^2*theta_dot^2/2;
    potential = k*(1 - cos(theta)) + m*theta_dot;
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
    pub l: f64,
}

fn main() {}
