//! What the compiler says about mistakes in `catalog!`.
//!
//! The expected messages next to the cases are ours; where rustc's rendering changes, regenerate them with
//! `TRYBUILD=overwrite cargo test -p lagrange-cli --test ui` and read every difference.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
