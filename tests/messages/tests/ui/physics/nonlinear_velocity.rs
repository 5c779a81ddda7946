use lagrange_runtime::prelude::*;

/// A light vane in a fast stream.
#[lagrangian {
    coordinates x;
    kinetic = 0;
    potential = k*x^2/2;
    dissipation = c*abs(dot(x))^3/3;
}]
pub struct Vane {
    pub k: f64,
    pub c: f64,
}

fn main() {}
