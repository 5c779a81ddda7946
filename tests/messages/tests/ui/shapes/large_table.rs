use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    table map(s, t) = spline(a, b, values);
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = map(x, y);
}]
struct Landscape {
    m: f64,
    a: [f64; 41],
    b: [f64; 50],
    values: [[f64; 50]; 41],
}

fn main() {}
