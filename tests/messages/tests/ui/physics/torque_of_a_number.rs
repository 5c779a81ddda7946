use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates a, b;
    let turned = rotation_z(a)*rotation_x(b);
    kinetic = rigid_body_energy(1, [j, j, j], [0, 0, 0], turned);
    torque turned = j;
}]
pub struct Body {
    pub j: f64,
}

fn main() {}
