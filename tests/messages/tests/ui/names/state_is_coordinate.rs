use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    state x: dot(x) == -a*x;
}]
struct Block {
    m: f64,
    a: f64,
}

fn main() {}
