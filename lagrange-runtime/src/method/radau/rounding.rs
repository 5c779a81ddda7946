//! When an iteration ends, and what counts as rounding in increments and in estimates of errors.

use super::factors::RealFactors;
use super::start::Start;
use crate::evaluate::Setting;
use crate::scalar::{Real, Scalar};
use crate::state::Difference;
use nalgebra::SVector;

/// The most iterations of a step.
const MOST: u32 = 10;

/// How many times as many iterations a step may take over dual numbers, where the stages are solved to rounding.
const MORE_TO_ROUNDING: u32 = 3;

/// The largest error of the iteration, as a part of the tolerance of the step. It is √rtol where that is less.
const PART: f64 = 0.03;

/// An increment of at most this many roundings of its component may be rounding.
const ROUNDINGS: f64 = 1024.0;

/// A difference of terms that cancel counts as rounding up to this multiple of ε times the terms.
pub(in crate::method) const ROUNDED: f64 = 4.0;

/// The iterations over dual numbers after the values have converged: a derivative converges as fast as its value, one iteration later.
pub(in crate::method) const MORE_FOR_DERIVATIVES: u32 = 2;

/// The most iterations of a step.
pub(in crate::method) fn most<R: Real>() -> u32 {
    if R::DERIVATIVE_ORDER > 0 { MORE_TO_ROUNDING * MOST } else { MOST }
}

/// The largest error of the iteration relative to the tolerance of the step.
pub(in crate::method) fn allowed<R: Real>(rtol: f64) -> R {
    let least = 10.0 * R::EPSILON / rtol;
    let part = if R::DERIVATIVE_ORDER > 0 { 0.0 } else { PART.min(Scalar::sqrt(rtol)) };
    R::from_f64(part.max(least).min(PART))
}

/// The size of increments relative to the tolerance of the step that may be rounding.
pub(in crate::method) fn rounding<R: Real>(rtol: f64) -> R {
    R::from_f64(PART.min(ROUNDINGS * R::EPSILON / rtol))
}

/// The ratio θ/(1 − θ) that is assumed of the first increment, from the last one of the iteration before. It is 1 where the equations may jump between the guess and
/// the solution, at a switch or by the law of an input: the ratio of the step before says nothing then, and the forces at a guess beyond a jump may seem to solve the equations.
pub(in crate::method) fn first_rate<R: Real, const N: usize, const C: usize>(
    setting: &(impl Setting<R, N, C> + ?Sized),
    rate: R,
) -> R {
    if setting.has_switches() || setting.has_inputs() {
        return R::ONE;
    }
    rate.max(R::from_f64(R::EPSILON)).powf(R::from_f64(0.8)).without_derivatives()
}

impl<R: Real, const N: usize, const C: usize> RealFactors<R, N, C> {
    /// The velocities that the rounding of the coordinates explains: with the rounding ε qⱼ of each these are Σⱼ |K⁻¹ g ∂f/∂qⱼ ε qⱼ|. Where a
    /// spring is stiff they are about ε q/g, and so they are no smaller in a shorter step.
    pub(in crate::method) fn noise(&self, start: &Start<'_, R, N, C>) -> SVector<R, N> {
        let (mut noise, none) = (SVector::repeat(R::ZERO), SVector::repeat(R::ZERO));
        for (j, force) in start.at.balance_q.column_iter().enumerate() {
            let rounding = self.step * (start.state.q[j] * R::from_f64(R::EPSILON));
            noise += self.solve(&(force * rounding), &none).0.map(Scalar::abs);
        }
        noise
    }

    /// The difference without what the rounding of the coordinates explains.
    pub(in crate::method) fn without_noise(
        &self,
        start: &Start<'_, R, N, C>,
        difference: Difference<R, N>,
    ) -> Difference<R, N> {
        let noise = self.noise(start);
        let explained = |error: R, noise: R| match error.abs() <= noise * R::from_f64(ROUNDED) {
            true => error - error.without_derivatives(),
            false => error,
        };
        Difference {
            q: difference.q.zip_map(&noise, |error, noise| explained(error, noise * self.step.abs())),
            v: difference.v.zip_map(&noise, explained),
        }
    }

    /// The difference without derivatives that are the rounding of the derivatives of p: the velocity is solved from p, and so a derivative
    /// of it is a difference of terms of the size of M⁻¹ ∂p, however small it is itself. The last `states` velocities are judged alone.
    pub(in crate::method) fn beyond_rounding(
        &self,
        start: &Start<'_, R, N, C>,
        states: usize,
        difference: Difference<R, N>,
    ) -> Difference<R, N> {
        if const { R::DERIVATIVES == 0 } {
            return difference;
        }
        let Difference { mut q, mut v } = difference;
        let root = |i: usize| Scalar::sqrt(start.at.mass_matrix[(i, i)].to_f64().abs());
        // |∂p|/√M of the coordinate: the root of an energy for each.
        let impulse = |k: usize, i: usize| match root(i) {
            0.0 => 0.0,
            root => start.at.momentum[i].derivative(k).abs() / root,
        };
        let moving = N.saturating_sub(states);
        let rounding = |k: usize, i: usize| {
            let largest = match i < moving {
                true => (0..moving).fold(0.0, |most: f64, i| most.max(impulse(k, i))),
                false => impulse(k, i),
            };
            ROUNDED * R::EPSILON * largest
        };
        let step = self.step.to_f64().abs();
        for i in 0..N {
            let root = root(i);
            let is_beyond = |error: f64, k: usize, step: f64| root == 0.0 || error.abs() * root > rounding(k, i) * step;
            q[i] = q[i].keeping_derivatives(|k| is_beyond(q[i].derivative(k), k, step));
            v[i] = v[i].keeping_derivatives(|k| is_beyond(v[i].derivative(k), k, 1.0));
        }
        Difference { q, v }
    }
}
