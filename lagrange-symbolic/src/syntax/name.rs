//! Names: identifiers as they are shown, and those of quantities of parts.
//!
//! The quantity `theta` of the part `left` has the identifier `left·theta`, and is shown as `left.theta`. Those of an array of parts are an array
//! `link··theta`, whose element 2 is shown as `link[2].theta`.

use proc_macro2::{Ident, Span};
use std::fmt::Display;
use syn::ext::IdentExt;

/// What joins the names of a part and of its quantity. Rust allows it in identifiers.
const JOINT: char = '·';

/// A name as it is shown, without the `r#` of a raw identifier.
pub(crate) fn plain(ident: &Ident) -> String {
    let text = ident.unraw().to_string();
    match text.contains(JOINT) {
        true => text.replace("··", "[].").replace(JOINT, "."),
        false => text,
    }
}

/// The name of a quantity of a part, at the place of the quantity's own name.
pub(crate) fn joined(part: &Ident, name: &Ident) -> Ident {
    with_joint(part, "·", name)
}

/// The name of a quantity of all parts of an array, at the place of the quantity's own name.
pub(crate) fn joined_elements(parts: &Ident, name: &Ident) -> Ident {
    with_joint(parts, "··", name)
}

fn with_joint(part: &Ident, joint: &str, name: &Ident) -> Ident {
    Ident::new(&format!("{}{joint}{}", part.unraw(), name.unraw()), name.span())
}

/// The names in the name of a quantity of parts, the outermost part first. For each name but the last: whether it is an array of parts.
pub(crate) fn segments(ident: &Ident) -> Vec<(Ident, bool)> {
    let text = ident.unraw().to_string();
    let mut rest = text.as_str();
    let mut segments = Vec::new();
    while let Some((first, behind)) = rest.split_once(JOINT) {
        let behind_elements = behind.strip_prefix(JOINT);
        segments.push((name(first, Span::call_site()), behind_elements.is_some()));
        rest = behind_elements.unwrap_or(behind);
    }
    segments.push((name(rest, ident.span()), false));
    segments
}

/// Whether an identifier is the name of a quantity of a part.
pub(crate) fn is_joined(ident: &Ident) -> bool {
    ident.to_string().contains(JOINT)
}

/// An identifier, raw where it is one of Rust's keywords. No field has one of those that cannot be raw.
fn name(text: &str, span: Span) -> Ident {
    let is_raw = syn::parse_str::<Ident>(text).is_err() && !["self", "Self", "super", "crate", "_"].contains(&text);
    if is_raw { Ident::new_raw(text, span) } else { Ident::new(text, span) }
}

/// `name[1][2]`, or `link[1].name[2]` for a quantity of a part in an array.
pub(crate) fn element(name: &str, indices: &[impl Display]) -> String {
    indices.iter().fold(name.to_owned(), |text, index| match text.contains("[]") {
        true => text.replacen("[]", &format!("[{index}]"), 1),
        false => format!("{text}[{index}]"),
    })
}

/// The name of the array and the indices of an element: the inverse of [`element`].
pub(crate) fn array_of(element: &str) -> (String, Vec<i64>) {
    let (mut name, mut indices) = (String::new(), Vec::new());
    let mut rest = element;
    while let Some((before, behind)) = rest.split_once('[') {
        let (index, behind) = behind.split_once(']').unwrap_or((behind, ""));
        name += before;
        if behind.starts_with('.') {
            name += "[]";
        }
        indices.extend(index.parse::<i64>());
        rest = behind;
    }
    (name + rest, indices)
}
