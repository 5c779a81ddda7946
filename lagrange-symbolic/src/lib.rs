//! Derivation of equations of motion from energies, dissipation and forces.
//!
//! tokens → [`syntax`] (by [`parse`](parse::parse)) → [`graph`] (by [`meaning`]) → [`mechanics`] → [`program`] → tokens ([`emit`]).
//! Each room imports only from rooms that stand before it in this list.

pub mod calculus;
pub mod emit;
mod expand;
pub mod graph;
pub mod meaning;
pub mod mechanics;
pub mod parse;
pub mod print;
pub mod program;
pub mod prove;
pub mod report;
pub mod syntax;

pub use expand::{Conserved, Derivation, derivation, derivation_by, expand};
