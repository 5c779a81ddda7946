//! Expressions as a whole: constructors, derivatives, proofs and printing.

#[path = "expressions/dual.rs"]
mod dual;
#[path = "expressions/language.rs"]
mod language;
#[path = "expressions/print.rs"]
mod print;
#[path = "expressions/prove.rs"]
mod prove;
#[path = "expressions/random.rs"]
mod random;
#[path = "expressions/sharing.rs"]
mod sharing;
#[path = "expressions/tree.rs"]
mod tree;
