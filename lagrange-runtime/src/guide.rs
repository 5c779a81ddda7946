//! Pages on how physics is written in the block, and on how methods are written.

#[doc = include_str!("guide/circuits.md")]
pub mod circuits {}

#[doc = include_str!("guide/methods.md")]
pub mod methods {}
