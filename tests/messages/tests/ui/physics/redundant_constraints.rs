use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y, z;
    kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    constraint circle: x^2 + y^2 == r^2;
    constraint plane: z == 0;
    constraint radius: norm([x, y]) == r;
}]
pub struct Bead {
    pub m: f64,
    pub r: f64,
}

fn main() {}
