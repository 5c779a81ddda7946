//! What do 500 s of the compound double pendulum cost at equal error, against other crates and C?
//!
//! `cargo run --release --manifest-path benches/trajectories/Cargo.toml`
//!
//! Each contender's error at t = 10 s is measured over a grid of tolerances; the straight line through log error against
//! log tolerance near the wanted error gives the tolerance at which it is met. At that tolerance 500 s are timed, in turn,
//! round after round. The rivals integrate the published closed form with std's sine, and then our emitted right-hand side.

mod curve;
mod ours;
mod rivals;

use curve::{Way, calibrated};
use lagrange_benches::c::Program;
use lagrange_benches::hand::Pendulum;
use lagrange_benches::race::{Contender, race};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;
use std::cell::Cell;
use std::f64::consts::FRAC_PI_4;
use std::hint::black_box;
use std::time::Instant;

/// Both angles and both angular velocities.
type Numbers = [f64; 4];

/// The published initial state: at rest at (45°, 0°).
const START: Numbers = [FRAC_PI_4, 0.0, 0.0, 0.0];

/// The errors that are compared, at [`CHECK`].
const ERRORS: [f64; 2] = [1e-7, 1e-10];

/// Where the error is measured, s.
const CHECK: f64 = 10.0;

/// How long the timed motion is, s.
const DURATION: f64 = 500.0;

const ROUNDS: usize = 9;

fn main() {
    let hand = black_box(Pendulum::published());
    let model = black_box(CompoundDoublePendulum::default());
    let system = model.prepare::<f64>().expect("the parameters are finite");
    let none = SVector::from([]);
    let by_hand = move |y: &Numbers| {
        let [a1, a2] = hand.acceleration([y[0], y[1]], [y[2], y[3]]);
        [y[2], y[3], a1, a2]
    };
    let emitted = |y: &Numbers| {
        let (q, v) = (SVector::from([y[0], y[1]]), SVector::from([y[2], y[3]]));
        let found = system.acceleration(0.0, &q, &v, &none).expect("the mass matrix is regular").acceleration;
        [y[2], y[3], found[0], found[1]]
    };
    let c = Program::dop853();
    let c_seconds = Cell::new(None);
    let c_run = |tolerance: f64, t_end: f64| {
        let (time, numbers) = c.as_ref()?.run_with(&[&format!("{tolerance:e}"), &format!("{t_end:e}")])?;
        c_seconds.set(Some(time));
        <Numbers>::try_from(numbers).ok()
    };
    let exact = ours::reference(&model);
    for wanted in ERRORS {
        let all: Vec<Way<'_>> = [
            ours::ways(&system),
            rivals::ways("std's sine by hand", by_hand),
            rivals::ways("our right-hand side", emitted),
            vec![Way::new("C, DOP853, libm's sine", c_run)],
        ]
        .into_iter()
        .flatten()
        .collect();
        let mut contenders = Vec::new();
        for way in &all {
            let Some(tolerance) = calibrated(way, &exact, wanted) else {
                println!("{} does not reach {wanted:e}", way.name);
                continue;
            };
            let name = format!("{} at {tolerance:.1e}", way.name);
            let timed_by_itself = way.name.starts_with("C,");
            contenders.push(if timed_by_itself {
                let c_seconds = &c_seconds;
                Contender::self_timed(&name, move || {
                    (way.run)(tolerance, DURATION)?;
                    c_seconds.get()
                })
            } else {
                Contender::self_timed(&name, move || {
                    let start = Instant::now();
                    black_box((way.run)(black_box(tolerance), DURATION)?);
                    Some(start.elapsed())
                })
            });
        }
        let title = format!("{DURATION} s to an error of {wanted:e} at {CHECK} s; ratios to our first");
        race(&title, "second of motion", DURATION, ROUNDS, contenders);
    }
}
