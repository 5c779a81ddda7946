use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = (m + a*z)*dot(x)^2/2;
    state z: dot(z) == -z;
}]
struct Block {
    m: f64,
    a: f64,
}

fn main() {}
