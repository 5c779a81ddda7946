use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates y;
    kinetic = m*dot(y)^2/2;
    dot(z) = -z/m;
}]
pub struct Ball {
    pub m: f64,
}

fn main() {}
