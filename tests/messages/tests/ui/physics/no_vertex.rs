use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y, turn;
    kinetic = rigid_body_energy(m, m*(a^2 + b^2)/3, [x, y], turn);
    let brick = box([x, y], [a, b], turn);
    contact floor[i in 0..8]: distance(vertex(brick, i), plane([0, 0], [0, 1])) >= 0;
}]
pub struct Brick {
    pub m: f64,
    pub a: f64,
    pub b: f64,
}

fn main() {}
