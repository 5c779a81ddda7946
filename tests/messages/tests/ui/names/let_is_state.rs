use lagrange_runtime::prelude::*;

#[lagrangian {
    state z: dot(z) == -a*z;
    let z = 2*a;
}]
struct Block {
    a: f64,
}

fn main() {}
