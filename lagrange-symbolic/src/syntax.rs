//! The block's own syntax tree, with the place of everything in the user's source, and the struct that it stands on.

mod display;
mod intrinsic;
mod item;
mod name;
mod tree;
mod unit;

pub(crate) use intrinsic::{Intrinsic, Rotation};
pub(crate) use name::{element, joined, joined_elements, plain, segments};
pub use item::{Field, Item, NumberType, PartField};
pub use tree::{
    Binary, ConstraintKind, CoordinateArray, Energy, Expr, ExprKind, ExternFunction, GivenQuantity, Indexing, Interpolation, Range,
    Spec, Statement, StatementKind, Unary, When,
};
pub(crate) use tree::is_name;
pub use unit::{FunctionUnits, Measured, StatedUnit};
