//! The struct that carries the block: parameters, inputs, and what passes through untouched.

use crate::syntax::StatedUnit;
use proc_macro2::Ident;

/// The struct without the helper attributes of its fields, and what its fields are.
#[derive(Clone, Debug)]
pub struct Item {
    /// The struct as it is emitted: `#[input]`, `#[skip]`, `#[unit(…)]`, `#[range(…)]` and `#[symbol("…")]` are taken off.
    pub item: syn::ItemStruct,
    /// Its fields that are numbers, in order.
    pub fields: Vec<Field>,
    /// Its fields that are parts, in order.
    pub parts: Vec<PartField>,
}

/// A field that is a part, or an array of parts.
#[derive(Clone, Debug)]
pub struct PartField {
    /// Its name.
    pub ident: Ident,
    /// How many of `fields` stand before it.
    pub position: usize,
    /// The last name in the path of its type, or of the type of its elements.
    pub type_name: Ident,
    /// The type of numbers that the type has as its argument.
    pub number: Option<NumberType>,
    /// The length of an array.
    pub length: Option<usize>,
}

/// A field that is a number.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub ident: Ident,
    /// Its type, or that of its elements.
    pub number: NumberType,
    /// The lengths of an array, the outermost first; none for a number.
    pub lengths: Vec<usize>,
    /// Whether it carries `#[input]`.
    pub is_input: bool,
    /// The unit that `#[unit(…)]` states.
    pub unit: Option<StatedUnit>,
    /// The ends of the nominal range that `#[range(…)]` states.
    pub range: Option<[f64; 2]>,
    /// The LaTeX that `#[symbol("…")]` states.
    pub symbol: Option<String>,
    /// Its doc comment, empty if there is none.
    pub documentation: String,
}

/// The types that a parameter or an input may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NumberType {
    /// `f64`
    F64,
    /// `f32`
    F32,
    /// The struct's type parameter.
    Generic(Ident),
}
