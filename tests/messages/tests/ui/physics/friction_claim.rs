use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    constraint floor: y == 0;
    friction pad: x = mu*abs(multiplier(floor));
    invariant momentum = m*dot(x);
    verify dot(dot(x)) == 0;
}]
pub struct Block {
    pub m: f64,
    pub mu: f64,
}

fn main() {}
