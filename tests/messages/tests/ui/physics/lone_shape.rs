use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    contact floor: sphere([x, y], r) >= 0;
}]
pub struct Hoop {
    pub m: f64,
    pub r: f64,
}

fn main() {}
