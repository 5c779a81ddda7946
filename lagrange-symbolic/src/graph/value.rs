//! Values of expressions at points: in any arithmetic, in doubles, and in high precision.

mod evaluate;
mod implicit;
mod plain;
mod precise;
mod spline;

pub use evaluate::{Arithmetic, Evaluated, evaluate};
pub(crate) use evaluate::{graph_value, node_value};
pub use plain::{Plain, numeric};
pub use precise::{Precise, Real};
pub(crate) use precise::{decimal, is_zero, magnitude};
