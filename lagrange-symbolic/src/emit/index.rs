//! The struct that names the index of each coordinate in q.

use super::Emission;
use crate::meaning::Named;
use crate::syntax::{plain, segments};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeMap;

/// The struct, with those of the parts, and its value.
pub(super) struct Index {
    pub(super) types: TokenStream,
    pub(super) value: TokenStream,
}

/// A coordinate or an array of them, with what is left of its name and of the indices of its parts.
#[derive(Clone)]
struct Entry<'e> {
    /// The names of the parts that it belongs to, the outermost first, and its own name.
    path: Vec<(Ident, bool)>,
    /// Its elements: their indices, and their places in q.
    elements: Vec<(&'e [usize], usize)>,
}

/// A struct with a field for each coordinate under the coordinate's own identifier, and its value, the indices in q. It
/// is a type of its own, so that its fields cannot collide with methods or constants of the user's. A part is a field with such a struct.
/// The last coordinates are the hidden ones of states, and the last of these are those of the modes.
pub(super) fn index(emission: &Emission<'_>) -> Index {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut last: Option<&Named> = None;
    for (place, named) in emission.model.coordinates.iter().enumerate() {
        let element = (&named.indices[..], place);
        match entries.last_mut() {
            Some(entry) if last.is_some_and(|last| last.ident == named.ident) => entry.elements.push(element),
            _ => entries.push(Entry { path: segments(&named.ident), elements: vec![element] }),
        }
        last = Some(named);
    }
    let first_state = emission.model.coordinates.len() - emission.states();
    let mut writer = Writer {
        first_state,
        first_mode: emission.model.coordinates.len() - emission.modes(),
        types: TokenStream::new(),
        count: 0,
    };
    let (_, value) = writer.of_struct(&format_ident!("Index"), " The index of each coordinate in q.", &entries);
    Index { types: writer.types, value: quote!(__derived:: #value) }
}

struct Writer {
    first_state: usize,
    first_mode: usize,
    /// The structs.
    types: TokenStream,
    /// The number of structs of parts.
    count: usize,
}

impl Writer {
    /// The struct of this name, and its value.
    fn of_struct(&mut self, name: &Ident, text: &str, entries: &[Entry<'_>]) -> (TokenStream, TokenStream) {
        let (mut fields, mut values) = (TokenStream::new(), TokenStream::new());
        let mut seen: Vec<String> = Vec::new();
        for entry in entries {
            let (ident, is_array) = &entry.path[0];
            let field = super::names::expanded(ident);
            let (text, ty, value) = if entry.path.len() == 1 {
                self.of_coordinates(ident, &entry.elements)
            } else if seen.contains(&plain(ident)) {
                continue;
            } else {
                seen.push(plain(ident));
                let of_part: Vec<&Entry<'_>> =
                    entries.iter().filter(|other| other.path.len() > 1 && other.path[0].0 == *ident).collect();
                self.of_part(ident, *is_array, &of_part)
            };
            fields.extend(quote!(#[doc = #text] pub #field: #ty,));
            values.extend(quote!(#field: #value,));
        }
        self.types.extend(quote! {
            #[doc = #text]
            #[derive(Clone, Copy, Debug)]
            pub struct #name { #fields }
        });
        (quote!(#name), quote!(#name { #values }))
    }

    /// The documentation, the type and the value of a part or an array of parts.
    fn of_part(&mut self, name: &Ident, is_array: bool, entries: &[&Entry<'_>]) -> (String, TokenStream, TokenStream) {
        self.count += 1;
        let ty = Ident::new(&format!("Index{}", self.count), Span::call_site());
        // The entries of each part of the array by its index.
        let mut parts: BTreeMap<usize, Vec<Entry<'_>>> = BTreeMap::new();
        for entry in entries {
            let mut elements: BTreeMap<usize, Vec<(&[usize], usize)>> = BTreeMap::new();
            for (indices, place) in &entry.elements {
                match indices.split_first() {
                    Some((first, rest)) if is_array => elements.entry(*first).or_default().push((rest, *place)),
                    _ => elements.entry(0).or_default().push((indices, *place)),
                }
            }
            for (index, elements) in elements {
                parts.entry(index).or_default().push(Entry { path: entry.path[1..].to_vec(), elements });
            }
        }
        // The parts of an array have the same structs, which are written once.
        let count = self.count;
        let (text, mut values) = (format!(" The index of each coordinate of the part `{name}`."), Vec::new());
        for part in parts.values() {
            let mut scratch = Self { types: TokenStream::new(), count, ..*self };
            let writer = if values.is_empty() { &mut *self } else { &mut scratch };
            values.push(writer.of_struct(&ty, &text, part).1);
        }
        let length = values.len();
        match is_array {
            true => (text, quote!([#ty; #length]), quote!([#(__derived:: #values),*])),
            false => (text, quote!(#ty), quote!(#(__derived:: #values)*)),
        }
    }

    /// The documentation, the type and the value of coordinates.
    fn of_coordinates(&self, ident: &Ident, elements: &[(&[usize], usize)]) -> (String, TokenStream, TokenStream) {
        let (last, first) = (elements.last().map_or(&[][..], |(last, _)| last), elements[0].1);
        let lengths: Vec<usize> = last.iter().map(|index| index + 1).collect();
        let mut next = first;
        let (ty, value) = nested(&lengths, &mut next);
        let noun = if first < self.first_mode { "state" } else { "mode" };
        let first_state = self.first_state;
        let text = match (lengths.is_empty(), first < first_state) {
            (true, true) => format!("Index of the coordinate `{ident}` in q."),
            (false, true) if next > first_state => {
                format!(
                    "Indices of the coordinates `{ident}` in q; from {first_state} on they have no inertia, and are in v."
                )
            }
            (false, true) => format!("Indices of the coordinates `{ident}` in q."),
            (true, false) => format!("Index of the {noun} `{ident}` in v."),
            (false, false) => format!("Indices of the {noun}s `{ident}` in v."),
        };
        (text, ty, value)
    }
}

/// The type and the value of an array of consecutive indices.
fn nested(lengths: &[usize], next: &mut usize) -> (TokenStream, TokenStream) {
    let Some((length, inner)) = lengths.split_first() else {
        let index = *next;
        *next += 1;
        return (quote!(::core::primitive::usize), quote!(#index));
    };
    let elements: Vec<(TokenStream, TokenStream)> = (0..*length).map(|_| nested(inner, next)).collect();
    let ty = elements.first().map(|(ty, _)| ty.clone()).unwrap_or_default();
    let values = elements.iter().map(|(_, value)| value);
    (quote!([#ty; #length]), quote!([#(#values),*]))
}
