//! What can be read off a block and a struct in spite of mistakes in them: enough for the shape of a stand-in.

use proc_macro2::{Ident, TokenStream, TokenTree};

/// The names after `coordinates`, up to the `;`.
pub fn coordinate_names(block: &TokenStream) -> Vec<Ident> {
    let mut names: Vec<Ident> = Vec::new();
    let mut at_start = true;
    let mut inside = false;
    let mut expects_name = false;
    for token in block.clone() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => {
                at_start = true;
                inside = false;
                continue;
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' && inside => expects_name = true,
            TokenTree::Ident(ident) if at_start && ident == "coordinates" => {
                inside = true;
                expects_name = true;
            }
            TokenTree::Ident(ident) if inside && expects_name => {
                expects_name = false;
                if !names.contains(ident) {
                    names.push(ident.clone());
                }
            }
            _ => {}
        }
        at_start = false;
    }
    names
}

/// How many fields carry `#[input]`.
pub fn input_count(item: &TokenStream) -> usize {
    let Ok(item) = syn::parse2::<syn::ItemStruct>(item.clone()) else { return 0 };
    item.fields.iter().filter(|field| field.attrs.iter().any(|attribute| attribute.path().is_ident("input"))).count()
}
