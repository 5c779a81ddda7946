use lagrange_runtime::prelude::*;

/// A vane whose damper acts on a light wheel that nothing else resists.
#[lagrangian {
    coordinates x, y;
    lagrangian = k*y*dot(x) - k*(x^2 + y^2)/2;
    dissipation = c*abs(dot(x))^3/3;
}]
pub struct Vane {
    pub k: f64,
    pub c: f64,
}

fn main() {}
