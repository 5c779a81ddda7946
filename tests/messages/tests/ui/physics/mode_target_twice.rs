use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    mode on = when x > 0 { 1 } then dot(x) = -dot(x), x = 0, dot(x) = 0;
}]
struct Block {
    m: f64,
    k: f64,
}

fn main() {}
