//! The class of each structure-preserving method, as a fact: symplectic, symmetric, keeping momenta, without drift of the
//! energy, with its power balance and its order; beside methods that are not and fail the same tests.

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
