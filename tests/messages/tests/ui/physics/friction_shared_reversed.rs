use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = if k*(v - dot(x)) > 0 { -c } else { 0 };
    friction pad: x - v*t = mu;
}]
pub struct Block {
    pub m: f64,
    pub k: f64,
    pub v: f64,
    pub c: f64,
    pub mu: f64,
}

fn main() {}
