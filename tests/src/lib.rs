//! Shared by the cross-crate tests.
