//! The block of `#[lagrangian { … }]`: its syntax tree, its parser, its checks, its meaning on the graph.
//!
//! tokens → [`parse`] → [`Spec`] → [`elaborate`] → [`Model`](crate::model::Model), and, once the equations are derived,
//! [`elaborate_claims`]. Each phase collects its mistakes in a [`Report`]; all messages stand in one table, [`Mistake`].

mod arithmetic;
mod builtin;
mod check;
mod claim;
mod cursor;
mod display;
mod elaborate;
mod evaluate;
mod expression;
mod integral;
mod item;
mod jump;
mod message;
mod number;
mod order;
mod outline;
mod place;
mod report;
mod restrict;
mod scope;
mod statement;
mod suggest;
mod syntax;
mod value;

pub use claim::{Claim, DerivedNames, elaborate_claims};
pub use elaborate::elaborate;
pub use item::{Field, Item, NumberType, without_helpers};
pub use message::Mistake;
pub use outline::{coordinate_names, input_count};
pub use place::Place;
pub use report::Report;
pub use syntax::{Binary, Energy, Expr, ExprKind, Spec, Statement, StatementKind, Unary};
pub use value::Shape;

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
