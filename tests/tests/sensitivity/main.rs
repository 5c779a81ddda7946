//! Derivatives of motions and what rests on them: transition matrices, periodic orbits, exponents, estimates, gradients. Methods on dual
//! numbers take long to compile, so that they have a binary of their own.

mod derivatives;
mod estimates;
mod gradients;
mod impacts;
mod mechanisms;
mod motions;
#[path = "../analysis/shared.rs"]
mod shared;
mod times;
