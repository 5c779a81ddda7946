use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates r[3];
    kinetic = m*norm2(dot(r))/2;
    constraint table: r[2] == 0;
    friction pad: [r[0], r[1]] = mu*abs(multiplier(table));
}]
pub struct Puck {
    pub m: f64,
    pub mu: f64,
}

fn main() {}
