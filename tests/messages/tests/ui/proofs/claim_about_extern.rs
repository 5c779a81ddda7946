use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    extern f(x) = crate::f, d(x) = crate::f;
    kinetic = m*dot(x)^2/2;
    potential = f(x);
    verify f(x) == f(-x);
}]
pub struct Ball {
    pub m: f64,
}

fn main() {}
