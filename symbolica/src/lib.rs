//! What the tests of the second engine share: the mechanisms of the repository as text, and evaluation with the sum of
//! absolute terms.

pub mod magnitude;
pub mod mechanism;
pub mod quantity;
#[path = "../../tests/src/random.rs"]
pub mod random;
