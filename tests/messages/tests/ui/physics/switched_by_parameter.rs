use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    constraint hook: x == l when m > 1;
}]
pub struct Body {
    pub m: f64,
    pub l: f64,
}

fn main() {}
