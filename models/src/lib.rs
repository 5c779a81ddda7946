//! Mechanisms of the published studies, one a file, and the catalog from which the command line picks them.
//!
//! Every mechanism states its energies and nothing else; what is derived from them is checked against the equations
//! that the study prints, by `verify` statements where it prints any.

pub mod catalog;
mod compound_double_pendulum;
mod compound_double_pendulum_with_drag;
mod double_pendulum;
mod suggest;

pub use compound_double_pendulum::CompoundDoublePendulum;
pub use compound_double_pendulum_with_drag::CompoundDoublePendulumWithDrag;
pub use double_pendulum::DoublePendulum;
