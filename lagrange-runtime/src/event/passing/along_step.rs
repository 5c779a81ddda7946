//! The function of an event along a step: its values, their rounding, and the side of 0 to which it goes on.

use super::Round;
use crate::event::Along;
use crate::event::watched::Watched;
use crate::scalar::Real;
use crate::state::{State, time_rounding};
use nalgebra::SVector;

/// An event's function along a step.
pub(super) struct AlongStep<'r, 'a, 'e, R: Real, const N: usize> {
    pub(super) round: &'r mut Round<'a, 'e, R, N>,
    pub(super) event: Watched<'a, 'e, R, N>,
}

/// The change of each component by which the rounding of a function is measured, in roundings of the component. It is large enough that
/// the rounding of the function itself hardly counts.
const CHANGE: f64 = 1024.0;

/// What counts as the rounding of a function, in roundings of the components of the state: the function's own operations round, too.
const ROUNDINGS: f64 = 16.0;

/// A function is at its zero if its value is at most this multiple of what it changes in a rounding of the time.
pub(crate) const CLOSE: f64 = 2.0;

/// The same multiple for a function behind an impact. An impact happens at the zero of its gap up to the resolution of the time, which is less
/// than its rounding. A function that is farther from 0 has a zero of its own, before the impact or after it.
pub(super) const CLOSE_TO_IMPACT: f64 = 0.5;

/// The first distance of the look ahead, as a part of the step.
const SHORTEST_LOOK: f64 = 1.0 / 1_125_899_906_842_624.0;

/// The farthest look ahead, as a part of the step. The tangent and the acceleration tell the function so far.
const LOOK_IN_STEP: f64 = 1e-6;

/// The farthest look ahead from a short step, in roundings of the time.
const LOOK_IN_ROUNDINGS: f64 = 1e9;

impl<R: Real, const N: usize> AlongStep<'_, '_, '_, R, N> {
    /// The state at a time.
    fn state(&mut self, t: R) -> State<R, N> {
        let state = self.round.step.interpolant.sample(t);
        self.round.scene.held(state)
    }

    /// The sign that the function gets along the tangent at a state with an acceleration, if its value is 0 there up to a few roundings
    /// of the time: up to what the function changes in `close` roundings. The sign is 0 if the function stays 0 for as long as is looked.
    ///
    /// Whether it is 0 depends on the state alone, so that an integration that ends there and one that begins there agree.
    pub(super) fn side_ahead(&mut self, state: &State<R, N>, a: &SVector<R, N>, close: f64) -> Option<R> {
        let length = self.round.step.interpolant.end().t - self.round.step.interpolant.start().t;
        let (value, least) = (self.round.value(self.event, state), R::from_f64(self.rounding(state.t)));
        let mut at = |part: R| {
            let moved = State { t: state.t + part, q: state.q + state.v * part, v: state.v + a * part };
            self.round.value(self.event, &moved)
        };
        let rounding = time_rounding(state.t, state.t) * length.sign();
        let change = (at(rounding) - value).abs();
        if value.abs() > least && value.abs() > change * R::from_f64(close) {
            return None;
        }
        // From the first distance at which the function has changed by more than its rounding, its sign is that of the change.
        let farthest = (length.abs() * R::from_f64(LOOK_IN_STEP)).max(rounding.abs() * R::from_f64(LOOK_IN_ROUNDINGS));
        let mut part = length * R::from_f64(SHORTEST_LOOK);
        while part.abs() <= farthest && part != R::ZERO {
            let ahead = at(part);
            if (ahead - value).abs() > least && ahead * (ahead - value) > R::ZERO {
                return Some(ahead.sign());
            }
            part += part;
        }
        Some(R::ZERO)
    }
}

impl<R: Real, const N: usize> Along<R> for AlongStep<'_, '_, '_, R, N> {
    fn value(&mut self, t: R) -> R {
        let state = self.state(t);
        self.round.value(self.event, &state)
    }

    fn rounding(&mut self, t: R) -> f64 {
        let state = self.state(t);
        rounding(&mut |state| self.round.value(self.event, state), &state)
    }
}

/// The sum of what [`ROUNDINGS`] roundings of each component of a state change in a function of it. The smaller change of both directions
/// counts, because the function may jump in one of them.
pub(crate) fn rounding<R: Real, const N: usize>(value: &mut dyn FnMut(&State<R, N>) -> R, state: &State<R, N>) -> f64 {
    let state = *state;
    let here = value(&state);
    let mut change = |moved: &dyn Fn(R) -> State<R, N>| {
        let mut by = |factor: f64| (value(&moved(R::from_f64(factor))) - here).abs().to_f64();
        let part = CHANGE * R::EPSILON;
        by(1.0 + part).min(by(1.0 - part)) * (ROUNDINGS / CHANGE)
    };
    let mut sum = change(&|factor| State { t: state.t * factor, ..state });
    for i in 0..N {
        let with = |factor: R| {
            let (mut q, mut v) = (state, state);
            q.q[i] *= factor;
            v.v[i] *= factor;
            (q, v)
        };
        sum += change(&|factor| with(factor).0) + change(&|factor| with(factor).1);
    }
    sum
}
