use lagrange_runtime::prelude::*;

fn curve(x: f64) -> f64 {
    x
}

/// A spring with a characteristic.
#[lagrangian {
    given length;
    extern f(x) = curve, d(x) = crate::curve;
    potential = f(length);
}]
pub struct Spring {}

fn main() {}
