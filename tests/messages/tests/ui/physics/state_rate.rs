use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = -a*dot(z);
    state z: dot(z) == x - z;
}]
struct Block {
    m: f64,
    a: f64,
}

fn main() {}
