use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    friction pad: rate(x - y) = b;
}]
pub struct Block {
    pub m: f64,
    pub b: f64,
}

fn main() {}
