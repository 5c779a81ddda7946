use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = -partial(k*x^2/2, x);
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
}

fn main() {}
