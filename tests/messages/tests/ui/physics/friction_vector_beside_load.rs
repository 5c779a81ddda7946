use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates r[2], x, y;
    kinetic = m*(norm2(dot(r)) + dot(x)^2 + dot(y)^2)/2;
    constraint floor: y == 0;
    friction pad: r = b;
    friction drag: x = b*abs(multiplier(floor));
}]
pub struct Puck {
    pub m: f64,
    pub b: f64,
}

fn main() {}
