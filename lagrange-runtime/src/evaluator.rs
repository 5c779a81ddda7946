//! A system under a controller, with a count of evaluations. The driver of an integration hands it to the method.

mod branch;
mod contacts;
mod errors;
mod led;
mod monitor;

pub(crate) use led::Led;
pub(crate) use monitor::{Fork, Monitor};

use errors::{Errors, OfVelocities};

use crate::constraint::Projection;
use crate::contact::{ContactStep, ContactStepped, Phases};
use crate::control::{Sizes, StepControl};
use crate::controller::Controller;
use crate::error::{Failure, SingularMass};
use crate::evaluate::{Accelerate, Evaluate, Setting};
use crate::event::EventFunction;
use crate::method::{Method, Pace};
use crate::options::Options;
use crate::scalar::Real;
use crate::set::Set;
use crate::state::{Difference, State};
use crate::statistics::Statistics;
use crate::switching::Attempt;
use crate::system::{
    Balance, BalanceJacobian, Constraint, ConstraintHidden, Energies, Equations, Facts, InertialBalance, System,
};
use nalgebra::{SMatrix, SVector};

/// A system, the controller that gives its inputs, and the counters.
///
/// Each evaluation first asks the controller for u. All evaluations are inlined, so that a system whose type is known costs as
/// much as direct calls.
#[derive(Debug)]
pub struct Evaluator<'a, S: ?Sized, K: ?Sized, R: Real, const N: usize, const C: usize, const U: usize> {
    system: &'a S,
    controller: &'a mut K,
    statistics: Statistics,
    /// The options with the tolerances, for a method that judges its own steps. Without them the default tolerances hold.
    options: Option<&'a Options<'a, R, N>>,
    /// The functions that measure errors. They are `None` under a method that measures no errors, so that its program does not contain them.
    errors: Option<Errors<S, K, R, N, C, U>>,
    /// The tolerances of velocities, under a method that adapts its steps.
    of_velocities: Option<OfVelocities<S, K, R, N, C, U>>,
    /// Whether step control keeps the errors of steps within the tolerances of the options.
    controls_errors: bool,
    /// Whether the last error was judged by the rounding, because a tolerance was below it.
    beyond_reach: bool,
    /// Whether the interpolant of the current step will be asked for.
    interpolated: bool,
    /// The first singular mass matrix that [`Accelerate::slope`] met.
    fault: Option<SingularMass>,
    /// The largest acceleration that the forces of rows in known phases gave to a coordinate in the last balance.
    given: R,
    /// The attempt whose evaluations are watched for their branch, where the system has switching functions.
    attempt: Option<Attempt<R, N>>,
    /// While a method iterates: the last state of this round that was on another branch than the step, and the switches between.
    round: Option<Option<(State<R, N>, Set)>>,
    /// The switching functions at which steps end. The others are located as events that interrupt the motion.
    watched: Set,
    /// Whether the controller has been told of a state.
    arrived: bool,
    /// The phases of the contacts with dry friction.
    phases: Phases,
    /// The sizes that the motion has reached, as long as tolerances follow them.
    sizes: Option<Sizes<R, N>>,
    /// The squares of the last error that the method judged itself, relative to the largest tolerances allowed and to those that follow
    /// the motion, if the first ones accept it and the second ones do not.
    refused: Option<[f64; 2]>,
    /// Whether the errors of this step are rounding, for a method that judges its own steps.
    errors_are_rounding: bool,
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
            errors: Some(Errors::MEASURED),
            of_velocities: Some(errors::of_velocities),
            ..Self::without_errors(system, controller)
        }
    }

    /// `system` under `controller`, for callers that measure no errors.
    #[inline]
    pub(crate) fn without_errors(system: &'a S, controller: &'a mut K) -> Self {
        Self {
            system,
            controller,
            statistics: Statistics::default(),
            options: None,
            errors: None,
            of_velocities: None,
            controls_errors: false,
            beyond_reach: false,
            interpolated: false,
            fault: None,
            given: R::ZERO,
            attempt: None,
            round: None,
            watched: Set::ALL,
            arrived: false,
            phases: Phases::default(),
            sizes: None,
            refused: None,
            errors_are_rounding: false,
        }
    }

    /// `system` under `controller`, for steps of `method`. The method says whether the tolerances control its steps, and whether it measures
    /// errors.
    #[inline(always)]
    pub(crate) fn of_method<M: Method<R, N, C>>(system: &'a S, controller: &'a mut K, method: &M) -> Self {
        let errors = if M::MEASURES_ERRORS { Some(Errors::MEASURED) } else { None };
        let controls_errors = matches!(method.pace(), Pace::Adaptive(StepControl::Tolerance(_)));
        let of_velocities: Option<OfVelocities<S, K, R, N, C, U>> =
            if M::ADAPTIVE { Some(errors::of_velocities) } else { None };
        Self { errors, of_velocities, controls_errors, ..Self::without_errors(system, controller) }
    }

    /// Sets the tolerances and the events: those of `options`.
    #[inline(always)]
    pub(crate) fn with_options(self, options: &'a Options<'a, R, N>) -> Self {
        let mut watched = Set::ALL;
        for event in options.events {
            // With derivatives, steps end at all switches. A derivative by a parameter that only the equations behind a switch contain is 0
            // before it: its relative error is 1 in every step over the switch, however short.
            if const { R::DERIVATIVES == 0 }
                && let EventFunction::Switch(index) = event.function
                && event.interrupts()
                && !self.system.row_switches().contains(&index)
            {
                watched.put(index, false);
            }
        }
        let sizes = options.atol.follows().then(Sizes::default);
        Self { options: Some(options), watched, sizes, ..self }
    }

    /// Checks whether an evaluation leaves the branch of the step. For a system without switching functions it compiles to
    /// nothing.
    #[inline(always)]
    fn look(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) {
        if self.system.switch_count() != 0
            && let Some(attempt) = &self.attempt
        {
            let left = self.branch_at(t, q, v, u).differs(attempt.branch) & self.watched;
            if !(left & !attempt.known()).is_empty() {
                let state = State { t, q: *q, v: *v };
                match &mut self.round {
                    Some(last) => *last = Some((state, left)),
                    None => self.stray(state, left),
                }
            }
        }
    }

    /// Records the switches that an evaluation went over: as passed where they are smooth, and as strayed elsewhere.
    #[cold]
    #[inline(never)]
    fn stray(&mut self, to: State<R, N>, left: Set) {
        let Some(mut attempt) = self.attempt.take() else { return };
        // In a known phase the acceleration does not jump where the phase ends.
        let contacts = self.known_contacts();
        let smooth = match (left & !contacts).is_empty() {
            true => Set::EMPTY,
            false => (attempt.smooth)(&attempt, self, &to) & !contacts,
        };
        attempt.passed |= left & smooth;
        attempt.strayed |= left & !attempt.passed;
        self.attempt = Some(attempt);
    }

    /// Records the switches that the last round of an iteration went over, without those of known phases: forces do not jump where a known phase ends, and the solution is tested for it.
    #[cold]
    #[inline(never)]
    fn stray_in_round(&mut self, to: State<R, N>, left: Set) {
        let left = left & !self.known_contacts();
        if !left.is_empty() {
            self.stray(to, left);
        }
    }

    /// The inputs for an evaluation at (t, q, v). The evaluation is counted, and its branch is checked.
    #[inline(always)]
    fn inputs(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        self.statistics.evaluations += 1;
        let u = self.controller.input(t, q, v);
        self.look(t, q, v, &u);
        u
    }
}

impl<S, K, R, const N: usize, const C: usize, const U: usize> Accelerate<R, N> for Evaluator<'_, S, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    #[inline(always)]
    fn acceleration(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Result<SVector<R, N>, Failure> {
        let u = self.inputs(t, &q, &v);
        match self.solved(t, &q, &v, &u) {
            Ok(evaluated) => Ok(evaluated.acceleration),
            Err(singular) => Err(Failure::SingularMass(singular)),
        }
    }

    #[inline(always)]
    fn slope(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> SVector<R, N> {
        let u = self.inputs(t, &q, &v);
        match self.solved(t, &q, &v, &u) {
            Ok(evaluated) => evaluated.acceleration,
            Err(singular) => {
                self.fault.get_or_insert(singular);
                SVector::repeat(R::from_f64(f64::NAN))
            }
        }
    }

    #[inline(always)]
    fn check_slopes(&mut self) -> Result<(), Failure> {
        match self.fault.take() {
            None => Ok(()),
            Some(singular) => Err(Failure::SingularMass(singular)),
        }
    }
}

impl<S, K, R, const N: usize, const C: usize, const U: usize> Setting<R, N, C> for Evaluator<'_, S, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    #[inline(always)]
    fn constraint(&self, t: R, q: &SVector<R, N>) -> Constraint<R, N, C> {
        self.system.constraint(t, q)
    }

    #[inline(always)]
    fn facts(&self) -> &'static Facts {
        self.system.facts()
    }

    #[inline(always)]
    fn state_count(&self) -> usize {
        self.system.state_count()
    }

    #[inline(always)]
    fn has_switches(&self) -> bool {
        self.system.switch_count() != 0
    }

    #[inline(always)]
    fn has_inputs(&self) -> bool {
        U > 0
    }

    fn inputs_are_constant(&self) -> bool {
        U == 0 || self.controller.is_piecewise_constant()
    }

    fn constraint_names(&self) -> &'static [&'static str] {
        self.system.constraints()
    }

    #[inline(always)]
    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    #[inline(always)]
    fn statistics_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }
}

impl<S, K, R, const N: usize, const C: usize, const U: usize> Evaluate<R, N, C> for Evaluator<'_, S, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    #[inline(always)]
    fn begin_round(&mut self) {
        if self.system.switch_count() != 0 {
            self.round = Some(None);
        }
    }

    #[inline(always)]
    fn end_rounds(&mut self, counts: bool) {
        if self.system.switch_count() != 0
            && let Some(Some((state, left))) = self.round.take()
            && counts
        {
            self.stray_in_round(state, left);
        }
    }

    #[inline(always)]
    fn is_astray(&self) -> bool {
        self.system.switch_count() != 0
            && self.round.flatten().is_some_and(|(_, left)| !(left & !self.known_contacts()).is_empty())
    }

    #[inline(always)]
    fn has_exact_jacobian(&self) -> bool {
        !self.knows_phases()
    }

    #[inline(always)]
    fn cancelled(&self) -> R {
        if self.system.row_count() == 0 { R::ZERO } else { self.given }
    }

    #[inline(always)]
    fn visit(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) {
        if self.system.switch_count() != 0 {
            let u = self.controller.input(t, q, v);
            self.look(t, q, v, &u);
        }
    }

    #[inline]
    fn multipliers(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Result<SVector<R, C>, Failure> {
        let u = self.inputs(t, &q, &v);
        Ok(self.solved(t, &q, &v, &u)?.multipliers)
    }

    #[inline(always)]
    fn balance(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Balance<R, N> {
        let u = self.inputs(t, &q, &v);
        let mut at = self.system.balance(t, &q, &v, &u);
        if self.knows_phases() {
            self.in_phases(&mut at.balance, &mut [], (t, &q, &v, &u));
        }
        at
    }

    #[inline(always)]
    fn inertial_balance(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> InertialBalance<R, N> {
        let u = self.inputs(t, &q, &v);
        let mut at = self.system.inertial_balance(t, &q, &v, &u);
        if self.knows_phases() {
            self.in_phases(&mut at.balance, &mut [], (t, &q, &v, &u));
        }
        at
    }

    #[inline(always)]
    fn balance_jacobian(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> BalanceJacobian<R, N> {
        self.statistics.jacobians += 1;
        let u = self.inputs(t, &q, &v);
        let mut at = self.system.balance_jacobian(t, &q, &v, &u);
        if self.knows_phases() {
            self.in_phases(&mut at.balance, &mut [&mut at.balance_q, &mut at.balance_v], (t, &q, &v, &u));
        }
        at
    }

    #[inline(always)]
    fn balance_by_time(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Option<Balance<R, N>> {
        let u = self.controller.input(t, &q, &v);
        self.system.balance_by_time(t, &q, &v, &u)
    }

    #[inline]
    fn equations(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Equations<R, N> {
        let u = self.inputs(t, &q, &v);
        self.system.equations(t, &q, &v, &u)
    }

    #[inline(always)]
    fn step_contacts(&mut self, step: &ContactStep<'_, R, N>) -> Result<ContactStepped<R, N>, Failure> {
        let State { t, q, v } = &step.place;
        let u = self.inputs(*t, q, v);
        self.stepped(step, &u)
    }

    #[inline(always)]
    fn constraint_hidden(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        multipliers: &SVector<R, C>,
    ) -> ConstraintHidden<R, N, C> {
        self.system.constraint_hidden(t, q, v, multipliers)
    }

    #[inline]
    fn velocity_correction(
        &self,
        t: R,
        q: SVector<R, N>,
        v: SVector<R, N>,
        p: SVector<R, N>,
    ) -> Result<SVector<R, N>, Failure> {
        self.system.velocity_correction(t, &q, &v, &p).map_err(Failure::SingularMass)
    }

    fn momentum(&self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> (SVector<R, N>, SMatrix<R, N, N>) {
        let u = self.system.default_inputs();
        let InertialBalance { momentum, mass_matrix, .. } = self.system.inertial_balance(t, &q, &v, &u);
        (momentum, mass_matrix)
    }

    #[inline]
    fn energies(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Energies<R> {
        let u = self.controller.input(t, &q, &v);
        self.system.energies(t, &q, &v, &u)
    }

    fn project(&self, projection: &Projection<R, N>, state: &State<R, N>) -> Result<(State<R, N>, u32), Failure> {
        projection.state(self.system, state)
    }

    fn scaled_error(&mut self, start: &State<R, N>, end: &State<R, N>, error: &Difference<R, N>) -> R {
        self.errors.map_or(R::from_f64(f64::NAN), |errors| (errors.scaled)(self, start, end, error))
    }

    fn tolerances(&self, start: &State<R, N>, end: &State<R, N>) -> Difference<R, N> {
        let unknown = || SVector::repeat(R::from_f64(f64::NAN));
        self.errors
            .map_or_else(|| Difference { q: unknown(), v: unknown() }, |errors| (errors.allowed)(self, start, end))
    }

    fn smallest_rtol(&self) -> f64 {
        let rtol = self.options.map_or(Options::<R, N>::default().rtol, |options| options.rtol);
        (0..N)
            .fold(f64::INFINITY, |least, i| least.min(rtol.of_coordinate(i).to_f64()).min(rtol.of_velocity(i).to_f64()))
    }

    #[inline(always)]
    fn is_interpolated(&self) -> bool {
        self.interpolated
    }
}
