//! How the tokens of a part reach the expansion of the mechanism that has it.
//!
//! A part leaves a macro with its own name. The macro appends the part's tokens to what it is given, and calls the macro that it is given with all of it.

use super::marker::marked;
use super::source::{Source, groups};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

/// A mechanism whose parts are collected one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    /// The tokens that were collected so far.
    source: Source,
    /// The paths of the parts that are not asked yet.
    pending: Vec<TokenStream>,
}

impl Exchange {
    /// A mechanism of which no part is asked yet.
    pub(crate) fn new(block: TokenStream, item: TokenStream, paths: Vec<TokenStream>) -> Self {
        Self { source: Source { block, item, parts: Vec::new() }, pending: paths }
    }

    /// Reads `{block} {item} {{path} …} {part} …`. `None` for other tokens.
    pub(crate) fn read(tokens: TokenStream) -> Option<Self> {
        let mut groups = groups(tokens).into_iter();
        let (block, item, pending) = (groups.next()?, groups.next()?, groups.next()?);
        let parts = groups.map(Source::read).collect();
        Some(Self { source: Source { block, item, parts }, pending: self::groups(pending) })
    }

    /// The block of the mechanism.
    pub(crate) fn block(&self) -> &TokenStream {
        &self.source.block
    }

    /// The call of the next part's macro, or the mechanism with all its parts.
    pub(crate) fn next(mut self, runtime: &TokenStream) -> Result<Source, TokenStream> {
        if self.pending.is_empty() {
            return Ok(self.source);
        }
        let path = self.pending.remove(0);
        let (Source { block, item, .. }, pending) = (&self.source, &self.pending);
        let parts = self.source.parts_tokens();
        Err(quote!(#path! { {#runtime::__private::assemble} { {#block} {#item} {#({#pending})*} #parts } }))
    }
}

/// The macro that a mechanism leaves beside its struct, so that it can stand as a part: with its tokens, or without them if it has mistakes.
pub(crate) fn left_behind(source: &Source, has_mistakes: bool, runtime: &TokenStream) -> TokenStream {
    let Ok(item) = syn::parse2::<syn::ItemStruct>(source.item.clone()) else { return TokenStream::new() };
    let tokens = match has_mistakes {
        true => TokenStream::new(),
        false => portable(source, &item).tokens(),
    };
    let text = format!("{} {} {}", source.block, source.item, source.parts_tokens());
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let name = &item.ident;
    let hidden = format_ident!("__part_{}_{:x}", name, hash, span = Span::call_site());
    let (export, visibility) = match &item.vis {
        syn::Visibility::Public(_) => (quote!(#[macro_export]), quote!(pub)),
        _ => (TokenStream::new(), quote!(pub(crate))),
    };
    // As a part of the expansion the name causes no lint where nothing uses it.
    let mut alias = name.clone();
    alias.set_span(Span::call_site().located_at(name.span()));
    let marked = marked(&item, runtime);
    quote! {
        #marked
        #[doc(hidden)]
        #export
        macro_rules! #hidden {
            ({ $($callback:tt)* } { $($state:tt)* }) => { $($callback)* ! { $($state)* { #tokens } } };
        }
        #[doc(hidden)]
        #visibility use #hidden as #alias;
    }
}

/// The tokens of a mechanism as they may stand in other crates: the struct without what stands outside of its fields, and paths of functions
/// from the root of its own crate.
fn portable(source: &Source, item: &syn::ItemStruct) -> Source {
    let (name, generics, fields) = (&item.ident, &item.generics, &item.fields);
    let end = item.semi_token;
    let item = quote!(struct #name #generics #fields #end);
    Source { block: with_crate(source.block.clone()), item, parts: source.parts.clone() }
}

/// The block with `$crate` in place of `crate` in the statements `extern`.
fn with_crate(block: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = block.into_iter().collect();
    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
    let mut out = TokenStream::new();
    for statement in tokens.split_inclusive(is_end) {
        let is_extern = statement.iter().find_map(|token| match token {
            TokenTree::Ident(word) => Some(word == "extern"),
            _ => None,
        });
        for token in statement {
            if let (TokenTree::Ident(word), Some(true)) = (token, is_extern)
                && word == "crate"
            {
                quote!($).to_tokens(&mut out);
            }
            out.extend([token.clone()]);
        }
    }
    out
}

/// The first path of a block's functions that is not found from other modules.
pub(crate) fn relative_path(path: &TokenStream) -> Option<(String, Ident)> {
    let mut tokens = path.clone().into_iter();
    let first = tokens.next()?;
    match first {
        TokenTree::Ident(word) if word != "crate" && word != "$crate" => {
            let text = path.to_string().replace(' ', "");
            Some((text, word))
        }
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => relative_path(&Group::stream(&group)),
        _ => None,
    }
}
