use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    force x = -c*sign(dot(x));
    friction pad: [x, y] = b;
}]
pub struct Puck {
    pub m: f64,
    pub b: f64,
    pub c: f64,
}

fn main() {}
