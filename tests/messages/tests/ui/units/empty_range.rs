use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x: m in 3..-3;
    kinetic = m*dot(x)^2/2;
}]
pub struct Body {
    pub m: f64,
}

fn main() {}
