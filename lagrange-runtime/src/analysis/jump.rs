//! The rule by which derivatives along a motion jump where the motion does: at switches of the equations, at events that map the state, at
//! changes of modes, and at impacts. Forward and backward derivatives share it.
//!
//! The motion meets the surface h(t, x, p) = 0 with the rate f⁻, a map P takes it to the state after it, and it goes on with the rate f⁺. The
//! variations before and after it, at a fixed time, are related by
//!
//! ```text
//! δt = −(h_x δx⁻ + h_p δp)/(h_t + h_x f⁻),
//! δx⁺ = P_x (δx⁻ + f⁻ δt) + P_t δt + P_p δp − f⁺ δt.
//! ```
//!
//! At a switch of the equations P is the identity. On numbers with derivatives the rule is a few lines: δt is a number of value 0
//! ([`delay`]); the state is moved along f⁻ by this delay ([`moved`]), mapped, and moved back along f⁺.
//!
//! Source: M. di Bernardo et al., *Piecewise-smooth Dynamical Systems*, 2008, 2.5.

use super::AnalysisError;
use crate::change::Target;
use crate::evaluator::Monitor;
use crate::event::EventFunction;
use crate::scalar::{Real, Scalar};
use crate::state::State;
use core::ops::AddAssign;
use nalgebra::SVector;

/// A rate of a function is rounding if it is below this many roundings of the terms that cancel in it.
const ROUNDINGS: f64 = 64.0;

/// Two surfaces are the same if their normals differ by at most this part. Rounding makes far less, and nothing that differs is so close
/// but by coincidence.
pub(super) const SAME_NORMAL: f64 = 1e-9;

/// A vector with the components of a state: a rate of change, or the derivatives of a number by a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes<const N: usize> {
    pub(super) q: SVector<f64, N>,
    pub(super) v: SVector<f64, N>,
}

impl<const N: usize> Slopes<N> {
    pub(super) fn zero() -> Self {
        Self { q: SVector::zeros(), v: SVector::zeros() }
    }

    fn components(&self) -> impl Iterator<Item = f64> {
        self.q.iter().chain(&self.v).copied()
    }
}

impl<const N: usize> From<(SVector<f64, N>, SVector<f64, N>)> for Slopes<N> {
    fn from((q, v): (SVector<f64, N>, SVector<f64, N>)) -> Self {
        Self { q, v }
    }
}

impl<const N: usize> AddAssign for Slopes<N> {
    fn add_assign(&mut self, other: Self) {
        self.q += other.q;
        self.v += other.v;
    }
}

/// The derivatives of a function h at a state at which it is 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface<const N: usize> {
    /// h_x.
    pub(super) by_state: Slopes<N>,
    /// h_t.
    pub(super) by_time: f64,
}

impl<const N: usize> Surface<N> {
    /// h_t + h_x f, the rate of the function along a motion with the rate f.
    ///
    /// # Errors
    /// [`AnalysisError::NotFinite`] where its terms cancel up to rounding, or are not finite: the motion does not cross the surface there.
    pub(super) fn rate(&self, f: &Slopes<N>, t: f64) -> Result<f64, AnalysisError> {
        let terms = || self.by_state.components().zip(f.components()).map(|(slope, f)| slope * f).chain([self.by_time]);
        let (rate, size) = terms().fold((0.0, 0.0), |(sum, size), term| (sum + term, size + f64::abs(term)));
        if rate.is_finite() && rate.abs() > ROUNDINGS * f64::EPSILON * size {
            return Ok(rate);
        }
        Err(AnalysisError::NotFinite {
            quantity: std::format!(
                "the derivative of the time of the event at t = {t}, whose function has the rate {rate} there,"
            ),
        })
    }

    /// The error that roundings of a state, and of the time at which the motion has it, cause in the value of the function.
    pub(super) fn rounding(&self, rate: f64, State { t, q, v }: &State<f64, N>) -> f64 {
        let terms = self.by_state.components().zip(q.iter().chain(v)).map(|(slope, value)| (slope * value).abs());
        ROUNDINGS * f64::EPSILON * (terms.sum::<f64>() + (rate.abs() + self.by_time.abs()) * t.abs())
    }

    /// Whether another surface has the same normal, where both have these rates.
    pub(super) fn is_parallel(&self, rate: f64, (other, other_rate): (&Self, f64)) -> bool {
        let pairs = self.by_state.components().chain([self.by_time]);
        pairs.zip(other.by_state.components().chain([other.by_time])).all(|(a, b)| {
            let (a, b) = (a / rate, b / other_rate);
            (a - b).abs() <= SAME_NORMAL * a.abs().max(b.abs())
        })
    }
}

/// A function whose zero a motion meets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Met<'a, R: Real, const N: usize> {
    /// The function of an event, or a switching function.
    Function(EventFunction<'a, R, N>),
    /// The condition of the change of a mode with this index.
    Condition(usize),
}

impl<R: Real, const N: usize> Met<'_, R, N> {
    /// The value of the function at a state. A function that does not exist is 0.
    pub(super) fn value<const C: usize>(
        self,
        monitor: &mut (impl Monitor<R, N, C> + ?Sized),
        state: &State<R, N>,
    ) -> R {
        let function = match self {
            Self::Condition(index) => return monitor.change_condition(index, state),
            Self::Function(function) => function,
        };
        let (index, mut values) = match function {
            EventFunction::State(function) => return function(state.t, &state.q, &state.v),
            EventFunction::Output(index) => (index, std::vec![R::ZERO; monitor.output_names().len()]),
            EventFunction::Switch(index) => (index, std::vec![R::ZERO; monitor.switch_count()]),
        };
        match function {
            EventFunction::Output(_) => monitor.outputs(state, &mut values),
            _ => monitor.switches(state, &mut values),
        }
        values.get(index).copied().unwrap_or(R::ZERO)
    }
}

/// The index of the change that gave a mode its value at an instant: of several that give it this value, the one whose condition is largest. The states are
/// the first one at the time of the instant, and those before and after the change. Where the mode had the value already, two changes to it happen at one
/// time, and the one that is not `taken` is meant; its condition is that at the first state.
pub(super) fn change_at<R: Real, const N: usize, const C: usize>(
    monitor: &mut (impl Monitor<R, N, C> + ?Sized),
    mode: &str,
    [first, before, after]: [&State<R, N>; 3],
    taken: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut found: Option<(usize, f64)> = None;
    for (index, change) in monitor.changes().iter().enumerate().filter(|(_, change)| change.mode == mode) {
        let Some(Target::Velocity(component)) = change.targets.first() else { continue };
        let value = |state: &State<R, N>| state.v.iter().nth(*component).map(|value| value.to_f64());
        let again = value(before) == value(after);
        if value(&monitor.changed(index, before)) != value(after) || again && taken(index) {
            continue;
        }
        let condition = monitor.change_condition(index, if again { first } else { before }).to_f64();
        if found.is_none_or(|(_, most)| condition > most) {
            found = Some((index, condition));
        }
    }
    found.map(|(index, _)| index)
}

/// δt = −(h(x) − h)/(h_t + h_x f) of a function with this value and rate. Its value is 0.
pub(super) fn delay<R: Scalar>(value: R, rate: f64) -> R {
    (R::from_f64(value.to_f64()) - value) / R::from_f64(rate)
}

/// The state a time later that has derivatives, but the value 0.
pub(super) fn moved<R: Scalar, const N: usize>(state: &State<R, N>, rate: &Slopes<N>, by: R) -> State<R, N> {
    let way = |rate: &SVector<f64, N>| rate.map(|rate| by * R::from_f64(rate));
    State { t: state.t + by, q: state.q + way(&rate.q), v: state.v + way(&rate.v) }
}
