use lagrange_runtime::prelude::*;

#[lagrangian {
    state dot(z) == -a*z;
}]
struct Block {
    a: f64,
}

fn main() {}
