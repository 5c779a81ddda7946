use lagrange_runtime::prelude::*;

pub const N: usize = 3;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;

}]
pub struct Point {
    pub m: f64,
    pub many: [f64; N],
}

fn main() {}
