use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    virtual lift;
    kinetic = m*(dot(x)^2 + dot(lift)^2)/2;
    output p = momentum(x);
}]
pub struct Block {
    pub m: f64,
}

fn main() {}
