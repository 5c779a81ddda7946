//! Derivatives of the graph's expressions, and the engines that may take them: the graph's own rules, or Symbolica behind
//! the feature of that name.

mod accumulate;
mod diff;
mod kernel;
#[cfg(feature = "symbolica")]
mod symbolica;

pub(crate) use accumulate::Network;
pub use diff::{derivative, directional, gradient};
pub(crate) use kernel::{is_new, kernel, recognised, reduced, unit};
#[cfg(feature = "symbolica")]
pub use symbolica::Symbolica;

use crate::graph::engine::Engine;

/// The engine of the macro: Symbolica where the feature is on, else the built-in one.
pub fn chosen() -> &'static dyn Engine {
    #[cfg(feature = "symbolica")]
    return &Symbolica;
    #[cfg(not(feature = "symbolica"))]
    &crate::graph::engine::Builtin
}
