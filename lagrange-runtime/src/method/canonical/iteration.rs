//! The iterations for the unknown velocities of a step, and the test of their convergence.

use super::largest;
use crate::error::Failure;
use crate::evaluate::Evaluate;
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
    /// How increments must fall if the Jacobian is exact, or if it lacks terms.
    const fn fall(self, is_exact: bool) -> Fall {
        match self {
            // The iteration is never called slow, and its rounding is not looked for: it converges too slowly for that.
            Self::FixedPoint => Fall { first: 1.0, later: 1.0, tested: 0.0, usual: 99, most: 100 },
            _ if is_exact => Fall { first: 0.1, later: 0.25, tested: 1.0 / 16.0, usual: 5, most: 20 },
            // Derivatives of the directions of contacts are left out.
            _ => Fall { first: 0.5, later: 0.5, tested: 0.5, usual: 5, most: 60 },
        }
    }
}

/// How the increments of an iteration must fall.
#[derive(Clone, Copy, Debug)]
struct Fall {
    /// The largest ratio of the first two increments, and of later ones, at which a slow iteration goes on.
    first: f64,
    later: f64,
    /// The part to which an iteration must reduce a distance from the solution, so that increments which do not fall are rounding.
    tested: f64,
    /// The most iterations of a step that converges as usual, and of any step.
    usual: u32,
    most: u32,
}

/// The state of an iteration after an increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::method) enum Progress {
    Converged,
    Slow,
    Fast,
}

/// Monitors the increments of an iteration for `S` velocities, in a step of size `h` from the coordinates `q`.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Watch<'a, R: Real, const N: usize, const S: usize> {
    q: &'a SVector<R, N>,
    h: R,
    /// The acceleration that contacts and frictions cancel.
    cancelled: R,
    iteration: Iteration,
    fall: Fall,
    previous: Option<[SVector<R, N>; S]>,
    /// For each component, whether its increment stopped falling while all increments were small. A fixed-point iteration has one for each
    /// coordinate.
    stagnant: [[bool; N]; S],
    made: u32,
    noise: Noise<R>,
}

/// What an iteration has found about the part of its increments that is rounding.
#[derive(Clone, Copy, Debug)]
struct Noise<R> {
    /// The largest increment that may be rounding. 0 until it is known.
    size: R,
    /// How often the velocities were moved away from the solution.
    asked: u32,
    /// Where the velocities are now, if they were moved away: how many times as far from the solution as the last increments. It is negative on the other side of the solution.
    far: Option<R>,
    /// The largest increment of an iteration that begins where it was seen to converge. An increment below this size that does not fall is rounding.
    within: R,
    /// The number of iterations after which the step is given up.
    most: u32,
}

/// How many times as far from the solution as the last increments an iteration is looked at, and by which factor this distance grows where the rounding is larger than it.
const FURTHER: f64 = 64.0;

/// The longest such distance. The last increments may be much smaller than the rounding by chance.
const FURTHEST: f64 = FURTHER * FURTHER * FURTHER;

/// How often the velocities are moved away from the solution in one iteration.
const MOST_ASKED: u32 = 8;

impl<'a, R: Real, const N: usize, const S: usize> Watch<'a, R, N, S> {
    /// The monitor of an iteration whose Jacobian is exact, or lacks terms, in a step of size `h` from the coordinates `q`.
    #[inline(always)]
    pub(in crate::method) fn new(iteration: Iteration, is_exact: bool, (q, h): (&'a SVector<R, N>, R)) -> Self {
        let (fall, zero) = (iteration.fall(is_exact), R::ZERO);
        let noise = Noise { size: zero, asked: 0, far: None, within: zero, most: fall.most };
        Self { q, h, cancelled: zero, iteration, fall, previous: None, stagnant: [[false; N]; S], made: 0, noise }
    }

    /// Judges the `increments` that led to `velocities`.
    ///
    /// In Newton's method a component has converged if its increment is at the round-off of the velocity, since the next
    /// increment would be far smaller. It has also converged once its increment stops falling while all increments are small.
    /// With constraints, the rounding of q leaves increments that rise and fall at random, and many components seldom stop
    /// falling in the same iteration.
    ///
    /// A fixed-point iteration continues until the largest increment of each coordinate no longer falls. Its increments say less about the
    /// error, and an error left in each step would accumulate (Hairer, McLachlan, Razakarivony 2008). An increment is small relative to
    /// the largest velocity, to the uncertainty from the rounding of q, and to the rounding of what contacts and frictions take from the velocity.
    ///
    /// Forces that cancel each other, as those of two stretched springs, leave a rounding that neither the velocity nor q tells, and it is the largest part of an increment
    /// where a motion turns or has come to rest. So an iteration is not given up before it is seen not to converge from further away: `velocities` become some that are
    /// 64 times as far from the solution as the last increments, and then as far on the other side. If an iteration with a new Jacobian leads back from both, it converges over
    /// this distance, also across a kink, and increments that do not fall within it are rounding. Only increments below √ε of the velocity, of that which moves the
    /// coordinates by themselves within the step, and of that which contacts and frictions take, are looked at in this way: an iteration also leads back from far away where a force changes by a bounded amount only, as g sin θ in a step that is too long.
    /// An iteration that went over a switch, at which the equations jump, is given up at once. After the most iterations, increments that move q by less than its rounding have converged.
    ///
    /// # Errors
    /// [`Failure::NotFinite`] if the first increment is not finite. [`Failure::NewtonFailed`] if a later one is not finite, if
    /// the iteration may tend to a distant solution, or after the most iterations.
    #[inline]
    pub(in crate::method) fn judge<E: Evaluate<R, N, C> + ?Sized, const C: usize>(
        &mut self,
        evaluator: &mut E,
        increments: &[SVector<R, N>; S],
        velocities: &mut [SVector<R, N>; S],
    ) -> Result<Progress, Failure> {
        self.cancelled = evaluator.cancelled();
        let progress = self.judged(evaluator.is_astray(), increments, velocities);
        if progress.is_err() {
            if self.noise.asked > 0 {
                // What was seen from far away does not count.
                evaluator.begin_round();
            }
            evaluator.check_slopes()?;
        }
        progress
    }

    #[inline]
    fn judged(
        &mut self,
        is_astray: bool,
        increments: &[SVector<R, N>; S],
        velocities: &mut [SVector<R, N>; S],
    ) -> Result<Progress, Failure> {
        self.made += 1;
        if self.made > self.fall.usual {
            return self.judge_long(is_astray, increments, velocities);
        }
        let size = largest_of(increments);
        self.check(size)?;
        let progress = self.progress::<false>(size, increments, velocities);
        let lost = progress == Progress::Slow && self.is_lost(size);
        self.previous = Some(*increments);
        match lost {
            true if is_astray => Err(self.failure(size)),
            true => self.doubt(R::from_f64(FURTHER), velocities),
            false => Ok(progress),
        }
    }

    /// Judges the increments of an iteration that takes longer than usual.
    ///
    /// # Errors
    /// Those of [`Watch::judge`].
    #[cold]
    #[inline(never)]
    fn judge_long(
        &mut self,
        is_astray: bool,
        increments: &[SVector<R, N>; S],
        velocities: &mut [SVector<R, N>; S],
    ) -> Result<Progress, Failure> {
        if let Some(far) = self.noise.far {
            return self.decide(far, increments, velocities);
        }
        let size = largest_of(increments);
        self.check(size)?;
        self.find_noise(size);
        let progress = self.progress::<true>(size, increments, velocities);
        let lost = progress == Progress::Slow && self.is_lost(size);
        self.previous = Some(*increments);
        let converged = progress == Progress::Converged
            || !lost && self.made >= self.noise.most && size <= self.noise.size.max(self.undecided());
        if converged {
            return Ok(Progress::Converged);
        }
        if !lost && self.made < self.noise.most {
            return Ok(progress);
        }
        if is_astray {
            return Err(self.failure(size));
        }
        self.doubt(R::from_f64(FURTHER), velocities)
    }

    /// # Errors
    /// [`Failure::NotFinite`] if the first increment is not finite, [`Failure::NewtonFailed`] if another one is not.
    #[inline(always)]
    fn check(&self, size: R) -> Result<(), Failure> {
        match self.previous {
            _ if size.is_finite() => Ok(()),
            None => Err(Failure::NotFinite { component: None }),
            Some(_) => Err(self.failure(size)),
        }
    }

    /// Whether one iteration has been made.
    #[inline(always)]
    pub(in crate::method) fn is_first(&self) -> bool {
        self.made == 1
    }

    /// The state of the iteration. `LONG` are iterations that take longer than usual.
    #[inline(always)]
    fn progress<const LONG: bool>(
        &mut self,
        size: R,
        increments: &[SVector<R, N>; S],
        velocities: &[SVector<R, N>; S],
    ) -> Progress {
        let undecided = self.undecided();
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
        let is_noise = LONG && size <= self.noise.size;
        let all_small = size <= R::from_f64(R::EPSILON).sqrt() * speed + undecided || is_noise;
        let half = R::from_f64(0.5);
        // Where a velocity vanishes, increments that do not move q are not small beside it. Sums with their rounding errors hold q to the square of the round-off.
        let part = if is_noise { R::ONE / self.h.abs() } else { round_off / self.h.abs() };
        let mut converged = true;
        for i in 0..S {
            for k in 0..N {
                let increment = increments[i][k].abs();
                self.stagnant[i][k] |=
                    all_small && self.previous.is_some_and(|previous| increment >= half * previous[i][k].abs());
                let speed = velocities[i][k].abs();
                let scale = if LONG { speed.max(part * self.q[k].abs()) } else { speed };
                converged &= self.stagnant[i][k] || increment <= round_off * scale;
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

    /// The increment that moves q by its rounding, and the rounding of what contacts and frictions take from the velocity in the step.
    #[inline(always)]
    fn undecided(&self) -> R {
        R::from_f64(16.0 * R::EPSILON) * self.beside()
    }

    /// |q|/h, the velocity that doubles a coordinate within the step, plus h times the acceleration by contacts and frictions. Increments are compared with it and with the largest velocity.
    #[inline(always)]
    fn beside(&self) -> R {
        let h = self.h.abs();
        largest(self.q) / h + self.cancelled * h
    }

    /// Whether a slow iteration may tend to a solution that is not the one near the guess. With an exact Jacobian this is assumed if the first
    /// increments do not fall to a tenth, or later ones not to a quarter (after P. Deuflhard, *Newton Methods for Nonlinear
    /// Problems*, 2.1).
    #[cold]
    fn is_lost(&self, size: R) -> bool {
        let most = R::from_f64(if self.made == 2 { self.fall.first } else { self.fall.later });
        self.previous.as_ref().is_some_and(|previous| size > most * largest_of(previous))
    }

    /// Notes that increments are rounding, if this one does not fall although the iteration converges over its size.
    fn find_noise(&mut self, size: R) {
        let part = R::from_f64(self.fall.later);
        if size <= self.noise.within
            && self.previous.as_ref().is_some_and(|previous| size > part * largest_of(previous))
        {
            self.noise.size = self.noise.within;
        }
    }

    /// Moves the velocities `far` times as far from the solution as the last increments.
    ///
    /// # Errors
    /// [`Failure::NewtonFailed`] in a fixed-point iteration, if the increments are too large for rounding, or if this is too far, or was done too often.
    #[cold]
    fn doubt(&mut self, far: R, velocities: &mut [SVector<R, N>; S]) -> Result<Progress, Failure> {
        let Some(increments) = &self.previous else { return Err(self.failure(R::ZERO)) };
        let size = largest_of(increments);
        let most = R::from_f64(R::EPSILON).sqrt() * (largest_of(velocities) + self.beside());
        let is_simple = self.iteration == Iteration::FixedPoint;
        if is_simple || size > most || self.noise.asked == MOST_ASKED || far > R::from_f64(FURTHEST) {
            return Err(self.failure(size));
        }
        for (velocity, increment) in velocities.iter_mut().zip(increments) {
            *velocity += increment * far;
        }
        self.fall.usual = 0;
        self.noise = Noise { asked: self.noise.asked + 1, far: Some(far), ..self.noise };
        // The same Jacobian serves both sides.
        Ok(if far > R::ZERO { Progress::Slow } else { Progress::Fast })
    }

    /// Decides by the increments from far away whether the iteration converges from there. If it does not, rounding may be larger than this distance.
    ///
    /// # Errors
    /// Those of [`Watch::doubt`].
    #[cold]
    fn decide(
        &mut self,
        far: R,
        increments: &[SVector<R, N>; S],
        velocities: &mut [SVector<R, N>; S],
    ) -> Result<Progress, Failure> {
        let Some(before) = &self.previous else { return Err(self.failure(R::ZERO)) };
        let doubted = largest_of(before);
        let off = largest_of(&core::array::from_fn::<_, S, _>(|i| increments[i] - before[i] * far));
        if !off.is_finite() {
            return Err(self.failure(doubted));
        }
        let within = doubted * far.abs() * R::from_f64(self.fall.tested);
        if off > within {
            return self.doubt(far.abs() * R::from_f64(FURTHER), velocities);
        }
        if far > R::ZERO {
            return self.doubt(-far, velocities);
        }
        self.noise =
            Noise { far: None, within: self.noise.within.max(within), most: self.made + self.fall.most, ..self.noise };
        self.previous = None;
        Ok(Progress::Fast)
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
