use lagrange_runtime::prelude::*;

#[lagrangian {
    const n = 65;
    coordinates x[n];
    kinetic = m*norm2(dot(x))/2;
    friction pad[i in 0..n]: x[i] = mu;
}]
pub struct Block {
    pub m: f64,
    pub mu: f64,
}

fn main() {}
