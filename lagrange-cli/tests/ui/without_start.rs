//! A mechanism without an initial state.

use lagrange_runtime::prelude::*;

/// A body in a plane.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
}]
#[derive(Clone, Debug)]
struct Body {
    m: f64,
}

fn main() {
    let _ = lagrange_cli::catalog![Body { m: 1.0 }];
}
