//! Modes: quantities that keep their value until a stated condition holds.
//!
//! `known` compares motions with closed forms, `cuts` tests that nothing which shortens a step changes what is found, `order` what happens at
//! one instant, and `limits` what has no motion, or no derivative. `pages` keeps the motions that pages are compared with.

mod cuts;
mod ends;
mod known;
mod latches;
mod limits;
mod mechanisms;
mod order;
mod pages;
