//! The remedy of each failure.

use super::{Failure, Jump};
use crate::error::{PivotOf, SingularMass};

impl Failure {
    /// The remedy that the user has.
    #[inline(never)]
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::BadOption { .. } => "change the option",
            Self::BadState { .. } => "change the initial state",
            Self::BadEvaluationTime { .. } => "change `t_eval`",
            Self::NotApplicable { .. } => "choose another method",
            Self::NotFinite { .. } => {
                "see whether the motion or the controller's input grows without bound there; where neither does, a fixed step \
                 must be smaller"
            }
            Self::SingularMass(SingularMass { of: PivotOf::Constraint { .. }, .. }) => {
                "leave out the constraint, or take the multipliers of least norm: `LeastNorm::new(&system, 1e-4)`"
            }
            Self::SingularMass(SingularMass { of: PivotOf::DependentContact { .. }, .. }) => {
                "bodies that are rigidly connected share the forces of their contacts in several ways: put springs between the contacts, \
                 or state one contact for all"
            }
            Self::SingularMass(SingularMass { of: PivotOf::Contact { .. } | PivotOf::ManyContacts { .. }, .. }) => {
                "friction on rigid bodies does not determine the motion there (Painlevé's paradox): lower the coefficient of friction, \
                 or replace the contact by a stiff spring with a damper"
            }
            Self::SingularMass(_) => "choose coordinates that are regular there, or give the coordinate inertia",
            Self::ConstraintFailed { .. } => {
                "start nearer to the constraint, let other coordinates move, or give coordinates of different units mobilities in their \
                 units; along a motion, take a smaller step"
            }
            Self::InconsistentInitialState { .. } => "bring it onto the constraints with `initialise`",
            Self::MisplacedValue { .. } => {
                "state its initial value in v, and 0 in q: its velocity follows from its equation"
            }
            Self::NewtonFailed { .. } => {
                "take a smaller step: the equations of this one have no solution that goes on from its start, or a fixed-point \
                 iteration does not converge"
            }
            Self::FeedbackFailed { .. } => {
                "lower the controller's gain on velocities, sample the controller, or write its damping as `dissipation`; a \
                 smaller step helps as far as h times the gain falls below the inertia"
            }
            Self::VanishingGradient { .. } => {
                "write the constraint as a function whose gradient does not vanish where it holds, such as `x == l` for \
                 `(x - l)^2 == 0`, or start elsewhere; no step size helps"
            }
            Self::StepTooSmall { .. } => {
                "loosen the tolerances, or see whether the equations are stiff or singular there"
            }
            Self::BelowMinStep { .. } => {
                "lower `min_step`, loosen the tolerances, or see whether the equations are stiff or singular there"
            }
            Self::Zeno { .. } => {
                "state impacts by `contact name: gap >= 0, restitution = e;`, which come to rest; or end the integration by a \
                 terminal event before that, or let the map stop the motion away from the zero"
            }
            Self::ModeCircle { .. } => {
                "let the conditions leave a gap between each other, `when x > high { 1 } when x < low { 0 }` with low < high, so that \
                 a change does not bring about the next one at once; state impacts by `contact`, which comes to rest"
            }
            Self::UndefinedMode { .. } => "state a condition that is defined wherever the motion comes",
            Self::CheckpointMismatch { .. } => "resume it with what wrote it, or start anew from its state",
            Self::BadCheckpoint { .. } => "the stored checkpoint is damaged: resume from another one",
            Self::Sliding { .. } => {
                "where it is a slip rate, state its dry friction by `friction name: slip = bound;`, which sticks under methods \
                 that hold contacts, such as `Dop853` and `Radau5`, if they integrate the mechanism itself; where such a friction or contact sticks already, smooth the other terms that jump \
                 with its slip rate, for example by tanh in place of sign; or end the integration there by a terminal event"
            }
            Self::Chatter { .. } => {
                "see whether the bound of a friction jumps where it begins to slip: a larger bound at rest is stated by `friction name: slip = bound, \
                 breakaway = held;`; or whether a force or an input changes ever faster there; or end the integration there by a terminal event"
            }
            Self::NegativeBound { .. } => "state a bound that is 0 where the surfaces part, such as `max(mu*n, 0)`",
            Self::Breakaway { .. } => {
                "state a breakaway that is never below the friction of a slip, such as `max(held, sliding)`"
            }
            Self::Penetration { .. } => "start where every gap is 0 or positive, and let maps of events keep it so",
            Self::UnknownInstant { .. } => {
                "name an impact or a phase of a contact, a friction or a constraint that modes switch, as by `Cause::Impact(\"floor\")`, or a mode; an \
                 event ends a motion by `terminal()`"
            }
            Self::ApartLatch { .. } => {
                "let the mode change where the constraint holds, or state the constraint relative to a mode that keeps the place: \
                 `x == place`, with `then place = x`"
            }
            Self::BadRestitution { .. } => "state a restitution that stays from 0 to 1, such as `min(e, 1)`",
            Self::ImpactEnergy { .. } => {
                "lower the restitution or the coefficient of friction of the contact: with friction, Newton's law is not valid for \
                 every impact of a body that also turns"
            }
            Self::ManyImpacts { .. } => {
                "lower the restitution of the contacts that touch there, if it is not 0, or leave a small gap between the bodies"
            }
            Self::UndefinedSwitch { .. } => "keep the motion, the parameters and the inputs where it has a value",
            Self::TooManySwitches { .. } => "set `locate_switches` to false, which leaves them to the error estimate",
            Self::UndefinedEvent { .. } => "let the event's function be a number along the whole motion",
            Self::UnknownOutput { .. } => "give the event the index of an output, or a function of the state",
            Self::UnknownSwitch { .. } => {
                "give the event the index of a switching function, or a function of the state"
            }
            Self::MaxSteps { .. } => {
                "raise `max_steps`, or take longer steps: by the method's step size, or by looser tolerances where it adapts"
            }
            Self::ShrunkenSteps { .. } => {
                "see what makes steps short there: a motion that grows without bound, impacts or switches that follow each other ever \
                 faster, or stiff equations, for which `Radau5` takes long steps; more steps would help little"
            }
            Self::Stiff { .. } => {
                "take `Radau5`, where nothing touches or sticks; `max_steps` takes the place of this check"
            }
            Self::NoProgress { jump: Some(Jump { switch: Some(_), .. }), .. } => {
                "set `locate_switches`, if it is false, so that steps end on the switch; if they do already, smooth the switch, for \
                 example by tanh in place of sign, or end the integration there by a terminal event"
            }
            Self::NoProgress { jump: Some(_), .. } => {
                "smooth the jump, for example by tanh in place of sign; or state it in the block, dry friction as \
                 `friction name: slip = bound;`, so that steps end on it; `max_steps` takes the place of this check"
            }
            Self::NoProgress { jump: None, .. } => {
                "loosen the tolerances, or see whether switches follow each other ever faster there, or whether the equations are \
                 stiff, where `Radau5` takes long steps; `max_steps` takes the place of this check"
            }
            Self::NoAcceleration { .. } => {
                "start elsewhere, or change the parameters or inputs: no step size helps where the equations have no value"
            }
            Self::DegenerateParameters { .. } => {
                "give them values above 0; where the block says `assume` of them, `prepare` refuses others"
            }
        }
    }
}
