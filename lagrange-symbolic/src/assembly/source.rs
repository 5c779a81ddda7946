//! The tokens of a mechanism and of its parts.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

/// The block and the struct of a mechanism, and the sources of its parts in the order of their statements. A part with mistakes is `None`.
#[derive(Clone, Debug)]
pub struct Source {
    /// The block.
    pub block: TokenStream,
    /// The struct.
    pub item: TokenStream,
    /// The parts.
    pub parts: Vec<Option<Source>>,
}

impl Source {
    /// Reads `{block} {item} {part} …`. `None` for no tokens.
    pub(crate) fn read(tokens: TokenStream) -> Option<Self> {
        let mut groups = groups(tokens).into_iter();
        let (block, item) = (groups.next()?, groups.next()?);
        Some(Self { block, item, parts: groups.map(Self::read).collect() })
    }

    /// The tokens that [`read`](Self::read) reads.
    pub(crate) fn tokens(&self) -> TokenStream {
        let (block, item) = (&self.block, &self.item);
        let parts = self.parts_tokens();
        quote!({#block} {#item} #parts)
    }

    /// The tokens of the parts.
    pub(crate) fn parts_tokens(&self) -> TokenStream {
        let parts = self.parts.iter().map(|part| part.as_ref().map(Self::tokens).unwrap_or_default());
        quote!(#({#parts})*)
    }
}

/// What stands between each pair of braces.
pub(super) fn groups(tokens: TokenStream) -> Vec<TokenStream> {
    let inside = |token: TokenTree| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
        _ => None,
    };
    tokens.into_iter().filter_map(inside).collect()
}
