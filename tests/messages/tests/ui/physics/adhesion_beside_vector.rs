use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates r[3];
    kinetic = m*norm2(dot(r))/2;
    contact wall: r[0] >= 0, adhesion = b;
    contact floor: r[2] >= 0, friction = mu, slip = [r[0], r[1]];
}]
pub struct Puck {
    pub m: f64,
    pub b: f64,
    pub mu: f64,
}

fn main() {}
