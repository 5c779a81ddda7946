use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    mode held = when abs(multiplier(pinn)) > limit { 0 } when x < 0 && dot(x) < 0 { 1 };
    constraint pin: x == 0 when held > 1/2;
}]
pub struct Pinned {
    pub m: f64,
    pub limit: f64,
}

fn main() {}
