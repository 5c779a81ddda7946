use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = rigid_body_energy(m, k, dot(x), x);
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
    pub l: f64,
}

fn main() {}
