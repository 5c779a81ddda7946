//! Accurate trajectories on derived mechanisms: checkpoints, constrained motions, events, failures, tolerances that follow, progress.

mod checkpoints;
mod constrained;
mod events;
mod failures;
mod following;
mod progress;
