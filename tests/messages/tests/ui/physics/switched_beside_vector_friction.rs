use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    mode near = when x > l { 1 };
    constraint hook: x == l when near > 1/2;
    friction pad: [x, y] = m;
}]
pub struct Body {
    pub m: f64,
    pub l: f64,
}

fn main() {}
