use lagrange_runtime::prelude::*;

#[lagrangian {
    state z: a*dot(z) == -z;
}]
struct Block {
    a: f64,
}

fn main() {}
