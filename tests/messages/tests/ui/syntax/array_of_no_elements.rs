use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
}]
pub struct Point {
    pub m: [f64; 0],
}

fn main() {}
