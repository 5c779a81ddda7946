use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates theta;
}]
pub struct Pendulum {
    pub m: f64,
    pub l: f64,
    pub g: f64,
}

fn main() {}
