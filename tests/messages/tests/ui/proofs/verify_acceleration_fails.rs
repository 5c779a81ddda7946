use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    verify acceleration[x] == k*x/m;
}]
pub struct Oscillator {
    pub m: f64,
    pub k: f64,
}

fn main() {}
