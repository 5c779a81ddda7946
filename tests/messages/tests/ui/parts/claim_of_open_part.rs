use lagrange_runtime::prelude::*;

#[lagrangian {
    given base;
    coordinates x;
    kinetic = m*(dot(x) + dot(base))^2/2;
    invariant momentum_of_x = momentum[x];
}]
pub struct Cart {
    pub m: f64,
}

fn main() {}
