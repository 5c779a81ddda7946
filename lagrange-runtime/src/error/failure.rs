//! The failures that can stop an integration, each with its cause and its remedy.

mod remedy;

use super::component::Names;
use super::{Component, Number, PivotOf, SingularMass};
use crate::limits::{MAX_FUNCTIONS, MAX_SWITCHES};
use crate::number::list;
use crate::scalar::{Real, Scalar};
use crate::state::State;
use core::fmt;

/// The part in which the integration that wrote a checkpoint differs from the one that is to resume it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointPart {
    /// The version of this library.
    Version,
    /// The block or the struct of the mechanism.
    Mechanism,
    /// The values of the mechanism's parameters or default inputs.
    Parameters,
    /// The method, or its order.
    Method,
    /// The method's fixed step size, or its step control.
    Step,
}

/// A jump of the accelerations between two states that differ by a rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// The index of the coordinate whose acceleration jumps most.
    pub coordinate: u32,
    /// The index of the input that jumps there, if one does.
    pub input: Option<u32>,
    /// The switching function of the equations that changes its sign there, if one does.
    pub switch: Option<&'static str>,
}

/// Why an integration stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// An option, or a setting of the method or the controller, makes no sense.
    BadOption {
        /// Its name.
        option: &'static str,
        /// Its value.
        value: f64,
        /// The values that are allowed, in words.
        allowed: &'static str,
    },
    /// The initial state is not finite.
    BadState {
        /// The first component that is not.
        component: Component,
        /// Its value.
        value: f64,
    },
    /// A time of `t_eval` is not finite, not in order, or outside the span.
    BadEvaluationTime {
        /// Its index.
        index: usize,
        /// Its value.
        value: f64,
        /// The values that are allowed, in words.
        allowed: &'static str,
    },
    /// The method does not apply to this mechanism.
    NotApplicable {
        /// The method's name.
        method: &'static str,
        /// What it needs of a mechanism.
        needs: &'static str,
    },
    /// A step gave a state that is infinite or NaN.
    NotFinite {
        /// The first component that is not finite, if it is known.
        component: Option<Component>,
    },
    /// The mass matrix became singular.
    SingularMass(SingularMass),
    /// A state could not be brought onto a constraint.
    ConstraintFailed {
        /// The constraint that remains broken most.
        constraint: &'static str,
        /// The residual that remains: of g, or of the hidden constraint.
        residual: f64,
    },
    /// The initial state breaks a constraint.
    InconsistentInitialState {
        /// The constraint that is broken most.
        constraint: &'static str,
        /// The residual: g, or the rate G v + drift of the hidden constraint.
        residual: f64,
        /// Whether the hidden constraint is broken, and not g.
        hidden: bool,
    },
    /// The initial state has the value of a coordinate without inertia in the place of its hidden coordinate, and 0 in its own
    /// place.
    MisplacedValue {
        /// The coordinate's index.
        coordinate: usize,
    },
    /// The iteration for an implicit step did not converge.
    NewtonFailed {
        /// The number of iterations.
        iterations: u32,
        /// The largest component of the last increment, in the unit of a velocity.
        increment: f64,
    },
    /// The iteration for an implicit step did not converge, and the controller's input depends on the velocity.
    FeedbackFailed {
        /// The number of iterations.
        iterations: u32,
        /// The largest component of the last increment, in the unit of a velocity.
        increment: f64,
    },
    /// The gradient of a holonomic constraint vanishes, so that no multiplier can enforce the constraint.
    VanishingGradient {
        /// The constraint.
        constraint: &'static str,
    },
    /// The step size fell below the rounding of the time.
    StepTooSmall {
        /// The step size.
        step: f64,
    },
    /// The error estimate asks for a step below the option `min_step`.
    BelowMinStep {
        /// The option's value.
        min_step: f64,
        /// The size asked for.
        step: f64,
    },
    /// An event that maps the state occurs again and again without resolvable time between (Zeno's paradox).
    Zeno {
        /// The event's index among those of the options.
        event: usize,
    },
    /// A mode changes again and again without resolvable time between: each change makes the condition of another one hold.
    ModeCircle {
        /// The name of the mode.
        mode: &'static str,
    },
    /// The condition of a change of a mode is NaN at a state of the motion.
    UndefinedMode {
        /// The name of the mode.
        mode: &'static str,
        /// The time at which it is NaN. The state in the error is that before the step.
        t: f64,
    },
    /// A checkpoint was written by another integration.
    CheckpointMismatch {
        /// The part of the integration that differs from the checkpoint's.
        of: CheckpointPart,
    },
    /// A number of a checkpoint makes no sense.
    BadCheckpoint {
        /// The name of the number.
        number: &'static str,
        /// Its value.
        value: f64,
        /// The values that are allowed, in words.
        allowed: &'static str,
    },
    /// The motion slides along a switch of the equations, or sticks there: the equations on both sides lead back to it.
    Sliding {
        /// The index of the switching function.
        index: usize,
        /// The switching function as text, where the system names it.
        switch: Option<&'static str>,
    },
    /// Contacts change between sticking and slipping, or between open and closed, again and again, while the motion advances by
    /// almost nothing.
    Chatter {
        /// The contacts, one bit each.
        contacts: u64,
        /// The names of all contacts.
        names: &'static [&'static str],
    },
    /// The bound of a friction force, or the adhesion of a contact, is negative or NaN.
    NegativeBound {
        /// The contact.
        contact: &'static str,
        /// The bound's value.
        bound: f64,
        /// The time. The state in the error is that before the step.
        t: f64,
    },
    /// The static bound of a friction is below the bound under which it slips, or NaN.
    Breakaway {
        /// The contact.
        contact: &'static str,
        /// The static bound; for the slip of a `contact`, the static coefficient of friction.
        breakaway: f64,
        /// The bound under which it slips, or the coefficient of friction.
        bound: f64,
        /// The time. The state in the error is that before the step.
        t: f64,
    },
    /// The initial state, or the state after the map of an event, has a contact whose gap is negative.
    Penetration {
        /// The contact.
        contact: &'static str,
        /// The gap.
        gap: f64,
        /// The time.
        t: f64,
    },
    /// A cause among [`Options::ends_at`](crate::options::Options::ends_at) is none that a motion of the mechanism can end at.
    UnknownInstant {
        /// Its index.
        index: usize,
    },
    /// A constraint is switched on by modes where it does not hold.
    ApartLatch {
        /// The row of the constraint.
        constraint: &'static str,
        /// Left minus right.
        residual: f64,
        /// The time.
        t: f64,
    },
    /// A coefficient of restitution is not from 0 to 1.
    BadRestitution {
        /// The contact.
        contact: &'static str,
        /// The coefficient.
        restitution: f64,
        /// The speed with which the gap closes. It is negative where the gap opens.
        approach: f64,
        /// The time.
        t: f64,
    },
    /// An impact with friction would add energy: Newton's law of restitution contradicts Coulomb's law of friction there.
    ImpactEnergy {
        /// The contact.
        contact: &'static str,
        /// The energy that it would add.
        gain: f64,
        /// The time.
        t: f64,
    },
    /// One impact follows another at the same time, without an end.
    ManyImpacts {
        /// The contacts, one bit each.
        contacts: u64,
        /// The names of all contacts.
        names: &'static [&'static str],
    },
    /// A switching function is NaN at a state of the motion.
    UndefinedSwitch {
        /// The index of the switching function.
        index: usize,
        /// The switching function as text, where the system names it.
        switch: Option<&'static str>,
        /// The time at which it is NaN. The state in the error is that before the step.
        t: f64,
    },
    /// The system has more switching functions than steps can end on ([`MAX_SWITCHES`]).
    TooManySwitches {
        /// The number of the system's switching functions.
        count: usize,
    },
    /// An event's function is NaN at a state of the motion.
    UndefinedEvent {
        /// The event's index among those of the options.
        event: usize,
        /// The time at which it is NaN. The state in the error is that before the step.
        t: f64,
    },
    /// An event names an output that the system does not have, or that cannot serve as an event.
    UnknownOutput {
        /// The event's index among those of the options.
        event: usize,
        /// The output's index.
        index: usize,
        /// The names of the system's outputs.
        outputs: &'static [&'static str],
    },
    /// An event names a switching function that the system does not have, or that cannot serve as an event.
    UnknownSwitch {
        /// The event's index among those of the options.
        event: usize,
        /// The switching function's index.
        index: usize,
        /// The number of the system's switching functions.
        count: usize,
    },
    /// `max_steps` was reached.
    MaxSteps {
        /// The value of `max_steps`.
        max_steps: u64,
    },
    /// `max_steps` was reached. The steps had become so short that a thousand times as many would not reach the end.
    ShrunkenSteps {
        /// The value of `max_steps`.
        max_steps: u64,
        /// The size of the next step.
        step: f64,
    },
    /// Adaptive steps do not make progress, and `max_steps` sets no bound. Either the motion goes back and forth over a jump of
    /// the accelerations, or it cannot be expected to reach the end.
    NoProgress {
        /// The time by which the last attempts advanced.
        advance: f64,
        /// The number of these attempts.
        attempts: u32,
        /// The jump of the accelerations, if there is one.
        jump: Option<Jump>,
    },
    /// The equations are stiff: the stability of an explicit method limits its steps, so that it would take more than 10⁸ of them.
    Stiff {
        /// About how many steps there are up to the end.
        steps: f64,
        /// The rate of the fastest decay, in 1 over the unit of t.
        rate: f64,
    },
    /// At the initial state the equations give an acceleration that is infinite or NaN.
    NoAcceleration {
        /// The index of the first coordinate whose acceleration is not finite.
        coordinate: usize,
    },
    /// The equations give no acceleration, neither at the initial state nor at others, and some of the parameters in them are
    /// not positive.
    DegenerateParameters {
        /// The index of the first coordinate without acceleration.
        coordinate: usize,
        /// The names of the parameters.
        names: &'static [&'static str],
        /// The parameters among the first 64 that are 0, one bit each.
        zero: u64,
        /// The parameters among the first 64 that are negative, one bit each.
        negative: u64,
    },
}

impl Failure {
    /// [`Failure::BadOption`] from a scalar.
    #[cold]
    pub fn bad_option<R: Scalar>(option: &'static str, value: R, allowed: &'static str) -> Self {
        Self::BadOption { option, value: value.to_f64(), allowed }
    }

    /// [`Failure::NotFinite`] with the first component of a state that is not finite. The state comes by value, because a reference would
    /// force it from registers to memory.
    #[cold]
    #[inline(never)]
    pub(crate) fn not_finite<R: Real, const N: usize>(state: State<R, N>) -> Self {
        Self::NotFinite { component: Component::first_not_finite(&state).map(|(component, _)| component) }
    }

    /// Writes what happened. Coordinates and states have their names from `coordinates`, as far as it contains them.
    pub(super) fn describe(&self, f: &mut fmt::Formatter<'_>, coordinates: Names<'_>) -> fmt::Result {
        match *self {
            Self::BadOption { option, value, allowed } => {
                write!(f, "`{option}` is {}; it must be {allowed}", Number(value))
            }
            Self::BadState { component, value } => {
                write!(f, "the initial state is not finite: ")?;
                component.describe(f, coordinates)?;
                write!(f, " is {}", Number(value))
            }
            Self::BadEvaluationTime { index, value, allowed } => {
                write!(f, "`t_eval[{index}]` is {}; it must be {allowed}", Number(value))
            }
            Self::NotApplicable { method, needs } => write!(f, "the method {method} needs {needs}"),
            Self::NotFinite { component: Some(component) } => {
                write!(f, "the next step made ")?;
                // The integral of a state is not finite because the state was not, in a stage of the step at least.
                let cause = match component {
                    Component::Coordinate(index) if coordinates.is_state(index) => Component::Velocity(index),
                    _ => component,
                };
                cause.describe(f, coordinates)?;
                write!(f, " infinite or NaN")
            }
            Self::NotFinite { component: None } => write!(f, "the next step gave values that are infinite or NaN"),
            Self::SingularMass(SingularMass { of: PivotOf::Coordinate(index), .. }) if coordinates.is_state(index) => {
                coordinates.describe_acceleration(f, index)?;
                write!(
                    f,
                    " is not determined: its equation has no solution there, or several, as where a dissipation is not convex"
                )
            }
            Self::SingularMass(SingularMass { of: PivotOf::Coordinate(index), pivot }) => {
                write!(f, "the mass matrix is singular: the pivot of ")?;
                Component::Coordinate(index).describe(f, coordinates)?;
                write!(f, " is {pivot:e}")
            }
            Self::SingularMass(singular) => write!(f, "{singular}"),
            Self::ConstraintFailed { constraint, residual } => {
                write!(f, "constraint `{constraint}` could not be met: {residual:e} is left of it")
            }
            Self::InconsistentInitialState { constraint, residual, hidden } => {
                let rate = if hidden { "the rate of " } else { "" };
                write!(f, "the initial state breaks {rate}constraint `{constraint}` by {residual:e}")
            }
            Self::MisplacedValue { coordinate } => {
                let name = coordinates.all.get(coordinate).copied().unwrap_or("a coordinate");
                write!(
                    f,
                    "`{name}` has no inertia, and the initial state has a value in q[{coordinate}] and 0 in v[{coordinate}]"
                )
            }
            Self::NewtonFailed { iterations, increment } => write!(
                f,
                "the step's equations were not solved in {iterations} iterations (last increment {increment:e})"
            ),
            Self::FeedbackFailed { iterations, increment } => write!(
                f,
                "the step's equations, with an input that depends on the velocity, were not solved in {iterations} iterations (last \
                 increment {increment:e})"
            ),
            Self::VanishingGradient { constraint } => {
                write!(f, "the gradient of constraint `{constraint}` vanishes where it is to be met")
            }
            Self::StepTooSmall { step } => write!(f, "the step size {step:e} is below the rounding of the time"),
            Self::BelowMinStep { min_step, step } => {
                write!(f, "the next step would have to be {step:e}; `min_step` is {}", Number(min_step))
            }
            Self::Zeno { event } => {
                write!(f, "event {event} occurs infinitely often: no resolvable time lies between its occurrences")
            }
            Self::ModeCircle { mode } => {
                write!(f, "the mode `{mode}` changes infinitely often: no resolvable time lies between its changes")
            }
            Self::UndefinedMode { mode, t } => {
                write!(f, "a condition of the mode `{mode}` is NaN at t = {}", Number(t))
            }
            Self::CheckpointMismatch { of } => {
                let what = match of {
                    CheckpointPart::Version => "another version of this library",
                    CheckpointPart::Mechanism => "another mechanism",
                    CheckpointPart::Parameters => "other values of the mechanism's parameters or default inputs",
                    CheckpointPart::Method => "another method",
                    CheckpointPart::Step => "another step size or step control",
                };
                write!(f, "the checkpoint was written by {what}")
            }
            Self::BadCheckpoint { number, value, allowed } => {
                write!(f, "the checkpoint's {number} is {value:e}; it must be {allowed}")
            }
            Self::Sliding { index, switch } => {
                match switch {
                    Some(switch) => write!(f, "the motion slides or sticks where `{switch}` = 0")?,
                    None => write!(f, "the motion slides or sticks where switching function {index} is 0")?,
                }
                write!(f, ": on both sides of it the equations lead back to it")
            }
            Self::Penetration { contact, gap, t } => {
                write!(f, "the gap of contact `{contact}` is {gap:e} at t = {}; it must not be negative", Number(t))
            }
            Self::UnknownInstant { index } => {
                write!(
                    f,
                    "the motion cannot end at `ends_at[{index}]`: the mechanism has no contact and no constraint of this name, or no mode of this name with changes of its own, or it is no such cause"
                )
            }
            Self::ApartLatch { constraint, residual, t } => write!(
                f,
                "constraint `{constraint}` is switched on at t = {}, where it does not hold: its left side minus its right side is {residual:e}",
                Number(t)
            ),
            Self::BadRestitution { contact, restitution, approach, t } => write!(
                f,
                "the restitution of contact `{contact}` is {} at t = {}, where the gap closes at the speed {}; it must be from 0 to 1",
                Number(restitution),
                Number(t),
                Number(approach)
            ),
            Self::ImpactEnergy { contact, gain, t } => {
                write!(f, "the impact at contact `{contact}` at t = {} would add the energy {gain:e}", Number(t))
            }
            Self::ManyImpacts { contacts, names } => {
                write!(f, "impacts follow each other without time between them and without an end, the last at ")?;
                named(f, contacts, names)
            }
            Self::Chatter { contacts, names } => {
                named(f, contacts, names)?;
                let verb = if contacts.count_ones() > 1 { "change between their" } else { "changes between its" };
                write!(f, " {verb} phases again and again, while the motion advances by almost nothing")
            }
            Self::NegativeBound { contact, bound, t } => {
                write!(
                    f,
                    "the bound of the force of `{contact}`, a friction or an adhesion, is {} at t = {}",
                    Number(bound),
                    Number(t)
                )
            }
            Self::Breakaway { contact, breakaway, bound, t } => {
                let (breakaway, bound, t) = (Number(breakaway), Number(bound), Number(t));
                write!(
                    f,
                    "the breakaway of `{contact}` is {breakaway} at t = {t}, and not at least {bound}, under which it slips"
                )
            }
            Self::UndefinedSwitch { index, switch, t } => {
                match switch {
                    Some(switch) => write!(f, "the switching function `{switch}`")?,
                    None => write!(f, "switching function {index}")?,
                }
                write!(f, " is NaN at t = {}", Number(t))
            }
            Self::TooManySwitches { count } => {
                write!(f, "the system has {count} switching functions; steps can end on at most {MAX_SWITCHES}")
            }
            Self::UndefinedEvent { event, t } => {
                write!(f, "the function of event {event} is NaN at t = {}, within the next step", Number(t))
            }
            Self::UnknownOutput { event, index, outputs } => {
                write!(f, "event {event} asks for output {index}; ")?;
                if index < outputs.len() {
                    return write!(f, "only the first {MAX_FUNCTIONS} outputs can serve as events");
                }
                if outputs.is_empty() {
                    return write!(f, "the system has no output");
                }
                write!(f, "the system has ")?;
                list(f, outputs.len(), "outputs", |f, index| write!(f, "{index}: `{}`", outputs[index]))
            }
            Self::UnknownSwitch { event, index, count } => {
                write!(f, "event {event} asks for switching function {index}; ")?;
                match count {
                    0 => write!(f, "the system has none"),
                    _ if index < count => {
                        write!(f, "only the first {MAX_FUNCTIONS} switching functions can serve as events")
                    }
                    _ => write!(f, "the system has those from 0 to {}", count - 1),
                }
            }
            Self::MaxSteps { max_steps } => write!(f, "`max_steps` = {max_steps} attempts at a step were made"),
            Self::ShrunkenSteps { max_steps, step } => {
                write!(
                    f,
                    "`max_steps` = {max_steps} attempts at a step were made, and the next step would be as short as {step:e}"
                )
            }
            Self::Stiff { steps, rate } => write!(
                f,
                "the equations are stiff: something decays at the rate {}, for which this method would take about {} steps up to the end",
                Number(rate),
                Number(steps)
            ),
            Self::NoProgress { advance, attempts, jump } => {
                write!(f, "the last {attempts} attempts at a step advanced by {advance:e}")?;
                let Some(Jump { coordinate, input, switch }) = jump else { return Ok(()) };
                write!(f, ": they go back and forth over a jump of ")?;
                coordinates.describe_acceleration(f, coordinate as usize)?;
                match (switch, input) {
                    (Some(switch), _) => write!(f, " where `{switch}` = 0"),
                    (None, Some(input)) => write!(f, ", at which input {input} jumps"),
                    (None, None) => Ok(()),
                }
            }
            Self::NoAcceleration { coordinate } => {
                write!(f, "at the initial state the equations give ")?;
                coordinates.describe_acceleration(f, coordinate)?;
                write!(f, " no finite value")
            }
            Self::DegenerateParameters { coordinate, names, zero, negative } => {
                write!(f, "at no state do the equations give ")?;
                coordinates.describe_acceleration(f, coordinate)?;
                write!(f, " a finite value: ")?;
                let of = |bits: u64| (0..64).zip(names).filter(move |(index, _)| bits >> index & 1 == 1);
                let zeros = of(zero).map(|(_, name)| (name, "0"));
                for (count, (name, what)) in zeros.chain(of(negative).map(|(_, name)| (name, "negative"))).enumerate() {
                    write!(f, "{}parameter `{name}` is {what}", if count == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
        }
    }
}

/// Writes the contacts whose bits are set.
fn named(f: &mut fmt::Formatter<'_>, contacts: u64, names: &[&str]) -> fmt::Result {
    let mut separator = if contacts.count_ones() > 1 { "the contacts" } else { "the contact" };
    for (_, name) in names.iter().enumerate().filter(|(k, _)| contacts >> k & 1 == 1) {
        write!(f, "{separator} `{name}`")?;
        separator = " and";
    }
    Ok(())
}

impl From<SingularMass> for Failure {
    fn from(singular: SingularMass) -> Self {
        Self::SingularMass(singular)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(f, Names { all: &[], first_state: usize::MAX })
    }
}

impl core::error::Error for Failure {}
