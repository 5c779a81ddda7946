//! What the compiler says about mistakes in a block: one mistake a file, in folders by kind.
//!
//! The expected messages beside the cases are ours; where rustc's rendering changes, regenerate them with
//! `TRYBUILD=overwrite cargo test -p lagrange-tests --test ui` and read every difference.

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    for kind in ["names", "shapes", "syntax", "physics", "proofs"] {
        cases.compile_fail(format!("tests/ui/{kind}/*.rs"));
    }
}
