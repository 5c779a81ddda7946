use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    friction pad: x = k;
    mode jerked = when dot(dot(x)) > 10 { 1 };
}]
struct Block {
    m: f64,
    k: f64,
}

fn main() {}
