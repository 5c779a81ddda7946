//! Pages on how physics is written in the block, on what is done with the equations, and on how methods are written.

#[cfg(feature = "std")]
#[doc = include_str!("guide/analysis.md")]
pub mod analysis {}

#[doc = include_str!("guide/circuits.md")]
pub mod circuits {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/control.md")]
pub mod control {}

#[cfg(feature = "std")]
#[doc = include_str!("guide/methods.md")]
pub mod methods {}
