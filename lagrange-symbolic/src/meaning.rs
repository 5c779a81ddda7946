//! What a block means: names bound, shapes checked, and every stated quantity as an expression of one graph.
//!
//! [`elaborate`] makes a [`Model`] of a syntax tree; [`elaborate_claims`] reads `verify` and `invariant` once the equations
//! are derived.

mod arithmetic;
mod call;
mod check;
mod claim;
mod declared;
mod define;
mod elaborate;
mod evaluate;
mod integral;
mod jump;
mod model;
mod order;
mod quadrature;
mod restrict;
mod rotation;
mod rows;
mod scope;
mod value;
mod whole;

pub use claim::{Claim, DerivedNames, Invariant, elaborate_claims};
pub(crate) use declared::Declared;
pub use elaborate::{elaborate, elaborate_by};
pub(crate) use model::Vocabulary;
pub use model::{Assumption, Constraint, Extern, Force, Let, Model, Named, Output};
pub use value::Shape;
pub(crate) use whole::Known;
