use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    friction pad: x = 3/2, breakaway = 1/2;
}]
pub struct Block {
    pub m: f64,
}

fn main() {}
