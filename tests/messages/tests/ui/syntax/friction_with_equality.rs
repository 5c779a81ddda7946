use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    friction pad: x == mu;
}]
pub struct Block {
    pub m: f64,
    pub mu: f64,
}

fn main() {}
