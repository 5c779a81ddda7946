use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    nonholonomic roll: dot(x) == a*z;
    state z: dot(z) == -z;
}]
struct Block {
    m: f64,
    a: f64,
}

fn main() {}
