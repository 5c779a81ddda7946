use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates q[4];
    kinetic = rigid_body_energy(m, [k, k, l], [0, 0, 0], q);
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
    pub l: f64,
}

fn main() {}
