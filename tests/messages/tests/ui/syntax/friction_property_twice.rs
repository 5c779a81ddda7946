use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    friction pad: x = mu*m + 0*press, smooth = w, smooth = 2*w;
}]
pub struct Block {
    pub m: f64,
    pub mu: f64,
    pub w: f64,
    #[input]
    pub press: f64,
}

fn main() {}
