//! A state with the method's memory, and the view of a step between two states.

use crate::error::Failure;
use crate::evaluator::{Fork, Led, Monitor};
use crate::method::{Method, Trial};
use crate::observer::{Holding, Observer, StepView, Wants};
use crate::scalar::Real;
use crate::state::State;
use crate::state::time_rounding;
use core::cell::RefCell;
use core::ops::ControlFlow;
use nalgebra::SVector;

/// A state and the method's memory there, with marks for the parts that are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "R: serde::Serialize, Memory: serde::Serialize",
        deserialize = "R: serde::Deserialize<'de>, Memory: serde::Deserialize<'de>"
    ))
)]
pub(super) struct Point<R: Real, const N: usize, Memory> {
    pub(super) state: State<R, N>,
    pub(super) memory: Memory,
    /// Whether the state's velocity has been computed from the memory's momentum.
    synchronised: bool,
    /// Whether the memory has been computed with the current inputs.
    pub(super) refreshed: bool,
    /// The time at which the equations are evaluated, where it differs from the state's time: just after a jump.
    evaluated_at: Option<R>,
    /// The acceleration, once it has been computed.
    pub(super) acceleration: Option<SVector<R, N>>,
}

impl<R: Real, const N: usize, Memory: Copy> Point<R, N, Memory> {
    pub(super) fn initial(state: State<R, N>, memory: Memory) -> Self {
        Self { state, memory, synchronised: true, refreshed: false, evaluated_at: None, acceleration: None }
    }

    #[inline(always)]
    pub(super) fn after(trial: Trial<R, N, Memory>) -> Self {
        let Trial { state, memory, .. } = trial;
        Self { state, memory, synchronised: false, refreshed: false, evaluated_at: None, acceleration: None }
    }

    /// The first number that no integration can produce, other than those of the state and the memory: its name and its value.
    pub(super) fn fault(&self) -> Option<(&'static str, R)> {
        let near = |t: R| (t - self.state.t).abs() <= time_rounding(t, self.state.t);
        if let Some(t) = self.evaluated_at.filter(|&t| !near(t)) {
            return Some(("time of evaluation", t));
        }
        let component = self.acceleration?.iter().copied().find(|component| !component.is_finite())?;
        Some(("acceleration", component))
    }

    /// Computes the velocity where the method carries a momentum. Returns the state.
    #[inline(always)]
    pub(super) fn synchronise<E, M, const C: usize>(
        &mut self,
        evaluator: &mut E,
        method: &M,
    ) -> Result<State<R, N>, Failure>
    where
        E: Led<M, R, N, C> + ?Sized,
        M: Method<R, N, C, Memory = Memory>,
    {
        if !self.synchronised {
            self.state = evaluator.synchronise(method, &self.state, &self.memory)?;
            self.synchronised = true;
        }
        Ok(self.state)
    }

    /// Computes the memory with the current inputs.
    #[inline(always)]
    pub(super) fn refresh<E, M, const C: usize>(&mut self, evaluator: &mut E, method: &M) -> Result<(), Failure>
    where
        E: Led<M, R, N, C> + ?Sized,
        M: Method<R, N, C, Memory = Memory>,
    {
        if !self.refreshed {
            self.memory = evaluator.refresh(method, &self.evaluated(), &self.memory)?;
            self.refreshed = true;
        }
        Ok(())
    }

    /// The state at the time at which the equations are evaluated.
    #[inline(always)]
    fn evaluated(&self) -> State<R, N> {
        match self.evaluated_at {
            Some(t) => State { t, ..self.state },
            None => self.state,
        }
    }

    /// Sets the time at which the equations are evaluated: `t`, just after a jump.
    pub(super) fn depart(&mut self, t: R) {
        self.evaluated_at = Some(t);
    }

    /// The point with another state and memory, at which the equations are evaluated at the same time.
    #[cfg(feature = "std")]
    pub(super) fn amended(&self, state: State<R, N>, memory: Memory) -> Self {
        Self { evaluated_at: self.evaluated_at.map(R::without_derivatives), ..Self::initial(state, memory) }
    }

    /// Moves the time from a rounding before a jump onto the jump. The acceleration for a view stays the one before the jump.
    #[cold]
    pub(super) fn arrive<M, const C: usize>(
        &mut self,
        evaluator: &mut dyn Led<M, R, N, C>,
        method: &M,
        t: R,
    ) -> Result<(), Failure>
    where
        M: Method<R, N, C, Memory = Memory>,
    {
        self.synchronise(evaluator, method)?;
        self.accelerate(evaluator, method)?;
        self.state.t = t;
        Ok(())
    }

    /// Brings the velocity to rest where contacts with dry friction stick. Where a section `ends`, what has passed its rest by rounding rests.
    #[cold]
    pub(super) fn hold<M, const C: usize>(
        &mut self,
        evaluator: &mut dyn Led<M, R, N, C>,
        method: &M,
        ends: bool,
    ) -> Result<(), Failure>
    where
        M: Method<R, N, C, Memory = Memory>,
    {
        let reached = self.synchronise(evaluator, method)?;
        self.state = evaluator.hold(&reached, ends)?;
        // A comparison sees values only, and the correction of the state may change derivatives alone.
        if const { R::DERIVATIVES > 0 } || self.state != reached {
            self.memory = evaluator.held(method, [&reached, &self.state], &self.memory)?;
        }
        Ok(())
    }

    /// Drops values that were computed before an input jumped, so that the next step evaluates them again.
    pub(super) fn forget_inputs<M, const C: usize>(&mut self, method: &M)
    where
        M: Method<R, N, C, Memory = Memory>,
    {
        self.memory = method.forget_inputs(&self.memory);
        self.refreshed = false;
        self.acceleration = None;
    }

    /// The acceleration at the synchronised state.
    #[inline(always)]
    pub(super) fn accelerate<E, M, const C: usize>(
        &mut self,
        evaluator: &mut E,
        method: &M,
    ) -> Result<SVector<R, N>, Failure>
    where
        E: Led<M, R, N, C> + ?Sized,
        M: Method<R, N, C, Memory = Memory>,
    {
        if let Some(acceleration) = self.acceleration {
            return Ok(acceleration);
        }
        self.refresh(evaluator, method)?;
        let acceleration = evaluator.acceleration_by(method, &self.evaluated(), &self.memory)?;
        self.acceleration = Some(acceleration);
        Ok(acceleration)
    }
}

/// The view of the step from `past` to `now`.
pub(super) fn view<M, R, const N: usize, const C: usize>(
    evaluator: &mut dyn Led<M, R, N, C>,
    method: &M,
    workspace: &mut M::Workspace,
    number: u64,
    (past, now): Ends<'_, R, N, M::Memory>,
    interpolation: bool,
) -> Result<StepView<'static, R, N>, Failure>
where
    M: Method<R, N, C>,
    R: Real,
{
    let start = past.synchronise(evaluator, method)?;
    let end = now.synchronise(evaluator, method)?;
    let interpolant = if interpolation {
        let (first, last) = (past.accelerate(evaluator, method)?, now.accelerate(evaluator, method)?);
        let interpolant = evaluator.interpolant(method, workspace, (&start, &first), (&end, &last))?;
        Some(
            interpolant
                .without_hidden(evaluator.state_count())
                .with_modes(evaluator.mode_count())
                .with_held(evaluator.phases().closed()),
        )
    } else {
        None
    };
    Ok(StepView { number, start, end, interpolant, holding: None })
}

/// The points before and after a step.
pub(super) type Ends<'a, R, const N: usize, Memory> = (&'a mut Point<R, N, Memory>, &'a mut Point<R, N, Memory>);

/// Shows the step to the observer, with as much of it as the observer wants to see.
#[inline(always)]
pub(super) fn show<E, M, O, R, const N: usize, const C: usize>(
    evaluator: &mut E,
    method: &M,
    workspace: &mut M::Workspace,
    observer: &mut O,
    number: u64,
    (past, now): Ends<'_, R, N, M::Memory>,
) -> Result<ControlFlow<()>, Failure>
where
    E: Fork<R, N, C>,
    M: Method<R, N, C>,
    O: Observer<R, N> + ?Sized,
    R: Real,
{
    let view = match observer.wants(number, past.state.t, now.state.t) {
        Wants::Nothing => return Ok(ControlFlow::Continue(())),
        Wants::States => {
            let (start, end) = (past.synchronise(evaluator, method)?, now.synchronise(evaluator, method)?);
            StepView { number, start, end, interpolant: None, holding: None }
        }
        Wants::Interpolation => {
            // The calls get the addresses of copies, so that the two points themselves can stay in registers.
            let (mut before, mut after) = (*past, *now);
            let ends = (&mut before, &mut after);
            let view = evaluator.with_fork(|evaluator| view(evaluator, method, workspace, number, ends, true))?;
            (*past, *now) = (before, after);
            return Ok(observe(evaluator, observer, view));
        }
    };
    Ok(observer.observe(&view))
}

/// Shows a step with its interpolant to the observer.
pub(super) fn observe<E, O, R, const N: usize, const C: usize>(
    evaluator: &mut E,
    observer: &mut O,
    view: StepView<'_, R, N>,
) -> ControlFlow<()>
where
    E: Monitor<R, N, C> + ?Sized,
    O: Observer<R, N> + ?Sized,
    R: Real,
{
    if !evaluator.phases().any_sticks() {
        return observer.observe(&view);
    }
    observer.observe(&StepView { holding: Some(&Held::<E, C>(RefCell::new(evaluator))), ..view })
}

/// An evaluator that holds states. `C` is the number of constraints.
struct Held<'a, E: ?Sized, const C: usize>(RefCell<&'a mut E>);

impl<E, R, const N: usize, const C: usize> Holding<R, N> for Held<'_, E, C>
where
    E: Monitor<R, N, C> + ?Sized,
    R: Real,
{
    fn held(&self, state: State<R, N>) -> State<R, N> {
        // Nothing else borrows it while the observer sees the step.
        self.0.try_borrow_mut().map_or(Ok(state), |mut evaluator| evaluator.hold(&state, false)).unwrap_or(state)
    }
}
