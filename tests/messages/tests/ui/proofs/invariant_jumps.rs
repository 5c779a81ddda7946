use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    invariant side = sign(x)*dot(x);
}]
pub struct Point {
    pub m: f64,
}

fn main() {}
