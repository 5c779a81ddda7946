use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
}]
pub struct Point {
    pub m: Vec<f64>,
    pub n: usize,
}

fn main() {}
