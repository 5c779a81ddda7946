use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    table spring(s) = spline([0, 1, 2], [0, 1, 4], [0]);
    kinetic = m*dot(x)^2/2;
    potential = spring(x);
}]
pub struct Body {
    pub m: f64,
}

fn main() {}
