use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y, z;
    kinetic = m*(dot(x) + dot(y))^2/2 + m*dot(z)^2/2;
    potential = k*(x^2 + y^2 + z^2)/2;
    constraint slope: z == 2*x + 2*y;
}]
pub struct Masses {
    pub m: f64,
    pub k: f64,
}

fn main() {}
