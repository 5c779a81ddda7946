use lagrange_runtime::prelude::*;

/// A spring-mounted plate of a capacitor in a resonant circuit, without resistance.
#[lagrangian {
    coordinates x, e;
    kinetic = m*dot(x)^2/2 + L1*dot(e)^2/2;
    potential = K*x^2/2 + (s - x)*e^2/(2*A);
    invariant I1 = L1*e^2/(2*A) - (s - x)*e^2/A;
}]
#[allow(non_snake_case)]
pub struct Plate {
    pub m: f64,
    pub L1: f64,
    pub K: f64,
    pub s: f64,
    pub A: f64,
}

fn main() {}
