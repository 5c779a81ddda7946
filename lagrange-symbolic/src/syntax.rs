//! The block's own syntax tree, with the place of everything in the user's source, and the struct that it stands on.

mod display;
mod intrinsic;
mod item;
mod name;
mod tree;
mod unit;
mod walk;

pub(crate) use intrinsic::{Intrinsic, Rotation};
pub use item::{Field, Item, NumberType, PartField};
pub(crate) use name::{array_of, element, is_joined, joined, joined_elements, plain, segments};
pub(crate) use tree::is_name;
pub use tree::{
    Binary, ConstraintKind, CoordinateArray, Energy, Expr, ExprKind, ExternFunction, GivenQuantity, Group, Indexing,
    Interpolation, Range, Spec, Statement, StatementKind, Unary, When,
};
pub use unit::{FunctionUnits, Measured, StatedUnit};
