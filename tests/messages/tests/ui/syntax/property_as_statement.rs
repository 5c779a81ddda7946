use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates y;
    kinetic = m*dot(y)^2/2;
    contact floor: y >= 0;
    restitution = 0.5;
}]
pub struct Ball {
    pub m: f64,
}

fn main() {}
