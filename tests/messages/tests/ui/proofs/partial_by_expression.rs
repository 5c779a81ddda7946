use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    verify partial(acceleration[x], k*x) == -1/m;
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
}

fn main() {}
