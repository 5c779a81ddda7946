//! Study 1: the compound double pendulum.

pub(super) mod drag;
pub(super) mod energy;
pub(super) mod light_rods;
pub(super) mod spectrum;
pub(super) mod step_size;

use super::Outcome;
use crate::report::figure::Animation;
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;

/// How long every experiment lasts, s (§5.4, §6).
const DURATION: f64 = 500.0;

/// The overline of its sections.
const STUDY: &str = "Study 1 · compound double pendulum";

/// The step of the fixed-step methods, s (§5.4).
const STEP: f64 = 1e-3;

/// The motion's first `length` seconds, 60 frames a second.
fn animation<S: System<f64, 2, 0, 0>>(
    id: &'static str,
    system: &S,
    initial: State<f64, 2>,
    length: f64,
    [reach, low, high]: [f64; 3],
    caption: &str,
) -> Outcome<Animation> {
    let step = 1.0 / 60.0;
    let times: Vec<f64> = (0..=(length / step) as usize).map(|index| (index as f64 * step).min(length)).collect();
    let options = Options { t_eval: Some(&times), ..Options::default() };
    let solution = solve(system, initial, length, &Rk4::new(STEP), &options)?;
    let pendulum = CompoundDoublePendulum::default();
    Ok(Animation {
        id,
        caption: caption.to_owned(),
        step,
        reach,
        low,
        high,
        frames: solution.q.iter().map(|q| pendulum.positions(q[0], q[1])).collect(),
        trail: 3.0,
    })
}
