use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x: m;
    kinetic = m*dot(x)^2/2;
}]
pub struct Body {
    pub m: f64,
    #[skip]
    #[range(1..2)]
    pub note: String,
}

fn main() {}
