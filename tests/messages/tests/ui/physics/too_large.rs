use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta, stretch;
    lagrangian = m*(norm2(dot(p)))/2 + m*g*(l + stretch)*cos(theta) - k*stretch^2/2;
    let p = (l + stretch)*[sin(theta), -cos(theta)];
    max_operations = 20;
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub k: f64,
    pub g: f64,
}

fn main() {}
