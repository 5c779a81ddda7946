//! Derivation of equations of motion from energies, dissipation and forces.
//!
//! tokens → [`spec`] → [`expr`] graph → [`mechanics`] → [`program`] → tokens ([`emit`]).

pub mod diff;
pub mod emit;
pub mod engine;
mod expand;
pub mod expr;
pub mod function;
pub mod mechanics;
pub mod model;
pub mod print;
pub mod program;
pub mod prove;
pub mod spec;

pub use expand::{Conserved, Derivation, derivation, derivation_by, expand};
