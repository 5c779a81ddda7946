//! The iterations for the unknown velocities of a step, and the test of their convergence.

use super::largest;
use crate::error::Failure;
use crate::scalar::Real;
use nalgebra::SVector;

/// The iteration that solves the equations of an implicit step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Iteration {
    /// The method chooses. [`Gauss`](super::super::Gauss) takes a fixed-point iteration in short steps of a small mechanism
    /// without constraints. All other steps and methods take [`Iteration::SimplifiedNewton`].
    #[default]
    Automatic,
    /// Newton's method with an exact Jacobian in each iteration. Over dual numbers it also gives the exact derivative of the
    /// step, because the last iteration starts from the solution.
    Newton,
    /// Newton's method with the exact Jacobian of the first iteration of a step. Its factors are reused while convergence is
    /// fast.
    SimplifiedNewton,
    /// The fixed-point iteration V ← V − M⁻¹ r, with the residual r and the mass matrix M at one state of the step. It needs no
    /// other derivatives, and converges for short steps only.
    FixedPoint,
}

impl Iteration {
    /// Returns the most iterations that a step may take.
    const fn most(self) -> u32 {
        match self {
            Self::Automatic | Self::Newton | Self::SimplifiedNewton => 20,
            Self::FixedPoint => 100,
        }
    }
}

/// The state of an iteration after an increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::method) enum Progress {
    Converged,
    Slow,
    Fast,
}

/// Monitors the increments of an iteration for `S` velocities.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Watch<R: Real, const N: usize, const S: usize> {
    iteration: Iteration,
    previous: Option<[SVector<R, N>; S]>,
    /// For each component, whether its increment stopped falling while all increments were small. A fixed-point iteration has one for each
    /// coordinate.
    stagnant: [[bool; N]; S],
    made: u32,
}

impl<R: Real, const N: usize, const S: usize> Watch<R, N, S> {
    #[inline(always)]
    pub(in crate::method) fn new(iteration: Iteration) -> Self {
        Self { iteration, previous: None, stagnant: [[false; N]; S], made: 0 }
    }

    /// Judges the `increments` that led to `velocities`. They belong to a step of size `h` from the coordinates `q`.
    ///
    /// In Newton's method a component has converged if its increment is at the round-off of the velocity, since the next
    /// increment would be far smaller. It has also converged once its increment stops falling while all increments are small.
    /// With constraints, the rounding of q leaves increments that rise and fall at random, and many components seldom stop
    /// falling in the same iteration.
    ///
    /// A fixed-point iteration continues until the largest increment of each coordinate no longer falls. Its increments say less about the
    /// error, and an error left in each step would accumulate (Hairer, McLachlan, Razakarivony 2008). An increment is small relative to
    /// the largest velocity and to the uncertainty from the rounding of q.
    ///
    /// # Errors
    /// [`Failure::NotFinite`] if the first increment is not finite. [`Failure::NewtonFailed`] if a later one is not finite, if
    /// the iteration may tend to a distant solution, or after the most iterations.
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

    /// Whether one iteration has been made.
    #[inline(always)]
    pub(in crate::method) fn is_first(&self) -> bool {
        self.made == 1
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
            let small = size <= R::from_f64(1024.0 * R::EPSILON) * speed + undecided;
            let now = largest_of_each(increments);
            let before = self.previous.as_ref().map(largest_of_each);
            let mut converged = true;
            for stagnant in self.stagnant.iter_mut().take(1) {
                for k in 0..N {
                    stagnant[k] |= small && before.is_some_and(|before| now[k] >= before[k]);
                    converged &= stagnant[k] || now[k] == R::ZERO;
                }
            }
            return if converged { Progress::Converged } else { Progress::Fast };
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

    /// Whether a slow iteration may tend to a solution that is not the one near the guess. This is assumed if the first
    /// increments do not fall to a tenth, or later ones not to a quarter (after P. Deuflhard, *Newton Methods for Nonlinear
    /// Problems*, 2.1).
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

/// The largest magnitude of each component.
#[inline]
fn largest_of_each<R: Real, const N: usize, const S: usize>(vectors: &[SVector<R, N>; S]) -> SVector<R, N> {
    vectors.iter().fold(SVector::repeat(R::ZERO), |most, vector| most.zip_map(vector, |most, v| most.max(v.abs())))
}

#[inline]
fn largest_of<R: Real, const N: usize, const S: usize>(vectors: &[SVector<R, N>; S]) -> R {
    vectors.iter().fold(R::ZERO, |size, vector| size.max(largest(vector)))
}
