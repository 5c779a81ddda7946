use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    contact floor: y >= 0, friction = mu, slip = dot(x);
}]
pub struct Sliding {
    pub m: f64,
    pub mu: f64,
}

fn main() {}
