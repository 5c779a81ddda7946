//! The runtime on mechanisms written by hand: orders, energies, landing, failures, counters, allocation.

mod allocation;
mod canonical;
mod common;
mod compound_double_pendulum;
mod controllers;
mod dense_output;
mod dispatch;
mod events;
mod extrapolation;
mod extremes;
mod failures;
mod impacts;
mod interruptions;
mod landing;
mod nystrom;
mod observers;
mod order_conditions;
mod orders;
mod pairs;
mod progress;
mod remedies;
mod stack;
mod statistics;
mod switches;
mod warnings;
