//! Accurate trajectories on derived mechanisms: checkpoints, constrained motions, events, failures, progress.

mod checkpoints;
mod constrained;
mod events;
mod failures;
mod progress;
