use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    contact floor: y >= 0, restitution = e, adhesion = -2;
}]
pub struct Body {
    pub m: f64,
    pub e: f64,
}

fn main() {}
