use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    force x = u;
}]
pub struct Point {
    pub m: f64,
    #[input(3)]
    pub u: f64,
}

fn main() {}
