use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    contact wall[i in 0..33]: y >= i*x, friction = e, slip = x;
}]
pub struct Body {
    pub m: f64,
    pub e: f64,
}

fn main() {}
