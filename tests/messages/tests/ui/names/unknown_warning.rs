#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    allow unused_feild;
}]
pub struct Cart {
    pub m: f64,
    pub k: f64,
}

fn main() {}
