use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta;
    let bob = [l*sin(theta), -l*cos(theta)];
    lagrangian = m*(dot(bob)*dot(bob))/2 - m*g*bob[1];
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}

fn main() {}
