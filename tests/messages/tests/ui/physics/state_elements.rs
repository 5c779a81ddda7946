use lagrange_runtime::prelude::*;

#[lagrangian {
    state z[i in 1..4]: dot(z[i]) == -a*z[i];
}]
struct Block {
    a: f64,
}

fn main() {}
