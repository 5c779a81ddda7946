use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates r[9];
    kinetic = m*norm2(dot(r))/2;
    friction first: [r[0], r[1], r[2]] = b;
    friction second: [r[3], r[4], r[5]] = b;
    friction third: [r[6], r[7], r[8]] = b;
}]
pub struct Puck {
    pub m: f64,
    pub b: f64,
}

fn main() {}
