use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*dot(x)^2/2;
    potential = (x - y)^2;
    dissipation = abs(dot(y));
}]
pub struct Ball {
    pub m: f64,
}

fn main() {}
