//! Equations of motion from energies, derived at compile time, and the methods that integrate them.
//!
//! A mechanism is a struct with an attribute that states its energies. [`Mechanism::prepare`](system::Mechanism::prepare) fixes
//! its parameters and gives a [`System`](system::System), which every method takes:
//!
//! - [`solve::solve`] integrates to a time and stores the states: at every step, at given times, or for
//!   interpolation at any time;
//! - [`solve::integrate`] integrates to a time without storing or allocating anything, and passes each step to an
//!   [`Observer`](observer::Observer);
//! - [`Stepper`](stepper::Stepper) makes one step at a time.
//!
//! All three run the same step loop. Inputs come from a [`Controller`](controller::Controller): the mechanism's default values,
//! a closure u(t, q, v), or a [`Sampled`](controller::Sampled) controller. Every failure is a value that says what happened,
//! where, and what to do. The results computed before a failure are kept.
//!
//! ```
//! use lagrange_runtime::prelude::*;
//!
//! #[lagrangian {
//!     coordinates theta;
//!     kinetic   = m*l^2*dot(theta)^2/2;
//!     potential = -m*g*l*cos(theta);
//! }]
//! struct Pendulum {
//!     m: f64,
//!     l: f64,
//!     g: f64,
//! }
//!
//! let system = Pendulum { m: 1.0, l: 0.5, g: 9.81 }.prepare::<f64>().unwrap();
//! let initial = State::new(0.0, [1.0], [0.0]);
//! let solution = solve(&system, initial, 2.0, &Rk4::new(1e-3), &Options::default()).unwrap();
//! assert_eq!(solution.last().unwrap().t, 2.0);
//! ```
//!
//! The [`guide`] begins with [a first mechanism](guide::first_mechanism). The reference of the block is the documentation of the
//! attribute [`lagrangian`](macro@lagrangian).
//!
//! # Features
//! - `std` (default): stored solutions, and work on threads. Without it the crate is `no_std` and needs no allocator.
//! - `ensemble`: many trajectories at once, over threads and lanes.
//! - `uom`: quantities of the crate `uom` become the numbers of mechanisms, and back (`quantity`).
//! - `serde`: states, counters and [`Checkpoint`](stepper::Checkpoint)s can be stored.
//! - `symbolica`: the attribute takes derivatives and normal forms from Symbolica 2.2. Symbolica has a licence of its own,
//!   which asks each user for a key (`SYMBOLICA_LICENSE`). Without a key it runs for non-commercial use only, and in one
//!   compiler at a time. The README says more.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate self as lagrange_runtime;

/// The README's example, compiled and run as a test.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../../README.md")]
struct Readme;

/// The examples of the attribute's documentation, compiled and run as tests.
#[cfg(all(doctest, feature = "std"))]
mod language {
    #[doc = include_str!("../../lagrange-macros/src/language.md")]
    struct Overview;
    #[doc = include_str!("../../lagrange-macros/src/language/statements.md")]
    struct Statements;
    #[doc = include_str!("../../lagrange-macros/src/language/expressions.md")]
    struct Expressions;
    #[doc = include_str!("../../lagrange-macros/src/language/derived.md")]
    struct Derived;
}

#[cfg(feature = "std")]
pub mod analysis;
pub mod change;
pub mod constraint;
pub mod contact;
pub mod control;
pub mod controller;
pub mod dense;
mod emitted;
#[cfg(feature = "ensemble")]
pub mod ensemble;
pub mod error;
pub mod evaluate;
pub mod evaluator;
pub mod event;
pub mod guide;
pub mod instant;
mod limits;
pub mod linalg;
pub mod method;

mod number;
pub mod observer;
pub mod operational;
pub mod options;
pub mod outcome;
pub mod prelude;
mod quantities;
#[cfg(feature = "uom")]
pub mod quantity;
#[cfg(feature = "std")]
pub mod sampling;
pub mod scalar;
mod set;
#[cfg(feature = "std")]
pub mod solution;
pub mod solve;
pub mod state;
pub mod statistics;
pub mod stepper;
mod switching;
pub mod system;
pub mod tableau;
#[cfg(feature = "std")]
pub mod workers;
mod zeros;

/// What the code that the attribute writes calls. It is no part of the library's interface and changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::emitted::*;
    pub use lagrange_macros::assemble;
}

/// What the attribute calls for a struct whose block states units, without the feature `uom`.
#[cfg(not(feature = "uom"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __quantities {
    ($($call:tt)*) => {};
}

pub use lagrange_macros::lagrangian;
pub use nalgebra;
#[cfg(feature = "uom")]
pub use uom;
