use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    constraint rail: [x + y, 2*x + 2*y] == [0, 0];
}]
pub struct Ball {
    pub m: f64,
}

fn main() {}
