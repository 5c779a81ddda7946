use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    dot(i) == c*x;
}]
pub struct Body {
    pub m: f64,
    pub c: f64,
}

fn main() {}
