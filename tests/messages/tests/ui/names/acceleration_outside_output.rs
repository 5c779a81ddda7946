use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    invariant push = m*acceleration[x];
}]
pub struct Block {
    pub m: f64,
}

fn main() {}
