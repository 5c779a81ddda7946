//! The structure that each method preserves, as a measured fact: symplecticity, symmetry, momenta, energy without drift, the
//! power balance and the order. Methods without the property must fail the same tests.

mod constrained;
mod drift;
mod explicit_rattle;
mod harness;
mod impulses;
mod iteration;
mod mechanisms;
mod momenta;
mod orders;
mod power;
mod singular;
mod symplectic;
