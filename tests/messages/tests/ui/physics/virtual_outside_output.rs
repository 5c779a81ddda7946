use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    virtual lift;
    kinetic = m*(dot(x)^2 + dot(lift)^2)/2;
    potential = m*9.81*lift;
    friction pad: x = mu*reaction(lift);
}]
pub struct Block {
    pub m: f64,
    pub mu: f64,
}

fn main() {}
