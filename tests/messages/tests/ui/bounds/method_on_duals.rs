use lagrange_runtime::analysis::transition_matrix;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
}]
#[derive(Clone, Debug)]
struct Ball {
    m: f64,
}

fn main() {
    let (ball, start) = (Ball { m: 1.0 }, State::new(0.0, [0.0], [1.0]));
    let _ = transition_matrix(&ball, &start, 1.0, &Dop853::<Dual<f64, 2>>::new(), &SharedOptions::default());
    let _ = transition_matrix(&ball, &start, 1.0, &Dop853::new(), &Options::<Dual<f64, 2>, 1>::default());
}
