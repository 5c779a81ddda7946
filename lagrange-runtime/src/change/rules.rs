//! The rules by which modes change. A system with modes gives these rules by [`System::change_rules`]. A program whose systems have no modes does
//! not contain this code.
//!
//! [`System::change_rules`]: crate::system::System::change_rules

use super::{Change, Evaluated};
use crate::error::Failure;
use crate::event::{CLOSE, Pass, Scene, pass, rounding};
use crate::instant::{Cause, Instant};
use crate::scalar::{Real, Scalar};
use crate::state::State;
use nalgebra::SVector;

/// How often modes may change at one instant, for each change that the block states. Beyond it they go round in a circle.
const ROUNDS: usize = 100;

/// The rules by which the modes of a system change. A system with modes gives [`Changes`] as this trait's object from
/// [`System::change_rules`](crate::system::System::change_rules). Only the driver of integrations calls the methods.
pub trait ChangeRules<R: Scalar, const N: usize> {
    /// The code that finds where changes happen along a step.
    #[doc(hidden)]
    fn pass(&self) -> Pass<R, N>
    where
        R: Real;

    /// The condition of a change at a state, from the values of [`System::change_values`](crate::system::System::change_values): positive where
    /// it holds, and −1 where the mode has the new value already.
    #[doc(hidden)]
    fn condition(&self, evaluated: (&[Change], &[R]), index: usize, state: &State<R, N>) -> R
    where
        R: Real;

    /// The state behind a change, from the same values.
    #[doc(hidden)]
    fn behind(&self, evaluated: (&[Change], &[R]), index: usize, state: &State<R, N>) -> State<R, N>
    where
        R: Real;

    /// Changes modes at a state until no condition holds by more than rounding, and tells of each change. Returns the state behind the changes.
    /// Times are known up to `rounding`.
    #[doc(hidden)]
    fn settle(
        &self,
        scene: &mut dyn Scene<R, N>,
        state: &State<R, N>,
        rounding: R,
        tell: &mut dyn FnMut(&Instant<R, N>),
    ) -> Result<State<R, N>, Failure>
    where
        R: Real;
}

/// The rules for the modes of every system.
#[derive(Clone, Copy, Debug)]
pub struct Changes;

impl<R: Scalar, const N: usize> ChangeRules<R, N> for Changes {
    fn pass(&self) -> Pass<R, N>
    where
        R: Real,
    {
        pass
    }

    fn condition(&self, (changes, values): (&[Change], &[R]), index: usize, state: &State<R, N>) -> R
    where
        R: Real,
    {
        Evaluated { changes, values }.condition(index, state)
    }

    fn behind(&self, (changes, values): (&[Change], &[R]), index: usize, state: &State<R, N>) -> State<R, N>
    where
        R: Real,
    {
        Evaluated { changes, values }.behind(index, state)
    }

    fn settle(
        &self,
        scene: &mut dyn Scene<R, N>,
        state: &State<R, N>,
        rounding: R,
        tell: &mut dyn FnMut(&Instant<R, N>),
    ) -> Result<State<R, N>, Failure>
    where
        R: Real,
    {
        let mut state = *state;
        let mut mode = "";
        for _ in 0..=ROUNDS * scene.change_count() {
            let Some(index) = due(scene, &state, rounding)? else { return Ok(state) };
            let before = state;
            let target = State { t: before.t, ..scene.change(index, &before) };
            if !target.is_finite() {
                return Err(Failure::not_finite(target));
            }
            state = scene.consistent(&target)?;
            mode = scene.mode(index);
            tell(&Instant { cause: Cause::Mode(mode), before, after: state, impulse: R::ZERO });
        }
        Err(Failure::ModeCircle { mode })
    }
}

/// The first change whose condition holds by more than rounding. Where a condition is 0 up to rounding, the next step decides by the way in which
/// it goes on.
fn due<R: Real, const N: usize>(
    scene: &mut dyn Scene<R, N>,
    state: &State<R, N>,
    time_rounding: R,
) -> Result<Option<usize>, Failure> {
    for index in 0..scene.change_count() {
        let condition = scene.change_condition(index, state);
        if condition.to_f64().is_nan() {
            return Err(Failure::UndefinedMode { mode: scene.mode(index), t: state.t.to_f64() });
        }
        if condition <= R::ZERO {
            continue;
        }
        let least = rounding(&mut |state| scene.change_condition(index, state), state);
        let a = scene.acceleration(state).unwrap_or(SVector::repeat(R::ZERO));
        let moved =
            State { t: state.t + time_rounding, q: state.q + state.v * time_rounding, v: state.v + a * time_rounding };
        let change = (scene.change_condition(index, &moved) - condition).abs();
        if condition > R::from_f64(least) && condition > change * R::from_f64(CLOSE) {
            return Ok(Some(index));
        }
    }
    Ok(None)
}
