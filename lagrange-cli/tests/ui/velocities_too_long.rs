//! More initial velocities than coordinates, under a constraint.

use lagrange_runtime::prelude::*;

/// A body in a plane.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    constraint circle: x^2 + y^2 == 1;
}]
#[derive(Clone, Debug)]
struct Body {
    m: f64,
}

fn main() {
    let _ = lagrange_cli::catalog![Body { m: 1.0 } at [1.0, 0.0], [0.0, 0.0, 0.0]];
}
