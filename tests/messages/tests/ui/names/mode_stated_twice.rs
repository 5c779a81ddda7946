use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*on*x^2/2;
    mode on = when x > 1 { 1 };
    mode on = when x < 0 { 0 };
}]
struct Block {
    m: f64,
    k: f64,
}

fn main() {}
