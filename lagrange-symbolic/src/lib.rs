//! Derivation of equations of motion from energies, dissipation and forces.
//!
//! tokens → [`syntax`] (by [`parse`](parse::parse), with the parts by `assembly`) → [`physics`] on a [`graph`] (by [`meaning`]) → [`Derivation`] (by [`mechanics`] and
//! [`prove`]) → [`program`] and [`texts`] → tokens ([`emit`]), or text of
//! other languages ([`export`]).
//! Each room imports only from rooms that stand before it in this list.

pub mod assembly;
pub mod calculus;
mod derivation;
pub mod emit;
mod expand;
pub mod export;
pub mod graph;
pub mod meaning;
pub mod mechanics;
pub mod parse;
pub mod physics;
pub mod print;
pub mod program;
pub mod prove;
pub mod report;
pub mod syntax;
pub mod texts;
pub mod units;

pub use derivation::{Conserved, Derivation, FoundSymmetry, Symmetry, derivation, derivation_by};
pub use expand::{assemble, expand};
