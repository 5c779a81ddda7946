//! Accurate trajectories on derived mechanisms: checkpoints, constrained motions, events, failures, tolerances that follow, nominal sizes, units, progress.

mod checkpoints;
mod constrained;
mod events;
mod failures;
mod following;
mod nominal_sizes;
mod powers_of_two;
mod progress;
