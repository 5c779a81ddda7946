//! The fixed-point iteration for short steps without constraints.
//!
//! A round computes the forces Fᵢ = f(Qᵢ, Vᵢ) with Qᵢ = q + h Σ aᵢⱼ Vⱼ, and then the velocities that belong to the momenta
//! Pᵢ = p + h Σ aᵢⱼ Fⱼ at Qᵢ. It needs no Jacobian. In a step of a thousandth of the motion's time scale it divides the error of the
//! velocities by about a thousand, and two or three rounds leave an error far below rounding.

use super::{Collocation, combine};
use crate::evaluate::Evaluate;
use crate::method::canonical::PastStages;
use crate::scalar::Real;
use crate::tableau::gauss::{OneToSix, StageCount};
use nalgebra::{SMatrix, SVector};

/// The most rounds of a step. If more are needed, Newton's method costs less.
const MOST: u32 = 6;

/// The number of steps that take Newton's method after a step in which the iteration did not converge.
const PAUSE: u32 = 8;

/// The most coordinates whose p, f and M are one evaluation, if M is not constant.
const MOST_INERTIAL: usize = 2;

/// The mean error that a step may leave in its velocities, by their rounding. It has nearly the same sign in all steps. With 1/256, ten
/// thousand steps changed the energy by 1.3e-15, and with 1/512 by less than 2e-16.
const ALLOWED: f64 = 1.0 / 512.0;

/// The number of past steps from which the velocities are predicted.
const DEPTH: usize = 7;

/// The most velocities at all stages together. The memory of a method is copied many times, and its size must not grow with that of a
/// large mechanism.
const CAPACITY: usize = 8;

/// A number for each velocity at each stage: number k of stage i has the index N i + k.
type Row<R> = [R; CAPACITY];

/// What the iteration carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub(super) struct ShortSteps<R: Real, const N: usize, const S: usize> {
    /// The backward differences of the stage velocities, of order 0 to 6: V(n) − V(n − 1) has order 1. Their sum is the prediction. The
    /// stages of one index are predicted from those of the same index. A polynomial through all stages would be worse, because each
    /// stage has an error of its own of order S + 1.
    differences: [Row<R>; DEPTH],
    /// How far the first round of the last step was from its solution. The first round of the next step is corrected by it.
    missing: Row<R>,
    /// The size of the past steps.
    h: R,
    /// The number of past steps of that size.
    count: u32,
    /// The number of steps before the iteration is tried again.
    pause: u32,
}

/// The velocities and the forces at the stages.
pub(super) struct StageValues<R, const N: usize, const S: usize> {
    pub(super) velocities: [SVector<R, N>; S],
    pub(super) forces: [SVector<R, N>; S],
    /// How far the first round was from these velocities.
    missing: Row<R>,
}

impl<R: Real, const N: usize, const S: usize> ShortSteps<R, N, S> {
    /// Returns a memory without past steps.
    #[inline]
    pub(super) fn none() -> Self {
        let zero = [R::ZERO; CAPACITY];
        Self { differences: [zero; DEPTH], missing: zero, h: R::ZERO, count: 0, pause: 0 }
    }

    /// Whether a step of size `h` should take the iteration.
    #[inline(always)]
    pub(super) fn applies(&self, h: R) -> bool {
        S * N <= CAPACITY && self.pause == 0 && self.count >= DEPTH as u32 && self.h == h
    }

    /// Returns the memory after a step that the iteration solved.
    #[inline(always)]
    pub(super) fn after(&self, values: &StageValues<R, N, S>) -> Self {
        let mut next = *self;
        next.missing = values.missing;
        next.append(&values.velocities);
        next
    }

    /// Adds a step of size `h` that Newton's method solved. `has_failed` tells whether the iteration was tried first.
    pub(super) fn add_newton(&mut self, velocities: &[SVector<R, N>; S], h: R, has_failed: bool) {
        if S * N > CAPACITY {
            return;
        }
        if self.h != h {
            *self = Self { h, ..Self::none() };
        }
        self.append(velocities);
        self.missing = [R::ZERO; CAPACITY];
        self.count = self.count.min(DEPTH as u32 - 1) + 1;
        self.pause = if has_failed { PAUSE } else { self.pause.saturating_sub(1) };
    }

    /// Writes the last steps to `past`, if there are enough of one size.
    pub(super) fn recall(&self, past: &mut PastStages<R, N, S>) {
        if self.count >= 3 {
            let [last, change, bend, ..] = &self.differences;
            let of = |i: usize, row: &Row<R>| SVector::from_fn(|k, _| row[(N * i + k).min(CAPACITY - 1)]);
            let earlier = |i: usize| of(i, last) - of(i, change);
            past.set_even(
                core::array::from_fn(|i| of(i, last)),
                core::array::from_fn(earlier),
                core::array::from_fn(|i| earlier(i) - of(i, change) + of(i, bend)),
                self.h,
            );
        }
    }

    /// Updates the differences.
    #[inline(always)]
    fn append(&mut self, velocities: &[SVector<R, N>; S]) {
        let mut newer = row(velocities);
        for older in &mut self.differences {
            for index in 0..CAPACITY.min(S * N) {
                let difference = newer[index] - older[index];
                older[index] = newer[index];
                newer[index] = difference;
            }
        }
    }

    /// Returns the velocities and the forces that solve the equations of a step, or `None` if a few rounds do not suffice.
    #[inline]
    pub(super) fn solve<E, const C: usize>(
        &self,
        equations: &Collocation<'_, R, N, C>,
        evaluator: &mut E,
    ) -> Option<StageValues<R, N, S>>
    where
        E: Evaluate<R, N, C> + ?Sized,
        StageCount<S>: OneToSix<S>,
    {
        let mut velocities = [SVector::repeat(R::ZERO); S];
        for (index, velocity) in velocities.iter_mut().flatten().take(CAPACITY).enumerate() {
            *velocity = self.differences[0][index];
            for differences in &self.differences[1..] {
                *velocity += differences[index];
            }
        }
        let guess = velocities;
        let inverses = first_round(equations, evaluator, &mut velocities, self.h)?;
        let first = velocities;
        let scale = self.scale(&first);
        let error = distance(&guess, &first, &scale);
        for (velocity, &missing) in velocities.iter_mut().flatten().zip(&self.missing) {
            *velocity += missing;
        }
        let (mut ratio, mut bound) = (R::ZERO, R::ZERO);
        for made in 2..=MOST {
            let before = velocities;
            let forces = next_round(equations, evaluator, &mut velocities, &inverses, self.h)?;
            if made == 2 {
                // Two velocities that differ by their rounding say nothing about the convergence.
                let left = distance(&first, &velocities, &scale) - R::from_f64(2.0);
                ratio = if left > R::ZERO { left / error } else { R::ZERO };
                if ratio > R::from_f64(0.25) || !ratio.is_finite() {
                    return None;
                }
            }
            // The error before this round was at most the change, and at most `ratio` times what it was a round earlier.
            let moved = distance(&before, &velocities, &scale);
            bound = if made == 2 { moved } else { moved.min(ratio * bound) };
            if ratio * bound <= R::from_f64(ALLOWED) {
                let mut missing = row(&velocities);
                for (missing, &first) in missing.iter_mut().zip(first.iter().flatten()) {
                    *missing -= first;
                }
                return Some(StageValues { velocities, forces, missing });
            }
        }
        None
    }

    /// Returns, for each coordinate, the inverse of the rounding of its velocities. Where a velocity is small because it changes its
    /// sign, the rounding is that of its change over 64 steps.
    #[inline(always)]
    fn scale(&self, velocities: &[SVector<R, N>; S]) -> SVector<R, N> {
        let mut scale = SVector::repeat(R::ZERO);
        let roundings = R::from_f64(R::EPSILON / S as f64);
        for k in 0..N {
            let mut magnitude = R::ZERO;
            for (velocity, change) in velocities.iter().zip(self.differences[1].chunks_exact(N)) {
                magnitude += velocity[k].abs() + R::from_f64(64.0) * change[k].abs();
            }
            // A coordinate that was at rest has no scale. Any velocity that appears later counts as far from converged.
            scale[k] = if magnitude > R::ZERO { (roundings * magnitude).recip() } else { R::from_f64(1e30) };
        }
        scale
    }
}

/// Returns the numbers of the vectors in a row.
#[inline(always)]
fn row<R: Real, const N: usize, const S: usize>(vectors: &[SVector<R, N>; S]) -> Row<R> {
    let mut row = [R::ZERO; CAPACITY];
    for (entry, &number) in row.iter_mut().zip(vectors.iter().flatten()) {
        *entry = number;
    }
    row
}

/// The inverse of a symmetric matrix of at most two rows: its entries 00, 01 and 11. An error of the inverse slows the iteration, and
/// does not change its result.
#[derive(Clone, Copy)]
struct Inverse<R>([R; 3]);

impl<R: Real> Inverse<R> {
    #[inline(always)]
    fn none() -> Self {
        Self([R::ZERO; 3])
    }

    #[inline(always)]
    fn of<const N: usize>(matrix: &SMatrix<R, N, N>) -> Self {
        let first = matrix[(0, 0)];
        if N == 1 {
            return Self([first.recip(), R::ZERO, R::ZERO]);
        }
        let (mixed, second) = (matrix[(1, 0)], matrix[(1, 1)]);
        let inverse = (first * second - mixed * mixed).recip();
        Self([second * inverse, -mixed * inverse, first * inverse])
    }

    #[inline(always)]
    fn times<const N: usize>(&self, vector: &SVector<R, N>) -> SVector<R, N> {
        let Self([first, mixed, second]) = *self;
        let mut product = *vector;
        if N == 1 {
            product[0] = first * vector[0];
        } else {
            product[0] = first * vector[0] + mixed * vector[1];
            product[1] = mixed * vector[0] + second * vector[1];
        }
        product
    }
}

/// Makes the first round: replaces the velocities by those that follow from them, and returns the inverses of M, where they are kept.
#[inline(always)]
fn first_round<E, R, const N: usize, const C: usize, const S: usize>(
    equations: &Collocation<'_, R, N, C>,
    evaluator: &mut E,
    velocities: &mut [SVector<R, N>; S],
    h: R,
) -> Option<[Inverse<R>; S]>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
    StageCount<S>: OneToSix<S>,
{
    let mut inverses = [Inverse::none(); S];
    if !keeps_inverses::<E, R, N, C>(evaluator) {
        next_round(equations, evaluator, velocities, &inverses, h)?;
        return Some(inverses);
    }
    let nodes = equations.nodes(velocities, h);
    let (mut momenta, mut forces) = (*velocities, *velocities);
    evaluator.begin_round();
    evaluator.statistics_mut().iterations += 1;
    for i in 0..S {
        let at = evaluator.inertial_balance(nodes[i].0, nodes[i].1, velocities[i]);
        (momenta[i], forces[i]) = (at.momentum, at.balance);
        inverses[i] = Inverse::of(&at.mass_matrix);
    }
    let increments = increments(&forces, h);
    for i in 0..S {
        velocities[i] -= inverses[i].times(&equations.canonical.residual(momenta[i], increments[i]));
    }
    Some(inverses)
}

/// Returns h Σ aᵢⱼ Fⱼ for all stages. This loop contains nothing else, so that the compiler unrolls it, and the coefficients are constants.
#[inline(always)]
fn increments<R: Real, const N: usize, const S: usize>(forces: &[SVector<R, N>; S], h: R) -> [SVector<R, N>; S]
where
    StageCount<S>: OneToSix<S>,
{
    let table = const { &StageCount::<S>::GAUSS };
    let mut increments = *forces;
    for (increment, row) in increments.iter_mut().zip(&table.coefficients) {
        *increment = combine(row, forces) * h;
    }
    increments
}

/// Whether the inverses of M of the first round serve the next rounds too.
#[inline(always)]
fn keeps_inverses<E, R, const N: usize, const C: usize>(evaluator: &E) -> bool
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    N <= MOST_INERTIAL && !evaluator.facts().constant_mass
}

/// Makes one round: replaces the velocities by those that follow from them, and returns the forces.
#[inline(always)]
fn next_round<E, R, const N: usize, const C: usize, const S: usize>(
    equations: &Collocation<'_, R, N, C>,
    evaluator: &mut E,
    velocities: &mut [SVector<R, N>; S],
    inverses: &[Inverse<R>; S],
    h: R,
) -> Option<[SVector<R, N>; S]>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
    StageCount<S>: OneToSix<S>,
{
    let nodes = equations.nodes(velocities, h);
    let (mut momenta, mut forces) = (*velocities, *velocities);
    evaluator.begin_round();
    evaluator.statistics_mut().iterations += 1;
    for i in 0..S {
        let at = evaluator.balance(nodes[i].0, nodes[i].1, velocities[i]);
        (momenta[i], forces[i]) = (at.momentum, at.balance);
    }
    let increments = increments(&forces, h);
    for i in 0..S {
        if keeps_inverses::<E, R, N, C>(evaluator) {
            velocities[i] -= inverses[i].times(&equations.canonical.residual(momenta[i], increments[i]));
        } else {
            let ((t, q), p) = (nodes[i], equations.canonical.kicked(increments[i]));
            velocities[i] = evaluator.velocity_correction(t, q, velocities[i], p).ok()?;
        }
    }
    Some(forces)
}

/// Returns the mean difference of the components, each times the scale of its coordinate. It is NaN if one of them is.
#[inline(always)]
fn distance<R: Real, const N: usize, const S: usize>(
    a: &[SVector<R, N>; S],
    b: &[SVector<R, N>; S],
    scale: &SVector<R, N>,
) -> R {
    let mut sum = R::ZERO;
    for (a, b) in a.iter().zip(b) {
        for k in 0..N {
            sum = (a[k] - b[k]).abs().mul_add(scale[k], sum);
        }
    }
    sum * R::from_f64(1.0 / (N * S) as f64)
}
