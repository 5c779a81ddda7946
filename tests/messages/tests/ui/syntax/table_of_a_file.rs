use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    table spring(s) = include("spring.csv");
    kinetic = m*dot(x)^2/2;
    potential = spring(x);
}]
pub struct Body {
    pub m: f64,
}

fn main() {}
