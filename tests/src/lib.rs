//! Shared by the cross-crate tests.

pub mod random;
