use lagrange_runtime::prelude::*;

/// Two light plates that rub on each other, and on nothing else.
#[lagrangian {
    coordinates x, y;
    kinetic = 0;
    potential = k*(x - y)^2/2;
    dissipation = c*(dot(x) - dot(y))^2/2;
}]
pub struct Plates {
    pub k: f64,
    pub c: f64,
}

fn main() {}
