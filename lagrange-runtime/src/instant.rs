//! The record of an integration: what happens at the instants at which a motion changes.
//!
//! At one instant, things happen in this order: events in the order of the options, each with its map; changes of modes, until no condition
//! holds; impacts and changes of phases at contacts, until no contact approaches, and changes of modes again; the sample of a controller; changes
//! of modes and of phases under its inputs.

use crate::scalar::Real;
use crate::state::State;

/// Something that happened at an instant of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instant<R: Real, const N: usize> {
    /// What happened.
    pub cause: Cause,
    /// The state before it. Its time is that of the instant.
    pub before: State<R, N>,
    /// The state after it. The states before and after impacts and changes of phases at one instant are those before and after all of them.
    pub after: State<R, N>,
    /// The impulse of an impact: the force on the row, in the unit of force times time, integrated over the instant. It is 0 for other causes.
    pub impulse: R,
}

/// The cause of an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The event of this index among those of the options.
    Event(usize),
    /// A switching function of the system, of this index, changed its sign, and the equations their branch.
    Switch(usize),
    /// An impact. The name is the name of the contact, or `floor.slip` for the friction at the contact `floor`, or the name of the row of a
    /// constraint that modes have switched on.
    Impact(&'static str),
    /// A contact, a friction, or a constraint that modes switch, of this name changed its phase.
    Phase(&'static str, Phase),
    /// A mode of this name changed its value.
    Mode(&'static str),
    /// The controller changed the inputs.
    Inputs,
}

/// The phase of a contact or of a friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The contact is closed and bears a force, or modes have switched the constraint on.
    Closed,
    /// The contact is open, or modes have switched the constraint off.
    Open,
    /// The friction sticks.
    Sticks,
    /// The slip rate is positive, or the slip is a vector that does not vanish.
    Slips,
    /// The slip rate is negative.
    SlipsBackward,
}

impl core::fmt::Display for Phase {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::Sticks => "sticks",
            Self::Slips => "slips",
            Self::SlipsBackward => "slips backward",
        })
    }
}
