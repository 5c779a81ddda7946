//! What the compiler says about mistakes in a block: one mistake a file, in folders by kind.
//!
//! The expected messages next to the cases are ours; where rustc's rendering changes, regenerate them with
//! `TRYBUILD=overwrite cargo test -p lagrange-message-tests` and read every difference.

/// The kinds of messages; the last are the compiler's own, where a bound of the library does not hold.
const KINDS: [&str; 8] = ["names", "parts", "shapes", "syntax", "units", "physics", "proofs", "bounds"];

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    for kind in KINDS {
        cases.compile_fail(format!("tests/ui/{kind}/*.rs"));
    }
}
