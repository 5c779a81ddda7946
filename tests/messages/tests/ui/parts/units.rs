use lagrange_runtime::prelude::*;

/// A part in SI units.
#[lagrangian {
    part;
    coordinates x: m;
    kinetic = m*dot(x)^2/2;
}]
pub struct Mass {
    #[unit(kg)]
    pub m: f64,
}

#[lagrangian {
    part mass: Mass;
    units time = day;
}]
pub struct Planet {
    pub mass: Mass,
}

fn main() {}
