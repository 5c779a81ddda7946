//! Derivation of equations of motion from energies, dissipation and forces.
//!
//! tokens → [`spec`] → [`expr`] graph → [`mechanics`] → [`program`] → tokens ([`emit`]).

pub mod diff;
pub mod expr;
pub mod function;
pub mod mechanics;
pub mod model;
pub mod program;
pub mod emit;
mod expand;
pub mod spec;
pub mod print;
pub mod prove;

pub use expand::{Derivation, derivation, expand};
