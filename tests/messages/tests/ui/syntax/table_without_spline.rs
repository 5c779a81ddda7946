use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    table lift(x) = akima([0, 1], [0, 1]);
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
    pub l: f64,
}

fn main() {}
