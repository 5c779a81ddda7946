use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    contact floor: distance([x, y], plane([0, 0], [0, 1])) >= 0;
}]
pub struct Hoop {
    pub m: f64,
    pub r: f64,
}

fn main() {}
