//! What an analysis of derivatives does at the instants of a motion on dual numbers: it changes derivatives, and no values.

use super::Stepper;
use crate::error::SolveError;
use crate::evaluator::{Fork, Led};
use crate::method::Method;
use crate::observer::Observer;
use crate::outcome::Outcome;
use crate::scalar::Real;
use crate::set::Set;
use crate::state::State;
use core::ops::ControlFlow;

impl<E, M, R, const N: usize, const C: usize> Stepper<'_, E, M, R, N, C>
where
    E: Fork<R, N, C>,
    M: Method<R, N, C>,
    R: Real,
{
    /// Makes one step, and everything that happens at its start. Returns whether a terminal event ended the motion.
    pub(crate) fn advance(&mut self, observer: &mut dyn Observer<R, N>) -> Result<bool, SolveError<R, N>> {
        let stop = self.statistics().steps + 1;
        Ok(matches!(self.drive(observer, stop)?, Outcome::Event(_) | Outcome::Instant(_)))
    }

    /// Whether the motion restarts at the state reached: an event or a change of a mode mapped the state, or the last step went over a switch.
    pub(crate) fn restarts(&self) -> bool {
        self.watch.memory.restarted
    }

    /// The switching functions whose zero the last step went over, without those of closed contacts.
    pub(crate) fn crossed(&self) -> Set {
        let mut crossed = self.switching.switched;
        let phases = self.evaluator.phases();
        for (k, &switch) in self.evaluator.row_switches().iter().enumerate() {
            if self.switching.crossed.contains(switch) && !phases.sticks(k) {
                crossed.put(switch, true);
            }
        }
        crossed
    }

    /// Whether an impact changed the velocity at the initial state: at a contact, or at a constraint that a mode switched on.
    pub(crate) fn strikes_at_start(&self) -> bool {
        self.opening.as_ref().is_some_and(|opening| opening.settled.impulses.iter().any(|impulse| *impulse != R::ZERO))
    }

    /// The state at the start of the last step.
    pub(crate) fn start_of_step(&mut self) -> Result<State<R, N>, SolveError<R, N>> {
        match self.past.synchronise(&mut self.evaluator, self.method) {
            Ok(state) => Ok(state),
            Err(failure) => Err(self.error(failure)),
        }
    }

    /// The evaluator, in the phases of the state reached.
    pub(crate) fn monitor(&mut self) -> &mut dyn Led<M, R, N, C> {
        &mut self.evaluator
    }

    /// Does what happens at the state reached besides events: changes of modes, impacts, changes of phases, and the sample of the controller. Returns
    /// whether the options end the motion there.
    pub(crate) fn enter(&mut self, observer: &mut dyn Observer<R, N>) -> Result<bool, SolveError<R, N>> {
        let entered = self.enter_section(observer);
        self.section = self.section.without_derivatives();
        let ended = entered.map_err(|failure| self.error(failure))?;
        Ok(matches!(ended, ControlFlow::Break(Outcome::Instant(_))))
    }

    /// Replaces the state reached by one that differs from it in derivatives only.
    pub(crate) fn amend(&mut self, state: &State<R, N>) -> Result<(), SolveError<R, N>> {
        match self.method.start(&mut self.evaluator, state) {
            Ok(memory) => {
                self.now = self.now.amended(*state, memory);
                Ok(())
            }
            Err(failure) => Err(self.error(failure)),
        }
    }
}
