use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, lid;
    kinetic = m*dot(x)^2/2;
    dissipation = c*dot(lid)^2/2;
    force lid = -g;
    contact rim: lid >= 0;
}]
pub struct Valve {
    pub m: f64,
    pub c: f64,
    pub g: f64,
}

fn main() {}
