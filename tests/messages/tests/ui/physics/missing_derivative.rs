use lagrange_runtime::prelude::*;

fn lift<R: lagrange_runtime::scalar::Scalar>(x: R) -> R {
    x.sin()
}

fn slope<R: lagrange_runtime::scalar::Scalar>(x: R) -> R {
    x.cos()
}

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    extern lift(x) = lift, d(x) = slope;
    potential = k*lift(x);
}]
pub struct Point {
    pub m: f64,
    pub k: f64,
    pub l: f64,
}

fn main() {}
