//! States: quantities with an equation of first order, beside coordinates and alone.

mod analysis;
mod circuits;
mod constrained;
mod inertia;
mod methods;
mod thermostat;
mod without_inertia;
