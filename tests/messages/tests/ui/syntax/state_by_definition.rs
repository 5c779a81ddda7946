use lagrange_runtime::prelude::*;

#[lagrangian {
    state z = -a*z;
}]
struct Block {
    a: f64,
}

fn main() {}
