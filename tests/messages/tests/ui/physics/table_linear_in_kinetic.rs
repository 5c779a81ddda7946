use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    table rail(s) = linear([0, 1, 2], [0, 1, 3]);
    kinetic = m*norm2(dot([x, rail(x)]))/2;
}]
pub struct Bead {
    pub m: f64,
}

fn main() {}
