//! How the errors of steps are measured by the tolerances of the options.

use super::Evaluator;
use crate::contact::{VelocityTolerance, has_vectors};
use crate::control::{Noise, NoiseOfDerivatives, Sizes, derivative_square, scaled_square};
use crate::controller::Controller;
use crate::options::{Options, out_of_reach};
use crate::scalar::Real;
use crate::state::{Difference, State};
use crate::system::System;
use nalgebra::SVector;

/// The error of a step that ends at the second state, in units of the tolerances.
type Scaled<S, K, R, const N: usize, const C: usize, const U: usize> =
    fn(&mut Evaluator<'_, S, K, R, N, C, U>, &State<R, N>, &State<R, N>, &Difference<R, N>) -> R;

/// The error that is allowed in each component.
type Allowed<S, K, R, const N: usize, const C: usize, const U: usize> =
    fn(&Evaluator<'_, S, K, R, N, C, U>, &State<R, N>, &State<R, N>) -> Difference<R, N>;

/// The errors that step control accepts in velocities, where slips may be vectors.
pub(super) type OfVelocities<S, K, R, const N: usize, const C: usize, const U: usize> =
    fn(&Evaluator<'_, S, K, R, N, C, U>) -> Option<VelocityTolerance<R, N>>;

/// The functions that measure errors.
#[derive(Debug)]
pub(super) struct Errors<S: ?Sized, K: ?Sized, R: Real, const N: usize, const C: usize, const U: usize> {
    pub(super) scaled: Scaled<S, K, R, N, C, U>,
    pub(super) allowed: Allowed<S, K, R, N, C, U>,
}

impl<S: ?Sized, K: ?Sized, R: Real, const N: usize, const C: usize, const U: usize> Clone for Errors<S, K, R, N, C, U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized, K: ?Sized, R: Real, const N: usize, const C: usize, const U: usize> Copy for Errors<S, K, R, N, C, U> {}

impl<S, K, R, const N: usize, const C: usize, const U: usize> Errors<S, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    /// The functions that measure errors by the tolerances of the options.
    pub(super) const MEASURED: Self = Self {
        scaled: |evaluator, start, end, error| evaluator.measured(start, end, error),
        allowed: |evaluator, start, end| evaluator.allowed(start, end),
    };
}

impl<S, K, R, const N: usize, const C: usize, const U: usize> Evaluator<'_, S, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    /// The root mean square of an error, each component divided by its tolerance.
    fn measured(&mut self, start: &State<R, N>, end: &State<R, N>, error: &Difference<R, N>) -> R {
        let plain = Options::default();
        let options = self.options.unwrap_or(&plain);
        let states = self.system.state_count();
        let square = |absolute: Option<&Sizes<R, N>>, least: R| {
            scaled_square(options, (start, end), error, absolute, least, states)
        };
        let mut scaled = square(None, R::ZERO);
        let mut absolute = None;
        self.refused = None;
        if let Some(sizes) = self.sizes {
            let mut reached = sizes.including(start);
            let mut followed = square(Some(&reached.tolerances(options)), R::ZERO);
            let beside = Sizes::of_cancelled(self, [start, end], followed);
            if beside.is_some() {
                followed = square(Some(&reached.tolerances(options).with(beside.as_ref())), R::ZERO);
            }
            if scaled <= R::ONE && followed > R::ONE {
                let all = self.errors_are_rounding;
                let noise = Noise::at(self, start, all);
                reached = reached.raised(options, error, &noise, end.t - start.t);
                self.sizes = Some(reached);
                followed = square(Some(&reached.tolerances(options).with(beside.as_ref())), R::ZERO);
                self.refused = (followed > R::ONE).then(|| [scaled.to_f64(), followed.to_f64()]);
            }
            scaled = followed;
            absolute = Some(reached.tolerances(options).with(beside.as_ref()));
        }
        let mut of_derivatives = 0.0;
        if const { R::DERIVATIVES != 0 } {
            of_derivatives = derivative_square(options, (start, end), error, (None, states));
            if of_derivatives > 1.0 {
                let noise = NoiseOfDerivatives::at(self, [start, end]);
                of_derivatives = derivative_square(options, (start, end), error, (Some(&noise), states));
            }
        }
        let with_derivatives = |own: R| match const { R::DERIVATIVES } {
            0 => own,
            _ => own.max(R::from_f64(of_derivatives).sqrt()),
        };
        if !options.asks_beyond_reach() {
            return with_derivatives(scaled.sqrt());
        }
        let reached = square(absolute.as_ref(), out_of_reach());
        self.beyond_reach = scaled > R::ONE && reached <= R::ONE;
        with_derivatives(reached.sqrt())
    }

    /// The error that the options allow in each component.
    fn allowed(&self, start: &State<R, N>, end: &State<R, N>) -> Difference<R, N> {
        let plain = Options::default();
        let options = self.options.unwrap_or(&plain);
        let mut absolute = self.sizes.map(|sizes| sizes.including(start).tolerances(options));
        let absolute = absolute.get_or_insert_with(|| Sizes::largest(options));
        let first_hidden = N.saturating_sub(self.system.state_count());
        let mut tolerances = Difference { q: absolute.q, v: absolute.v };
        for i in 0..N {
            tolerances.q[i] += options.rtol.of_coordinate(i) * start.q[i].abs().max(end.q[i].abs());
            tolerances.v[i] += options.rtol.of_velocity(i) * start.v[i].abs().max(end.v[i].abs());
            if i >= first_hidden {
                tolerances.q[i] = R::from_f64(f64::INFINITY);
            }
        }
        tolerances
    }
}

/// The errors that step control accepts in velocities, where slips may be vectors.
pub(super) fn of_velocities<S, K, R, const N: usize, const C: usize, const U: usize>(
    evaluator: &Evaluator<'_, S, K, R, N, C, U>,
) -> Option<VelocityTolerance<R, N>>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    let options =
        evaluator.options.filter(|_| evaluator.controls_errors && has_vectors(evaluator.system.row_laws()))?;
    let absolute = evaluator.sizes.map_or_else(|| Sizes::largest(options), |sizes| sizes.tolerances(options));
    Some(VelocityTolerance { absolute: absolute.v, relative: SVector::from_fn(|i, _| options.rtol.of_velocity(i)) })
}
