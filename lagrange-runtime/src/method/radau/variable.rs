//! Radau's methods with an order that varies.

use super::{Attempt, RadauMemory, attempt, interpolant};
use crate::control::{History, StepControl, ToleranceLaw};
use crate::dense::Interpolant;
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::method::shared::implicit_steps;
use crate::method::{Estimate, Lift, Method, Pace, Trial};
use crate::scalar::Real;
use crate::state::State;
use crate::tableau::gauss::StageCount;
use crate::tableau::radau::ThreeFiveSeven;
use nalgebra::{SMatrix, SVector};

const NAME: &str = "Radau IIA of orders 5, 9 and 13";

/// The most stages.
const MOST: usize = 7;

/// The mean contraction of the iterations of two steps up to which the order rises.
const FAST: f64 = 0.002;

/// The mean contraction from which on the order falls.
const SLOW: f64 = 0.8;

/// The ratios of the sizes of two steps between which the order may rise.
const STEADY: [f64; 2] = [0.8, 1.2];

/// The steps after a change of the order in which it does not rise.
const REST: u8 = 10;

/// Radau's methods IIA of orders 5, 9 and 13, for stiff mechanisms: the order of each step follows the convergence of Newton's method.
///
/// The steps are those of [`Radau`](super::Radau). The iteration of a step contracts by a mean factor θ, mostly the less the shorter the step is. So where
/// √(θ θ₋) of this step and the last one is at most 0.002, and the step size would change by less than a fifth, the next step has the next higher order. From 0.8 on,
/// or where an iteration fails, it has the next lower one. After a change, the order does not rise for ten steps. The first step has the order 5.
///
/// Take it where the tolerance is not known before, or where the motion changes between smooth parts and others. Constraints, inputs and all else are
/// as with [`Radau`](super::Radau). The next step size is 0.9 ε^(−1/(S + 1)) of this one, with the error ε of S stages.
///
/// ```
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = eps*dot(x)^2/2;
///     potential = x^2/2;
///     force x = (1 - x^2)*dot(x);
/// }]
/// struct VanDerPol { eps: f64 }
///
/// let system = VanDerPol { eps: 1e-6 }.prepare::<f64>()?;
/// let options = Options { rtol: 1e-9.into(), ..Options::default() };
/// let solution = solve(&system, State::new(0.0, [2.0], [0.0]), 2.0, &VariableRadau::new(), &options)?;
/// let end = solution.last().expect("a stored state");
/// assert!((end.q[0] - 1.706167732170483).abs() < 1e-7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: E. Hairer, G. Wanner, *Stiff differential equations solved by Radau methods*, J. Comput. Appl. Math. 111, 1999.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VariableRadau {}

impl VariableRadau {
    /// Returns the method.
    #[must_use]
    pub const fn new() -> Self {
        Self {}
    }
}

impl Lift for VariableRadau {
    type On<R: Real> = Self;

    fn lift<R: Real>(&self) -> Self {
        *self
    }
}

/// What [`VariableRadau`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct VariableRadauMemory<R: Real, const N: usize, const C: usize> {
    /// The polynomials of the last step; the coefficients above its degree are 0.
    path: RadauMemory<R, N, MOST, C>,
    /// The order of the next step.
    order: Order,
    /// The contraction of the last step.
    contraction: f64,
    /// The steps after the last change of the order, up to [`REST`].
    rested: u8,
}

/// The stages of the last attempt of [`VariableRadau`], and what the next attempt at the same step should do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariableRadauStages<R: Real, const N: usize> {
    /// The velocities at the stages, of which the first ones count.
    velocities: [SVector<R, N>; MOST],
    /// The order of the attempt.
    order: Order,
    /// The order of the next attempt, if this one was rejected.
    retry: Option<Order>,
}

/// An order of [`VariableRadau`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Order {
    Five,
    Nine,
    Thirteen,
}

impl Order {
    fn higher(self) -> Self {
        match self {
            Self::Five => Self::Nine,
            Self::Nine | Self::Thirteen => Self::Thirteen,
        }
    }

    fn lower(self) -> Self {
        match self {
            Self::Thirteen => Self::Nine,
            Self::Nine | Self::Five => Self::Five,
        }
    }
}

/// The first vectors of another number of vectors; those that are missing are 0.
fn resized<R: Real, const N: usize, const S: usize, const T: usize>(
    vectors: &[SVector<R, N>; S],
) -> [SVector<R, N>; T] {
    let mut resized = [SVector::repeat(R::ZERO); T];
    for (to, from) in resized.iter_mut().zip(vectors) {
        *to = *from;
    }
    resized
}

/// The matrix with columns of zeros behind its own.
fn widened<R: Real, const N: usize, const S: usize>(matrix: &SMatrix<R, N, S>) -> SMatrix<R, N, MOST> {
    let mut wide = SMatrix::<R, N, MOST>::repeat(R::ZERO);
    for (to, from) in wide.data.0.iter_mut().zip(&matrix.data.0) {
        *to = *from;
    }
    wide
}

/// Computes a step of `S` stages, with the results of the most stages.
fn attempted<E, R, const N: usize, const C: usize, const S: usize>(
    evaluator: &mut E,
    state: &State<R, N>,
    path: &RadauMemory<R, N, MOST, C>,
    h: R,
    end: R,
) -> Result<Option<Attempt<R, N, C, MOST>>, Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
    StageCount<S>: ThreeFiveSeven<S>,
{
    let found = attempt::<E, R, N, C, S, MOST>(evaluator, state, path, h, end)?;
    Ok(found.map(|Attempt { state, memory, difference, velocities }| {
        let RadauMemory { powers, h, rate, reactions, multipliers } = memory;
        let (powers, reactions) = (widened(&powers), widened(&reactions));
        let memory = RadauMemory { powers, h, rate, reactions, multipliers };
        Attempt { state, memory, difference, velocities: resized(&velocities) }
    }))
}

impl<R: Real, const N: usize, const C: usize> Method<R, N, C> for VariableRadau {
    type Memory = VariableRadauMemory<R, N, C>;
    type Workspace = VariableRadauStages<R, N>;

    const ADAPTIVE: bool = true;

    fn name(&self) -> &'static str {
        NAME
    }

    /// The least order.
    fn order(&self) -> u32 {
        5
    }

    fn error_power(&self) -> u32 {
        4
    }

    fn workspace(&self) -> Self::Workspace {
        VariableRadauStages { velocities: [SVector::repeat(R::ZERO); MOST], order: Order::Five, retry: None }
    }

    #[inline(always)]
    fn pace(&self) -> Pace<R> {
        Pace::Adaptive(StepControl::Tolerance(ToleranceLaw::Elementary))
    }

    implicit_steps!();

    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let path = RadauMemory::start(evaluator, state)?;
        Ok(VariableRadauMemory { path, order: Order::Five, contraction: 1.0, rested: 0 })
    }

    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        VariableRadauMemory { path: RadauMemory::none(memory.path.multipliers), ..*memory }
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
        let retry = workspace.retry.take();
        let order = retry.unwrap_or(memory.order);
        workspace.order = order;
        let (found, exponent) = match order {
            Order::Five => (attempted::<E, R, N, C, 3>(evaluator, state, &memory.path, h, end), 4),
            Order::Nine => (attempted::<E, R, N, C, 5>(evaluator, state, &memory.path, h, end), 6),
            Order::Thirteen => (attempted::<E, R, N, C, 7>(evaluator, state, &memory.path, h, end), 8),
        };
        // After a failure the next attempt has the lower order, too.
        workspace.retry = Some(order.lower());
        let Some(Attempt { state: last, memory: path, difference, velocities }) = found? else {
            let estimate = Estimate::Judged { accepted: false, factor: R::from_f64(0.5) };
            return Ok(Trial { state: State { t: end, ..*state }, memory: *memory, estimate });
        };
        workspace.velocities = velocities;
        let error = evaluator.scaled_error(state, &last, &difference);
        let mut history = History::default();
        history.rejected = retry.is_some();
        let verdict = ToleranceLaw::Elementary.judge(&mut history, error * error, exponent);
        workspace.retry = if verdict.accepted { None } else { Some(order) };
        let rate = path.rate.to_f64();
        let contraction = if rate.is_finite() { rate / (1.0 + rate) } else { 1.0 };
        let mean = libm::sqrt(contraction * memory.contraction);
        let factor = verdict.factor.to_f64();
        let is_steady = factor > STEADY[0] && factor < STEADY[1];
        let next = if mean >= SLOW {
            order.lower()
        } else if mean <= FAST && is_steady && memory.rested >= REST && order == memory.order {
            order.higher()
        } else {
            order
        };
        let rested = if next == memory.order { REST.min(memory.rested + 1) } else { 0 };
        let memory = VariableRadauMemory { path, order: next, contraction, rested };
        let estimate = Estimate::Judged { accepted: verdict.accepted, factor: verdict.factor };
        Ok(Trial { state: last, memory, estimate })
    }

    fn interpolant<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        _: &mut E,
        workspace: &mut Self::Workspace,
        (start, _): (&State<R, N>, &SVector<R, N>),
        (end, _): (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        let VariableRadauStages { velocities, order, .. } = workspace;
        Ok(match order {
            Order::Five => interpolant::<R, N, 3>(&resized(velocities), (start, end), C > 0),
            Order::Nine => interpolant::<R, N, 5>(&resized(velocities), (start, end), C > 0),
            Order::Thirteen => interpolant::<R, N, 7>(velocities, (start, end), C > 0),
        })
    }
}
