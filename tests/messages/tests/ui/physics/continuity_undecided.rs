use lagrange_runtime::prelude::*;

fn height<R: lagrange_runtime::scalar::Scalar>(x: R) -> R {
    x.sin()
}

fn slope<R: lagrange_runtime::scalar::Scalar>(x: R) -> R {
    x.cos()
}

#[lagrangian {
    coordinates x, y;
    extern height(x) = height, d(x) = slope;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = if height(x) > y { k*(height(2*x) - 2*y)^2/2 } else { 0 };
}]
pub struct Ball {
    pub m: f64,
    pub k: f64,
}

fn main() {}
