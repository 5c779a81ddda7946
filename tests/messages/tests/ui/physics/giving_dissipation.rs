#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    dissipation = c*dot(x)^2/2 - c*dot(y)^2/2;
}]
pub struct Body {
    pub m: f64,
    pub c: f64,
}

fn main() {}
