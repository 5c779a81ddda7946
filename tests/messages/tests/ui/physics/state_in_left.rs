use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x*z = a;
    state z: dot(z) == -z;
}]
struct Block {
    m: f64,
    a: f64,
}

fn main() {}
