#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta;
    let tip = [l*sin(theta), -l*cos(theta)];
    let middle = tip/2;
    kinetic = m*norm2(dot(tip))/2;
}]
pub struct Rod {
    pub m: f64,
    pub l: f64,
}

fn main() {}
