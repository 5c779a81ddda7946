#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    force [x, x] = [u, -u];
}]
pub struct Pair {
    pub m: f64,
    #[input]
    pub u: f64,
}

fn main() {}
