//! Random scenes of everything that happens at an instant, against an event-driven reference.
//!
//! The bodies move under piecewise constant accelerations, so that the reference only solves quadratic equations. All methods are
//! exact for such accelerations, up to rounding: what is compared is how the library finds and orders what happens.
//!
//! `LAGRANGE_SCENES` sets the number of scenes of each test, `LAGRANGE_SEED` the first seed. `LAGRANGE_SHOW` prints the failing scene of
//! a seed, with what is right. A filter chooses a property and a kind of scene: `cargo test -p lagrange-tests --test instants -- stops::gaps`.

mod accumulating;
mod by_hand;
mod compare;
mod generate;
mod happenings;
mod mechanisms;
mod motions;
mod properties;
mod quadratic;
mod record;
mod reference;
mod rolling;
mod rounding;
mod run;
mod scene;
