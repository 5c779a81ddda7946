//! The explicit form of RATTLE. It applies if L = T(v) − V(q) with constant M and forces that do not depend on the velocity.
//!
//! ```text
//! v* = M⁻¹(p + h/2 f(q)) + (h/2) M⁻¹Gᵀλ⁻,   q' = q + h v*,   g(q') = 0
//! p' = M v* + h/2 f(q') + (h/2) G'ᵀλ⁺,      G' M⁻¹p' + ∂g/∂t = 0
//! ```
//!
//! Only λ⁻ needs an iteration. The derivative of g(q') by λ⁻ is h (h/2) G' M⁻¹Gᵀ, which differs little from h (h/2) G M⁻¹Gᵀ. The
//! factors of G M⁻¹Gᵀ are known from the impulse λ⁺ of the step before.

use super::{Rattle, RattleMemory};
use crate::constraint::position_rounding;
use crate::error::{Failure, SingularMass};
use crate::evaluate::Evaluate;
use crate::linalg::ldlt::Ldlt;
use crate::linalg::lu::Lu;
use crate::method::canonical::{
    CanonicalMemory, GuessFrom, Iteration, is_short, largest, name_pivot, rate_of, reaction_of, sum_of,
};
use crate::method::{Estimate, Trial};
use crate::scalar::{Real, Scalar};
use crate::state::State;
use crate::system::Constraint;
use nalgebra::{SMatrix, SVector};

/// The most Newton steps for the impulse at the start of a step.
const MAX_ITERATIONS: u32 = 20;

/// The values that the explicit form carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub(super) struct Explicit<R: Real, const N: usize, const C: usize> {
    /// The force f at the state. It is valid if `fresh` is 1.
    balance: SVector<R, N>,
    fresh: u64,
    /// The response of the velocity to multipliers at the state.
    response: Response<R, N, C>,
    /// The rate at which λ⁻ changed in the last step.
    drift: SVector<R, C>,
    /// The velocity whose momentum is 0.
    rest: SVector<R, N>,
}

/// The response of the velocity to multipliers. `columns` is M⁻¹Gᵀ, and `inverse` approximates (G' M⁻¹Gᵀ)⁻¹, where G' is the
/// Jacobian at the end of the coming step.
///
/// In the first step `inverse` is (G M⁻¹Gᵀ)⁻¹. After a step it is (G' M⁻¹Gᵀ)⁻¹ of that step, which is more accurate by one order
/// in h. The approximation affects the speed of Newton's method and not its solution.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
struct Response<R: Real, const N: usize, const C: usize> {
    columns: SMatrix<R, N, C>,
    inverse: SMatrix<R, C, C>,
}

impl<R: Real, const N: usize, const C: usize> Response<R, N, C> {
    /// Returns X A⁻¹ g and A⁻¹ g, where X is `columns` and A⁻¹ is `inverse`.
    #[inline(always)]
    fn correction(&self, value: &SVector<R, C>) -> (SVector<R, N>, SVector<R, C>) {
        let shift = times(&self.inverse, value);
        if C == 1 {
            // X A⁻¹ is known before g, so that only one product waits for g.
            let product = SMatrix::<R, N, C>::from_fn(|i, k| self.columns[(i, k)] * self.inverse[(k, k)]);
            return (times(&product, value), shift);
        }
        (times(&self.columns, &shift), shift)
    }
}

impl<R: Real, const N: usize, const C: usize> Explicit<R, N, C> {
    /// Returns the values at an initial state, where the constraints have the Jacobian `jacobian`. They are not used if the
    /// explicit form does not apply.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    pub(super) fn start<E>(evaluator: &E, state: &State<R, N>, jacobian: &SMatrix<R, C, N>) -> Result<Self, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let zero = SVector::repeat(R::ZERO);
        let response = Response { columns: SMatrix::repeat(R::ZERO), inverse: SMatrix::repeat(R::ZERO) };
        let mut start = Self { balance: zero, fresh: 0, response, drift: SVector::repeat(R::ZERO), rest: zero };
        if applies(evaluator) {
            start.rest = velocity(evaluator, state.t, &state.q, zero)?;
            let (columns, factors) = response_to(evaluator, state.t, &state.q, jacobian, &start.rest)?;
            start.response = Response { columns, inverse: factors.solve(&unit()) };
        }
        Ok(start)
    }

    /// Returns the values without f, so that the next step evaluates it again.
    #[inline(always)]
    pub(super) fn without_balance(self) -> Self {
        Self { fresh: 0, ..self }
    }

    /// Returns the values with f at the state. It evaluates f unless it is known.
    #[inline(always)]
    pub(super) fn refreshed<E>(self, evaluator: &mut E, state: &State<R, N>) -> Self
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        if self.fresh > 0 || !applies(evaluator) {
            return self;
        }
        let balance = evaluator.balance(state.t, state.q, SVector::repeat(R::ZERO)).balance;
        Self { balance, fresh: 1, ..self }
    }
}

/// Whether the explicit form applies.
#[inline(always)]
pub(super) fn applies<E, R, const N: usize, const C: usize>(evaluator: &E) -> bool
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    let facts = evaluator.facts();
    // Inputs are excluded, because a controller may compute them from the velocity.
    !evaluator.has_inputs()
        && facts.separable
        && facts.constant_mass
        && facts.velocity_free_forcing
        && facts.positive_mass
}

/// Returns the velocity that belongs to the momentum `p`.
#[inline(always)]
fn velocity<E, R, const N: usize, const C: usize>(
    evaluator: &E,
    t: R,
    q: &SVector<R, N>,
    p: SVector<R, N>,
) -> Result<SVector<R, N>, Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    evaluator.velocity_correction(t, *q, SVector::repeat(R::ZERO), p)
}

/// Returns M⁻¹Gᵀ and the factors of G M⁻¹Gᵀ for G at (t, q). `rest` is the velocity whose momentum is 0.
#[inline(always)]
fn response_to<E, R, const N: usize, const C: usize>(
    evaluator: &E,
    t: R,
    q: &SVector<R, N>,
    jacobian: &SMatrix<R, C, N>,
    rest: &SVector<R, N>,
) -> Result<(SMatrix<R, N, C>, Ldlt<R, C>), Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    let mut columns = SMatrix::<R, N, C>::repeat(R::ZERO);
    for k in 0..C {
        let row = SVector::from_fn(|i, _| jacobian[(k, i)]);
        columns.set_column(k, &(velocity(evaluator, t, q, row)? - rest));
    }
    match Ldlt::new(&product(jacobian, &columns)) {
        Ok(factors) => Ok((columns, factors)),
        Err(singular) => Err(redundant(singular, evaluator.constraint_names())),
    }
}

/// Returns the unit matrix.
fn unit<R: Real, const C: usize>() -> SMatrix<R, C, C> {
    SMatrix::from_fn(|i, j| if i == j { R::ONE } else { R::ZERO })
}

/// Returns the inverse of `matrix`. If `matrix` is singular, it returns the inverse of the matrix with the factors `other`.
#[inline(always)]
fn inverse<R: Real, const C: usize>(matrix: SMatrix<R, C, C>, other: &Ldlt<R, C>) -> SMatrix<R, C, C> {
    if C == 1 && matrix[(0, 0)] != R::ZERO {
        return matrix.map(R::recip);
    }
    match Lu::new(matrix) {
        Ok(factors) => factors.solve(&unit()),
        Err(_) => other.solve(&unit()),
    }
}

/// Returns the failure for a vanished pivot of G M⁻¹Gᵀ, with the name of the constraint.
#[cold]
#[inline(never)]
fn redundant(singular: SingularMass, constraints: &'static [&'static str]) -> Failure {
    name_pivot::<0>(singular, constraints)
}

/// Returns G X.
#[inline(always)]
fn product<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    columns: &SMatrix<R, N, C>,
) -> SMatrix<R, C, C> {
    SMatrix::from_fn(|j, k| sum_of::<R, N>(|i| jacobian[(j, i)] * columns[(i, k)]))
}

/// Returns X μ.
#[inline(always)]
fn times<R: Real, const D: usize, const C: usize>(matrix: &SMatrix<R, D, C>, mu: &SVector<R, C>) -> SVector<R, D> {
    SVector::from_fn(|i, _| sum_of::<R, C>(|k| matrix[(i, k)] * mu[k]))
}

/// The size of a constraint's residual.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Residual {
    /// The residual is at round-off.
    Met,
    /// The residual is below √ε of its scale.
    Small,
    /// The residual is larger.
    Large,
}

/// Compares g to the magnitudes of the terms that cancel in it.
#[inline(always)]
fn residual<R: Real, const C: usize>(value: &SVector<R, C>, scale: &SVector<R, C>) -> Residual {
    let within = |bound: f64| (0..C).all(|k| value[k].abs() <= scale[k] * R::from_f64(bound));
    if within(2.0 * R::EPSILON) {
        Residual::Met
    } else if within(Scalar::sqrt(R::EPSILON)) {
        Residual::Small
    } else {
        Residual::Large
    }
}

/// Whether g is at most the error that rounding of the coordinates can cause ([`position_rounding`]). This
/// test is for constraints whose terms almost vanish at `q`: the rounding is then large compared to
/// them. The arguments are copies, because an address would keep them in memory in every step.
#[cold]
#[inline(never)]
fn is_rounding<R: Real, const N: usize, const C: usize>(at: Constraint<R, N, C>, t: R, q: SVector<R, N>) -> bool {
    let least = position_rounding(&at, t, &q);
    (0..C).all(|row| at.value[row].to_f64().abs() <= least[row])
}

impl<R: Real> Rattle<R> {
    /// Makes one step of the explicit form. Call it only if [`applies`] is true.
    #[inline(always)]
    pub(super) fn explicit_step<E, const N: usize, const C: usize>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &RattleMemory<R, N, C>,
        (h, end): (R, R),
    ) -> Result<Trial<R, N, RattleMemory<R, N, C>>, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let RattleMemory { canonical, reaction, explicit, .. } = memory;
        let half = R::from_f64(0.5) * h;
        let zero = SVector::repeat(R::ZERO);
        let kick = explicit.balance * half;
        // The rounding error of p, which `canonical` carries, is left out: it is smaller than the
        // rounding of v. It is the last value that a step computes. Without it, the processor can
        // begin with v before it has finished the step before.
        let v = velocity(evaluator, state.t, &state.q, canonical.momentum + kick)?;
        // At each state, RATTLE applies the impulse (h/2) Gᵀλ⁺ of the step that ends there, and
        // (h/2) Gᵀλ⁻ of the step that begins there. SHAKE applies their sum as one impulse h Gᵀλ.
        let span = if self.projecting { half } else { h };
        let guess = match self.guess {
            _ if C == 0 => SVector::repeat(R::ZERO),
            GuessFrom::Past => reaction.start + explicit.drift * h,
            GuessFrom::State => evaluator.multipliers(state.t, state.q, state.v)?,
        };
        let mut impulse = guess * span;
        let mut step = v * h;
        let met = if const { C > 0 } {
            let pushed = times(&explicit.response.columns, &(impulse * h));
            // The iteration starts from a guess, whose rounding errors do not matter. In this order only one sum waits for v.
            let guess = canonical.coordinates(&state.q, pushed) + step;
            step += pushed;
            let at = (canonical, state, guess);
            Some(self.find_impulse(evaluator, at, &explicit.response, (h, end), (&mut step, &mut impulse))?)
        } else {
            None
        };
        let q = canonical.coordinates(&state.q, step);
        let balance = evaluator.balance(end, q, zero).balance;
        let mut p_increment = kick + balance * half + reaction_of(&reaction.jacobian, &impulse);
        let mut v = velocity(evaluator, end, &q, canonical.kicked(p_increment))?;
        let (mut reaction, mut explicit) = (*reaction, Explicit { balance, fresh: 1, ..*explicit });
        if let Some((jacobian, drift)) = met {
            evaluator.statistics_mut().factorizations += 1;
            let (columns, factors) = response_to(evaluator, end, &q, &jacobian, &explicit.rest)?;
            let per = span.recip();
            let start = impulse * per;
            let mut last = start;
            if self.projecting {
                let multipliers = factors.solve(&(rate_of(&jacobian, &v) + drift));
                p_increment -= reaction_of(&jacobian, &multipliers);
                v -= times(&columns, &multipliers);
                last = multipliers * -per;
            }
            let crossed = product(&jacobian, &explicit.response.columns);
            let response = Response { columns, inverse: inverse(crossed, &factors) };
            // Before the first step, `reaction.start` is λ of the equations of motion. It also differs from λ⁻ by O(h). In a step of the size of rounding
            // the multipliers are rounding, and the multipliers of the step before it are kept.
            let drift = (start - reaction.start) * h.recip();
            explicit.response = response;
            reaction.jacobian = jacobian;
            if !is_short(h, self.h) {
                (explicit.drift, reaction.start, reaction.end) = (drift, start, last);
            }
        }
        let (q, canonical) = canonical.advance(&state.q, step, p_increment)?;
        // Only the implicit form uses `past` and `tilt`, and an integration never changes its form. They stay as they are, so that a loop
        // over steps need not copy them.
        let memory = RattleMemory { canonical, reaction, explicit, ..*memory };
        Ok(Trial { state: State { t: end, q, v }, memory, estimate: Estimate::None })
    }

    /// Corrects the step h v* of the coordinates and the impulse (h/2) λ⁻ until g(q') = 0. Returns G' and ∂g/∂t at the end of the
    /// step.
    ///
    /// Newton's method with exact derivatives makes one more iteration after g has vanished. Over dual numbers this iteration
    /// makes the derivatives exact.
    ///
    /// # Errors
    /// [`Failure::NotFinite`], [`Failure::NewtonFailed`], [`Failure::SingularMass`].
    #[inline(always)]
    fn find_impulse<E, const N: usize, const C: usize>(
        &self,
        evaluator: &mut E,
        (canonical, state, guess): (&CanonicalMemory<R, N>, &State<R, N>, SVector<R, N>),
        response: &Response<R, N, C>,
        (h, end): (R, R),
        (step, impulse): (&mut SVector<R, N>, &mut SVector<R, C>),
    ) -> Result<(SMatrix<R, C, N>, SVector<R, C>), Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let per = h.recip();
        let (mut exact, mut met) = (self.iteration == Iteration::Newton, false);
        let mut previous: Option<R> = None;
        let mut size = R::ZERO;
        for made in 0..MAX_ITERATIONS {
            let q = if made == 0 { guess } else { canonical.coordinates(&state.q, *step) };
            let at = evaluator.constraint(end, &q);
            if made > 0 && met {
                return Ok((at.jacobian, at.drift));
            }
            let mut residual = residual(&at.value, &at.scale);
            if made > 2 && residual == Residual::Large && is_rounding(at, end, q) {
                residual = Residual::Small;
            }
            size = largest(&at.value);
            if !size.is_finite() {
                return Err(match made {
                    0 => Failure::NotFinite { component: None },
                    _ => Failure::NewtonFailed { iterations: made, increment: (size * per).abs().to_f64() },
                });
            }
            let stagnates =
                residual == Residual::Small && previous.is_some_and(|previous| size >= R::from_f64(0.5) * previous);
            met = residual == Residual::Met || stagnates;
            if met && self.iteration != Iteration::Newton {
                return Ok((at.jacobian, at.drift));
            }
            exact |= residual == Residual::Large && previous.is_some_and(|previous| size > R::from_f64(0.1) * previous);
            let (increment, shift) = if exact {
                evaluator.statistics_mut().factorizations += 1;
                match Lu::new(product(&at.jacobian, &response.columns)) {
                    Ok(factors) => {
                        let shift = factors.solve(&at.value);
                        (times(&response.columns, &shift), shift)
                    }
                    Err(singular) => return Err(redundant(singular, evaluator.constraint_names())),
                }
            } else {
                response.correction(&at.value)
            };
            evaluator.statistics_mut().iterations += 1;
            *step -= increment;
            *impulse -= shift * per;
            previous = Some(size);
        }
        Err(Failure::NewtonFailed { iterations: MAX_ITERATIONS, increment: (size * per).abs().to_f64() })
    }
}
