//! Mistakes and warnings collected by a phase, and the tokens that show them.

use crate::report::{Allowance, Mistake, Place};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

/// What a phase found wrong, in the order in which it was found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    entries: Vec<(Mistake, Place)>,
    /// The warnings that are left out.
    allowed: Vec<Allowance>,
}

impl Report {
    /// A report without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// A report of one mistake.
    pub fn of(mistake: Mistake, place: Place) -> Self {
        Self { entries: vec![(mistake, place)], allowed: Vec::new() }
    }

    /// A report that leaves out the warnings that a block allows.
    pub(crate) fn allowing(allowed: Vec<Allowance>) -> Self {
        Self { entries: Vec::new(), allowed }
    }

    /// Adds a mistake, or a warning that is not allowed.
    pub fn add(&mut self, mistake: Mistake, place: impl Into<Place>) {
        if !self.allowed.iter().any(|allowance| allowance.covers(&mistake)) {
            self.entries.push((mistake, place.into()));
        }
    }

    /// Adds what another phase found.
    pub fn append(&mut self, other: Self) {
        other.entries.into_iter().for_each(|(mistake, place)| self.add(mistake, place));
    }

    /// Takes back what was added behind the first `count` entries.
    pub(crate) fn shorten(&mut self, count: usize) {
        self.entries.truncate(count);
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Everything found, in order.
    pub fn entries(&self) -> &[(Mistake, Place)] {
        &self.entries
    }

    /// `value` if nothing but warnings was found, otherwise the report.
    pub(crate) fn propagate<T>(self, value: T) -> Result<T, Self> {
        if self.entries.iter().all(|(mistake, _)| mistake.is_warning()) { Ok(value) } else { Err(self) }
    }
}

impl Report {
    /// Splits the report for a stand-in: every entry but the last mistake as items, and the last mistake inside a type.
    /// The compiler reports nothing further about a value whose type contains an error.
    pub(crate) fn with_type(&self) -> (TokenStream, TokenStream) {
        let Some(last) = self.entries.iter().rposition(|(mistake, _)| !mistake.is_warning()) else {
            return (self.to_token_stream(), quote!(()));
        };
        let items = self.entries.iter().enumerate().filter(|(index, _)| *index != last);
        let (mistake, place) = &self.entries[last];
        let length = error(mistake, *place);
        (items.map(|(_, entry)| item(entry)).collect(), quote!([(); #length]))
    }
}

impl ToTokens for Report {
    /// An item per entry: `compile_error!` for a mistake, the use of a deprecated constant for a warning.
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.entries.iter().map(item));
    }
}

fn item((mistake, place): &(Mistake, Place)) -> TokenStream {
    if mistake.is_warning() { warning(mistake, *place) } else { error(mistake, *place) }
}

/// rustc underlines an expansion from the start of the macro's path to the end of its braces.
fn error(mistake: &Mistake, place: Place) -> TokenStream {
    let mut text = Literal::string(&mistake.text());
    text.set_span(place.last);
    let mut braces = Group::new(Delimiter::Brace, TokenTree::from(text).into());
    braces.set_span(place.last);
    let mut exclamation = Punct::new('!', Spacing::Alone);
    exclamation.set_span(place.first);
    let mut tokens = quote_spanned!(place.first=> ::core::compile_error);
    tokens.extend([TokenTree::from(exclamation), braces.into()]);
    tokens
}

/// Stable Rust lets a macro warn only by using something deprecated; the constant's name is the headline.
fn warning(mistake: &Mistake, place: Place) -> TokenStream {
    let name = Ident::new(&mistake.headline(), Span::mixed_site());
    let used = Ident::new(&mistake.headline(), Span::mixed_site().located_at(place.first));
    let text = mistake.text();
    quote! {
        const _: () = {
            #[deprecated(note = #text)]
            const #name: () = ();
            #used
        };
    }
}
