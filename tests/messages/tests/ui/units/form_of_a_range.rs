use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x: m;
    kinetic = m*dot(x)^2/2;
}]
pub struct Body {
    #[range(0.1, 10)]
    pub m: f64,
}

fn main() {}
