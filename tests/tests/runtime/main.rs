//! The runtime on mechanisms written by hand: orders, energies, landing, failures, counters, allocation.

mod allocation;
mod canonical;
mod common;
mod contact_friction;
mod contacts;
mod controllers;
mod dense_output;
mod dispatch;
mod events;
mod extrapolation;
mod extremes;
mod failures;
mod friction;
mod impacts;
mod interruptions;
mod landing;
mod loaded_friction;
mod nystrom;
mod observers;
mod order_conditions;
mod orders;
mod pairs;
mod remedies;
mod statistics;
mod switches;
mod warnings;
