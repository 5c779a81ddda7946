use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x[8], a, b;
    kinetic = m*(norm2(dot(x)) + dot(a)^2 + dot(b)^2)/2;
    constraint rod: norm([a, b]) == l;
    friction pad[i in 0..8]: x[i] = c;
    friction pin: a - b = c*abs(multiplier(rod));
}]
pub struct Row {
    pub m: f64,
    pub l: f64,
    pub c: f64,
}

fn main() {}
