#![deny(deprecated)]
use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    lagrangian = m*(dot(x)^2 + dot(y)^2)/2 + b*y*max(dot(x), 0);
}]
pub struct Ratchet {
    pub m: f64,
    pub b: f64,
}

fn main() {}
