//! What the compiler says about mistakes in `catalog!`.
//!
//! The cases build the command line once more, which takes a minute. They are therefore tests of a build with optimisation alone, which
//! `.ci/run` makes.
//!
//! The expected messages next to the cases are ours; where rustc's rendering changes, regenerate them with
//! `TRYBUILD=overwrite cargo test --release -p lagrange-cli --test ui` and read every difference.

#![cfg(not(debug_assertions))]

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
