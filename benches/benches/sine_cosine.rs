//! What does a pair of sine and cosine cost when the next angle waits for it?
//!
//! `cargo bench -p lagrange-benches --bench sine_cosine`

use lagrange_benches::race::{Contender, race};
use lagrange_runtime::scalar::Scalar;
use std::hint::black_box;

const COUNT: u32 = 2_000_000;

fn chain(pair: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut angle = black_box(0.7);
    for _ in 0..COUNT {
        let (sine, cosine) = pair(angle);
        angle += 0.1 * sine - 0.2 * cosine;
    }
    angle
}

fn main() {
    race(
        "Sine and cosine of one angle in a dependent chain",
        "pair",
        f64::from(COUNT),
        11,
        vec![
            Contender::new("std", || {
                black_box(chain(f64::sin_cos));
            }),
            Contender::new("inlined", || {
                black_box(chain(<f64 as Scalar>::sin_cos));
            }),
        ],
    );
}
