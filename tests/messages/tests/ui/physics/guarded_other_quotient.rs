use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates y;
    kinetic = m*dot(y)^2/2;
    potential = if abs(y) > 1e-8 { sinh(y)/y } else { 1 };
}]
pub struct Ball {
    pub m: f64,
}

fn main() {}
