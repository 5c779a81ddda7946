//! A command line for a catalogue of mechanisms: it lists them, shows their derived equations, and simulates them.
//!
//! A program names its mechanisms in a [`Catalog`] and hands over to [`run`]:
//!
//! ```
//! use lagrange_cli::catalog::{Catalog, Entry};
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
//! static CATALOG: Catalog = Catalog::new(&[&Entry::free(
//!     "oscillator",
//!     || Oscillator { m: 1.0, k: 4.0 },
//!     || State::new(0.0, [1.0], [0.0]),
//! )
//! .with_summary("a mass on a spring")]);
//!
//! let model = CATALOG.find("Oscillator").expect("the type's name serves too");
//! assert_eq!(model.coordinates(), ["x"]);
//! // In `main`: lagrange_cli::run(&CATALOG)
//! ```
//!
//! A program with commands of its own flattens [`command::Command`] into an enumeration of its own.

pub mod analysis;
pub mod catalog;
pub mod command;
mod parse;
pub mod report;
mod suggest;

pub use catalog::Catalog;
pub use command::run;
