#![deny(deprecated)]

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y, a, f;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2 + j*(dot(a)^2 + 2*dot(f)^2)/2;
    constraint heading: a == 0;
    nonholonomic rolling: [dot(x), dot(y)] == r*dot(f)*[cos(a), sin(a)];
}]
struct Disc {
    m: f64,
    j: f64,
    r: f64,
}

fn main() {}
