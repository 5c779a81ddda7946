use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = m*9.81 m/s^2*x;
}]
pub struct Body {
    pub m: f64,
}

fn main() {}
