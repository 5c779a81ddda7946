//! What the documents state, in the order of their places. The experiments judge the statements, and the page of truth lists them.

pub(crate) mod compound_double_pendulum;
pub(crate) mod double_pendulum;
pub(crate) mod rlc_plate;
pub(crate) mod spherical_pendulum;
pub(crate) mod triple_pendulum;

use lagrange_cli::report::statement::Statement;

/// Declares the statements of one document, each as a static, and all of them in their order as `ALL`.
macro_rules! statements {
    ($study:literal; $($name:ident: $place:literal, $says:literal, $reason:literal;)*) => {
        $(pub(crate) static $name: Statement =
            Statement { study: $study, place: $place, says: $says, reason: $reason };)*
        /// All statements of this document.
        pub(super) static ALL: &[&Statement] = &[$(&$name),*];
    };
}
use statements;

/// The statements of all documents.
pub(crate) fn all() -> impl Iterator<Item = &'static Statement> {
    [compound_double_pendulum::ALL, spherical_pendulum::ALL, double_pendulum::ALL, rlc_plate::ALL, triple_pendulum::ALL]
        .into_iter()
        .flatten()
        .copied()
}
