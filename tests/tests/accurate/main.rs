//! Accurate trajectories on derived mechanisms: checkpoints, constrained motions, events, failures.

mod checkpoints;
mod constrained;
mod events;
mod failures;
