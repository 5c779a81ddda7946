use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    contact floor: distance(capsule([x, y], [x + 2*r, y], r), box([0, 0], [1, 1], 0)) >= 0;
}]
pub struct Hoop {
    pub m: f64,
    pub r: f64,
}

fn main() {}
