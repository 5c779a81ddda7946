#![doc = include_str!("../README.md")]

pub mod analysis;
pub mod catalog;
pub mod command;
mod parse;
pub mod report;
#[cfg(feature = "import")]
mod robot;
mod suggest;

#[doc(hidden)]
pub use lagrange_runtime;

pub use catalog::Catalog;
pub use command::run;
