//! States: quantities with an equation of first order, beside coordinates and alone.

mod analysis;
mod circuits;
mod constrained;
mod inertia;
mod methods;
mod nonlinear_dissipation;
mod thermostat;
mod without_inertia;
