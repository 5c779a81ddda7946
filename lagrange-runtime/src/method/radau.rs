//! Radau's collocation methods IIA, for stiff mechanisms.

mod ends;
mod factors;
mod newton;
mod rounding;
mod start;
mod variable;

use super::shared::implicit_steps;
use super::{Estimate, Lift, Method, Pace, Trial};
use crate::control::{StepControl, ToleranceLaw};
use crate::dense::{Form, Interpolant, MAX_DEGREE, Polynomial};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::{Difference, State};
use crate::tableau::Parts;
use crate::tableau::gauss::StageCount;
use crate::tableau::radau::ThreeFiveSeven;
pub(super) use factors::{RealFactors, weights};
pub(super) use rounding::{MORE_FOR_DERIVATIVES, ROUNDED, allowed, first_rate, most, rounding};
pub(super) use start::Start;
pub use variable::{VariableRadau, VariableRadauMemory, VariableRadauStages};

use factors::{AtStages, Factors};
use nalgebra::{SMatrix, SVector};
use newton::Stages;

/// Radau's method IIA of `S` stages, for stiff mechanisms: velocities or states that decay in a small part of the time of interest.
///
/// The unknowns are the stage velocities Vᵢ. With Qᵢ = q + h Σ aᵢⱼ Vⱼ they solve
///
/// ```text
/// p(Qᵢ, Vᵢ) = p(q, v) + h Σ aᵢⱼ f(Qⱼ, Vⱼ)
/// q' = Q_S,  v' = V_S
/// ```
///
/// Here p = ∂L/∂v, and f is the right side of the equations d/dt p = f of the system, at the times t + cᵢ h. The last stage is the end of
/// the step. The order is 2S − 1: 5 for [`Radau5`], 9 for [`Radau9`], 13 for [`Radau13`]. Step control keeps the error within `rtol` and
/// `atol` of the options.
///
/// The method is L-stable: it damps what decays fast, whatever the step size, and so a step may be as long as the slow part of the motion
/// allows. [`Gauss`](super::Gauss) and the variational rules do not: their factor of a fast component tends to ±1 for long steps, and keeps an
/// error of it for ever. On the other hand this method takes energy from a motion that has no friction.
///
/// # Cost
///
/// A step costs one `balance_jacobian` at its start, S `balance` for each iteration of Newton's method, mostly two or three, and the
/// factors of one real and (S − 1)/2 complex matrices of size N: with A⁻¹ = T Λ T⁻¹ the equations of all stages fall apart into
/// (M + (∂p/∂q − ∂f/∂v) h/λ − ∂f/∂q (h/λ)²) w = r, one for each eigenvalue λ. The inputs are evaluated at each iterate and are
/// constant in the Jacobian.
///
/// An iteration that does not converge fast enough rejects the step, and the next attempt is half as long.
///
/// # Error
///
/// The estimate compares with a solution of order S, filtered by the factors of the real eigenvalue so that fast components do not
/// count more than their share. Its power of the step size is S + 1. The interpolant is the collocation polynomial of degree S for q, and for v
/// the polynomial through v and the Vᵢ.
///
/// An error that the rounding of the coordinates explains does not count: over a stiff spring a velocity is known to about ε q/h only.
/// Over dual numbers the iteration goes on until the derivatives have converged too.
///
/// # Constraints
///
/// With constraints the unknowns are the velocities and the multipliers at the stages, and the hidden constraints hold there (the form of
/// index 2):
///
/// ```text
/// p(Qᵢ, Vᵢ) = p(q, v) + h Σ aᵢⱼ (f(Qⱼ, Vⱼ) + G(Qⱼ)ᵀ Λⱼ)
/// G(Qᵢ) Vᵢ + drift(Qᵢ, t + cᵢ h) = 0
/// ```
///
/// Then g(q') would be of the size of the error of a step, and would add up. So the end of the step is moved onto g = 0 and onto the hidden
/// constraint, by changes δ with K δ = Gᵀμ and the matrix K = M + (∂p/∂q − ∂f/∂v) g − ∂f/∂q g² of the real eigenvalue, g = h/λ. These are the
/// changes that impulses of the constraints make within the step, so that they hardly stretch what is stiff. The order of q and v is
/// still 2S − 1. The same order have the multipliers of [`System::acceleration`](crate::system::System::acceleration) at these states.
///
/// Constraints may be nonholonomic or depend on the time, and M may be singular where constraints make up for it, as with a unit
/// quaternion. Constraints that depend on each other are [`Failure::SingularMass`] with the name of one of them.
///
/// # Contacts and dry friction
///
/// In a known phase of the contacts f contains the forces of the rows at the stage, so that the accelerations of what is closed or sticks vanish there,
/// and the equations are those of a smooth mechanism. So the order is the order without contacts, and impacts and changes of phases are located as switches
/// of such a mechanism are.
/// The Jacobian has the response of these forces to the other forces. It does not have the derivatives of the directions in which they act, which are not
/// stiff, except that of a slip with several components that is slow beside the step: it turns within it, and the steps get as short as the turn.
///
/// # Stiff springs in curved coordinates
///
/// Newton's method has one Jacobian for a step. Where the direction of a spring of stiffness k turns in the coordinates by an angle α in the
/// step, it converges only for h² α² k below about m, so that the steps shrink with k. State such a mechanism by its points, in whose
/// coordinates the force of the spring is linear, and its joints as constraints: a body on a spring at the end of a pendulum takes 240 steps
/// for 5 s from k = 10⁴ to 10¹⁴ N/m, and in the pendulum's angle 335 at 10⁴ and 3060 at 10⁹.
///
/// ```
/// use lagrange_runtime::prelude::*;
///
/// // A low-pass filter of τ = 1 ns follows sin(x) of a spring that swings once in 6 s.
/// #[lagrangian {
///     coordinates x;
///     kinetic = dot(x)^2/2;
///     potential = x^2/2;
///     state z: dot(z) == (sin(x) - z)/tau;
/// }]
/// struct Filtered { tau: f64 }
///
/// let system = Filtered { tau: 1e-9 }.prepare::<f64>()?;
/// let start = State::new(0.0, [0.5, 0.0], [0.0, 0.9]);
/// let options = Options { rtol: 1e-8.into(), ..Options::default() };
/// let solution = solve(&system, start, 10.0, &Radau5::new(), &options)?;
/// let end = solution.last().expect("a stored state");
/// assert!((end.v[1] - end.q[0].sin()).abs() < 1e-8);
/// assert!(solution.statistics.steps < 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., IV.5 to IV.8; on the step size, K. Gustafsson,
/// *Control-theoretic techniques for stepsize selection in implicit Runge–Kutta methods*, ACM Trans. Math. Software 20, 1994.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Radau<const S: usize> {
    law: ToleranceLaw,
}

/// Radau's method IIA of order 5.
pub type Radau5 = Radau<3>;

/// Radau's method IIA of order 9, for tolerances below about 1e-8.
pub type Radau9 = Radau<5>;

/// Radau's method IIA of order 13, for tolerances below about 1e-11.
pub type Radau13 = Radau<7>;

impl<const S: usize> Radau<S>
where
    StageCount<S>: ThreeFiveSeven<S>,
{
    /// Returns the method.
    #[must_use]
    pub const fn new() -> Self {
        Self { law: ToleranceLaw::default_for(S as u32 + 1) }
    }

    /// Returns the method with another law for the step size.
    #[must_use]
    pub const fn with_law(self, law: ToleranceLaw) -> Self {
        Self { law }
    }
}

impl<const S: usize> Lift for Radau<S> {
    type On<R: Real> = Self;

    fn lift<R: Real>(&self) -> Self {
        *self
    }
}

impl<const S: usize> Default for Radau<S>
where
    StageCount<S>: ThreeFiveSeven<S>,
{
    fn default() -> Self {
        Self::new()
    }
}

/// What [`Radau`] carries from step to step: the stages of the last step, from whose polynomial it guesses those of the next.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct RadauMemory<R: Real, const N: usize, const S: usize, const C: usize> {
    /// The coefficients of θ, θ², … in the velocity of the last step.
    powers: SMatrix<R, N, S>,
    /// The size of the last step; 0 where there is none.
    h: R,
    /// The last ratio θ/(1 − θ), where θ is the ratio of two increments of Newton's method.
    rate: R,
    /// The coefficients of 1, θ, θ² … in the multipliers of the last step.
    reactions: SMatrix<R, C, S>,
    /// λ at the state.
    multipliers: SVector<R, C>,
}

impl<R: Real, const N: usize, const S: usize, const C: usize> RadauMemory<R, N, S, C> {
    fn none(multipliers: SVector<R, C>) -> Self {
        let (powers, reactions) = (SMatrix::repeat(R::ZERO), SMatrix::repeat(R::ZERO));
        Self { powers, h: R::ZERO, rate: R::ONE, reactions, multipliers }
    }

    /// The memory at a state, before any step.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn start<E: Evaluate<R, N, C> + ?Sized>(evaluator: &mut E, state: &State<R, N>) -> Result<Self, Failure> {
        let multipliers = match const { C } {
            0 => SVector::repeat(R::ZERO),
            _ => evaluator.multipliers(state.t, state.q, state.v)?,
        };
        Ok(Self::none(multipliers))
    }

    /// The velocities and multipliers at the stages of a step of size `h` from `v`, as the polynomials of the last step go on.
    fn guess<const NEXT: usize>(&self, v: &SVector<R, N>, h: R) -> AtStages<R, N, NEXT, C>
    where
        StageCount<NEXT>: ThreeFiveSeven<NEXT>,
    {
        let mut guess = AtStages { core: [*v; NEXT], border: [self.multipliers; NEXT] };
        if self.h != R::ZERO {
            let last = at(&self.powers, R::ONE);
            for (i, node) in values::<R, NEXT>(&StageCount::<NEXT>::RADAU.nodes).into_iter().enumerate() {
                let s = R::ONE + node * h / self.h;
                // The powers of the velocity begin with θ, those of the multipliers with 1.
                guess.core[i] += at(&self.powers, s) * s - last;
                guess.border[i] = at(&self.reactions, s);
            }
        }
        guess
    }
}

/// The polynomial with these coefficients of 1, θ, θ² … at θ = `s`.
#[inline(always)]
fn at<R: Real, const N: usize, const S: usize>(coefficients: &SMatrix<R, N, S>, s: R) -> SVector<R, N> {
    let mut sum = SVector::repeat(R::ZERO);
    for coefficient in coefficients.column_iter().rev() {
        sum = sum * s + coefficient;
    }
    sum
}

/// The coefficients of θ, θ², … of the polynomial that is `start` at θ = 0 and `velocities` at the nodes, without its value at 0.
fn powers<R: Real, const N: usize, const S: usize>(
    start: &SVector<R, N>,
    velocities: &[SVector<R, N>; S],
) -> SMatrix<R, N, S>
where
    StageCount<S>: ThreeFiveSeven<S>,
{
    let table = const { &StageCount::<S>::RADAU };
    let nodes = values::<R, S>(&table.nodes);
    let mut powers = SMatrix::<R, N, S>::repeat(R::ZERO);
    for (mut power, row) in powers.column_iter_mut().zip(&table.powers) {
        for ((velocity, weight), node) in velocities.iter().zip(values::<R, S>(row)).zip(nodes) {
            power += (velocity - start) * (weight / node);
        }
    }
    powers
}

/// The coefficients as scalars.
#[inline(always)]
fn values<R: Real, const S: usize>(coefficients: &[Parts; S]) -> [R; S] {
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
pub(super) fn product<R: Real, const M: usize, const N: usize>(
    matrix: &SMatrix<R, M, N>,
    vector: &SVector<R, N>,
) -> SVector<R, M> {
    let mut product = SVector::repeat(R::ZERO);
    for (column, &x) in matrix.column_iter().zip(vector) {
        product += column * x;
    }
    product
}

impl<R, const N: usize, const C: usize, const S: usize> Method<R, N, C> for Radau<S>
where
    R: Real,
    StageCount<S>: ThreeFiveSeven<S>,
{
    type Memory = RadauMemory<R, N, S, C>;
    /// The velocities at the stages.
    type Workspace = [SVector<R, N>; S];

    const ADAPTIVE: bool = true;

    fn name(&self) -> &'static str {
        StageCount::<S>::NAME
    }

    fn order(&self) -> u32 {
        2 * S as u32 - 1
    }

    fn error_power(&self) -> u32 {
        S as u32 + 1
    }

    fn workspace(&self) -> Self::Workspace {
        [SVector::repeat(R::ZERO); S]
    }

    #[inline(always)]
    fn pace(&self) -> Pace<R> {
        Pace::Adaptive(StepControl::Tolerance(self.law))
    }

    implicit_steps!();

    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        RadauMemory::start(evaluator, state)
    }

    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        RadauMemory::none(memory.multipliers)
    }

    /// The polynomial of the last step is a guess that a small change leaves as good.
    fn moved<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        _: &mut E,
        _: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        Ok(*memory)
    }

    fn step<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let Some(attempt) = attempt::<E, R, N, C, S, S>(evaluator, state, memory, h, end)? else {
            let estimate = Estimate::Judged { accepted: false, factor: R::from_f64(0.5) };
            return Ok(Trial { state: State { t: end, ..*state }, memory: *memory, estimate });
        };
        let Attempt { state, memory, difference, velocities } = attempt;
        *workspace = velocities;
        Ok(Trial { state, memory, estimate: Estimate::Difference(difference) })
    }

    /// The collocation polynomial for q, and the polynomial through v and the velocities at the stages.
    fn interpolant<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        _: &mut E,
        workspace: &mut Self::Workspace,
        (start, _): (&State<R, N>, &SVector<R, N>),
        (end, _): (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        Ok(interpolant(workspace, (start, end), C > 0))
    }
}

/// A step that was computed.
struct Attempt<R: Real, const N: usize, const C: usize, const S: usize> {
    state: State<R, N>,
    memory: RadauMemory<R, N, S, C>,
    difference: Difference<R, N>,
    /// The velocities at the stages.
    velocities: [SVector<R, N>; S],
}

/// Computes a step of `S` stages, after one of `LAST` stages. `None` if the iteration or the corrections of its end do not converge.
///
/// # Errors
/// [`Failure::SingularMass`], [`Failure::NotFinite`].
fn attempt<E, R, const N: usize, const C: usize, const S: usize, const LAST: usize>(
    evaluator: &mut E,
    state: &State<R, N>,
    memory: &RadauMemory<R, N, LAST, C>,
    h: R,
    end: R,
) -> Result<Option<Attempt<R, N, C, S>>, Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
    StageCount<S>: ThreeFiveSeven<S>,
{
    let start = Start::new(evaluator, state, memory.multipliers);
    evaluator.check_slopes()?;
    let factors = Factors::<R, N, S, C>::new(evaluator, &start, h)?;
    let guess = memory.guess(&state.v, h);
    evaluator.begin_round();
    let stages = factors.stages(evaluator, &start, guess, memory.rate, (h, end));
    evaluator.end_rounds(false);
    let Some(stages) = stages? else { return Ok(None) };
    let nodes = values::<R, S>(&const { &StageCount::<S>::RADAU }.nodes);
    for ((node, q), v) in nodes.iter().zip(&stages.coordinates).zip(&stages.velocities).take(S - 1) {
        evaluator.visit(state.t + *node * h, q, v);
    }
    let last = State { t: end, q: stages.coordinates[S - 1], v: stages.velocities[S - 1] };
    if !last.is_finite() {
        return Err(Failure::not_finite(last));
    }
    evaluator.begin_round();
    let difference = factors.error(evaluator, &start, &last, (&stages, h));
    evaluator.end_rounds(false);
    let Some(last) = factors.on_constraints(evaluator, last) else { return Ok(None) };
    let Stages { velocities, multipliers, rate, .. } = stages;
    let mut reactions = SMatrix::<R, C, S>::repeat(R::ZERO);
    for (mut reaction, row) in reactions.column_iter_mut().zip(const { &StageCount::<S>::RADAU.powers }) {
        reaction.copy_from(&combined(row, &multipliers));
    }
    let powers = powers(&state.v, &velocities);
    let memory = RadauMemory { powers, h, rate, reactions, multipliers: multipliers[S - 1] };
    Ok(Some(Attempt { state: last, memory, difference, velocities }))
}

/// The interpolant of a step with these velocities at its stages.
fn interpolant<R: Real, const N: usize, const S: usize>(
    velocities: &[SVector<R, N>; S],
    (start, end): (&State<R, N>, &State<R, N>),
    is_constrained: bool,
) -> Interpolant<R, N>
where
    StageCount<S>: ThreeFiveSeven<S>,
{
    let (table, length) = (const { &StageCount::<S>::RADAU }, end.t - start.t);
    let (mut q, mut v) = ([SVector::repeat(R::ZERO); MAX_DEGREE], [SVector::repeat(R::ZERO); MAX_DEGREE]);
    for (k, (power, row)) in powers(&start.v, velocities).column_iter().zip(&table.powers).enumerate() {
        v[k] = power / length;
        for (velocity, weight) in velocities.iter().zip(values::<R, S>(row)) {
            q[k] += velocity * (weight / R::from_count(k as u64 + 1));
        }
    }
    let polynomial = Polynomial { start: *start, length, q, v, degree: S };
    let interpolant = Interpolant::new(*start, *end, Form::Polynomial(polynomial));
    if is_constrained { interpolant.joining_ends() } else { interpolant }
}
