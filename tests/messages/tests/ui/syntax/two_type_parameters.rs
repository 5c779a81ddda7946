use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;

}]
pub struct Point<A, B> {
    pub m: A,
    pub k: B,
}

fn main() {}
