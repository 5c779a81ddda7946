use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    contact floor: y >= 0;
    contact floor: x >= 0;
}]
pub struct Body {
    pub m: f64,
    pub e: f64,
}

fn main() {}
