//! The simplified Newton iteration for the stages of a step, and the estimate of its error by the same factors.

use super::factors::{AtStages, Factors};
use super::rounding::{MORE_FOR_DERIVATIVES, ROUNDED, allowed, first_rate, most, rounding};
use super::start::Start;
use super::{combined, values};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::method::canonical::{rate_of, reaction_of};
use crate::scalar::Real;
use crate::state::{Difference, State};
use crate::tableau::gauss::StageCount;
use crate::tableau::radau::ThreeFiveSeven;
use nalgebra::SVector;

/// The stages of a step.
pub(super) struct Stages<R: Real, const N: usize, const S: usize, const C: usize> {
    pub(super) coordinates: [SVector<R, N>; S],
    pub(super) velocities: [SVector<R, N>; S],
    pub(super) multipliers: [SVector<R, C>; S],
    /// The momenta of the last iterate.
    pub(super) momenta: [SVector<R, N>; S],
    /// The forces of the last iterate, with the reactions.
    pub(super) forces: [SVector<R, N>; S],
    /// The ratio θ/(1 − θ) at the end.
    pub(super) rate: R,
}

impl<R: Real, const N: usize, const S: usize, const C: usize> Factors<R, N, S, C>
where
    StageCount<S>: ThreeFiveSeven<S>,
{
    /// Solves the equations of the stages. `None` if the iteration does not converge fast enough.
    ///
    /// # Errors
    /// [`Failure::NotFinite`] where the first residual is not finite.
    pub(super) fn stages<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        start: &Start<'_, R, N, C>,
        guess: AtStages<R, N, S, C>,
        rate: R,
        (h, end): (R, R),
    ) -> Result<Option<Stages<R, N, S, C>>, Failure> {
        let table = const { &StageCount::<S>::RADAU };
        let nodes = values::<R, S>(&table.nodes);
        let Start { state, at, .. } = start;
        let AtStages { core: mut velocities, border: mut multipliers } = guess;
        let allowed = allowed::<R>(evaluator.smallest_rtol());
        let mut rate = first_rate(evaluator, rate);
        let (mut before, mut more) = (None::<R>, MORE_FOR_DERIVATIVES * R::DERIVATIVE_ORDER);
        let most = most::<R>();
        for made in 1..=most {
            let coordinates = coordinates(state, &velocities, h);
            let (mut momenta, mut forces) = ([at.momentum; S], [at.balance; S]);
            let mut rates = [SVector::repeat(R::ZERO); S];
            for i in 0..S {
                let t = if i + 1 == S { end } else { state.t + nodes[i] * h };
                let balance = evaluator.balance(t, coordinates[i], velocities[i]);
                (momenta[i], forces[i]) = (balance.momentum, balance.balance);
                if const { C > 0 } {
                    let rows = evaluator.constraint(t, &coordinates[i]);
                    forces[i] += reaction_of(&rows.jacobian, &multipliers[i]);
                    rates[i] = rate_of(&rows.jacobian, &velocities[i]) + rows.drift;
                }
            }
            let mut residuals = AtStages { core: momenta, border: rates };
            for (residual, row) in residuals.core.iter_mut().zip(&table.coefficients) {
                *residual -= at.momentum + combined(row, &forces) * h;
            }
            let increments = self.increments(&residuals);
            for i in 0..S {
                velocities[i] += increments.core[i];
                multipliers[i] += increments.border[i];
            }
            let size = self.size(evaluator, state, &velocities, &increments.core, (h, end));
            if !size.is_finite() {
                evaluator.check_slopes()?;
                return if made == 1 { Err(Failure::NotFinite { component: None }) } else { Ok(None) };
            }
            if let Some(before) = before
                && size > R::ZERO
            {
                let ratio = size / before;
                // The iterations that are left would not reach the tolerance.
                let left = R::from_count(u64::from(most - made));
                let is_slow = ratio >= R::ONE || ratio.powf(left) / (R::ONE - ratio) * size > allowed;
                // Increments that no longer fall may be rounding. A component that was 0 gets its size in the second iteration only, where it
                // depends on another one that was 0.
                let is_rounding = size <= rounding(evaluator.smallest_rtol());
                let is_noise = is_slow && !is_rounding && made > 2 && {
                    let noise = [self.real.noise(start); S];
                    size <= self.size(evaluator, state, &velocities, &noise, (h, end)) * R::from_f64(ROUNDED)
                };
                if is_slow && !is_rounding && !is_noise && made > 2 {
                    return Ok(None);
                }
                rate = match ratio < R::ONE {
                    _ if is_noise => R::ZERO,
                    true => ratio / (R::ONE - ratio),
                    false if is_rounding => R::ZERO,
                    false => R::from_f64(f64::INFINITY),
                };
            }
            if size == R::ZERO || rate * size <= allowed {
                if more == 0 || made == most {
                    let coordinates = self::coordinates(state, &velocities, h);
                    return Ok(Some(Stages { coordinates, velocities, multipliers, momenta, forces, rate }));
                }
                more -= 1;
            }
            before = Some(size);
        }
        Ok(None)
    }

    /// The root mean square of increments, each divided by the tolerance of its component.
    fn size<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &E,
        start: &State<R, N>,
        velocities: &[SVector<R, N>; S],
        increments: &[SVector<R, N>; S],
        (h, end): (R, R),
    ) -> R {
        let table = const { &StageCount::<S>::RADAU };
        let (mut sum, mut count) = (R::ZERO, 0);
        let last =
            State { t: end, q: start.q + combined(&table.coefficients[S - 1], velocities) * h, v: velocities[S - 1] };
        let tolerances = evaluator.tolerances(start, &last);
        let mut add = |increment: R, tolerance: R| {
            if increment != R::ZERO && tolerance.is_finite() {
                let part = increment / tolerance;
                sum += part * part;
            }
            count += u64::from(tolerance.is_finite());
        };
        for (increment, row) in increments.iter().zip(&table.coefficients) {
            let moved = combined(row, increments) * h;
            for i in 0..N {
                add(moved[i], tolerances.q[i]);
                add(increment[i], tolerances.v[i]);
            }
        }
        (sum / R::from_count(count)).sqrt().without_derivatives()
    }
    /// The difference of the step's end from a solution of order S, filtered by the factors of the real eigenvalue λ: with g = h/λ,
    /// δq − g δv = g v + Σ eᵢ (Qᵢ − q) and (∂p/∂q − g ∂f/∂q) δq + (M − g ∂f/∂v) δv − Gᵀμ = g f + Σ eᵢ (pᵢ − p), where δ satisfies the hidden
    /// constraints to first order.
    ///
    /// If it exceeds the tolerance, v and f are taken once more at (q + δq, v + δv), so that an error which the next steps damp does
    /// not shorten the step.
    pub(super) fn error<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        start: &Start<'_, R, N, C>,
        last: &State<R, N>,
        (stages, h): (&Stages<R, N, S, C>, R),
    ) -> Difference<R, N> {
        let table = const { &StageCount::<S>::RADAU };
        let Start { state, at, .. } = start;
        let states = evaluator.state_count();
        let (mut by_q, mut by_p) = (SVector::repeat(R::ZERO), SVector::repeat(R::ZERO));
        for (i, weight) in values::<R, S>(&table.error).into_iter().enumerate() {
            by_q += combined(&table.coefficients[i], &stages.velocities) * (weight * h);
            by_p += match R::DERIVATIVE_ORDER {
                0 => (stages.momenta[i] - at.momentum) * weight,
                // The same from the forces. At the start of a motion a derivative of a momentum may be large beside its change, whose
                // rounding would then count as an error. The stages are solved to rounding.
                _ => combined(&table.coefficients[i], &stages.forces) * (weight * h),
            };
        }
        let filtered = |v: &SVector<R, N>, f: &SVector<R, N>| {
            let (q, v) = self.real.filtered(start, (&by_q, &by_p), (v, f));
            self.real.beyond_rounding(start, states, Difference { q, v })
        };
        let first = filtered(&state.v, &at.balance);
        let tolerances = evaluator.tolerances(state, last);
        let is_beyond = |difference: &Difference<R, N>| {
            let beyond = |error: R, tolerance: R| error.abs() > tolerance;
            (0..N).any(|i| beyond(difference.q[i], tolerances.q[i]) || beyond(difference.v[i], tolerances.v[i]))
        };
        if !is_beyond(&first) {
            return first;
        }
        let (q, v) = (state.q + first.q, state.v + first.v);
        let mut balance = evaluator.balance(state.t, q, v).balance;
        if const { C > 0 } {
            balance += reaction_of(&evaluator.constraint(state.t, &q).jacobian, &start.multipliers);
        }
        let is_finite = balance.iter().all(|f| f.is_finite());
        let second = if is_finite { filtered(&v, &balance) } else { first };
        if is_beyond(&second) { self.real.without_noise(start, second) } else { second }
    }
}

/// The coordinates at the stages.
#[inline(always)]
fn coordinates<R: Real, const N: usize, const S: usize>(
    start: &State<R, N>,
    velocities: &[SVector<R, N>; S],
    h: R,
) -> [SVector<R, N>; S]
where
    StageCount<S>: ThreeFiveSeven<S>,
{
    let table = const { &StageCount::<S>::RADAU };
    let mut coordinates = [start.q; S];
    for (q, row) in coordinates.iter_mut().zip(&table.coefficients) {
        *q += combined(row, velocities) * h;
    }
    coordinates
}
