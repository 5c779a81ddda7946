use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, type;
    kinetic = m*dot(x)^2/2;
}]
pub struct Point {
    pub m: f64,
}

fn main() {}
