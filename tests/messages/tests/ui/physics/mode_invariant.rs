use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    mode met = when x > k { 1 } then dot(y) = -dot(y);
    invariant momentum_y = m*dot(y);
}]
struct Block {
    m: f64,
    k: f64,
}

fn main() {}
