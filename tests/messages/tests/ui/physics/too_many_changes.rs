use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    mode passed[i in 0..65] = when x > i*k { 1 };
}]
struct Block {
    m: f64,
    k: f64,
}

fn main() {}
