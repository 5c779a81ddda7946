//! Integrations from a state to a time: streamed, or stored.

use crate::controller::Controller;
use crate::error::SolveError;
use crate::evaluator::Fork;
use crate::method::Method;
use crate::observer::Observer;
use crate::options::Options;
use crate::outcome::Outcome;
use crate::scalar::Real;
use crate::state::State;
use crate::statistics::{Statistics, Warning};
use crate::stepper::Stepper;
use crate::system::System;

#[cfg(feature = "std")]
pub use stored::{solve, solve_with};

/// How an integration without an error ended, and how much work it did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// How the integration ended.
    pub outcome: Outcome,
    /// The counters of its work.
    pub statistics: Statistics,
}

impl Report {
    /// Reasons to doubt the result, though it is no error: constraints that the motion left, and tolerances out of reach or above the motion.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> + use<> {
        self.statistics.warnings()
    }
}

/// Integrates `system` by `method` from `state` to time `t_end`, which may lie before it; `state` becomes the last state.
///
/// The inputs come from `controller`. Each step goes to `observer` as it is made. Nothing is allocated, with or without the
/// feature `std`. The options `t_eval` and `dense_output` have no effect here; [`solve`] uses them (see
/// [`AtTimes`](crate::observer::AtTimes)). [`Stepper::new`] and [`Stepper::run`] take the same seven arguments in two calls.
///
/// # Errors
/// [`SolveError`] says what happened and holds the last good state, which `state` becomes too.
#[inline]
pub fn integrate<R: Real, const N: usize, const C: usize, const U: usize>(
    system: &(impl System<R, N, C, U> + ?Sized),
    state: &mut State<R, N>,
    t_end: R,
    method: &impl Method<R, N, C>,
    options: &Options<'_, R, N>,
    controller: &mut (impl Controller<R, N, U> + ?Sized),
    observer: &mut (impl Observer<R, N> + ?Sized),
) -> Result<Report, SolveError<R, N>> {
    let mut stepper = Stepper::new(system, *state, t_end, method, options, controller)?;
    match run(&mut stepper, observer) {
        Ok((outcome, last)) => {
            *state = last;
            Ok(Report { outcome, statistics: *stepper.statistics() })
        }
        Err(error) => {
            *state = error.state;
            Err(error)
        }
    }
}

#[inline(always)]
fn run<E: Fork<R, N, C>, R: Real, const N: usize, const C: usize>(
    stepper: &mut Stepper<'_, E, impl Method<R, N, C>, R, N, C>,
    observer: &mut (impl Observer<R, N> + ?Sized),
) -> Result<(Outcome, State<R, N>), SolveError<R, N>> {
    let initial = stepper.state()?;
    if observer.start(&initial).is_break() {
        return Ok((Outcome::Stopped, initial));
    }
    let outcome = stepper.drive(observer, u64::MAX)?;
    Ok((outcome, stepper.state()?))
}

#[cfg(feature = "std")]
mod stored {
    use super::{Report, integrate};
    use crate::control::StepControl;
    use crate::controller::{Controller, DefaultInputs};
    use crate::error::Failure;
    use crate::method::{Method, Pace};
    use crate::observer::{AtTimes, ByReference, Observer};
    use crate::options::{AnyOptions, Options};
    use crate::outcome::Outcome;
    use crate::scalar::Real;
    use crate::solution::PartialSolution;
    use crate::solution::{Keeper, Nodes, Record, Renewing, Segments, Solution};
    use crate::state::State;
    use crate::system::System;
    use core::cell::RefCell;
    use core::ops::ControlFlow;
    use nalgebra::SVector;
    use std::boxed::Box;
    use std::vec::Vec;

    /// Integrates `system` by `method` from `initial` to time `t_end`, which may lie before it, with the default inputs,
    /// and stores the states with their inputs: at the end of every step, or at the times `t_eval` of the options.
    ///
    /// # Errors
    /// [`PartialSolution`] holds the error, and the solution up to it.
    pub fn solve<'o, R: Real, const N: usize, const C: usize, const U: usize>(
        system: &(impl System<R, N, C, U> + ?Sized),
        initial: State<R, N>,
        t_end: R,
        method: &impl Method<R, N, C>,
        options: &impl AnyOptions<'o, R, N>,
    ) -> Result<Solution<R, N, U>, Box<PartialSolution<R, N, U>>> {
        solve_with(system, initial, t_end, method, options, &mut DefaultInputs::of(system))
    }

    /// Like [`solve`], but with the inputs of `controller` instead of the default inputs.
    ///
    /// # Errors
    /// [`PartialSolution`] holds the error, and the solution up to it.
    pub fn solve_with<'o, R: Real, const N: usize, const C: usize, const U: usize>(
        system: &(impl System<R, N, C, U> + ?Sized),
        initial: State<R, N>,
        t_end: R,
        method: &impl Method<R, N, C>,
        options: &impl AnyOptions<'o, R, N>,
        controller: &mut (impl Controller<R, N, U> + ?Sized),
    ) -> Result<Solution<R, N, U>, Box<PartialSolution<R, N, U>>> {
        let (motion, options) = ((system, initial, t_end, method), &options.options());
        if const { U == 0 } {
            stored(motion, options, controller, &|_| SVector::repeat(R::ZERO))
        } else {
            let shared = RefCell::new(controller);
            let inputs = |State { t, q, v }: &State<R, N>| shared.borrow_mut().input(*t, q, v);
            stored(motion, options, &mut Shared(&shared), &inputs)
        }
    }

    /// Integrates and stores the states with the inputs that `inputs` gives for each.
    fn stored<R: Real, M: Method<R, N, C>, const N: usize, const C: usize, const U: usize>(
        (system, mut state, t_end, method): (&(impl System<R, N, C, U> + ?Sized), State<R, N>, R, &M),
        options: &Options<'_, R, N>,
        controller: &mut (impl Controller<R, N, U> + ?Sized),
        inputs: &dyn Fn(&State<R, N>) -> SVector<R, U>,
    ) -> Result<Solution<R, N, U>, Box<PartialSolution<R, N, U>>> {
        let nodes = Nodes::with_capacity(options.t_eval.map_or(0, <[R]>::len));
        let mut keeper = Keeper { nodes, inputs };
        let (mut segments, mut events) =
            (Segments::new(options.dense_output), Record { events: Vec::new(), instants: Vec::new() });
        // All cases use one type of observer, so that the integration is compiled once.
        let mut run = |states: &mut dyn Observer<R, N>| {
            let mut rest = (ByReference(&mut segments), ByReference(&mut events));
            let mut both = (ByReference(states), ByReference(&mut rest));
            let observer: &mut dyn Observer<R, N> = &mut both;
            integrate(system, &mut state, t_end, method, options, controller, observer)
        };
        let (result, nodes) = match options.t_eval {
            None => (run(&mut keeper), keeper.nodes),
            Some(times) => {
                // No instant changes the inputs where there are none.
                if const { U == 0 } {
                    let receive = |state: &State<R, N>| {
                        keeper.keep(state);
                        ControlFlow::Continue(())
                    };
                    (run(&mut AtTimes::new(times, receive).until(t_end)), keeper.nodes)
                } else {
                    let keeper = RefCell::new(keeper);
                    let receive = |state: &State<R, N>| {
                        keeper.borrow_mut().keep(state);
                        ControlFlow::Continue(())
                    };
                    let mut renewing = Renewing(&keeper);
                    let result = run(&mut (AtTimes::new(times, receive).until(t_end), ByReference(&mut renewing)));
                    (result, keeper.into_inner().nodes)
                }
            }
        };
        match result {
            Ok(Report { outcome, statistics }) => {
                let is_controlled = matches!(method.pace(), Pace::Adaptive(StepControl::Tolerance(_)));
                let tells = is_controlled && !options.atol.follows();
                let below_tolerance =
                    if M::ADAPTIVE { tells && nodes.stay_below(&options.atol, system.state_count()) } else { false };
                let solution = nodes.finish(segments, events, statistics, outcome);
                Ok(Solution { below_tolerance, ..solution })
            }
            Err(error) => {
                let solution = nodes.finish(segments, events, error.statistics, Outcome::Failed);
                Err(Box::new(PartialSolution { error, solution }))
            }
        }
    }

    /// A controller of which an observer asks the inputs as well.
    struct Shared<'a, 'b, K: ?Sized>(&'a RefCell<&'b mut K>);

    impl<K, R: Real, const N: usize, const U: usize> Controller<R, N, U> for Shared<'_, '_, K>
    where
        K: Controller<R, N, U> + ?Sized,
    {
        #[inline(always)]
        fn input(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
            self.0.borrow_mut().input(t, q, v)
        }

        fn next_discontinuity(&self, from: R, to: R) -> Option<R> {
            self.0.borrow().next_discontinuity(from, to)
        }

        fn arrive(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) {
            self.0.borrow_mut().arrive(t, q, v);
        }

        fn holds(&self) -> bool {
            self.0.borrow().holds()
        }

        fn is_piecewise_constant(&self) -> bool {
            self.0.borrow().is_piecewise_constant()
        }

        fn check(&self) -> Result<(), Failure> {
            self.0.borrow().check()
        }
    }
}
