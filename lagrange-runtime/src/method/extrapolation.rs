//! Extrapolation of the explicit midpoint rule, of variable order and step.

mod order;

use super::embedded_pair::Carried;
use super::refined::{defect, refined};
use super::{Estimate, Method, Pace, Trial};
use crate::control::{StepControl, ToleranceLaw};
use crate::dense::Interpolant;
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::{Difference, State};
use core::marker::PhantomData;
use nalgebra::SVector;
use order::{COLUMNS, Decision, LEAST, Ladder, MOST, SUBSTEPS, interpolation_factor};

/// Gragg, Bulirsch and Stoer's method: the explicit midpoint rule with 2, 4, 6, … substeps, extrapolated to substeps of
/// length 0 by Aitken and Neville's scheme.
///
/// Column k has order 2k. How many columns a step takes and how long it is follow from the tolerances by the least work for
/// the way: E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., II.9, with Gragg's
/// smoothing, whose evaluation at the end sees what happens near it. What is extrapolated is the increment of the state, in a
/// table of at most 9 columns on the stack. Orders reach from 4 to 18.
///
/// Its interpolant has order 8 for q and 7 for v. Hermite's interpolant of the step's ends gives states between them; accelerations
/// are evaluated at these states, and once more at the states of the better interpolant that follows: eight evaluations in all.
/// Where a step will be interpolated, for events, samples, dense output or an observer, the step control
/// also keeps the interpolant's error within the tolerances, by the interpolant's defect at two more points. Such steps are
/// shorter, and take two to four times as many evaluations for the same way: where every step is interpolated,
/// [`Dop853`](super::Dop853) is cheaper. [`Stepper::view`](crate::stepper::Stepper::view) asks after
/// the step, when its length can no longer be bounded: set `max_step` there.
///
/// Neither symmetric nor symplectic. `iterations` stay 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extrapolation<R> {
    scalar: PhantomData<R>,
}

/// What [`Extrapolation`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct ExtrapolationMemory<R: Real, const N: usize> {
    /// The acceleration at the state.
    carried: Carried<R, N>,
    /// How many columns the next step aims at.
    columns: u8,
}

/// What an attempt leaves for the next one, and for the step's interpolant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt<R: Real, const N: usize> {
    /// How many columns to aim at, after a rejection.
    columns: Option<u8>,
    /// The interpolant, where the step was judged by it.
    interpolant: Option<Interpolant<R, N>>,
}

/// How often the interpolant is refined.
const PASSES: u32 = 2;

impl<R> Extrapolation<R> {
    /// The method under `rtol` and `atol` of the options.
    #[expect(clippy::new_without_default, reason = "methods are made by `new`")]
    pub fn new() -> Self {
        Self { scalar: PhantomData }
    }
}

/// The increment of the state over a step, by the midpoint rule with an even number of substeps and Gragg's smoothing.
#[inline]
fn midpoint<E, R, const N: usize, const C: usize>(
    evaluator: &mut E,
    state: &State<R, N>,
    acceleration: &SVector<R, N>,
    h: R,
    substeps: u32,
) -> Result<Difference<R, N>, Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    let State { t, q, v } = *state;
    let length = h / R::from_f64(f64::from(substeps));
    let twice = length + length;
    let mut before = Difference { q: SVector::repeat(R::ZERO), v: SVector::repeat(R::ZERO) };
    let mut now = Difference { q: v * length, v: acceleration * length };
    for substep in 1..substeps {
        let speed = v + now.v;
        let slope = evaluator.acceleration(t + length * R::from_f64(f64::from(substep)), q + now.q, speed)?;
        let next = Difference { q: before.q + speed * twice, v: before.v + slope * twice };
        (before, now) = (now, next);
    }
    let speed = v + now.v;
    let slope = evaluator.acceleration(t + h, q + now.q, speed)?;
    let half = R::from_f64(0.5);
    Ok(Difference { q: (before.q + now.q + speed * length) * half, v: (before.v + now.v + slope * length) * half })
}

/// Adds a row to the table whose last row is in `row`, from column 1 to `count`; gives the difference of the last two
/// columns.
#[inline]
fn extrapolate<R: Real, const N: usize>(
    row: &mut [Difference<R, N>; COLUMNS],
    count: usize,
    first: Difference<R, N>,
) -> Difference<R, N> {
    let mut left = first;
    let mut gained = Difference { q: SVector::repeat(R::ZERO), v: SVector::repeat(R::ZERO) };
    for column in 1..count {
        let ratio = f64::from(SUBSTEPS[count - 1]) / f64::from(SUBSTEPS[count - 1 - column]);
        let weight = R::ONE / R::from_f64(ratio * ratio - 1.0);
        gained = Difference { q: (left.q - row[column - 1].q) * weight, v: (left.v - row[column - 1].v) * weight };
        row[column - 1] = left;
        left = Difference { q: left.q + gained.q, v: left.v + gained.v };
    }
    row[count - 1] = left;
    gained
}

impl<R, const N: usize, const C: usize> Method<R, N, C> for Extrapolation<R>
where
    R: Real,
{
    type Memory = ExtrapolationMemory<R, N>;
    type Workspace = Attempt<R, N>;

    const ADAPTIVE: bool = true;

    fn name(&self) -> &'static str {
        "Gragg–Bulirsch–Stoer"
    }

    /// The highest order.
    fn order(&self) -> u32 {
        2 * u32::from(MOST)
    }

    /// That of the fewest columns: what the first step's size is guessed by.
    fn error_power(&self) -> u32 {
        2 * u32::from(LEAST) + 1
    }

    fn judges_interpolants(&self) -> bool {
        true
    }

    fn workspace(&self) -> Self::Workspace {
        Attempt { columns: None, interpolant: None }
    }

    fn pace(&self) -> Pace<R> {
        Pace::Adaptive(StepControl::Tolerance(ToleranceLaw::Elementary))
    }

    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        _: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        let carried = Carried { acceleration: SVector::repeat(R::ZERO), current: false };
        Ok(ExtrapolationMemory { carried, columns: order::first(evaluator.smallest_rtol()) })
    }

    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        ExtrapolationMemory { carried: Carried { current: false, ..memory.carried }, ..*memory }
    }

    fn moved<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        _: &mut E,
        _: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        Ok(ExtrapolationMemory { carried: Carried { current: false, ..memory.carried }, ..*memory })
    }

    #[inline]
    fn refresh<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        if memory.carried.current {
            return Ok(*memory);
        }
        let acceleration = evaluator.acceleration(state.t, state.q, state.v)?;
        Ok(ExtrapolationMemory { carried: Carried { acceleration, current: true }, ..*memory })
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
        workspace.interpolant = None;
        let retried = workspace.columns.is_some();
        let aim = workspace.columns.unwrap_or(memory.columns);
        // An attempt that fails leaves less to the next.
        workspace.columns = Some(aim.saturating_sub(1).max(LEAST));
        let none = Difference { q: SVector::repeat(R::ZERO), v: SVector::repeat(R::ZERO) };
        let mut row = [none; COLUMNS];
        let mut ladder = Ladder::new(aim, retried);
        let mut count = 0;
        let decision = loop {
            let first = midpoint(evaluator, state, &memory.carried.acceleration, h, SUBSTEPS[count])?;
            let gained = extrapolate(&mut row, count + 1, first);
            let found = State { t: end, q: state.q + row[count].q, v: state.v + row[count].v };
            count += 1;
            if count > 1
                && let Some(decision) = ladder.judge(count, evaluator.scaled_error(state, &found, &gained).to_f64())
            {
                break decision;
            }
        };
        let last = row[count - 1];
        let (before, state) = (state, State { t: end, q: state.q + last.q, v: state.v + last.v });
        let mut carried = Carried { acceleration: memory.carried.acceleration, current: false };
        let mut decision = decision;
        if decision.accepted && evaluator.is_interpolated() {
            // The next step begins with this acceleration anyway.
            carried = Carried { acceleration: evaluator.acceleration(end, state.q, state.v)?, current: true };
            let ends = ((before, &memory.carried.acceleration), (&state, &carried.acceleration));
            let interpolant = refined(evaluator, ends.0, ends.1, PASSES, false)?;
            let error = defect(evaluator, &interpolant)?;
            let error = evaluator.scaled_error(before, &state, &error).to_f64();
            decision = ladder.bound(decision, interpolation_factor(error));
            workspace.interpolant = Some(interpolant);
        }
        let Decision { accepted, columns, factor } = decision;
        workspace.columns = if accepted { None } else { Some(columns) };
        let estimate = Estimate::Judged { accepted, factor: R::from_f64(factor) };
        Ok(Trial { state, memory: ExtrapolationMemory { carried, columns }, estimate })
    }

    fn acceleration<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        _: &mut E,
        _: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        Ok(memory.carried.acceleration)
    }

    fn interpolant<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        start: (&State<R, N>, &SVector<R, N>),
        end: (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        match workspace.interpolant {
            Some(judged) if judged.start() == start.0 && judged.end() == end.0 => Ok(judged),
            _ => refined(evaluator, start, end, PASSES, false),
        }
    }
}
