#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y, a, f, h;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2 + j*(dot(a)^2 + 2*dot(f)^2 + 3*dot(h)^2)/2;
    nonholonomic aside: dot(y)*cos(a) == dot(x)*sin(a);
    nonholonomic left: dot(x)*cos(a) + dot(y)*sin(a) - b*dot(a) == r*dot(f);
    nonholonomic right: dot(x)*cos(a) + dot(y)*sin(a) + b*dot(a) == r*dot(h);
}]
struct Cart {
    m: f64,
    j: f64,
    b: f64,
    r: f64,
}

fn main() {}
