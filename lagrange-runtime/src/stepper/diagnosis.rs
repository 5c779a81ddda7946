//! The cause of a failure that can have several, so that the remedy in its message fits.

use super::Stepper;
use crate::error::{Failure, PivotOf, SingularMass};
use crate::evaluator::{Fork, Monitor};
use crate::method::{Method, Pace};
use crate::scalar::Real;
use crate::state::State;
use crate::system::Parameters;

impl<E, M, R, const N: usize, const C: usize> Stepper<'_, E, M, R, N, C>
where
    E: Fork<R, N, C>,
    M: Method<R, N, C>,
    R: Real,
{
    /// The cause of `failure`, which ended the motion at `state`, or `failure` itself where no other cause is found.
    pub(super) fn diagnosed(&mut self, failure: Failure, state: &State<R, N>) -> Failure {
        let solving = matches!(failure, Failure::SingularMass(_) | Failure::NewtonFailed { .. });
        if solving && let Some(constraint) = self.evaluator.vanishing_gradient(state) {
            return Failure::VanishingGradient { constraint };
        }
        if let Failure::NewtonFailed { iterations, increment } = failure
            && without_acceleration(&mut self.evaluator, state).is_none()
            && self.feeds_back(state)
        {
            return Failure::FeedbackFailed { iterations, increment };
        }
        match (failure, self.proposal) {
            _ if self.statistics().steps == 0 => at_start(&mut self.evaluator, failure, state),
            (Failure::SingularMass(_), _) => at_start(&mut self.evaluator, failure, state),
            // Within this many steps, a first step that was much too short has grown.
            (Failure::MaxSteps { max_steps }, Some(step)) if max_steps >= 100 => {
                let needed = ((self.t_end - state.t).abs() / step).to_f64();
                if needed <= 1e3 * max_steps as f64 {
                    return failure;
                }
                Failure::ShrunkenSteps { max_steps, step: step.to_f64() }
            }
            _ => failure,
        }
    }

    /// Whether feedback is too strong for a fixed step h: a change of the velocity changes the inputs, and through them h·a by
    /// more than half of that change.
    fn feeds_back(&mut self, state: &State<R, N>) -> bool {
        let Pace::Fixed(h) = self.method.pace() else { return false };
        let v = &state.v;
        let speed = v.iter().fold(R::ZERO, |largest, v| largest.max(v.abs()));
        let change = if speed > R::ZERO { speed } else { R::ONE } * R::from_f64(1e-3);
        let before = self.evaluator.acceleration_under(state, v);
        let after = self.evaluator.acceleration_under(state, &v.map(|v| v + change));
        let (Ok(before), Ok(after)) = (before, after) else { return false };
        let differences = after - before;
        differences.iter().any(|difference| h * difference.abs() > R::from_f64(0.5) * change)
    }
}

/// The cause of a failure in the first step, or before it.
pub(super) fn at_start<R, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    failure: Failure,
    state: &State<R, N>,
) -> Failure
where
    R: Real,
{
    let (coordinate, singular) = match failure {
        Failure::SingularMass(SingularMass { of: PivotOf::Coordinate(index), .. }) => (index, true),
        Failure::NotFinite { .. }
        | Failure::NewtonFailed { .. }
        | Failure::StepTooSmall { .. }
        | Failure::BelowMinStep { .. } => match without_acceleration(evaluator, state) {
            Some(found) => found,
            None => return failure,
        },
        _ => return failure,
    };
    let (names, zero, negative) = suspects(&evaluator.parameters(), singular);
    // A single state may be special. Where several states fail, the parameters are the cause.
    let elsewhere = |number: u32| {
        let mut shifted = *state;
        for i in 0..N {
            let part = f64::from(number) / (7.0 + i as f64);
            let (q, v) = (shifted.q[i], shifted.v[i]);
            shifted.q[i] = q + (q.abs() + R::ONE) * R::from_f64(1.3 * part);
            shifted.v[i] = v - (v.abs() + R::ONE) * R::from_f64(0.9 * part);
        }
        shifted
    };
    let itself = if singular { failure } else { Failure::NoAcceleration { coordinate } };
    if zero | negative == 0 {
        return itself;
    }
    for number in 1..4 {
        if without_acceleration(evaluator, &elsewhere(number)).is_none() {
            return itself;
        }
    }
    Failure::DegenerateParameters { coordinate, names, zero, negative }
}

/// The first coordinate whose acceleration at a state is not finite, and whether a singular mass matrix is the cause.
fn without_acceleration<R, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    state: &State<R, N>,
) -> Option<(usize, bool)>
where
    R: Real,
{
    match evaluator.acceleration_under(state, &state.v) {
        Ok(acceleration) => Some((acceleration.iter().position(|a| !a.is_finite())?, false)),
        Err(SingularMass {
            of:
                PivotOf::Constraint { .. }
                | PivotOf::Contact { .. }
                | PivotOf::ManyContacts { .. }
                | PivotOf::DependentContact { .. },
            ..
        }) => None,
        Err(SingularMass { of: PivotOf::Coordinate(index), .. }) => Some((index, true)),
    }
}

/// The names of all parameters, and two bit sets of the first 64: those that are 0, and those that are negative. With
/// `inertial`, the sets contain only parameters on which the momentum depends.
fn suspects<R: Real>(parameters: &Parameters<'_, R>, inertial: bool) -> (&'static [&'static str], u64, u64) {
    let (mut zero, mut negative) = (0, 0);
    for (index, (&value, &counts)) in parameters.values.iter().zip(parameters.inertial).take(64).enumerate() {
        if counts || !inertial {
            zero |= u64::from(value == R::ZERO) << index;
            negative |= u64::from(value < R::ZERO) << index;
        }
    }
    (parameters.names, zero, negative)
}
