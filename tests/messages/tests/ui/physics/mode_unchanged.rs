use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*engaged*x^2/2;
    mode engaged;
}]
struct Block {
    m: f64,
    k: f64,
}

fn main() {}
