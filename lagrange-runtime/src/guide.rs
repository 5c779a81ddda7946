//! A guide to the library. The code of every page is compiled and run as a test.
//!
//! | page | about |
//! |---|---|
//! | [`first_mechanism`] | from `cargo new` to equations, a solution and a check, in five minutes |
//! | [`energies`] | from energies to equations: the mathematics, the forms, the Jacobians |
//! | [`constraints`] | multipliers, consistent states, drift and its cures, redundancy, singular positions |
//! | [`friction`] | dissipation functions, dry friction, and what happens where it sticks |
//! | [`inputs`] | default values, functions of time, feedback, sampled systems, delays |
//! | [`events`] | zeros along a motion, impacts, switches, events at the same time |
//! | [`choosing`] | which method and which tolerance, by measured costs |
//! | [`analysis`] | linearisation, equilibria, modes, and what can be asked of a motion |
//! | [`sensitivities`] | derivatives of a motion by its start, parameters and inputs; estimates |
//! | [`control`] | from a mechanism to a feedback that a small computer runs |
//! | [`circuits`] | charges as coordinates: the Lagrange–Maxwell equations |
//! | [`rigid_bodies`] | orientations by angles and by quaternions |
//! | [`large_systems`] | how the size of equations grows, limits, compile time |
//! | [`microcontrollers`] | without std, in single precision, on the stack |
//! | [`methods`] | a method of one's own |
//! | [`verified`] | which claim is tested against what, and how to check your own results |
//! | [`coming_from`] | for users of SymPy, MATLAB, Modelica and Julia |
//!
//! The crate `lagrange-cli` gives a program commands for its own mechanisms: lists, simulations, analyses, plots and reports.
//! Its documentation shows how, from `cargo new` to the report.
//!
//! The reference of the block is the documentation of the attribute [`lagrangian`](macro@crate::lagrangian).

#[cfg(feature = "std")]
#[doc = include_str!("guide/analysis.md")]
pub mod analysis {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/choosing.md")]
pub mod choosing {}

#[doc = include_str!("guide/circuits.md")]
pub mod circuits {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/coming_from.md")]
pub mod coming_from {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/constraints.md")]
pub mod constraints {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/control.md")]
pub mod control {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/energies.md")]
pub mod energies {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/events.md")]
pub mod events {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/first_mechanism.md")]
pub mod first_mechanism {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/friction.md")]
pub mod friction {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/inputs.md")]
pub mod inputs {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/large_systems.md")]
pub mod large_systems {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/methods.md")]
pub mod methods {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/microcontrollers.md")]
pub mod microcontrollers {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/rigid_bodies.md")]
pub mod rigid_bodies {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/sensitivities.md")]
pub mod sensitivities {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/verified.md")]
pub mod verified {}
