//! The mechanisms in Rust sources, with the tokens that the macro receives.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::path::Path;

/// A block and its struct.
#[derive(Clone, Debug)]
pub struct Mechanism {
    /// The struct's name.
    pub name: String,
    /// The attribute's tokens.
    pub block: TokenStream,
    /// The struct, without the attribute.
    pub item: TokenStream,
}

/// All mechanisms in a file or in a folder's files, by file name and position.
pub fn mechanisms(path: &Path) -> Vec<Mechanism> {
    if path.is_file() {
        let text = std::fs::read_to_string(path).expect("a source is text");
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return file.items.into_iter().filter_map(mechanism).collect();
    }
    let entries = path.read_dir().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.retain(|path| path.is_dir() || path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    paths.iter().flat_map(|path| mechanisms(path)).collect()
}

fn mechanism(item: syn::Item) -> Option<Mechanism> {
    let syn::Item::Struct(mut item) = item else { return None };
    let position = item.attrs.iter().position(|attribute| attribute.path().is_ident("lagrangian"))?;
    let attribute = item.attrs.remove(position);
    let block = attribute.meta.require_list().ok()?.tokens.clone();
    Some(Mechanism { name: item.ident.to_string(), block, item: item.into_token_stream() })
}
