use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    lagrangian = m*(dot(x)^2 + dot(y)^2)/2 - u*dot(x);
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
    pub l: f64,
    #[input]
    pub u: f64,
}

fn main() {}
