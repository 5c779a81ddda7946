use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    friction pad: x = mu*m, breakaway = 2*mu*m, smooth = w;
}]
pub struct Block {
    pub m: f64,
    pub mu: f64,
    pub w: f64,
}

fn main() {}
