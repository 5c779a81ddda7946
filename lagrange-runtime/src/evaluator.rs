//! What a method evaluates: a system under a controller, with every evaluation counted.

use crate::control::{out_of_reach, scaled_error};
use crate::controller::Controller;
use crate::error::{Failure, SingularMass};
use crate::event::{Attempt, Branch, EventFunction, Set, undefined_switch};
use crate::method::Difference;
use crate::options::Options;
use crate::scalar::Real;
use crate::state::State;
use crate::statistics::Statistics;
use crate::system::{Balance, BalanceJacobian, Constraint, Energies, Facts, System};
use nalgebra::{SMatrix, SVector};

/// A system, the controller that gives its inputs, and the counters.
///
/// Each evaluation asks the controller for u first; all are inlined, so that a statically known
/// system costs what a call by hand would.
#[derive(Debug)]
pub struct Evaluator<'a, S: ?Sized, K: ?Sized, R: Real, const N: usize, const C: usize, const U: usize> {
    system: &'a S,
    controller: &'a mut K,
    statistics: Statistics,
    /// The tolerances, for a method that judges its steps by itself; the default ones where there are none.
    options: Option<&'a Options<'a, R, N>>,
    /// Whether an error was last judged by the rounding, and not by a tolerance below it.
    beyond_reach: bool,
    /// Whether the interpolant of the step that is made will be asked for.
    interpolated: bool,
    /// The first singular mass matrix that [`Evaluator::slope`] met.
    fault: Option<SingularMass>,
    /// The attempt whose evaluations are watched for their branch, where the system has switching functions.
    attempt: Option<Attempt<R, N>>,
    /// The switching functions that steps end on. Those that interrupt the motion as events are located as events.
    watched: Set,
}

impl<'a, S, K, R, const N: usize, const C: usize, const U: usize> Evaluator<'a, S, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    /// `system` under `controller`, with all counters at 0.
    #[inline]
    pub fn new(system: &'a S, controller: &'a mut K) -> Self {
        Self {
            system,
            controller,
            statistics: Statistics::default(),
            options: None,
            beyond_reach: false,
            interpolated: false,
            fault: None,
            attempt: None,
            watched: Set::ALL,
        }
    }

    /// The same system and controller with counters of its own, for a loop that keeps them in registers.
    #[inline(always)]
    pub(crate) fn fork(&mut self) -> Evaluator<'_, S, K, R, N, C, U> {
        Evaluator { options: self.options, watched: self.watched, ..Evaluator::new(self.system, self.controller) }
    }

    /// What `work` gives with an evaluator of its own, whose counts are added: for calls out of line, to which this one's address
    /// would put its counters into memory.
    #[inline(always)]
    pub(crate) fn apart<T>(&mut self, work: impl FnOnce(&mut Evaluator<'_, S, K, R, N, C, U>) -> T) -> T {
        let mut other = self.fork();
        let given = work(&mut other);
        let counted = other.statistics;
        self.statistics += counted;
        given
    }

    /// The same with the tolerances and the events of `options`.
    #[inline(always)]
    pub(crate) fn with_options(self, options: &'a Options<'a, R, N>) -> Self {
        let mut watched = Set::ALL;
        for event in options.events {
            if let EventFunction::Switch(index) = event.function
                && event.interrupts()
            {
                watched.put(index, false);
            }
        }
        Self { options: Some(options), watched, ..self }
    }

    /// The root mean square of an error at the `end` of a step from `start`, each component over its tolerance; over the
    /// roundings that are out of the tolerances' reach, where the error is within those alone.
    #[inline]
    pub fn scaled_error(&mut self, start: &State<R, N>, end: &State<R, N>, error: &Difference<R, N>) -> R {
        let plain = Options::default();
        let options = self.options.unwrap_or(&plain);
        let scaled = scaled_error(options, start, end, error, R::ZERO);
        if !options.asks_beyond_reach() {
            return scaled;
        }
        let reached = scaled_error(options, start, end, error, out_of_reach());
        self.beyond_reach = scaled > R::ONE && reached <= R::ONE;
        reached
    }

    /// Counts a step that a method judged itself, if it was accepted by what is out of the tolerances' reach.
    pub(crate) fn count_beyond_reach(&mut self, accepted: bool) {
        self.statistics.beyond_reach += u64::from(accepted && self.beyond_reach);
        self.beyond_reach = false;
    }

    /// Whether the interpolant of the step that is made will be asked for: by events, samples, dense output or an observer. Only
    /// a method of which [`Method::judges_interpolants`](crate::method::Method::judges_interpolants) holds is told.
    pub fn is_interpolated(&self) -> bool {
        self.interpolated
    }

    /// Tells a method whether the interpolant of its next step will be asked for.
    #[inline(always)]
    pub(crate) fn set_interpolated(&mut self, interpolated: bool) {
        self.interpolated = interpolated;
    }

    /// The smallest relative tolerance.
    pub(crate) fn smallest_rtol(&self) -> f64 {
        let rtol = self.options.map_or(Options::<R, N>::default().rtol, |options| options.rtol);
        (0..N)
            .fold(f64::INFINITY, |least, i| least.min(rtol.of_coordinate(i).to_f64()).min(rtol.of_velocity(i).to_f64()))
    }

    /// Sees whether an evaluation leaves the branch of the step. A system without switching functions has no code here.
    #[inline(always)]
    fn look(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) {
        if self.system.switch_count() != 0
            && let Some(attempt) = &self.attempt
        {
            let left = Branch::of(self.system, t, q, v, u).differs(attempt.branch) & self.watched;
            if !(left & !attempt.known()).is_empty() {
                self.stray(State { t, q: *q, v: *v }, left);
            }
        }
    }

    /// Finds out about switches that an evaluation has gone over, if no evaluation of this attempt has done so before.
    #[cold]
    #[inline(never)]
    fn stray(&mut self, to: State<R, N>, left: Set) {
        if let Some(attempt) = &mut self.attempt {
            let smooth = attempt.smooth_switches(self.system, self.controller, &to);
            attempt.passed |= left & smooth;
            attempt.strayed |= left & !attempt.passed;
        }
    }

    /// Whether every switching function has a value at a state.
    ///
    /// # Errors
    /// [`Failure::UndefinedSwitch`] names the first that has none.
    pub(crate) fn check_switches(&mut self, state: &State<R, N>) -> Result<(), Failure> {
        let State { t, q, v } = *state;
        let u = self.controller.input(t, &q, &v);
        match undefined_switch(self.system, t, q, v, u) {
            None => Ok(()),
            Some(index) => {
                let switch = self.system.switch_names().get(index).copied();
                Err(Failure::UndefinedSwitch { index, switch, t: t.to_f64() })
            }
        }
    }

    /// Watches from now on whether evaluations stay on the branch of `start`, in an attempt of this size at a step. If it is
    /// to go `over` a switch, all switches count.
    pub(crate) fn stay_on_branch(&mut self, start: &State<R, N>, size: R, over: bool) {
        let branch = self.branch(start);
        self.attempt = Some(Attempt::new(branch, *start, size, over));
    }

    /// Watches the state in which an attempt ends too. No stage lies there, so that its branch is not known from an evaluation.
    ///
    /// # Errors
    /// [`Failure::UndefinedSwitch`] names a switching function that is NaN there.
    pub(crate) fn look_at(&mut self, state: &State<R, N>) -> Result<(), Failure> {
        if self.branch(state).has_unsigned(self.system.switch_count()) {
            self.check_switches(state)?;
        }
        let State { t, q, v } = state;
        let u = self.controller.input(*t, q, v);
        self.look(*t, q, v, &u);
        Ok(())
    }

    /// Ends the watch, and gives the switching functions by which evaluations have left the branch. Switches without jump or
    /// kink in the acceleration do not count.
    pub(crate) fn leave_branch(&mut self) -> Set {
        self.attempt.take().map_or(Set::EMPTY, |attempt| attempt.strayed)
    }

    /// The branch of the equations at a state.
    pub(crate) fn branch(&mut self, state: &State<R, N>) -> Branch {
        Branch::at(self.system, self.controller, state)
    }

    /// a at (t, q, v), with u from the controller.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    #[inline(always)]
    pub fn acceleration(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Result<SVector<R, N>, Failure> {
        self.statistics.evaluations += 1;
        let u = self.controller.input(t, &q, &v);
        self.look(t, &q, &v, &u);
        match self.system.acceleration(t, &q, &v, &u) {
            Ok(evaluated) => Ok(evaluated.acceleration),
            Err(singular) => Err(Failure::SingularMass(singular)),
        }
    }

    /// [`Evaluator::acceleration`] for a method with many stages: NaN where there is none, and [`Evaluator::sound`] tells
    /// why. So that the value stays in registers, which a result with a failure would not.
    #[inline(always)]
    pub(crate) fn slope(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> SVector<R, N> {
        self.statistics.evaluations += 1;
        let u = self.controller.input(t, &q, &v);
        self.look(t, &q, &v, &u);
        match self.system.acceleration(t, &q, &v, &u) {
            Ok(evaluated) => evaluated.acceleration,
            Err(singular) => {
                self.fault.get_or_insert(singular);
                SVector::repeat(R::from_f64(f64::NAN))
            }
        }
    }

    /// Whether all slopes since the last time that it was asked were found.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    #[inline(always)]
    pub(crate) fn sound(&mut self) -> Result<(), Failure> {
        match self.fault.take() {
            None => Ok(()),
            Some(singular) => Err(Failure::SingularMass(singular)),
        }
    }

    /// p and f at (t, q, v), with u from the controller.
    #[inline(always)]
    pub fn balance(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Balance<R, N> {
        self.statistics.evaluations += 1;
        let u = self.controller.input(t, &q, &v);
        self.look(t, &q, &v, &u);
        self.system.balance(t, &q, &v, &u)
    }

    /// p, f and their derivatives at (t, q, v), with u from the controller.
    #[inline(always)]
    pub fn balance_jacobian(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> BalanceJacobian<R, N, U> {
        self.statistics.evaluations += 1;
        self.statistics.jacobians += 1;
        let u = self.controller.input(t, &q, &v);
        self.look(t, &q, &v, &u);
        self.system.balance_jacobian(t, &q, &v, &u)
    }

    /// λ at (t, q, v), with u from the controller; counted as an evaluation.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    #[inline]
    pub fn multipliers(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Result<SVector<R, C>, Failure> {
        self.statistics.evaluations += 1;
        let u = self.controller.input(t, &q, &v);
        self.look(t, &q, &v, &u);
        Ok(self.system.acceleration(t, &q, &v, &u)?.multipliers)
    }

    /// The constraints at (t, q); none where C = 0. Not counted.
    #[inline(always)]
    pub fn held(&self, t: R, q: SVector<R, N>) -> Option<Constraint<R, N, C>> {
        if C == 0 { None } else { Some(self.system.constraint(t, &q)) }
    }

    /// M at (t, q, v), with u from the controller; counted as an evaluation.
    #[inline]
    pub fn mass_matrix(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> SMatrix<R, N, N> {
        self.statistics.evaluations += 1;
        let u = self.controller.input(t, &q, &v);
        self.look(t, &q, &v, &u);
        self.system.equations(t, &q, &v, &u).mass_matrix
    }

    /// One Newton step from `v` towards the velocity of momentum `p`; not counted.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    #[inline]
    pub fn velocity_correction(
        &self,
        t: R,
        q: SVector<R, N>,
        v: SVector<R, N>,
        p: SVector<R, N>,
    ) -> Result<SVector<R, N>, Failure> {
        self.system.velocity_correction(t, &q, &v, &p).map_err(Failure::SingularMass)
    }

    /// The energies at (t, q, v), with u from the controller; not counted.
    #[inline]
    pub fn energies(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Energies<R> {
        let u = self.controller.input(t, &q, &v);
        self.system.energies(t, &q, &v, &u)
    }

    /// What the derivation proved about the system.
    #[inline]
    pub fn facts(&self) -> &'static Facts {
        self.system.facts()
    }

    /// The system.
    #[inline]
    pub fn system(&self) -> &'a S {
        self.system
    }

    /// The controller.
    #[inline]
    pub fn controller(&mut self) -> &mut K {
        self.controller
    }

    /// The counters.
    #[inline]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The counters, for a method or a driver to add its own to.
    #[inline]
    pub fn statistics_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }
}
