use lagrange_runtime::prelude::*;

#[lagrangian {
    part inner: Matryoshka;
    coordinates x;
    kinetic = m*dot(x)^2/2;
}]
pub struct Matryoshka {
    pub m: f64,
    pub inner: Matryoshka,
}

fn main() {}
