//! What the driver of an integration needs of an evaluator, in addition to what its method needs.

use super::Evaluator;
use super::branch::undefined_switch;
use crate::change::{Change, ChangeRules, MAX_CHANGE_VALUES};
use crate::constraint;
use crate::contact::{MAX_ROWS, Phases, Reached, Settled};
use crate::control::Sizes;
use crate::controller::Controller;
use crate::error::{Failure, SingularMass};
use crate::evaluate::{Accelerate, Evaluate, Setting};
use crate::scalar::Real;
use crate::set::Set;
use crate::state::State;
use crate::switching::{Attempt, Branch, Branching, Smooth, SwitchRules};
use crate::system::{Fingerprint, Law, Parameters, System};
use nalgebra::SVector;

/// What the driver of an integration needs of an evaluator, in addition to what its method needs.
///
/// The trait is dyn-compatible: work that is done once in many steps takes `dyn Monitor`, and is not compiled again for every
/// system and controller. No evaluation here is counted.
pub trait Monitor<R: Real, const N: usize, const C: usize>:
    Accelerate<R, N> + Setting<R, N, C> + Branching<R, N>
{
    /// The names of the coordinates.
    fn coordinates(&self) -> &'static [&'static str];

    /// The system's parameters.
    fn parameters(&self) -> Parameters<'_, R>;

    /// The fingerprint of the system and its parameters.
    fn fingerprint(&self) -> Fingerprint;

    /// The number of holonomic constraints.
    fn holonomic_count(&self) -> usize;

    /// Checks that a state meets the constraints, and that it has the values of coordinates without inertia in v.
    ///
    /// # Errors
    /// [`Failure::InconsistentInitialState`] names the constraint that the state breaks most, [`Failure::MisplacedValue`] a
    /// coordinate without inertia.
    fn check_initial(&self, state: &State<R, N>) -> Result<(), Failure>;

    /// The first holonomic constraint whose gradient vanishes at a state.
    fn vanishing_gradient(&self, state: &State<R, N>) -> Option<&'static str>;

    /// The names of the outputs.
    fn output_names(&self) -> &'static [&'static str];

    /// The indices of the outputs that contain the force of a contact.
    fn outputs_of_forces(&self) -> &'static [usize];

    /// The rules by which steps end at switches. `None` for a system without switching functions, and for one that gives no rules.
    fn switch_rules(&self) -> Option<&'static dyn SwitchRules<R, N>>;

    /// The rules by which modes change. `None` for a system without modes, and for one that gives no rules.
    fn change_rules(&self) -> Option<&'static dyn ChangeRules<R, N>>;

    /// The number of modes, which are the last states.
    fn mode_count(&self) -> usize;

    /// The changes of the modes.
    fn changes(&self) -> &'static [Change];

    /// The conditions of the changes, and the values that they assign.
    fn change_values(&mut self, state: &State<R, N>, out: &mut [R]);

    /// The condition of a change of a mode at a state: positive where it holds, and −1 where the mode has the new value already.
    fn change_condition(&mut self, index: usize, state: &State<R, N>) -> R {
        let Some(rules) = self.change_rules() else { return -R::ONE };
        let mut values = [R::ZERO; MAX_CHANGE_VALUES];
        self.change_values(state, &mut values);
        rules.condition((self.changes(), &values), index, state)
    }

    /// The state after a change of a mode, which may break constraints.
    fn changed(&mut self, index: usize, state: &State<R, N>) -> State<R, N> {
        let Some(rules) = self.change_rules() else { return *state };
        let mut values = [R::ZERO; MAX_CHANGE_VALUES];
        self.change_values(state, &mut values);
        rules.behind((self.changes(), &values), index, state)
    }

    /// The index of the first input whose change between two states is more than `part` of its size.
    fn changed_input(&mut self, states: [&State<R, N>; 2], part: f64) -> Option<usize>;

    /// The outputs at a state.
    fn outputs(&mut self, state: &State<R, N>, out: &mut [R]);

    /// Whether the system has contacts but no rules for them.
    fn lacks_rules(&self) -> bool;

    /// Whether rows open and close: those of contacts, and of constraints that modes switch.
    fn opens(&self) -> bool;

    /// Whether a friction at rest holds up to a static bound.
    fn breaks_away(&self) -> bool;

    /// Checks the bounds and gaps at a state from which a method starts that resolves contacts within its steps. `whole` is the rounding of the times of the whole integration.
    ///
    /// # Errors
    /// [`Failure::NegativeBound`], [`Failure::Breakaway`], [`Failure::Penetration`], [`Failure::BadRestitution`], [`Failure::SingularMass`].
    fn check_start_of_scheme(&mut self, state: &State<R, N>, whole: R) -> Result<(), Failure>;

    /// Sets the phases of the contacts.
    fn set_phases(&mut self, phases: Phases);

    /// The sizes that the motion has reached, as long as tolerances follow them.
    fn sizes(&self) -> Option<Sizes<R, N>>;

    /// Sets the sizes that the motion has reached.
    fn set_sizes(&mut self, sizes: Option<Sizes<R, N>>);

    /// Decides the phases of the contacts at a state, after the impacts there. `reached` are the switching functions whose zero
    /// the motion has met, and whether the state is the first one or was changed by a map. The roundings are that of the time, and that of
    /// the times of the whole integration where it begins.
    ///
    /// # Errors
    /// [`Failure::SingularMass`], [`Failure::NegativeBound`], [`Failure::Breakaway`]; at contacts that open and close also [`Failure::Penetration`],
    /// [`Failure::BadRestitution`], [`Failure::ImpactEnergy`], [`Failure::ManyImpacts`].
    fn settle(
        &mut self,
        state: &State<R, N>,
        reached: (Set, bool),
        roundings: [R; 2],
    ) -> Result<Settled<R, N>, Failure>;

    /// The state, near the end of a step over the switches `crossed`, at which the first gap or slip rate among them is 0. It is the second
    /// state if there is none. `latest` is the latest time that is allowed, next to
    /// the rounding of the time.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn reached(&mut self, states: [&State<R, N>; 2], crossed: Set, latest: [R; 2]) -> Result<State<R, N>, Failure>;

    /// Whether one of these switching functions is the gap of an open contact.
    fn closes(&self, crossed: Set) -> bool;

    /// The state at which no sticking contact slips. Where a section `ends`, no slip is beyond its rest there.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn hold(&mut self, state: &State<R, N>, ends: bool) -> Result<State<R, N>, Failure>;

    /// The magnitudes of the accelerations that contacts and frictions give to the coordinates at a state. They may cancel the accelerations by the other forces up to rounding.
    fn cancelled_at(&mut self, state: &State<R, N>) -> SVector<R, N>;

    /// Tells a method whether the interpolant of its next step will be asked for.
    fn set_interpolated(&mut self, interpolated: bool);

    /// Ends an attempt that a method judged itself. It is counted if it was `accepted` only because the tolerances are below the rounding.
    /// Returns the squares of its error relative to the largest tolerances allowed and to those that follow the motion, if the first ones
    /// would accept it and the second ones do not.
    fn end_judged(&mut self, accepted: bool) -> Option<[f64; 2]>;

    /// Tells a method that judges its own steps whether the errors of its next attempt are rounding.
    fn set_errors_are_rounding(&mut self, are_rounding: bool);

    /// Checks the controller's settings.
    ///
    /// # Errors
    /// [`Failure::BadOption`] names the setting.
    fn check_controller(&self) -> Result<(), Failure>;

    /// Whether the controller has inputs before it is told of the start.
    fn holds_inputs(&self) -> bool;

    /// Tells the controller that the motion has reached `state`. Returns whether this changed the inputs.
    fn arrive(&mut self, state: &State<R, N>) -> bool;

    /// The first time after `t`, and not after `t_end`, at which the controller's inputs may jump.
    fn next_discontinuity(&self, t: R, t_end: R) -> Option<R>;
}

impl<S, K, R, const N: usize, const C: usize, const U: usize> Branching<R, N> for Evaluator<'_, S, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    #[inline(always)]
    fn switch_count(&self) -> usize {
        self.system.switch_count()
    }

    fn switch_names(&self) -> &'static [&'static str] {
        self.system.switch_names()
    }

    fn acceleration_under(&mut self, state: &State<R, N>, v: &SVector<R, N>) -> Result<SVector<R, N>, SingularMass> {
        let u = self.controller.input(state.t, &state.q, v);
        Ok(self.solved(state.t, &state.q, &state.v, &u)?.acceleration)
    }

    fn switches(&mut self, state: &State<R, N>, out: &mut [R]) {
        let State { t, q, v } = state;
        let u = self.controller.input(*t, q, v);
        self.system.switches(*t, q, v, &u, out);
    }

    fn branch(&mut self, state: &State<R, N>) -> Branch {
        let State { t, q, v } = state;
        let u = self.controller.input(*t, q, v);
        self.branch_at(*t, q, v, &u)
    }

    fn check_switches(&mut self, state: &State<R, N>) -> Result<(), Failure> {
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

    fn stay_on_branch(&mut self, start: &State<R, N>, attempt: (R, bool), smooth: Smooth<R, N>) {
        let branch = self.branch_of_phase(start);
        self.attempt = Some(Attempt::new(branch, *start, attempt, smooth));
    }

    fn look_at(&mut self, state: &State<R, N>) -> Result<(), Failure> {
        if self.branch(state).has_unsigned(self.system.switch_count()) {
            self.check_switches(state)?;
        }
        let State { t, q, v } = state;
        let u = self.controller.input(*t, q, v);
        self.check_bounds(state, &u)?;
        self.look(*t, q, v, &u);
        Ok(())
    }

    fn leave_branch(&mut self) -> Set {
        self.attempt.take().map_or(Set::EMPTY, |attempt| attempt.strayed)
    }

    #[inline(always)]
    fn row_names(&self) -> &'static [&'static str] {
        self.system.row_names()
    }

    fn row_laws(&self) -> &'static [Law] {
        self.system.row_laws()
    }

    fn row_switches(&self) -> &'static [usize] {
        self.system.row_switches()
    }

    fn contact_set(&self) -> Set {
        self.known_contacts()
    }

    #[inline(always)]
    fn phases(&self) -> Phases {
        self.phases
    }

    fn open_gaps(&mut self, state: &State<R, N>, out: &mut [Option<f64>]) {
        self.decided(|rules, known, inputs| rules.open_gaps(*known, inputs, state, out));
    }

    fn gap_count(&self) -> usize {
        self.system.gap_count()
    }

    fn bound_count(&self) -> usize {
        self.system.bound_count()
    }

    fn margins(&mut self, state: &State<R, N>, out: &mut [Option<(f64, f64)>]) {
        self.decided(|rules, known, inputs| rules.margins(*known, inputs, state, out));
    }

    fn count_coarse_search(&mut self) {
        self.statistics.coarse_searches += 1;
    }

    fn turns(&mut self, states: [&State<R, N>; 2], blind: bool) -> bool {
        self.decided(|rules, known, inputs| rules.turns(*known, inputs, states, blind)).unwrap_or(false)
    }
}

impl<S, K, R, const N: usize, const C: usize, const U: usize> Monitor<R, N, C> for Evaluator<'_, S, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    fn coordinates(&self) -> &'static [&'static str] {
        self.system.coordinates()
    }

    fn parameters(&self) -> Parameters<'_, R> {
        self.system.parameters()
    }

    fn fingerprint(&self) -> Fingerprint {
        self.system.fingerprint()
    }

    fn holonomic_count(&self) -> usize {
        self.system.holonomic_count()
    }

    fn check_initial(&self, state: &State<R, N>) -> Result<(), Failure> {
        let first = N.saturating_sub(self.system.state_count());
        // Along a motion, a value is hardly ever exactly 0 while its integral is not.
        let is_misplaced = |&index: &usize| state.q[index] != R::ZERO && state.v[index] == R::ZERO;
        if let Some(coordinate) = (first..first + self.system.without_inertia_count()).find(is_misplaced) {
            return Err(Failure::MisplacedValue { coordinate });
        }
        constraint::check(self.system, state)
    }

    fn vanishing_gradient(&self, state: &State<R, N>) -> Option<&'static str> {
        constraint::vanishing(self.system, state.t, &state.q)
    }

    fn output_names(&self) -> &'static [&'static str] {
        self.system.output_names()
    }

    fn outputs_of_forces(&self) -> &'static [usize] {
        self.system.outputs_of_forces()
    }

    #[inline(always)]
    fn switch_rules(&self) -> Option<&'static dyn SwitchRules<R, N>> {
        if self.system.switch_count() == 0 { None } else { self.system.switch_rules() }
    }

    #[inline(always)]
    fn change_rules(&self) -> Option<&'static dyn ChangeRules<R, N>> {
        if self.system.mode_count() == 0 { None } else { self.system.change_rules() }
    }

    #[inline(always)]
    fn mode_count(&self) -> usize {
        self.system.mode_count()
    }

    fn changes(&self) -> &'static [Change] {
        self.system.changes()
    }

    fn change_values(&mut self, state: &State<R, N>, out: &mut [R]) {
        if self.system.mode_count() != 0 {
            let State { t, q, v } = state;
            let u = self.controller.input(*t, q, v);
            self.system.change_values(*t, q, v, &u, out);
        }
    }

    fn changed_input(&mut self, states: [&State<R, N>; 2], part: f64) -> Option<usize> {
        let [first, second] = states;
        let first = self.controller.input(first.t, &first.q, &first.v);
        let second = self.controller.input(second.t, &second.q, &second.v);
        for index in 0..U {
            let (a, b) = (first[index], second[index]);
            if (b - a).abs() > (a.abs() + b.abs()) * R::from_f64(part) {
                return Some(index);
            }
        }
        None
    }

    fn outputs(&mut self, state: &State<R, N>, out: &mut [R]) {
        let State { t, q, v } = state;
        let u = self.controller.input(*t, q, v);
        self.system.outputs(*t, q, v, &u, out);
    }

    fn opens(&self) -> bool {
        self.system.gap_count() != 0 || self.system.latch_count() != 0
    }

    fn breaks_away(&self) -> bool {
        !self.system.breakaway_rows().is_empty()
    }

    fn lacks_rules(&self) -> bool {
        let mut room = 0;
        self.system.contact_rules(&mut |rules| room = rules.room());
        self.system.row_count() > room
    }

    fn check_start_of_scheme(&mut self, state: &State<R, N>, whole: R) -> Result<(), Failure> {
        Evaluator::check_start_of_scheme(self, state, whole)
    }

    fn set_phases(&mut self, phases: Phases) {
        self.phases = phases;
    }

    fn settle(
        &mut self,
        state: &State<R, N>,
        (crossed, fresh): (Set, bool),
        roundings: [R; 2],
    ) -> Result<Settled<R, N>, Failure> {
        let [rounding, whole] = [roundings[0].to_f64(), roundings[1].to_f64()];
        let reached = Reached { crossed: self.rows_among(crossed), fresh, rounding, whole };
        self.decided(|rules, known, inputs| rules.settle(known, inputs, state, reached))
            .unwrap_or(Ok(Settled::unchanged(*state)))
    }

    fn reached(&mut self, states: [&State<R, N>; 2], crossed: Set, latest: [R; 2]) -> Result<State<R, N>, Failure> {
        let [latest, rounding] = latest;
        let crossed = (self.rows_among(crossed), latest, rounding.to_f64());
        self.decided(|rules, known, inputs| rules.reached(*known, inputs, states, crossed)).unwrap_or(Ok(*states[1]))
    }

    fn closes(&self, crossed: Set) -> bool {
        let crossed = self.rows_among(crossed);
        let is_open = |k: usize| crossed >> k & 1 == 1 && !self.phases.sticks(k);
        let laws = self.system.row_laws().iter().enumerate();
        laws.into_iter().any(|(k, law)| k < MAX_ROWS && matches!(law, Law::Contact { .. }) && is_open(k))
    }

    fn hold(&mut self, state: &State<R, N>, ends: bool) -> Result<State<R, N>, Failure> {
        self.decided(|rules, known, inputs| rules.hold(*known, inputs, state, ends)).unwrap_or(Ok(*state))
    }

    #[inline(always)]
    fn cancelled_at(&mut self, state: &State<R, N>) -> SVector<R, N> {
        self.given_at(state)
    }

    #[inline(always)]
    fn sizes(&self) -> Option<Sizes<R, N>> {
        self.sizes
    }

    #[inline(always)]
    fn set_sizes(&mut self, sizes: Option<Sizes<R, N>>) {
        self.sizes = sizes;
    }

    #[inline(always)]
    fn set_interpolated(&mut self, interpolated: bool) {
        self.interpolated = interpolated;
    }

    #[inline(always)]
    fn end_judged(&mut self, accepted: bool) -> Option<[f64; 2]> {
        self.statistics.beyond_reach += u64::from(accepted && self.beyond_reach);
        self.beyond_reach = false;
        self.refused.take().filter(|_| !accepted)
    }

    #[inline(always)]
    fn set_errors_are_rounding(&mut self, are_rounding: bool) {
        self.errors_are_rounding = are_rounding;
    }

    fn check_controller(&self) -> Result<(), Failure> {
        self.controller.check()
    }

    fn holds_inputs(&self) -> bool {
        self.controller.holds()
    }

    fn arrive(&mut self, state: &State<R, N>) -> bool {
        let State { t, q, v } = state;
        if !self.arrived && !self.controller.holds() {
            self.arrived = true;
            self.controller.arrive(*t, q, v);
            return false;
        }
        self.arrived = true;
        let before = self.controller.input(*t, q, v);
        self.controller.arrive(*t, q, v);
        before != self.controller.input(*t, q, v)
    }

    fn next_discontinuity(&self, t: R, t_end: R) -> Option<R> {
        self.controller.next_discontinuity(t, t_end)
    }
}

/// An evaluator that can lend its system and controller to another evaluator, which has its own counters.
pub trait Fork<R: Real, const N: usize, const C: usize>: Evaluate<R, N, C> + Monitor<R, N, C> + Sized {
    /// The other evaluator.
    type Forked<'b>: Fork<R, N, C>
    where
        Self: 'b;

    /// An evaluator of the same system and controller whose counters start at 0. A loop that owns it can keep its counters in
    /// registers.
    fn fork(&mut self) -> Self::Forked<'_>;

    /// Calls `work` with a fork of this evaluator, and adds the fork's counts to this evaluator's. Use it for out-of-line
    /// calls: passing this evaluator's address would keep its counters in memory during the loop.
    #[inline(always)]
    fn with_fork<T>(&mut self, work: impl FnOnce(&mut Self::Forked<'_>) -> T) -> T {
        let mut other = self.fork();
        let result = work(&mut other);
        let counted = *other.statistics();
        drop(other);
        *self.statistics_mut() += counted;
        result
    }
}

impl<S, K, R, const N: usize, const C: usize, const U: usize> Fork<R, N, C> for Evaluator<'_, S, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    type Forked<'b>
        = Evaluator<'b, S, K, R, N, C, U>
    where
        Self: 'b;

    #[inline(always)]
    fn fork(&mut self) -> Evaluator<'_, S, K, R, N, C, U> {
        Evaluator {
            options: self.options,
            watched: self.watched,
            phases: self.phases,
            sizes: self.sizes,
            errors: self.errors,
            of_velocities: self.of_velocities,
            controls_errors: self.controls_errors,
            ..Evaluator::without_errors(self.system, self.controller)
        }
    }
}
