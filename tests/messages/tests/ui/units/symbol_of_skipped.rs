use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
}]
pub struct Body {
    #[symbol("M")]
    pub m: f64,
    #[skip]
    #[symbol("N")]
    pub note: String,
}

fn main() {}
