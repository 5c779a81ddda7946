use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    table spring(s) = linear(places, places);
    kinetic = m*dot(x)^2/2;
    potential = spring(x);
}]
pub struct Body {
    pub m: f64,
    pub places: [f64; 65],
}

fn main() {}
