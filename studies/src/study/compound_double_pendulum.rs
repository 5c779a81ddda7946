//! Study 1: the compound double pendulum.

mod acceptance;
pub(super) mod drag;
pub(super) mod energy;
pub(super) mod equations;
mod extreme;
pub(super) mod light_rods;
pub(super) mod low_order;
pub(super) mod no_drag;
pub(super) mod orders;
pub(super) mod spectrum;
pub(super) mod step_size;

use super::Finding;
use super::motion::states_at;
use lagrange_cli::report::figure::Animation;
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;

/// How long every experiment lasts, s (§5.4, §6).
const DURATION: f64 = 500.0;

/// The document's number.
const STUDY: u32 = 1;

/// The step of the fixed-step methods, s (§5.4).
const STEP: f64 = 1e-3;

/// The motion's first `length` seconds, 60 frames a second.
fn animation(
    id: &'static str,
    system: &dyn System<f64, 2, 0, 0>,
    initial: State<f64, 2>,
    length: f64,
    [reach, low, high]: [f64; 3],
    caption: &str,
) -> Finding<Animation> {
    let step = 1.0 / 60.0;
    let times: Vec<f64> = (0..=(length / step) as usize).map(|index| (index as f64 * step).min(length)).collect();
    let states = states_at(system, initial, &times, &Rk4::new(STEP), &Options::default())?;
    let pendulum = CompoundDoublePendulum::default();
    Ok(Animation {
        id,
        caption: caption.to_owned(),
        step,
        reach,
        low,
        high,
        frames: states.iter().map(|state| pendulum.positions(state.q[0], state.q[1]).to_vec()).collect(),
        trail: 3.0,
    })
}
