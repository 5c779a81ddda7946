use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    state z: dot(z) == dot(dot(x)) - a*z;
}]
struct Block {
    m: f64,
    a: f64,
}

fn main() {}
