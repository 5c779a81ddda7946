use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    contact edge: distance(sphere([x, y], 0), box([0, 0], [a, b], 0)) >= 0;
}]
pub struct Point {
    pub m: f64,
    pub a: f64,
    pub b: f64,
}

fn main() {}
