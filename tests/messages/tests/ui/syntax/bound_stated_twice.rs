use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    max_operations = 1000;
    max_operations = 2000;
}]
pub struct Point {
    pub m: f64,
}

fn main() {}
