use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    table by_columns(s, t) = spline([0, 1, 2], [0, 1], [[0, 1, 2], [1, 2, 3]]);
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = by_columns(x, y);
}]
struct Landscape {
    m: f64,
}

fn main() {}
