//! This crate has tests alone, in `tests/`.
