use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    let r = [[x, y], [y, x]]*[1, 2, 3];
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
    pub l: f64,
}

fn main() {}
