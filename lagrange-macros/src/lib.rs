//! The `#[lagrangian]` attribute. Use it through `lagrange-runtime`, which documents and re-exports it.

use proc_macro::TokenStream;

/// Derives the equations of motion of the mechanism that the block states, and implements
/// `lagrange_runtime::system::Mechanism` for the struct.
///
/// The fields of the struct are the mechanism's parameters; `#[input]` marks a field as an input,
/// whose value is a default for what a controller gives, and `#[skip]` a field that is neither.
///
#[doc = include_str!("language.md")]
#[proc_macro_attribute]
pub fn lagrangian(block: TokenStream, item: TokenStream) -> TokenStream {
    lagrange_symbolic::expand(block.into(), item.into()).into()
}
