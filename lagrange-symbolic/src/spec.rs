//! The block of `#[lagrangian { … }]`: its syntax tree, its parser, its checks, its meaning on the graph.
//!
//! tokens → [`parse`] → [`Spec`] → [`elaborate`] → [`Model`](crate::model::Model), and, once the equations are derived,
//! [`elaborate_claims`]. Each phase collects its mistakes in a [`Report`]; all messages stand in one table, [`Mistake`].

mod arithmetic;
mod builtin;
mod check;
mod claim;
mod cursor;
mod declaration;
mod declared;
mod define;
mod display;
mod elaborate;
mod evaluate;
mod expression;
mod foreign;
mod integral;
mod item;
mod jump;
mod message;
mod notation;
mod number;
mod order;
mod outline;
mod place;
mod quadrature;
mod report;
mod restrict;
mod rotation;
mod rows;
mod scope;
mod statement;
mod suggest;
mod syntax;
mod value;
mod whole;

pub use claim::{Claim, DerivedNames, Invariant, elaborate_claims};
pub(crate) use declared::Declared;
pub use elaborate::{elaborate, elaborate_by};
pub use item::{Field, Item, NumberType, without_helpers};
pub use message::Mistake;
pub use outline::{constraint_count, coordinate_names, input_count, runtime_path};
pub use place::Place;
pub use report::Report;
pub use syntax::{
    Binary, ConstraintKind, CoordinateArray, Energy, Expr, ExprKind, ExternFunction, Indexing, Range, Spec, Statement,
    StatementKind, Unary,
};
pub use value::Shape;
pub(crate) use whole::Known;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

/// Reads the block of the attribute and the struct that it stands on.
///
/// # Errors
/// Every mistake of syntax in both, statement by statement and field by field.
pub fn parse(attribute: TokenStream, item: TokenStream) -> Result<Spec, Report> {
    let (statements, mut report) = statement::statements(attribute);
    match item::read(item) {
        Ok(item) => report.propagate(Spec { item, statements }),
        Err(mistakes) => {
            report.append(mistakes);
            Err(report)
        }
    }
}
