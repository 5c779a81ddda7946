use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    symmetry turn: [-y, x];
}]
pub struct Point {
    pub m: f64,
    pub g: f64,
}

fn main() {}
