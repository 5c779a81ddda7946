use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    symmetry along: [1];
}]
pub struct Point {
    pub m: f64,
}

fn main() {}
