use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    constraint rod: norm([x, y]) == l;
    output jerk = dot(multiplier(rod));
}]
pub struct Point {
    pub m: f64,
    pub l: f64,
}

fn main() {}
