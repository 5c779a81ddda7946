//! Shared by the tests of several crates.

pub mod allocations;
pub mod parts;
pub mod random;
pub mod stiff;
