//! The `#[lagrangian]` attribute. Use it through `lagrange-runtime`, which documents and re-exports it.

use proc_macro::TokenStream;

/// Derives the equations of motion of the mechanism that the block states, and implements
/// `lagrange_runtime::system::Mechanism` for the struct.
///
#[doc = include_str!("language.md")]
#[doc = include_str!("language/statements.md")]
#[doc = include_str!("language/expressions.md")]
#[doc = include_str!("language/derived.md")]
#[doc = include_str!("language/messages.md")]
#[proc_macro_attribute]
pub fn lagrangian(block: TokenStream, item: TokenStream) -> TokenStream {
    lagrange_symbolic::expand(block.into(), item.into()).into()
}

/// The next step in the expansion of a mechanism with parts. The macros that parts leave beside their structs call it.
#[doc(hidden)]
#[proc_macro]
pub fn assemble(tokens: TokenStream) -> TokenStream {
    lagrange_symbolic::assemble(tokens.into()).into()
}
