//! The structure that each method preserves, as a measured fact: symplecticity, symmetry, momenta, the power balance and the
//! order. Methods without the property must fail the same tests. The drift of the energy is measured in `tests/long`.

mod constrained;
mod explicit_rattle;
mod harness;
mod impulses;
mod iteration;
mod mechanisms;
mod momenta;
mod near_integrable;
mod orders;
mod power;
mod short_steps;
mod singular;
mod symplectic;
