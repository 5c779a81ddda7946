//! What the module `analysis` computes, against closed and published forms.

mod balances;
mod branches;
mod compared;
mod computed_values;
mod controllers;
mod equilibria;
mod feedback;
mod filters;
mod linear;
mod mechanisms;
mod oscillations;
mod plants;
mod reductions;
mod responses;
mod rest;
mod scales;
mod self_tests;
mod shared;
mod spectra;
mod turnings;
