use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    virtual lift;
    kinetic = m*(dot(x)^2 + dot(lift)^2)/2;
    contact floor: lift >= 0, restitution = 0;
    output p = momentum(lift);
}]
pub struct Block {
    pub m: f64,
}

fn main() {}
