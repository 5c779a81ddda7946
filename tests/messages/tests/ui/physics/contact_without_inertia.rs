use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, lid;
    kinetic = m*dot(x)^2/2;
    dissipation = c*dot(lid)^2/2;
    force lid = -g;
    contact rim: lid >= 0;
}]
pub struct Valve {
    pub m: f64,
    pub c: f64,
    pub g: f64,
}

#[lagrangian {
    coordinates x, y;
    kinetic = m*dot(x)^2/2;
    potential = k*y^2/2;
    dissipation = c*dot(y)^2/2;
    friction pad: rate((1 + y)*dot(x)) = b;
}]
struct Scaled {
    m: f64,
    k: f64,
    c: f64,
    b: f64,
}

fn main() {}
