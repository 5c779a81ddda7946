#![deny(deprecated)]
use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates a[26];
    kinetic = sum(i in 0..26, sum(j in 0..26, m*l^2*dot(a[i])*dot(a[j])*cos(a[i] - a[j])*min(26 - i, 26 - j)/2));
    potential = -sum(i in 0..26, m*g*(26 - i)*l*cos(a[i]));
}]
pub struct Rope {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}

fn main() {}
