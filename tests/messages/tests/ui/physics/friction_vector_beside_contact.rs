use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates r[2];
    kinetic = m*norm2(dot(r))/2;
    contact wall: r[0] >= 0;
    friction pad: r = b;
}]
pub struct Puck {
    pub m: f64,
    pub b: f64,
}

fn main() {}
