use lagrange_runtime::prelude::*;

/// A light slider with grease and dry friction.
#[lagrangian {
    coordinates x;
    kinetic = 0;
    potential = k*x^2/2;
    dissipation = f*abs(dot(x)) + c*dot(x)^2/2;
}]
pub struct Slider {
    pub k: f64,
    pub f: f64,
    pub c: f64,
}

fn main() {}
