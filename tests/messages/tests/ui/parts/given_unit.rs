use lagrange_runtime::prelude::*;

/// A spring on a length that its surroundings give.
#[lagrangian {
    given length: m;
    potential = k*length^2/2;
}]
pub struct Spring {
    #[unit(N/m)]
    pub k: f64,
}

#[lagrangian {
    part spring: Spring;
    coordinates x: m;
    let spring.length: m = x;
    kinetic = m*dot(x)^2/2;
}]
pub struct Oscillator {
    #[unit(kg)]
    pub m: f64,
    pub spring: Spring,
}

#[lagrangian {
    part spring: Spring;
    coordinates angle: rad;
    let spring.length = angle;
    kinetic = j*dot(angle)^2/2;
}]
pub struct Torsion {
    #[unit(kg*m^2)]
    pub j: f64,
    pub spring: Spring,
}

fn main() {}
