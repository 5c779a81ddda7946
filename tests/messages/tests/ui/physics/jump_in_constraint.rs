use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    constraint arm: atan2(y, x) == w*t;
}]
pub struct Point {
    pub m: f64,
    pub w: f64,
}

fn main() {}
