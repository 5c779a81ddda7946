//! Helpers of the tests of the second engine: the mechanisms of the repository as text, and evaluation together with
//! the sum of absolute terms.

pub mod magnitude;
pub mod mechanism;
pub mod quantity;
#[path = "../../tests/src/random.rs"]
pub mod random;
