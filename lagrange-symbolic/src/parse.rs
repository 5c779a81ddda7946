//! From tokens to the syntax tree, with recovery at each statement, so that every mistake of syntax is reported at once.

mod allow;
mod constraint;
mod contact;
mod cursor;
mod declaration;
mod expression;
pub mod foreign;
mod item;
mod mode;
mod nominal;
pub(crate) mod notation;
pub mod number;
mod outline;
mod part;
mod state;
mod stated_unit;
mod statement;
mod symmetry;
mod unit;

pub use item::{documentation, without_helpers};
pub(crate) use outline::{Role, part_paths, role};
pub use outline::{constraint_count, coordinate_names, input_count, runtime_path};
pub(crate) use part::last_name;

use crate::report::Report;
use crate::syntax::Spec;
use proc_macro2::TokenStream;

/// Reads the block of the attribute and the struct that it stands on.
///
/// # Errors
/// Every mistake of syntax in both, statement by statement and field by field.
pub fn parse(attribute: TokenStream, item: TokenStream) -> Result<Spec, Report> {
    let parts = outline::part_names(&attribute);
    let (statements, mut report) = statement::statements(attribute, &parts);
    match item::read(item, &parts) {
        Ok(item) => report.propagate(Spec { item, statements, given: Vec::new(), groups: Vec::new() }),
        Err(mistakes) => {
            report.append(mistakes);
            Err(report)
        }
    }
}
