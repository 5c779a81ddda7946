use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
}]
pub struct Mass {
    pub m: f64,
}

#[lagrangian {
    part mass: Mass;
}]
pub struct Pair {
    pub mass: Mass,
}

fn main() {}
