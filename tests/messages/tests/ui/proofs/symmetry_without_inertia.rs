use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = 0;
    potential = k*(x - y)^2/2;
    dissipation = c*(dot(x)^2 + dot(y)^2)/2;
    symmetry shift: [1, 1];
}]
pub struct Dampers {
    pub c: f64,
    pub k: f64,
}

fn main() {}
