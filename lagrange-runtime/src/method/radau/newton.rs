//! The simplified Newton iteration for the stages of a step, and the estimate of its error by the same factors.

use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::linalg::Lu;
use crate::linalg::complex::{Complex, ComplexLu, reciprocal, times};
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};
use crate::system::BalanceJacobian;
use crate::tableau::Parts;
use crate::tableau::gauss::StageCount;
use crate::tableau::radau::ThreeFiveSeven;
use nalgebra::{SMatrix, SVector};

/// The most iterations of a step.
const MOST: u32 = 10;

/// How many times as many iterations a step may take over dual numbers, where the stages are solved to rounding.
const MORE_TO_ROUNDING: u32 = 3;

/// The largest error of the iteration, as a part of the tolerance of the step. It is √rtol where that is less.
const PART: f64 = 0.03;

/// An increment of at most this many roundings of its component may be rounding.
const ROUNDINGS: f64 = 1024.0;

/// The iterations over dual numbers after the values have converged: a derivative converges as fast as its value, one iteration later.
const MORE_FOR_DERIVATIVES: u32 = 2;

/// The coefficients as scalars.
#[inline(always)]
pub(super) fn values<R: Real, const S: usize>(coefficients: &[Parts; S]) -> [R; S] {
    let mut values = [R::ZERO; S];
    for (value, coefficient) in values.iter_mut().zip(coefficients) {
        *value = coefficient.value();
    }
    values
}

/// Σ coefficientⱼ vectorⱼ.
#[inline(always)]
fn combined<R: Real, const N: usize, const S: usize>(
    coefficients: &[Parts; S],
    vectors: &[SVector<R, N>; S],
) -> SVector<R, N> {
    let mut sum = SVector::repeat(R::ZERO);
    for (vector, coefficient) in vectors.iter().zip(coefficients) {
        sum += vector * coefficient.value::<R>();
    }
    sum
}

/// The product of a matrix and a vector.
fn product<R: Real, const N: usize>(matrix: &SMatrix<R, N, N>, vector: &SVector<R, N>) -> SVector<R, N> {
    let mut product = SVector::repeat(R::ZERO);
    for (column, &x) in matrix.column_iter().zip(vector) {
        product += column * x;
    }
    product
}

/// The stages of a step.
pub(super) struct Stages<R: Real, const N: usize, const S: usize> {
    pub(super) coordinates: [SVector<R, N>; S],
    pub(super) velocities: [SVector<R, N>; S],
    /// The momenta of the last iterate.
    pub(super) momenta: [SVector<R, N>; S],
    /// The ratio θ/(1 − θ) at the end.
    pub(super) rate: R,
}

/// The state at which a step starts, with p, f and their derivatives there.
type Start<'a, R, const N: usize> = (&'a State<R, N>, &'a BalanceJacobian<R, N>);

/// The factors of the matrices M + (∂p/∂q − ∂f/∂v) h/λ − ∂f/∂q (h/λ)², for each eigenvalue λ of A⁻¹.
pub(super) struct Factors<R: Real, const N: usize, const S: usize> {
    /// h/λ of the real eigenvalue.
    step: R,
    real: Lu<R, N>,
    /// One for each pair of complex eigenvalues; those after the last pair are `None`.
    complex: [Option<ComplexLu<R, N>>; S],
}

impl<R: Real, const N: usize, const S: usize> Factors<R, N, S>
where
    StageCount<S>: ThreeFiveSeven<S>,
{
    /// Factors the matrices of a step of size `h`.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    pub(super) fn new(at: &BalanceJacobian<R, N>, h: R) -> Result<Self, Failure> {
        let table = const { &StageCount::<S>::RADAU };
        let rates = at.momentum_q - at.balance_v;
        let step = h / table.real.value();
        let weights = weights(&at.mass_matrix);
        let real = Lu::weighted(at.mass_matrix + rates * step - at.balance_q * (step * step), weights)?;
        let mut complex = [None; S];
        for (factors, [alpha, beta]) in complex.iter_mut().zip(&table.pairs).take(S / 2) {
            let [re, im]: Complex<R> = reciprocal([alpha.value(), beta.value()]);
            let step = [re * h, im * h];
            let square = times(step, step);
            let re = at.mass_matrix + rates * step[0] - at.balance_q * square[0];
            let im = rates * step[1] - at.balance_q * square[1];
            *factors = Some(ComplexLu::weighted([re, im], weights)?);
        }
        Ok(Self { step, real, complex })
    }

    /// The increments of the velocities for the residuals of the stages.
    fn increments(&self, residuals: &[SVector<R, N>; S]) -> [SVector<R, N>; S] {
        let table = const { &StageCount::<S>::RADAU };
        let mut parts = [SVector::repeat(R::ZERO); S];
        for (part, row) in parts.iter_mut().zip(&table.inverse) {
            *part = -combined(row, residuals);
        }
        parts[0] = self.real.solve(&parts[0]);
        for (k, factors) in self.complex.iter().flatten().enumerate() {
            [parts[2 * k + 1], parts[2 * k + 2]] = factors.solve([parts[2 * k + 1], parts[2 * k + 2]]);
        }
        let mut increments = [SVector::repeat(R::ZERO); S];
        for (increment, row) in increments.iter_mut().zip(&table.vectors) {
            *increment = combined(row, &parts);
        }
        increments
    }

    /// Solves the equations of the stages. `None` if the iteration does not converge fast enough.
    ///
    /// # Errors
    /// [`Failure::NotFinite`] where the first residual is not finite.
    pub(super) fn solve<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        (start, at): Start<'_, R, N>,
        mut velocities: [SVector<R, N>; S],
        rate: R,
        (h, end): (R, R),
    ) -> Result<Option<Stages<R, N, S>>, Failure> {
        let table = const { &StageCount::<S>::RADAU };
        let nodes = values::<R, S>(&table.nodes);
        let allowed = self.allowed(evaluator.smallest_rtol());
        let mut rate = rate.max(R::from_f64(R::EPSILON)).powf(R::from_f64(0.8)).without_derivatives();
        let (mut before, mut more) = (None::<R>, MORE_FOR_DERIVATIVES * R::DERIVATIVE_ORDER);
        let most = if R::DERIVATIVE_ORDER > 0 { MORE_TO_ROUNDING * MOST } else { MOST };
        for made in 1..=most {
            let coordinates = coordinates(start, &velocities, h);
            let (mut momenta, mut forces) = ([at.momentum; S], [at.balance; S]);
            for i in 0..S {
                let t = if i + 1 == S { end } else { start.t + nodes[i] * h };
                let balance = evaluator.balance(t, coordinates[i], velocities[i]);
                (momenta[i], forces[i]) = (balance.momentum, balance.balance);
            }
            let mut residuals = momenta;
            for (residual, row) in residuals.iter_mut().zip(&table.coefficients) {
                *residual -= at.momentum + combined(row, &forces) * h;
            }
            let increments = self.increments(&residuals);
            for (velocity, increment) in velocities.iter_mut().zip(&increments) {
                *velocity += increment;
            }
            let size = self.size(evaluator, start, &velocities, &increments, (h, end));
            if !size.is_finite() {
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
                let is_rounding = size <= R::from_f64(PART.min(ROUNDINGS * R::EPSILON / evaluator.smallest_rtol()));
                if is_slow && !is_rounding && made > 2 {
                    return Ok(None);
                }
                rate = match ratio < R::ONE {
                    true => ratio / (R::ONE - ratio),
                    false if is_rounding => R::ZERO,
                    false => R::from_f64(f64::INFINITY),
                };
            }
            if size == R::ZERO || rate * size <= allowed {
                if more == 0 || made == most {
                    let coordinates = self::coordinates(start, &velocities, h);
                    return Ok(Some(Stages { coordinates, velocities, momenta, rate }));
                }
                more -= 1;
            }
            before = Some(size);
        }
        Ok(None)
    }

    /// The largest error of the iteration relative to the tolerance of the step.
    fn allowed(&self, rtol: f64) -> R {
        let least = 10.0 * R::EPSILON / rtol;
        let part = if R::DERIVATIVE_ORDER > 0 { 0.0 } else { PART.min(Scalar::sqrt(rtol)) };
        R::from_f64(part.max(least).min(PART))
    }

    /// The root mean square of increments, each divided by the tolerance of its component.
    fn size<E: Evaluate<R, N, 0> + ?Sized>(
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
    /// δq − g δv = g v + Σ eᵢ (Qᵢ − q) and (∂p/∂q − g ∂f/∂q) δq + (M − g ∂f/∂v) δv = g f + Σ eᵢ (pᵢ − p).
    ///
    /// If it exceeds the tolerance, v and f are taken once more at (q + δq, v + δv), so that an error which the next steps damp does
    /// not shorten the step.
    pub(super) fn error<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        (start, at): Start<'_, R, N>,
        last: &State<R, N>,
        (coordinates, momenta): (&[SVector<R, N>; S], &[SVector<R, N>; S]),
    ) -> Difference<R, N> {
        let table = const { &StageCount::<S>::RADAU };
        let g = self.step;
        let (mut by_q, mut by_p) = (SVector::repeat(R::ZERO), SVector::repeat(R::ZERO));
        for ((q, p), weight) in coordinates.iter().zip(momenta).zip(values::<R, S>(&table.error)) {
            by_q += (q - start.q) * weight;
            by_p += (p - at.momentum) * weight;
        }
        let filtered = |v: &SVector<R, N>, f: &SVector<R, N>| {
            let (by_q, by_p) = (by_q + v * g, by_p + f * g);
            let v = self.real.solve(&(by_p - product(&(at.momentum_q - at.balance_q * g), &by_q)));
            Difference { q: by_q + v * g, v }
        };
        let first = filtered(&start.v, &at.balance);
        let tolerances = evaluator.tolerances(start, last);
        let beyond = |error: R, tolerance: R| error.abs() > tolerance;
        if !(0..N).any(|i| beyond(first.q[i], tolerances.q[i]) || beyond(first.v[i], tolerances.v[i])) {
            return first;
        }
        let (q, v) = (start.q + first.q, start.v + first.v);
        let balance = evaluator.balance(start.t, q, v).balance;
        if balance.iter().all(|f| f.is_finite()) { filtered(&v, &balance) } else { first }
    }
}

/// The weights of the rows when pivots are compared: 1/√Mᵢᵢ. The entries of a column times these have one unit, and so the order of the
/// pivots does not depend on the units of the coordinates. A row without inertia has the weight 1.
fn weights<R: Real, const N: usize>(mass_matrix: &SMatrix<R, N, N>) -> [R::Magnitude; N] {
    let mut weights = [R::Magnitude::ONE; N];
    for (i, weight) in weights.iter_mut().enumerate() {
        let inertia = mass_matrix[(i, i)].magnitude();
        if inertia > R::Magnitude::ZERO {
            *weight = inertia.sqrt().recip();
        }
    }
    weights
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
