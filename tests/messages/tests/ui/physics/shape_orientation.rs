use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y, turn;
    kinetic = rigid_body_energy(m, m*r^2/2, [x, y], turn);
    contact floor: distance(sphere([x, y], r), plane([0, 0], [0, 1])) >= 0, friction = mu;
}]
pub struct Hoop {
    pub m: f64,
    pub r: f64,
    pub mu: f64,
}

fn main() {}
