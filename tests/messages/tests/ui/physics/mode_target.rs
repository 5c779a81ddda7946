use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    mode soft = when x > 0 { 1 } then k = 2;
}]
struct Block {
    m: f64,
    k: f64,
}

fn main() {}
