//! RATTLE where all but λ⁻ is explicit: L = T(v) − V(q) with constant M, and a forcing free of the velocity.
//!
//! ```text
//! v* = M⁻¹(p + h/2 f(q)) + (h/2) M⁻¹Gᵀλ⁻,   q' = q + h v*,   g(q') = 0
//! p' = M v* + h/2 f(q') + (h/2) G'ᵀλ⁺,      G' M⁻¹p' + ∂g/∂t = 0
//! ```
//!
//! The equations for λ⁻ have the derivative h (h/2) G' M⁻¹ Gᵀ, which G M⁻¹ Gᵀ is near to: its factors are left over from
//! the impulse λ⁺ of the step before.

use super::{Rattle, RattleMemory};
use crate::constraint::rounding;
use crate::error::{Failure, SingularMass};
use crate::evaluate::Evaluate;
use crate::linalg::ldlt::Ldlt;
use crate::linalg::lu::Lu;
use crate::method::canonical::{
    CanonicalMemory, GuessFrom, Iteration, Reaction, largest, name_pivot, rate_of, reaction_of, sum_of,
};
use crate::method::{Estimate, Trial};
use crate::scalar::{Real, Scalar};
use crate::state::State;
use crate::system::Constraint;
use nalgebra::{SMatrix, SVector};

/// How many Newton steps the impulse at a step's start may take.
const MAX_ITERATIONS: u32 = 20;

/// What stays from a step for the next.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub(super) struct Explicit<R: Real, const N: usize, const C: usize> {
    /// f at the state, where `fresh`.
    balance: SVector<R, N>,
    fresh: u64,
    /// How the velocity responds to multipliers at the state.
    response: Response<R, N, C>,
    /// How fast λ⁻ changed from the step before.
    drift: SVector<R, C>,
    /// The velocity of p = 0.
    rest: SVector<R, N>,
}

/// M⁻¹Gᵀ, and the inverse of a matrix near to G' M⁻¹Gᵀ, G' at the end of the step to come: of G M⁻¹Gᵀ, or of what G' M⁻¹Gᵀ was
/// in the step before, which is nearer by an order. It only speeds up Newton's method, which puts right what it lacks.
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

impl<R: Real, const N: usize, const C: usize> Explicit<R, N, C> {
    /// At a state with constraints along `jacobian`; nothing of use where the explicit form does not apply.
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

    #[inline(always)]
    pub(super) fn without_balance(self) -> Self {
        Self { fresh: 0, ..self }
    }

    /// With f at the state.
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

/// Whether the equations are explicit but for λ⁻.
#[inline(always)]
pub(super) fn applies<E, R, const N: usize, const C: usize>(evaluator: &E) -> bool
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    let facts = evaluator.facts();
    // A controller may give inputs that depend on the velocity.
    !evaluator.has_inputs()
        && facts.separable
        && facts.constant_mass
        && facts.velocity_free_forcing
        && facts.positive_mass
}

/// The velocity of momentum `p`.
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

/// M⁻¹Gᵀ and the factors of G M⁻¹Gᵀ for G at (t, q); `rest` is the velocity of p = 0.
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

/// The unit matrix.
fn unit<R: Real, const C: usize>() -> SMatrix<R, C, C> {
    SMatrix::from_fn(|i, j| if i == j { R::ONE } else { R::ZERO })
}

/// The inverse of `matrix`, or of the factored one where it has none.
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

/// A vanished pivot of G M⁻¹Gᵀ by the constraint's name.
#[cold]
#[inline(never)]
fn redundant(singular: SingularMass, constraints: &'static [&'static str]) -> Failure {
    name_pivot::<0>(singular, constraints)
}

/// G X.
#[inline(always)]
fn product<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    columns: &SMatrix<R, N, C>,
) -> SMatrix<R, C, C> {
    SMatrix::from_fn(|j, k| sum_of::<R, N>(|i| jacobian[(j, i)] * columns[(i, k)]))
}

/// X μ.
#[inline(always)]
fn times<R: Real, const D: usize, const C: usize>(matrix: &SMatrix<R, D, C>, mu: &SVector<R, C>) -> SVector<R, D> {
    SVector::from_fn(|i, _| sum_of::<R, C>(|k| matrix[(i, k)] * mu[k]))
}

/// How far a constraint is from being met.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Miss {
    /// By rounding at most.
    Met,
    /// By little.
    Small,
    /// By more.
    Large,
}

/// Judges g against the magnitudes of the terms that cancel in it.
#[inline(always)]
fn miss<R: Real, const C: usize>(value: &SVector<R, C>, scale: &SVector<R, C>) -> Miss {
    let within = |bound: f64| (0..C).all(|k| value[k].abs() <= scale[k] * R::from_f64(bound));
    if within(2.0 * R::EPSILON) {
        Miss::Met
    } else if within(Scalar::sqrt(R::EPSILON)) {
        Miss::Small
    } else {
        Miss::Large
    }
}

/// Whether g is what rounding leaves of rows whose terms vanish.
#[cold]
#[inline(never)]
fn is_rounding<R: Real, const N: usize, const C: usize>(at: &Constraint<R, N, C>, q: &SVector<R, N>) -> bool {
    let least = rounding(&at.jacobian, q);
    (0..C).all(|row| at.value[row].to_f64().abs() <= least[row])
}

impl<R: Real> Rattle<R> {
    /// One step, where [`applies`] holds.
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
        // What rounding took from p is left out: it is below the rounding of v, and the last thing a step computes.
        let mut v = velocity(evaluator, state.t, &state.q, canonical.momentum + kick)?;
        // The first impulse of SHAKE is for both at the state.
        let span = if self.projecting { half } else { h };
        let guess = match self.guess {
            _ if C == 0 => SVector::repeat(R::ZERO),
            GuessFrom::Past => reaction.start + explicit.drift * h,
            GuessFrom::State => evaluator.multipliers(state.t, state.q, state.v)?,
        };
        let mut impulse = guess * span;
        let met = if C > 0 {
            v += times(&explicit.response.columns, &impulse);
            let at = (canonical, state);
            Some(self.find_impulse(evaluator, at, &explicit.response, (h, end), (&mut v, &mut impulse))?)
        } else {
            None
        };
        let step = v * h;
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
            // Before the first step, `reaction.start` is λ of the equations of motion, from which λ⁻ is h away too.
            explicit = Explicit { response, drift: (start - reaction.start) * h.recip(), ..explicit };
            reaction = Reaction { start, end: last, jacobian, ..reaction };
        }
        let (q, canonical) = canonical.advance(&state.q, step, p_increment)?;
        let memory = RattleMemory { canonical, reaction, explicit, ..*memory };
        Ok(Trial { state: State { t: end, q, v }, memory, estimate: Estimate::None })
    }

    /// Moves v* and the impulse (h/2) λ⁻ until g(q') = 0; G' and ∂g/∂t there.
    ///
    /// Newton's method with exact derivatives goes on for one iteration where g vanishes, for the sake of dual numbers.
    ///
    /// # Errors
    /// [`Failure::NotFinite`], [`Failure::NewtonFailed`], [`Failure::SingularMass`].
    #[inline(always)]
    fn find_impulse<E, const N: usize, const C: usize>(
        &self,
        evaluator: &mut E,
        (canonical, state): (&CanonicalMemory<R, N>, &State<R, N>),
        response: &Response<R, N, C>,
        (h, end): (R, R),
        (v, impulse): (&mut SVector<R, N>, &mut SVector<R, C>),
    ) -> Result<(SMatrix<R, C, N>, SVector<R, C>), Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let per = h.recip();
        let (mut exact, mut met) = (self.iteration == Iteration::Newton, false);
        let mut previous: Option<R> = None;
        let mut size = R::ZERO;
        for made in 0..MAX_ITERATIONS {
            let q = canonical.coordinates(&state.q, *v * h);
            let at = evaluator.constraint(end, &q);
            if made > 0 && met {
                return Ok((at.jacobian, at.drift));
            }
            let mut miss = miss(&at.value, &at.scale);
            if made > 2 && miss == Miss::Large && is_rounding(&at, &q) {
                miss = Miss::Small;
            }
            let rate = at.value * per;
            size = largest(&rate);
            if !size.is_finite() {
                return Err(match made {
                    0 => Failure::NotFinite { component: None },
                    _ => Failure::NewtonFailed { iterations: made, increment: size.to_f64() },
                });
            }
            let stagnates = miss == Miss::Small && previous.is_some_and(|previous| size >= R::from_f64(0.5) * previous);
            met = miss == Miss::Met || stagnates;
            if met && self.iteration != Iteration::Newton {
                return Ok((at.jacobian, at.drift));
            }
            exact |= miss == Miss::Large && previous.is_some_and(|previous| size > R::from_f64(0.1) * previous);
            let increment = if exact {
                evaluator.statistics_mut().factorizations += 1;
                match Lu::new(product(&at.jacobian, &response.columns)) {
                    Ok(factors) => factors.solve(&rate),
                    Err(singular) => return Err(redundant(singular, evaluator.constraint_names())),
                }
            } else {
                times(&response.inverse, &rate)
            };
            evaluator.statistics_mut().iterations += 1;
            *impulse -= increment;
            *v -= times(&response.columns, &increment);
            previous = Some(size);
        }
        Err(Failure::NewtonFailed { iterations: MAX_ITERATIONS, increment: size.to_f64() })
    }
}
