use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
}]
#[derive(Clone, Debug)]
struct Ball {
    m: f64,
}

fn main() {
    let initial = State::new(0.0, [0.0], [1.0]);
    let _ = solve(&Ball { m: 1.0 }, initial, 1.0, &Rk4::new(0.1), &Options::default());
}
