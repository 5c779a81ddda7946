use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates r[66];
    kinetic = m*norm2(dot(r))/2;
    friction pad[i in 0..22]: [r[3*i], r[3*i + 1], r[3*i + 2]] = b;
}]
pub struct Puck {
    pub m: f64,
    pub b: f64,
}

fn main() {}
