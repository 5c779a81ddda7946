//! A command line for a catalogue of mechanisms: it lists them, shows their derived equations, simulates and analyses them,
//! compares methods, and writes a page about each.
//!
//! A program names its mechanisms in a [`Catalog`] by the macro [`catalog!`] and hands over to [`run`]:
//!
//! ```
//! use lagrange_runtime::prelude::*;
//!
//! #[lagrangian {
//!     coordinates x;
//!     kinetic = m*dot(x)^2/2;
//!     potential = k*x^2/2;
//! }]
//! #[derive(Clone, Debug)]
//! pub struct Oscillator {
//!     pub m: f64,
//!     pub k: f64,
//! }
//!
//! let catalog = lagrange_cli::catalog![Oscillator { m: 1.0, k: 4.0 } at [1.0], [0.0]];
//! let model = catalog.find("oscillator").expect("case does not matter");
//! assert_eq!(model.coordinates(), ["x"]);
//! // In `main`: lagrange_cli::run(&catalog)
//! ```
//!
//! A program with commands of its own flattens [`command::Command`] into an enumeration of its own.

pub mod analysis;
pub mod catalog;
pub mod command;
mod parse;
pub mod report;
mod suggest;

#[doc(hidden)]
pub use lagrange_runtime;

pub use catalog::Catalog;
pub use command::run;
