use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates y;
    kinetic = m*dot(y)^2/2;
    constraint held: y == 1;
    output rows = jacobian(held);
}]
pub struct Ball {
    pub m: f64,
}

fn main() {}
