use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    let r = cross([x, y, 0, 0], [1, 2, 3, 4]);
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
    pub l: f64,
}

fn main() {}
