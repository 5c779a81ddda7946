//! Where something stands in the user's source.

use proc_macro2::{Ident, Span, TokenTree};

/// The spans of the first and last token of a stretch of source.
///
/// Stable Rust cannot join spans, so both ends are kept until a message is emitted.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Span of the first token.
    pub first: Span,
    /// Span of the last token.
    pub last: Span,
}

impl Place {
    /// The place of a single token.
    pub fn at(span: Span) -> Self {
        Self { first: span, last: span }
    }

    /// From the start of this place to the end of another.
    pub fn to(self, end: Self) -> Self {
        Self { first: self.first, last: end.last }
    }

    /// The place of a token, groups included from delimiter to delimiter.
    pub(crate) fn of(token: &TokenTree) -> Self {
        match token {
            TokenTree::Group(group) => Self { first: group.span_open(), last: group.span_close() },
            other => Self::at(other.span()),
        }
    }
}

impl From<&Ident> for Place {
    fn from(ident: &Ident) -> Self {
        Self::at(ident.span())
    }
}
