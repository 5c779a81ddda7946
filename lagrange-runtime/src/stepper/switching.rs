//! The attempts at steps that end at switches.

use super::point::{Ends, Point};
use crate::error::Failure;
use crate::evaluator::Led;
use crate::method::{Method, Trial};
use crate::scalar::Real;
use crate::state::time_rounding;
use crate::switching::{Course, Cut, SwitchRules, Switching};

impl<R: Real> Switching<R> {
    /// The size of the next attempt from `now`, in a span of at most this size towards a time. It is less where a switch is ahead.
    pub(in crate::stepper) fn cut<M, const N: usize, const C: usize>(
        &self,
        rules: &dyn SwitchRules<R, N>,
        evaluator: &mut dyn Led<M, R, N, C>,
        method: &M,
        now: &mut Point<R, N, M::Memory>,
        span: (R, R),
    ) -> Result<Cut<R>, Failure>
    where
        M: Method<R, N, C>,
    {
        let state = now.synchronise(evaluator, method)?;
        let acceleration = if self.is_near() { Some(now.accelerate(evaluator, method)?) } else { None };
        Ok(rules.cut(self, evaluator, &state, acceleration.as_ref(), span))
    }

    /// Judges an attempt that started at `now` and ends at `end`. `trial` is its result, if it has one.
    pub(in crate::stepper) fn judge<M, const N: usize, const C: usize>(
        &mut self,
        rules: &dyn SwitchRules<R, N>,
        evaluator: &mut dyn Led<M, R, N, C>,
        method: &M,
        trial: Option<&Trial<R, N, M::Memory>>,
        now: &mut Point<R, N, M::Memory>,
        attempt: (Cut<R>, R),
    ) -> Result<Course, Failure>
    where
        M: Method<R, N, C>,
    {
        let before = now.synchronise(evaluator, method)?;
        let after = match trial {
            Some(trial) if trial.state.is_finite() => {
                Some(evaluator.synchronise(method, &trial.state, &trial.memory)?)
            }
            _ => None,
        };
        rules.judge(self, evaluator, (&before, after.as_ref()), attempt, M::ADAPTIVE)
    }

    /// Moves the end of a step over a switch to where a contact reached the end of its phase, at the time `latest` or before. Returns
    /// whether an impact follows there.
    #[cold]
    pub(in crate::stepper) fn arrive<M, const N: usize, const C: usize>(
        &mut self,
        evaluator: &mut dyn Led<M, R, N, C>,
        method: &M,
        (past, now): Ends<'_, R, N, M::Memory>,
        latest: R,
    ) -> Result<bool, Failure>
    where
        M: Method<R, N, C>,
    {
        if self.crossed.is_empty() {
            return Ok(false);
        }
        let latest = [latest, self.time_rounding(now.state.t)];
        let ends = [past.synchronise(evaluator, method)?, now.synchronise(evaluator, method)?];
        let state = evaluator.reached([&ends[0], &ends[1]], self.crossed, latest)?;
        self.hop_to(state.t);
        *now = Point::initial(state, evaluator.start(method, &state)?);
        Ok(evaluator.closes(self.crossed))
    }

    /// The size and the end of the next step towards `target`, the end of a fixed step of size `step`. A switch ahead cuts it
    /// short.
    #[allow(clippy::type_complexity, reason = "a size, an end and a cut")]
    pub(in crate::stepper) fn cut_fixed<M, const N: usize, const C: usize>(
        &self,
        rules: &dyn SwitchRules<R, N>,
        evaluator: &mut dyn Led<M, R, N, C>,
        method: &M,
        now: &mut Point<R, N, M::Memory>,
        (step, target): (R, R),
    ) -> Result<((R, R), Cut<R>), Failure>
    where
        M: Method<R, N, C>,
    {
        let t = now.state.t;
        // Where no switch cut the step before short, the size is exactly that of the section.
        let left = target - t;
        let whole = if (left - step).abs() <= time_rounding(t, target) { step } else { left };
        let cut = self.cut(rules, evaluator, method, now, (whole.abs(), target))?;
        if cut.size >= whole.abs() {
            return Ok(((whole, target), cut));
        }
        let h = if whole < R::ZERO { -cut.size } else { cut.size };
        Ok(((h, t + h), cut))
    }
}
