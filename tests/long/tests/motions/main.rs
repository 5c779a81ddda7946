//! Motions of very many steps: chaotic ones with published step counts, integrations that make no progress, and extrapolation between its
//! steps.

#[path = "../../../tests/runtime/common/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the tests of the runtime use more of it")]
mod common;
mod compound_double_pendulum;
mod extrapolation;
mod progress;
