//! When an iteration for the unknown velocities of a step has converged, and how it iterates.

use super::largest;
use crate::error::Failure;
use crate::scalar::Real;
use nalgebra::SVector;

/// How the equations of an implicit step are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Iteration {
    /// Newton's method with an exact Jacobian in each iteration. Over dual numbers it gives the step's exact
    /// derivative too, since the last iteration is made at what is already the solution.
    Newton,
    /// Newton's method with the exact Jacobian of a step's first iteration, its factors reused while convergence is fast.
    #[default]
    SimplifiedNewton,
    /// Fixed-point iteration, V ← V − M⁻¹ r with r the residual and the mass matrix M of one state of the step. It
    /// converges for short steps only, and needs no other derivatives.
    FixedPoint,
}

impl Iteration {
    /// How many iterations a step may take.
    const fn most(self) -> u32 {
        match self {
            Self::Newton | Self::SimplifiedNewton => 20,
            Self::FixedPoint => 100,
        }
    }
}

/// What an iteration is to do after an increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::method) enum Progress {
    Converged,
    Slow,
    Fast,
}

/// Looks on at the increments of an iteration for `S` velocities.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Watch<R: Real, const N: usize, const S: usize> {
    iteration: Iteration,
    previous: Option<[SVector<R, N>; S]>,
    /// Which components have ceased to fall while all were small.
    stagnant: [[bool; N]; S],
    made: u32,
}

impl<R: Real, const N: usize, const S: usize> Watch<R, N, S> {
    #[inline(always)]
    pub(in crate::method) fn new(iteration: Iteration) -> Self {
        Self { iteration, previous: None, stagnant: [[false; N]; S], made: 0 }
    }

    /// Judges the `increments` that led to `velocities`, made near coordinates `q` with step `h`.
    ///
    /// For Newton's method, converged is a component whose increment is at the round-off of the velocity (what the next
    /// would be is far below it), or has once ceased to fall while all are small (with constraints the rounding of q leaves
    /// increments that rise and fall at random, and many components seldom rise at once). A fixed-point iteration goes on until its
    /// largest increment no longer falls, since its increments say less about the error, and an error left in each step
    /// would add up (Hairer, McLachlan, Razakarivony 2008). Small is relative to the largest velocity and to what the
    /// rounding of q leaves undecided.
    ///
    /// # Errors
    /// [`Failure::NotFinite`] for the first increment, [`Failure::NewtonFailed`] for a later one that is not finite, or
    /// at the bound on iterations.
    #[inline]
    pub(in crate::method) fn judge(
        &mut self,
        increments: &[SVector<R, N>; S],
        velocities: &[SVector<R, N>; S],
        q: &SVector<R, N>,
        h: R,
    ) -> Result<Progress, Failure> {
        self.made += 1;
        let size = largest_of(increments);
        if !size.is_finite() {
            return Err(match self.previous {
                None => Failure::NotFinite { component: None },
                Some(_) => self.failure(size),
            });
        }
        let progress = self.progress(size, increments, velocities, q, h);
        let lost = progress == Progress::Slow && self.is_lost(size);
        if lost || progress != Progress::Converged && self.made >= self.iteration.most() {
            return Err(self.failure(size));
        }
        self.previous = Some(*increments);
        Ok(progress)
    }

    #[inline(always)]
    fn progress(
        &mut self,
        size: R,
        increments: &[SVector<R, N>; S],
        velocities: &[SVector<R, N>; S],
        q: &SVector<R, N>,
        h: R,
    ) -> Progress {
        let undecided = R::from_f64(16.0 * R::EPSILON) * (largest(q) / h.abs());
        let speed = largest_of(velocities);
        if self.iteration == Iteration::FixedPoint {
            let small = R::from_f64(1024.0 * R::EPSILON) * speed + undecided;
            let stagnates = self.previous.is_some_and(|previous| size >= largest_of(&previous)) && size <= small;
            return if size == R::ZERO || stagnates { Progress::Converged } else { Progress::Fast };
        }
        let round_off = R::from_f64(16.0 * R::EPSILON);
        let all_small = size <= R::from_f64(R::EPSILON).sqrt() * speed + undecided;
        let half = R::from_f64(0.5);
        let mut converged = true;
        for i in 0..S {
            for k in 0..N {
                let increment = increments[i][k].abs();
                self.stagnant[i][k] |=
                    all_small && self.previous.is_some_and(|previous| increment >= half * previous[i][k].abs());
                converged &= self.stagnant[i][k] || increment <= round_off * velocities[i][k].abs();
            }
        }
        let slow = |previous: &[SVector<R, N>; S]| size > R::from_f64(0.1) * largest_of(previous);
        if converged {
            Progress::Converged
        } else if !all_small && self.previous.as_ref().is_some_and(slow) {
            Progress::Slow
        } else {
            Progress::Fast
        }
    }

    /// Whether the solution that a slow iteration tends to, if any, need not be the one near the guess: where its first increments do
    /// not fall to a tenth, or later ones not to a quarter (after P. Deuflhard, *Newton Methods for Nonlinear Problems*, 2.1).
    #[cold]
    fn is_lost(&self, size: R) -> bool {
        let quarter = R::from_f64(0.25);
        self.made == 2 || self.previous.as_ref().is_some_and(|previous| size > quarter * largest_of(previous))
    }

    #[cold]
    fn failure(&self, size: R) -> Failure {
        Failure::NewtonFailed { iterations: self.made, increment: size.to_f64() }
    }
}

#[inline]
fn largest_of<R: Real, const N: usize, const S: usize>(vectors: &[SVector<R, N>; S]) -> R {
    vectors.iter().fold(R::ZERO, |size, vector| size.max(largest(vector)))
}
