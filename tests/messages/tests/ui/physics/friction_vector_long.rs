use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates r[9];
    kinetic = m*norm2(dot(r))/2;
    friction pad: r = b;
}]
pub struct Puck {
    pub m: f64,
    pub b: f64,
}

fn main() {}
