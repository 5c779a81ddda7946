use lagrange_runtime::prelude::*;

/// A mass that is not named.
#[lagrangian {
    part;
    coordinates x;
    kinetic = mass*dot(x)^2/2;
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
