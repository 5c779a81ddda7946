//! What structure-preserving methods preserve: they are symplectic and symmetric, keep momenta, and their energy does not drift. Power
//! balance and order are measured too. Methods without these properties fail the same tests.

mod class;
mod constrained;
mod drift;
mod explicit;
mod harness;
mod impulses;
mod iteration;
mod mechanisms;
mod momenta;
mod orders;
mod power;
mod singular;
