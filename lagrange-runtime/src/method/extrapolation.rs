//! Extrapolation of the explicit midpoint rule, with variable order and step.

mod order;

use super::embedded_pair::Carried;
use super::refined::{defect, refined};
use super::{Estimate, Lift, Method, Pace, Trial};
use crate::control::{StepControl, ToleranceLaw};
use crate::dense::Interpolant;
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::{Difference, State};
use core::marker::PhantomData;
use nalgebra::SVector;
use order::{COLUMNS, Decision, LEAST, Ladder, MOST, SUBSTEPS, interpolation_factor};

/// The method of Gragg, Bulirsch and Stoer. It applies the explicit midpoint rule with 2, 4, 6, … substeps, and extrapolates the
/// results to substeps of length 0 by the scheme of Aitken and Neville.
///
/// Column k of the scheme has order 2k. The method chooses the number of columns and the step size such that the work for a unit
/// of time is least under the tolerances: E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 2nd
/// ed., II.9. Gragg's smoothing evaluates the acceleration at the end of the step, which detects what happens near it. The method
/// extrapolates the increment of the state, in a table of at most 9 columns on the stack. The order is between 4 and 18.
///
/// The interpolant has order 8 for q and 7 for v. It is Hermite's interpolant, refined twice by accelerations at its own states,
/// which takes eight evaluations.
///
/// If a step will be interpolated for events, samples, dense output or an observer, step control also limits the error of the
/// interpolant. The error is estimated by the interpolant's defect at two more points. Such steps are shorter, and the same span
/// takes two to four times as many evaluations. If every step is interpolated, [`Dop853`](super::Dop853) is cheaper.
/// [`Stepper::view`](crate::stepper::Stepper::view) asks for an interpolant after the step, when its size can no longer be
/// limited. Set `max_step` for it.
///
/// The method is neither symmetric nor symplectic. It makes no `iterations`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extrapolation<R> {
    scalar: PhantomData<R>,
}

/// The values that [`Extrapolation`] carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct ExtrapolationMemory<R: Real, const N: usize> {
    /// The acceleration at the state.
    carried: Carried<R, N>,
    /// The number of columns that the next step aims at.
    columns: u8,
}

/// The values that an attempt leaves for the next attempt and for the interpolant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt<R: Real, const N: usize> {
    /// The number of columns that the next attempt aims at. It is set only after a rejection.
    columns: Option<u8>,
    /// The interpolant, if the step was also judged by its error.
    interpolant: Option<Interpolant<R, N>>,
}

/// The number of passes that refine the interpolant.
const PASSES: u32 = 2;

impl Lift for Extrapolation<f64> {
    type On<R: Real> = Extrapolation<R>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        Extrapolation::new()
    }
}

impl<R> Extrapolation<R> {
    /// Returns the method under `rtol` and `atol` of the options.
    #[expect(clippy::new_without_default, reason = "methods are made by `new`")]
    pub fn new() -> Self {
        Self { scalar: PhantomData }
    }
}

/// Returns the increment of the state over a step, by the midpoint rule with an even number of substeps and Gragg's smoothing.
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

/// Replaces `row`, the last row of the table, by the next row with `count` columns. Returns the difference between its last two
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

    #[inline(always)]
    fn holds_contacts(&self) -> bool {
        true
    }

    fn name(&self) -> &'static str {
        "Gragg–Bulirsch–Stoer"
    }

    /// Returns the highest order.
    fn order(&self) -> u32 {
        2 * u32::from(MOST)
    }

    /// Returns the power for the fewest columns. The first step size is guessed from it.
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
        // The memory may come from a checkpoint that no step wrote.
        let aim = workspace.columns.unwrap_or(memory.columns).clamp(LEAST, MOST);
        // If this attempt fails, the next one aims at one column less.
        workspace.columns = Some((aim - 1).max(LEAST));
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
            // The next step starts with this acceleration, so that its evaluation is not lost.
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
