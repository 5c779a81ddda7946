use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    mode near = when x > l { 1 };
    constraint hook[i in 0..65]: x*i + y == l when near > 1/2;
}]
pub struct Body {
    pub m: f64,
    pub l: f64,
}

fn main() {}
