//! The implicit midpoint rule on (q, p).

use super::{Estimate, Method, Pace, Trial};
use crate::controller::Controller;
use crate::error::{Component, Failure};
use crate::evaluator::Evaluator;
use crate::linalg::lu::Lu;
use crate::scalar::Real;
use crate::state::State;
use crate::system::System;
use nalgebra::SVector;

/// How many Newton iterations a step may take.
const MAX_ITERATIONS: u32 = 20;
/// How many Newton steps the velocity of a momentum may take.
const MAX_CORRECTIONS: u32 = 20;

/// The implicit midpoint rule in canonical variables with a fixed step.
///
/// The unknown is the velocity V at the middle; with Q = q + h/2 V it solves
///
/// ```text
/// p(Q, V) = p + h/2 f(Q, V)
/// q' = q + h V
/// p' = p + h f(Q, V)
/// ```
///
/// for p = ∂L/∂v and f of the system at time t + h/2. Order 2, symmetric; symplectic in (q, p) where f = ∂L/∂q, so
/// that the energy of a conservative mechanism keeps within O(h²) over very long times, and momenta linear in p
/// and quadratic invariants in (q, p) are kept to round-off. q and p are what is carried, both compensated for rounding;
/// v(q, p) is computed for output only.
///
/// V is found by Newton's method with the Jacobian M + h/2 p_q − h/2 (f_v + h/2 f_q), factored once a step unless
/// convergence is slow, until the increments are at round-off. The inputs are evaluated at (t + h/2, Q, V) of each
/// iterate and taken as constant in the Jacobian: a controller whose gain on v is large against M/h does not converge.
/// Cost: one `balance_jacobian` and, mostly, one or two `balance` a step.
///
/// For unconstrained mechanisms (`C = 0`). Source: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical
/// Integration*, 2nd ed., II.1 and VI.4; on compensated summation and stopping at round-off, VIII.5 and VIII.6.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitMidpoint<R> {
    h: R,
}

/// What a method in (q, p) carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CanonicalMemory<R: Real, const N: usize> {
    /// p.
    pub momentum: SVector<R, N>,
    /// What rounding has taken from q so far.
    q_remainder: SVector<R, N>,
    /// What rounding has taken from p so far.
    p_remainder: SVector<R, N>,
    /// The middle velocities of the last steps, the latest first: the next one's starting guess.
    velocities: [SVector<R, N>; 3],
}

impl<R: Real> ImplicitMidpoint<R> {
    /// The method with step `h`: positive, in the unit of t (an integration reports one that is not).
    pub fn new(h: R) -> Self {
        Self { h }
    }
}

/// The sum of two numbers and what rounding took from it (D. E. Knuth's two-sum).
#[inline(always)]
fn two_sum<R: Real>(a: R, b: R) -> (R, R) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// `value + remainder + increment` as a rounded value and its remainder.
#[inline(always)]
fn add_compensated<R: Real, const N: usize>(
    value: SVector<R, N>,
    remainder: SVector<R, N>,
    increment: SVector<R, N>,
) -> (SVector<R, N>, SVector<R, N>) {
    let (mut sum, mut rest) = (value, remainder);
    for i in 0..N {
        (sum[i], rest[i]) = two_sum(value[i], increment[i] + remainder[i]);
    }
    (sum, rest)
}

/// The largest absolute component; NaN where one is.
#[inline]
fn largest<R: Real, const N: usize>(vector: &SVector<R, N>) -> R {
    vector.iter().fold(R::ZERO, |largest, component| largest.max(component.abs()))
}

/// What a Newton iteration is to do after an increment.
enum Progress {
    Converged,
    Slow,
    Fast,
}

/// Judges `increment` to V, made at coordinates `q` with step `h`, against the one before.
///
/// Converged is a coordinate whose increment is at the round-off of V, or no longer falls while all are small; small is
/// relative to the largest velocity and to what the rounding of q leaves undecided.
#[inline]
fn judge<R: Real, const N: usize>(
    increment: &SVector<R, N>,
    previous: Option<&SVector<R, N>>,
    velocity: &SVector<R, N>,
    q: &SVector<R, N>,
    h: R,
) -> Progress {
    // Where an increment is this small, what the next would be is far below it.
    let round_off = R::from_f64(16.0 * R::EPSILON);
    let small =
        R::from_f64(R::EPSILON).sqrt() * largest(velocity) + R::from_f64(16.0 * R::EPSILON) * (largest(q) / h.abs());
    let at_round_off = |i: usize| increment[i].abs() <= round_off * velocity[i].abs();
    let Some(previous) = previous else {
        return if (0..N).all(at_round_off) { Progress::Converged } else { Progress::Fast };
    };
    let half = R::from_f64(0.5);
    let stagnates = |i: usize| increment[i].abs() >= half * previous[i].abs();
    let all_small = largest(increment) <= small;
    if (0..N).all(|i| at_round_off(i) || (all_small && stagnates(i))) {
        Progress::Converged
    } else if !all_small && largest(increment) > R::from_f64(0.1) * largest(previous) {
        Progress::Slow
    } else {
        Progress::Fast
    }
}

impl<S, R, const N: usize, const U: usize> Method<S, R, N, 0, U> for ImplicitMidpoint<R>
where
    S: System<R, N, 0, U> + ?Sized,
    R: Real,
{
    type Memory = CanonicalMemory<R, N>;
    type Workspace = ();

    fn name(&self) -> &'static str {
        "implicit midpoint"
    }

    fn order(&self) -> u32 {
        2
    }

    fn workspace(&self) {}

    #[inline(always)]
    fn pace(&self) -> Pace<R> {
        Pace::Fixed(self.h)
    }

    fn start<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, 0, U>,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let zero = SVector::repeat(R::ZERO);
        let momentum = evaluator.balance(state.t, state.q, state.v).momentum;
        Ok(CanonicalMemory { momentum, q_remainder: zero, p_remainder: zero, velocities: [state.v; 3] })
    }

    /// Nothing to do: q and p are continuous where the inputs jump.
    #[inline(always)]
    fn refresh<K: Controller<R, N, U> + ?Sized>(
        &self,
        _: &mut Evaluator<'_, S, K, R, N, 0, U>,
        _: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        Ok(*memory)
    }

    #[inline]
    fn step<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, 0, U>,
        _: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let half = R::from_f64(0.5) * h;
        let middle = state.t + half;
        let [v1, v2, v3] = memory.velocities;
        // The parabola through the last three middle velocities.
        let mut velocity = (v1 - v2) * R::from_f64(3.0) + v3;
        let mut factors: Option<Lu<R, N>> = None;
        let mut previous: Option<SVector<R, N>> = None;
        let mut iterations = 0;
        let balance = loop {
            let q = state.q + (memory.q_remainder + velocity * half);
            let residual = |momentum: SVector<R, N>, balance: SVector<R, N>| {
                (momentum - memory.momentum) - (memory.p_remainder + balance * half)
            };
            let (residual, balance, lu) = match factors {
                Some(lu) => {
                    let at = evaluator.balance(middle, q, velocity);
                    (residual(at.momentum, at.balance), at.balance, lu)
                }
                None => {
                    let at = evaluator.balance_jacobian(middle, q, velocity);
                    let matrix = at.mass_matrix + at.momentum_q * half - (at.balance_v + at.balance_q * half) * half;
                    evaluator.statistics_mut().factorizations += 1;
                    let lu = Lu::new(matrix)?;
                    (residual(at.momentum, at.balance), at.balance, lu)
                }
            };
            let increment = lu.solve(&residual);
            evaluator.statistics_mut().iterations += 1;
            iterations += 1;
            velocity -= increment;
            let size = largest(&increment);
            if !size.is_finite() {
                return Err(match previous {
                    None => Failure::NotFinite { component: None },
                    Some(_) => Failure::NewtonFailed { iterations, increment: size.to_f64() },
                });
            }
            match judge(&increment, previous.as_ref(), &velocity, &q, h) {
                Progress::Converged => break balance,
                _ if iterations == MAX_ITERATIONS => {
                    return Err(Failure::NewtonFailed { iterations, increment: size.to_f64() });
                }
                Progress::Slow => factors = None,
                Progress::Fast => factors = Some(lu),
            }
            previous = Some(increment);
        };
        let (q, q_remainder) = add_compensated(state.q, memory.q_remainder, velocity * h);
        let (momentum, p_remainder) = add_compensated(memory.momentum, memory.p_remainder, balance * h);
        if let Some(i) = (0..N).find(|&i| !momentum[i].is_finite()) {
            return Err(Failure::NotFinite { component: Some(Component::Velocity(i)) });
        }
        let velocities = [velocity, v1, v2];
        let memory = CanonicalMemory { momentum, q_remainder, p_remainder, velocities };
        Ok(Trial { state: State { t: end, q, v: velocity }, memory, estimate: Estimate::None })
    }

    fn acceleration<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, 0, U>,
        state: &State<R, N>,
        _: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        evaluator.acceleration(state.t, state.q, state.v)
    }

    fn synchronise<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, 0, U>,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<State<R, N>, Failure> {
        let State { t, q, mut v } = *state;
        let quadratic = evaluator.facts().quadratic;
        let small = R::from_f64(R::EPSILON).sqrt();
        let mut previous = None;
        let mut increment = R::ZERO;
        for _ in 0..MAX_CORRECTIONS {
            let corrected = evaluator.velocity_correction(t, q, v, memory.momentum)?;
            if let Some(i) = (0..N).find(|&i| !corrected[i].is_finite()) {
                return Err(Failure::NotFinite { component: Some(Component::Velocity(i)) });
            }
            increment = largest(&(corrected - v));
            let scale = largest(&v).max(largest(&corrected));
            v = corrected;
            let stagnates = previous.is_some_and(|previous| increment >= previous) && increment <= small * scale;
            if quadratic || increment == R::ZERO || stagnates {
                return Ok(State { t, q, v });
            }
            previous = Some(increment);
        }
        Err(Failure::NewtonFailed { iterations: MAX_CORRECTIONS, increment: increment.to_f64() })
    }
}
