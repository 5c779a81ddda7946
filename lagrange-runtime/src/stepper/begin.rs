//! The checks before the first step and before each section.

use super::diagnosis;
use super::point::Point;
use super::section::Section;
use super::watch::Integration;
use crate::change::{self, MAX_CHANGE_VALUES};
use crate::contact::{Phases, Settled};
use crate::error::{Component, Failure};
use crate::evaluator::{Led, Monitor};
use crate::event::{Event, EventFunction, MAX_EVENTS, MAX_FUNCTIONS, MAX_SWITCHES, Set};
use crate::instant::Cause;
use crate::method::{Method, Pace};
use crate::options::Options;
use crate::quantities::Law;
use crate::scalar::Real;
use crate::state::{State, time_rounding};

/// What a method needs, in the words of its error, where a mechanism has this statement and the method does not hold contacts.
macro_rules! holding {
    ($statement:literal) => {
        concat!(
            "a mechanism without ",
            $statement,
            ", because it does not hold contacts, or cannot locate them here; take a method that does, such as `Dop853` or `Radau5`, leave \
             `locate_switches` on, and pass the mechanism itself in place of a system that wraps it"
        )
    };
}

/// What happened at the initial state.
#[derive(Debug)]
pub(super) struct Opening<R: Real, const N: usize> {
    pub(super) initial: State<R, N>,
    /// The state behind the changes of modes.
    pub(super) changed: State<R, N>,
    /// What became of the contacts there.
    pub(super) settled: Settled<R, N>,
}

/// Starts `method` at the initial state. Returns the point there, the first section, and what happened at contacts: their phases are decided,
/// after the impacts there, and the velocity is brought to rest exactly where a contact sticks.
///
/// # Errors
/// The failure names what makes no sense: an option, a setting, a component of the state, or a constraint that the state
/// breaks.
#[inline(never)]
#[allow(clippy::type_complexity, reason = "a point, a section and an instant")]
pub(super) fn begin<M, R, const N: usize, const C: usize>(
    evaluator: &mut dyn Led<M, R, N, C>,
    initial: &State<R, N>,
    t_end: R,
    method: &M,
    options: &Options<'_, R, N>,
) -> Result<(Point<R, N, M::Memory>, Section<R>, Opening<R, N>), Failure>
where
    M: Method<R, N, C>,
    R: Real,
{
    check_pace(method)?;
    check_start(evaluator, initial, t_end, method.pace(), options)
        .map_err(|failure| diagnosis::at_start(evaluator, failure, initial))?;
    // A controller that keeps its inputs is told of the start where the first section is entered, after the impacts of the start. Another
    // one has no inputs before.
    let mut section = None;
    if !evaluator.holds_inputs() {
        section = Some(enter(evaluator, initial, t_end, options, (method.pace(), true))?.0);
    }
    if options.locate_switches && evaluator.switch_count() != 0 {
        evaluator.check_switches(initial).map_err(|failure| diagnosis::at_start(evaluator, failure, initial))?;
    }
    check_rules(evaluator, method, options)?;
    let changed = first_modes(evaluator, initial, t_end, method, options)?;
    let mut settled = Settled::unchanged(changed);
    let is_loaded = evaluator.bound_count() != 0;
    let breaks_away = evaluator.breaks_away();
    if !evaluator.row_names().is_empty() || evaluator.opens() || is_loaded || breaks_away {
        let resolves = method.resolves_contacts();
        let known =
            (resolves || method.holds_contacts() && options.locate_switches) && !evaluator.row_names().is_empty();
        let needs = if evaluator.opens() {
            Some(holding!("`contact`, and without constraints that modes switch"))
        } else if is_loaded {
            Some(holding!("`friction` whose slip is a vector or whose bound contains a multiplier"))
        } else if breaks_away {
            Some(holding!("`breakaway`, whose friction at rest is larger than the friction of a slip"))
        } else {
            None
        };
        if let Some(needs) = needs.filter(|_| !known) {
            return Err(Failure::NotApplicable { method: method.name(), needs });
        }
        settled = match resolves {
            true => check_scheme(evaluator, &changed, t_end)?,
            false => first_phases(evaluator, &changed, t_end, known)?,
        };
    }
    let t = initial.t;
    let section = section.unwrap_or_else(|| Section::empty(t).ending_in_jump(options.stops.contains(&t)));
    match evaluator.start(method, &settled.state) {
        Ok(memory) => {
            let opening = Opening { initial: *initial, changed, settled };
            Ok((Point::initial(settled.state, memory), section, opening))
        }
        Err(failure) => Err(diagnosis::at_start(evaluator, failure, initial)),
    }
}

/// The initial state behind the changes of modes whose conditions hold there.
fn first_modes<M, R, const N: usize, const C: usize>(
    evaluator: &mut dyn Led<M, R, N, C>,
    initial: &State<R, N>,
    t_end: R,
    method: &M,
    options: &Options<'_, R, N>,
) -> Result<State<R, N>, Failure>
where
    M: Method<R, N, C>,
    R: Real,
{
    let Some(rules) = evaluator.change_rules() else { return Ok(*initial) };
    if t_end < initial.t {
        let allowed = "at or after the start, because the changes of modes do not determine the motion before it";
        return Err(Failure::bad_option("t_end", t_end, allowed));
    }
    let mut observer = ();
    let mut integration = Integration::new(evaluator, method, (&mut observer, 0), options);
    rules.settle(&mut integration, initial, time_rounding(initial.t, initial.t), &mut |_| ())
}

/// Checks a start of a method that resolves contacts within its steps.
#[cold]
fn check_scheme<R: Real, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    initial: &State<R, N>,
    t_end: R,
) -> Result<Settled<R, N>, Failure> {
    if t_end < initial.t {
        return Err(Failure::bad_option("t_end", t_end, ONLY_FORWARD));
    }
    evaluator.check_start_of_scheme(initial, time_rounding(initial.t, t_end))?;
    Ok(Settled::unchanged(*initial))
}

/// The ends that a motion with contacts may have, as the text of an error.
const ONLY_FORWARD: &str =
    "at or after the start, because dry friction and impacts do not determine the motion before it";

/// Decides the first phases of the contacts where a method lets them stick, after the impacts at the initial state. The phases are not
/// changes.
#[cold]
fn first_phases<R: Real, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    initial: &State<R, N>,
    t_end: R,
    known: bool,
) -> Result<Settled<R, N>, Failure> {
    if t_end < initial.t {
        return Err(Failure::bad_option("t_end", t_end, ONLY_FORWARD));
    }
    evaluator.set_phases(Phases::new(known, evaluator.opens()));
    if !known {
        return Ok(Settled::unchanged(*initial));
    }
    // No step has been made, so that the time is exact up to its own rounding.
    let roundings = [time_rounding(initial.t, initial.t), time_rounding(initial.t, t_end)];
    Ok(Settled { changed: 0, ..evaluator.settle(initial, (Set::EMPTY, true), roundings)? })
}

/// Fails if a system has switches or contacts and gives no rules for them, and if the motion is to end at an instant that it cannot have.
pub(super) fn check_rules<M, R, const N: usize, const C: usize>(
    evaluator: &dyn Monitor<R, N, C>,
    method: &M,
    options: &Options<'_, R, N>,
) -> Result<(), Failure>
where
    M: Method<R, N, C>,
    R: Real,
{
    let is_known = |cause: &Cause| match cause {
        Cause::Impact(name) | Cause::Phase(name, _) => evaluator.row_names().contains(name),
        Cause::Mode(name) => evaluator.changes().iter().any(|change| change.mode == *name),
        _ => false,
    };
    if let Some(index) = options.ends_at.iter().position(|cause| !is_known(cause)) {
        return Err(Failure::UnknownInstant { index });
    }
    let resolves = method.resolves_contacts();
    let needs = if resolves && evaluator.row_laws().iter().any(|law| matches!(law, Law::Latch { .. })) {
        "a mechanism without constraints that modes switch: when they begin to hold is not located within its steps"
    } else if resolves && options.ends_at.iter().any(|cause| !matches!(cause, Cause::Mode(_))) {
        "`ends_at` without impacts and phases of contacts, because their times are not located within its steps"
    } else if options.locate_switches && evaluator.switch_count() != 0 && evaluator.switch_rules().is_none() {
        "a system with switching functions to give the rules for them, by `Some(&Switches)` from `System::switch_rules`, or \
         `locate_switches: false`"
    } else if evaluator.mode_count() != 0 && evaluator.change_rules().is_none() {
        "a system with modes to give the rules for them, by `Some(&Changes)` from `System::change_rules`"
    } else if change::count(evaluator.changes()) > MAX_CHANGE_VALUES {
        "a system whose modes have at most 128 conditions and assigned values"
    } else if evaluator.lacks_rules() {
        "a mechanism with contacts to give their rules, by `ask(&Ruled::<Self, W>::new(self))` from `System::contact_rules`, where W is the number \
         of rows plus 1"
    } else if is_loaded_among_many(evaluator.row_laws()) {
        "a mechanism with at most 8 rows of frictions, because the bound of one with a scalar slip contains multipliers"
    } else {
        return Ok(());
    };
    Err(Failure::NotApplicable { method: method.name(), needs })
}

/// Whether a bound contains multipliers among so many rows that not all combinations of their phases are tried.
fn is_loaded_among_many(laws: &[Law]) -> bool {
    laws.len() > 8 && laws.iter().any(|law| matches!(law, Law::Loaded { .. }))
}

/// Fails if the method's pace is not of the kind that its constant `ADAPTIVE` states. The driver compiles only the loop of that
/// kind.
pub(super) fn check_pace<M, R, const N: usize, const C: usize>(method: &M) -> Result<(), Failure>
where
    M: Method<R, N, C>,
    R: Real,
{
    if matches!(method.pace(), Pace::Adaptive(_)) == M::ADAPTIVE {
        Ok(())
    } else {
        Err(Failure::NotApplicable { method: method.name(), needs: "a pace that agrees with `Method::ADAPTIVE`" })
    }
}

/// Checks the initial state and the settings.
fn check_start<R: Real, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    initial: &State<R, N>,
    t_end: R,
    pace: Pace<R>,
    options: &Options<'_, R, N>,
) -> Result<(), Failure> {
    if let Some((component, value)) = Component::first_not_finite(initial) {
        return Err(Failure::BadState { component, value: value.to_f64() });
    }
    evaluator.check_initial(initial)?;
    check(evaluator, initial, t_end, pace, options)?;
    options.check_evaluation_times(initial.t, t_end)
}

/// Checks the settings of the options, the events, the method's pace and the controller.
pub(super) fn check<R: Real, const N: usize, const C: usize>(
    evaluator: &dyn Monitor<R, N, C>,
    state: &State<R, N>,
    t_end: R,
    pace: Pace<R>,
    options: &Options<'_, R, N>,
) -> Result<(), Failure> {
    options.check_settings(state.t, t_end)?;
    check_events(evaluator, options)?;
    let count = evaluator.switch_count();
    if options.locate_switches && count > MAX_SWITCHES {
        return Err(Failure::TooManySwitches { count });
    }
    match pace {
        Pace::Fixed(h) if !(h > R::ZERO && h.is_finite()) => {
            return Err(Failure::bad_option("h", h, "positive and finite"));
        }
        Pace::Fixed(_) => {}
        Pace::Adaptive(control) => control.check()?,
    }
    evaluator.check_controller()
}

/// Checks that every event's function exists.
fn check_events<R: Real, const N: usize, const C: usize>(
    evaluator: &dyn Monitor<R, N, C>,
    options: &Options<'_, R, N>,
) -> Result<(), Failure> {
    if options.events.len() + evaluator.changes().len() > MAX_EVENTS {
        let count = R::from_f64(options.events.len() as f64);
        return Err(Failure::bad_option("events.len()", count, "at most 256, together with the changes of modes"));
    }
    for (event, Event { function, .. }) in options.events.iter().enumerate() {
        match *function {
            EventFunction::Output(index) if index >= evaluator.output_names().len().min(MAX_FUNCTIONS) => {
                return Err(Failure::UnknownOutput { event, index, outputs: evaluator.output_names() });
            }
            EventFunction::Output(index) if evaluator.outputs_of_forces().contains(&index) => {
                let allowed = "functions of the state or outputs without `friction(name)` and `contact(name)`: between the ends of \
                               steps, the force of a contact is not known";
                return Err(Failure::bad_option("events", R::from_f64(event as f64), allowed));
            }
            EventFunction::Switch(index) if index >= evaluator.switch_count().min(MAX_FUNCTIONS) => {
                return Err(Failure::UnknownSwitch { event, index, count: evaluator.switch_count() });
            }
            EventFunction::State(_) | EventFunction::Output(_) | EventFunction::Switch(_) => {}
        }
    }
    Ok(())
}

/// Tells the controller that the motion has reached `state`, if it `arrives` at a start, a stop or a discontinuity. Returns the section from there to the next stop, to the
/// controller's next discontinuity, or to `t_end`, whichever comes first, and whether the controller changed the inputs.
pub(super) fn enter<R: Real, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    state: &State<R, N>,
    t_end: R,
    options: &Options<'_, R, N>,
    (pace, arrives): (Pace<R>, bool),
) -> Result<(Section<R>, bool), Failure> {
    let t = state.t;
    if t == t_end {
        return Ok((Section::empty(t), false));
    }
    let changes_inputs = arrives && evaluator.arrive(state);
    let stop = options.next_stop(t, t_end);
    let t_end = stop.unwrap_or(t_end);
    let end = match evaluator.next_discontinuity(t, t_end) {
        None => t_end,
        Some(next) => {
            let beyond = if t < t_end { t < next && next <= t_end } else { t > next && next >= t_end };
            if !beyond {
                return Err(Failure::bad_option(
                    "next_discontinuity",
                    next,
                    "after the time asked from and not after `t_end`",
                ));
            }
            next
        }
    };
    let jump = stop.is_some_and(|stop| stop == end);
    Ok((Section::new(t, end, pace)?.ending_in_jump(jump), changes_inputs))
}
