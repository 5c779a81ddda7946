use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates angle;
    kinetic = j*dot(angle)^2/2;
    torque angle = j;
}]
pub struct Wheel {
    pub j: f64,
}

fn main() {}
