//! What can be read off a block and a struct in spite of mistakes in them: enough for the shape of a stand-in.

use crate::syntax::{is_name, plain};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::parse::Parser as _;

/// The most elements that a stand-in has in one array.
const MOST_ELEMENTS: usize = 1000;

/// The most lengths that are read after one name.
const MOST_LENGTHS: usize = 8;

/// The names after `coordinates`, up to the `;`, with the lengths of arrays as far as they can be read, and then the names
/// of the states and modes.
pub fn coordinate_names(block: &TokenStream) -> Vec<(Ident, Vec<usize>)> {
    let mut names = stated_coordinates(block);
    for statement in statements(block) {
        let [TokenTree::Ident(keyword), TokenTree::Ident(name), rest @ ..] = &statement[..] else { continue };
        if (keyword == "state" || keyword == "mode") && is_name(name) {
            let lengths: Vec<usize> = rest.iter().map_while(|token| state_length(token, block)).take(1).collect();
            match names.iter_mut().find(|(other, _)| other == name) {
                Some((_, known)) if !known.is_empty() && !lengths.is_empty() => known[0] += lengths[0],
                Some(_) => {}
                None => names.push((name.clone(), lengths)),
            }
        }
    }
    names
}

/// How many elements the brackets behind the name of a state stand for: one, or those of a range of numbers.
fn state_length(token: &TokenTree, block: &TokenStream) -> Option<usize> {
    let TokenTree::Group(group) = token else { return None };
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let Some(at) = tokens.iter().position(|token| matches!(token, TokenTree::Ident(word) if word == "in")) else {
        return Some(1);
    };
    let bound = |token: Option<&TokenTree>| -> usize {
        let text = token.map(ToString::to_string).unwrap_or_default();
        text.parse().ok().or_else(|| token.and_then(|token| constant(token, block))).unwrap_or(0)
    };
    let (from, to) = (bound(tokens.get(at + 1)), bound(tokens.last()));
    Some(to.saturating_sub(from).clamp(1, MOST_ELEMENTS))
}

fn stated_coordinates(block: &TokenStream) -> Vec<(Ident, Vec<usize>)> {
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
    Some(match group.stream().into_iter().next() {
        Some(name @ TokenTree::Ident(_)) => constant(&name, block).unwrap_or(1),
        Some(token) => number(&token).unwrap_or(1),
        None => 1,
    })
}

/// A token that is a number from 1 on.
fn number(token: &TokenTree) -> Option<usize> {
    token.to_string().parse().ok().filter(|length| (1..=MOST_ELEMENTS).contains(length))
}

/// The value of the constant of this name, where it is stated as a number.
fn constant(name: &TokenTree, block: &TokenStream) -> Option<usize> {
    let TokenTree::Ident(name) = name else { return None };
    statements(block).into_iter().find_map(|statement| match &statement[..] {
        [TokenTree::Ident(keyword), TokenTree::Ident(stated), TokenTree::Punct(_), value, ..]
            if keyword == "const" && stated == name =>
        {
            number(value)
        }
        _ => None,
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

/// The parts of a block, with the paths of their structs.
pub(crate) fn part_paths(block: &TokenStream) -> Vec<(Ident, TokenStream)> {
    let part = |statement: Vec<TokenTree>| {
        let [TokenTree::Ident(keyword), TokenTree::Ident(name), rest @ ..] = &statement[..] else { return None };
        let colon = rest.iter().position(|token| matches!(token, TokenTree::Punct(colon) if colon.as_char() == ':'))?;
        let path: TokenStream = rest[colon + 1..].iter().cloned().collect();
        let is_path = syn::Path::parse_mod_style.parse2(path.clone()).is_ok();
        (keyword == "part" && is_name(name) && is_path).then(|| (name.clone(), path))
    };
    statements(block).into_iter().filter_map(part).collect()
}

/// The names of the parts of a block.
pub(super) fn part_names(block: &TokenStream) -> Vec<String> {
    let name = |statement: Vec<TokenTree>| match &statement[..] {
        [TokenTree::Ident(keyword), TokenTree::Ident(name), ..] if keyword == "part" && is_name(name) => {
            Some(plain(name))
        }
        _ => None,
    };
    statements(block).into_iter().filter_map(name).collect()
}

/// What a block says about its mechanism as a part of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It is no part.
    Whole,
    /// It may be a part: `part;`.
    Part,
    /// It is a part, and no mechanism alone: it has quantities that are `given`.
    Open,
}

/// What a block says about its mechanism as a part of others.
pub(crate) fn role(block: &TokenStream) -> Role {
    let of_statement = |statement: &Vec<TokenTree>| match &statement[..] {
        [TokenTree::Ident(word)] if word == "part" => Role::Part,
        [TokenTree::Ident(word), TokenTree::Ident(_), ..] if word == "given" => Role::Open,
        _ => Role::Whole,
    };
    let stated: Vec<Role> = statements(block).iter().map(of_statement).collect();
    let most = [Role::Open, Role::Part].into_iter().find(|role| stated.contains(role));
    most.unwrap_or(Role::Whole)
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
    match super::item::read(item.clone(), &[]) {
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
