use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x[2];
    kinetic = m*norm2(dot(x))/2;
    friction pad: x = [mu, mu];
}]
pub struct Block {
    pub m: f64,
    pub mu: f64,
}

fn main() {}
