use lagrange_runtime::prelude::*;

#[lagrangian {
    state z: dot(z) == -a*z;
    state z: dot(z) == a;
}]
struct Block {
    a: f64,
}

fn main() {}
