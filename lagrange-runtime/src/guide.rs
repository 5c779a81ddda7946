//! Pages on how physics is written in the block.

#[doc = include_str!("guide/circuits.md")]
pub mod circuits {}
