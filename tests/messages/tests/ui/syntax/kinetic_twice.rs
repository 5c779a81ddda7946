use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*dot(x)^2/2;
    kinetic = m*dot(y)^2/2;
}]
pub struct Point {
    pub m: f64,
}

fn main() {}
