use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates y;
    kinetic = m*dot(y)^2/2;
    state z: dot(dot(z)) == -z;
    force y = z;
}]
pub struct Ball {
    pub m: f64,
}

fn main() {}
