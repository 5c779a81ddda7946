//! What a block means: names bound, shapes checked, and every stated quantity as an expression of one graph.
//!
//! [`elaborate`] turns a syntax tree into a [`Model`]. [`elaborate_claims`] reads `verify` and `invariant` after the
//! equations are derived.

mod arithmetic;
mod call;
mod check;
mod claim;
mod contact;
mod declared;
mod define;
mod derived;
mod elaborate;
mod evaluate;
mod exact;
mod force;
mod frames;
mod integral;
mod inverse;
mod joined;
mod jump;
mod latch;
mod mode;
mod model;
mod order;
pub mod quadrature;
mod reaction;
mod restrict;
mod rotation;
mod scope;
mod shape;
mod state;
mod table;
mod torque;
mod value;
mod virtual_displacement;

pub use claim::{Claim, Claims, Invariant, Symmetry, elaborate_claims};
pub(crate) use declared::Declared;
pub(crate) use define::constants;
pub use derived::DerivedNames;
pub use elaborate::{elaborate, elaborate_by};
pub(crate) use exact::{Known, element_name};
pub(crate) use model::Vocabulary;
pub use model::{Extern, Let, Model, Named, Places};
pub use value::Shape;
