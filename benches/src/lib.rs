//! Shared by the benches: interleaved timing, the compound double pendulum by hand, and the same in C.
//!
//! The machines are noisy, so nothing is compared across runs: every contender is timed in turn, round after
//! round, and what is quoted is the median of the rounds' ratios.

pub mod c;
pub mod chain;
pub mod curve;
pub mod family;
pub mod hand;
pub mod pair;
pub mod race;
pub mod sphere;
pub mod tree;
