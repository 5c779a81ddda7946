use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    lagrangian = m*dot(x)^2/2 - k*x^2/2 + u*x;
    invariant h = m*dot(x) - u;
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
    #[input]
    pub u: f64,
}

fn main() {}
