//! Mechanisms written by hand, and what their tests share.

mod ball;
mod by_hand;
mod compound_pendulum;
mod counted;
mod oscillator;
mod pendulum;

pub(crate) use ball::ball;
pub(crate) use by_hand::{ByHand, Hand};
pub(crate) use compound_pendulum::{CompoundPendulum, compound_pendulum};
pub(crate) use counted::Counted;
pub(crate) use oscillator::{Oscillator, oscillator};
pub(crate) use pendulum::{Pendulum, pendulum};

use lagrange_runtime::prelude::*;

/// Integrates with the default inputs and no observer.
pub(crate) fn run<S, M, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    initial: State<R, N>,
    t_end: R,
    method: &M,
) -> State<R, N>
where
    S: System<R, N, C, U> + ?Sized,
    M: Method<S, R, N, C, U>,
    R: Real,
{
    let mut state = initial;
    let options = Options::default();
    integrate(system, &mut state, t_end, method, &options, &mut DefaultInputs::of(system), &mut ()).unwrap();
    state
}

/// The largest absolute difference of coordinates and velocities.
pub(crate) fn distance<const N: usize>(a: &State<f64, N>, b: &State<f64, N>) -> f64 {
    (a.q - b.q).amax().max((a.v - b.v).amax())
}

/// The slope of log(error) against log(h), between neighbours.
pub(crate) fn slopes(points: &[(f64, f64)]) -> Vec<f64> {
    points.windows(2).map(|pair| (pair[0].1 / pair[1].1).ln() / (pair[0].0 / pair[1].0).ln()).collect()
}
