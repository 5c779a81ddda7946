//! Values of expressions at points: in any arithmetic, in doubles, and in high precision.

mod evaluate;
mod plain;
mod precise;
mod spline;

pub(crate) use evaluate::node_value;
pub use evaluate::{Arithmetic, Evaluated, evaluate};
pub use plain::{Plain, numeric};
pub use precise::{Precise, Real};
pub(crate) use precise::{decimal, is_zero, magnitude};
