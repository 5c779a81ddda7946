//! What can be read off a block and a struct in spite of mistakes in them: enough for the shape of a stand-in.

use crate::syntax::is_name;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::parse::Parser as _;

/// The most elements that a stand-in has in one array.
const MOST_ELEMENTS: usize = 1000;

/// The most lengths that are read after one name.
const MOST_LENGTHS: usize = 8;

/// The names after `coordinates`, up to the `;`, with the lengths of arrays as far as they can be read.
pub fn coordinate_names(block: &TokenStream) -> Vec<(Ident, Vec<usize>)> {
    let mut names: Vec<(Ident, Vec<usize>)> = Vec::new();
    for statement in statements(block) {
        let [TokenTree::Ident(keyword), tokens @ ..] = &statement[..] else { continue };
        if keyword != "coordinates" {
            continue;
        }
        for stated in tokens.split(|token| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ',')) {
            let [TokenTree::Ident(name), brackets @ ..] = stated else { continue };
            if is_name(name) && names.iter().all(|(other, _)| other != name) {
                let mut most = MOST_ELEMENTS;
                let lengths =
                    brackets.iter().map_while(|token| length(token, block)).take(MOST_LENGTHS).map(|length| {
                        let length = if length > most { 1 } else { length };
                        most /= length;
                        length
                    });
                names.push((name.clone(), lengths.collect()));
            }
        }
    }
    names
}

/// How many constraints a block states, each taken for one row.
pub fn constraint_count(block: &TokenStream) -> usize {
    let is_constraint = |keyword: &Ident| keyword == "constraint" || keyword == "nonholonomic";
    let states = |statement: &Vec<TokenTree>| matches!(&statement[..], [TokenTree::Ident(keyword), TokenTree::Ident(_), ..] if is_constraint(keyword));
    statements(block).into_iter().filter(|statement| states(statement)).count()
}

/// The length between brackets: a number, or a constant that is one; 1 where it cannot be read.
fn length(token: &TokenTree, block: &TokenStream) -> Option<usize> {
    let TokenTree::Group(group) = token else { return None };
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let number =
        |token: &TokenTree| token.to_string().parse().ok().filter(|length| (1..=MOST_ELEMENTS).contains(length));
    let constant = |name: &Ident| {
        statements(block).into_iter().find_map(|statement| match &statement[..] {
            [TokenTree::Ident(keyword), TokenTree::Ident(stated), TokenTree::Punct(_), value, ..]
                if keyword == "const" && stated == name =>
            {
                number(value)
            }
            _ => None,
        })
    };
    Some(match group.stream().into_iter().next() {
        Some(TokenTree::Ident(name)) => constant(&name).unwrap_or(1),
        Some(token) => number(&token).unwrap_or(1),
        None => 1,
    })
}

/// The path that `crate = path;` gives.
pub fn runtime_path(block: &TokenStream) -> Option<TokenStream> {
    statements(block).into_iter().find_map(|statement| match &statement[..] {
        [TokenTree::Ident(keyword), TokenTree::Punct(equals), path @ ..]
            if keyword == "crate" && equals.as_char() == '=' =>
        {
            let path: TokenStream = path.iter().cloned().collect();
            syn::Path::parse_mod_style.parse2(path.clone()).is_ok().then_some(path)
        }
        _ => None,
    })
}

/// The tokens of each statement, without its `;` and without doc comments.
fn statements(block: &TokenStream) -> Vec<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = block.clone().into_iter().collect();
    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
    let is_doc =
        |pair: &[TokenTree]| matches!(pair, [TokenTree::Punct(hash), TokenTree::Group(_), ..] if hash.as_char() == '#');
    tokens
        .split(is_end)
        .map(|mut statement| {
            while is_doc(statement) {
                statement = &statement[2..];
            }
            statement.to_vec()
        })
        .collect()
}

/// How many numbers carry `#[input]`.
pub fn input_count(item: &TokenStream) -> usize {
    match super::item::read(item.clone()) {
        Ok(item) => {
            item.fields.iter().filter(|field| field.is_input).map(|field| field.lengths.iter().product::<usize>()).sum()
        }
        Err(_) => {
            let Ok(item) = syn::parse2::<syn::ItemStruct>(item.clone()) else { return 0 };
            let is_input = |field: &&syn::Field| field.attrs.iter().any(|attribute| attribute.path().is_ident("input"));
            item.fields.iter().filter(is_input).count()
        }
    }
}
