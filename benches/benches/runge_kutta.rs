//! What do 500 s of the compound double pendulum cost with RK4 at 1 ms, against the same written by hand?
//!
//! `cargo bench -p lagrange-benches --bench runge_kutta`

use lagrange_benches::c::Program;
use lagrange_benches::hand::Pendulum;
use lagrange_benches::race::{Contender, race};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;
use std::f64::consts::FRAC_PI_4;
use std::hint::black_box;

fn main() {
    let hand = black_box(Pendulum::published());
    let model = CompoundDoublePendulum::default();
    let system = black_box(model).prepare::<f64>().expect("the parameters are finite");
    let derived = || {
        let mut state = State::new(0.0, [FRAC_PI_4, 0.0], [0.0, 0.0]);
        let mut input = DefaultInputs::of(&system);
        integrate(&system, &mut state, 500.0, &Rk4::new(1e-3), &Options::default(), &mut input, &mut ())
            .expect("the pendulum stays finite");
        state.q[0]
    };
    let by_hand = || hand.runge_kutta(black_box([FRAC_PI_4, 0.0]), [0.0, 0.0], 1e-3, 500_000).0[0];
    println!("final angle: derived {:.9}, by hand {:.9}", derived(), by_hand());
    let c = Program::compile();
    race(
        "RK4 at 1 ms over 500 s",
        "acceleration",
        2e6,
        11,
        vec![
            Contender::self_timed("C by hand, libm, -O3 -march=native", || Some(c.as_ref()?.run("runge_kutta")?.0)),
            Contender::new("Rust by hand, std's sine and cosine", || {
                black_box(by_hand());
            }),
            Contender::new("derived, `integrate` with Rk4", || {
                black_box(derived());
            }),
        ],
    );
}
