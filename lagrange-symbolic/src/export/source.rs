//! Finds mechanisms in Rust source files.

use super::parts::{FUNCTION, Scopes};
use crate::assembly::Source;
use crate::parse::{Role, part_paths, role};
use crate::report::{Mistake, Place, Report};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};

/// A struct with the attribute.
#[derive(Clone, Debug)]
pub struct Found {
    /// The name of the struct.
    pub name: String,
    /// The block of the attribute.
    pub block: TokenStream,
    /// The struct without the attribute.
    pub item: TokenStream,
    /// The parts of the block, in the order of their statements.
    pub parts: Vec<Option<Source>>,
    /// The message about a part whose block is not at hand.
    pub missing: Option<Message>,
}

impl Found {
    /// Whether the block has quantities that are `given`, so that it is a part and no mechanism alone.
    pub fn is_open(&self) -> bool {
        role(&self.block) == Role::Open
    }

    /// The tokens from which the mechanism is derived.
    ///
    /// # Errors
    /// A part whose block is not at hand.
    pub fn source(&self) -> Result<Source, Message> {
        let Self { block, item, parts, missing, .. } = self;
        let source = || Source { block: block.clone(), item: item.clone(), parts: parts.clone() };
        missing.clone().map_or_else(|| Ok(source()), Err)
    }
}

/// A message about a place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What is wrong, and what is allowed.
    pub text: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// The line and the column behind the last character that the message is about, counted from 1.
    pub end: [usize; 2],
    /// The name by which a block allows a warning. The block is accepted in spite of a warning. `None` for a mistake.
    pub lint: Option<&'static str>,
}

impl Message {
    pub(super) fn at(text: String, span: Span) -> Self {
        Self::between(text, Place::at(span), None)
    }

    fn between(text: String, place: Place, lint: Option<&'static str>) -> Self {
        let (start, end) = (place.first.start(), place.last.end());
        Self { text, line: start.line, column: start.column + 1, end: [end.line, end.column + 1], lint }
    }

    /// The messages of a report.
    pub(super) fn all(report: &Report) -> Vec<Self> {
        let entries = report.entries().iter();
        entries.map(|(mistake, place)| Self::between(mistake.text(), *place, mistake.lint())).collect()
    }
}

/// The structs of a Rust source file with the attribute `lagrangian`, in order, those in its modules included, with their parts. What macros would
/// expand to is not found, and no parts that stand in other files.
///
/// # Errors
/// Text that is no Rust.
pub fn mechanisms(source: &str) -> Result<Vec<Found>, Message> {
    let file = syn::parse_file(source).map_err(|error| Message::at(error.to_string(), error.span()))?;
    let (mut found, mut scopes) = (Vec::new(), Scopes::default());
    collect(file.items, &mut Vec::new(), &mut found, &mut scopes);
    scopes.join(&mut found);
    Ok(found)
}

fn collect(items: Vec<syn::Item>, scope: &mut Vec<String>, found: &mut Vec<Found>, scopes: &mut Scopes) {
    for item in items {
        match item {
            syn::Item::Struct(item) => {
                let own = with_block(item);
                scopes.of_found.extend(own.iter().map(|_| scope.clone()));
                found.extend(own);
            }
            syn::Item::Mod(module) => {
                if let Some((_, items)) = module.content {
                    scope.push(module.ident.to_string());
                    collect(items, scope, found, scopes);
                    scope.pop();
                }
            }
            syn::Item::Fn(function) => {
                scopes.is_root |= scope.is_empty() && function.sig.ident == "main";
                scope.push(format!("{FUNCTION}{}", function.sig.ident));
                collect(local_items(function.block.stmts), scope, found, scopes);
                scope.pop();
            }
            syn::Item::Use(import) => scopes.import(scope, Vec::new(), &import.tree),
            _ => {}
        }
    }
}

/// The items in the body of a function.
fn local_items(statements: Vec<syn::Stmt>) -> Vec<syn::Item> {
    let item = |statement| match statement {
        syn::Stmt::Item(item) => Some(item),
        _ => None,
    };
    statements.into_iter().filter_map(item).collect()
}

fn with_block(mut item: syn::ItemStruct) -> Option<Found> {
    let is_block = |attribute: &syn::Attribute| {
        attribute.path().segments.last().is_some_and(|segment| segment.ident == "lagrangian")
    };
    let index = item.attrs.iter().position(is_block)?;
    let block = match item.attrs.remove(index).meta {
        syn::Meta::List(list) => list.tokens,
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => TokenStream::new(),
    };
    let name = item.ident.to_string();
    Some(Found { name, block, item: item.into_token_stream(), parts: Vec::new(), missing: None })
}

/// A field of a struct.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Its name; `l[2]` for an element of an array.
    pub name: &'a str,
    /// Whether it is an input, and not a parameter.
    pub is_input: bool,
    /// Its doc comment.
    pub documentation: &'a str,
    /// The ends of its nominal range, if one is stated.
    pub range: Option<[f64; 2]>,
}

/// A mechanism from the text of its block and its fields, as a program without its source knows it.
///
/// # Errors
/// A block that is no Rust, one with parts, whose blocks are not at hand, or a name that no field can have.
pub fn mechanism<'a>(
    name: &str,
    summary: &str,
    block: &str,
    fields: impl IntoIterator<Item = Field<'a>>,
) -> Result<Found, Message> {
    let block: TokenStream =
        block.parse().map_err(|error: proc_macro2::LexError| Message::at(error.to_string(), error.span()))?;
    if let Some((part, _)) = part_paths(&block).first() {
        let mistake = Mistake::PartElsewhere { name: part.to_string() };
        return Err(Message::at(mistake.text(), part.span()));
    }
    let parse = |text: &str| -> Result<proc_macro2::Ident, Message> {
        let ident = syn::parse_str(text).or_else(|_| syn::parse_str(&format!("r#{text}")));
        ident.map_err(|error: syn::Error| Message::at(format!("`{text}` is no name: {error}"), error.span()))
    };
    // The elements of an array follow each other, the last one last.
    let mut arrays: Vec<(Field<'a>, Vec<usize>)> = Vec::new();
    for field in fields {
        let (base, indices) = field.name.split_once('[').unwrap_or((field.name, ""));
        let indices = indices.split(['[', ']']).filter_map(|index| index.parse::<usize>().ok());
        let lengths: Vec<usize> = indices.map(|index| index + 1).collect();
        match arrays.last_mut() {
            Some((known, known_lengths)) if !lengths.is_empty() && known.name == base => *known_lengths = lengths,
            _ => arrays.push((Field { name: base, ..field }, lengths)),
        }
    }
    let mut declared = TokenStream::new();
    for (field, lengths) in &arrays {
        let (ident, documentation) = (parse(field.name)?, field.documentation);
        let input = field.is_input.then(|| quote!(#[input]));
        let number = lengths.iter().rev().fold(quote!(f64), |inner, length| quote!([#inner; #length]));
        let range = field.range.map(|[low, high]| format!("#[range({low:?}..{high:?})]").parse::<TokenStream>());
        let range = range.transpose().map_err(|error| Message::at(error.to_string(), ident.span()))?;
        declared.extend(quote!(#[doc = #documentation] #range #input pub #ident: #number,));
    }
    let ident = parse(name)?;
    let item = quote!(#[doc = #summary] pub struct #ident { #declared });
    Ok(Found { name: name.to_owned(), block, item, parts: Vec::new(), missing: None })
}

/// A mechanism of parts from its tokens as text, as a program without its source knows them.
///
/// # Errors
/// A text that is no such tokens.
pub fn assembled(tokens: &str) -> Result<Found, Message> {
    let tokens: TokenStream =
        tokens.parse().map_err(|error: proc_macro2::LexError| Message::at(error.to_string(), error.span()))?;
    let unread = || Message::at("the tokens of the mechanism have another form".to_owned(), Span::call_site());
    let Source { block, item, parts } = Source::read(tokens).ok_or_else(unread)?;
    let own: syn::ItemStruct = syn::parse2(item.clone()).map_err(|_| unread())?;
    Ok(Found { name: own.ident.to_string(), block, item, parts, missing: None })
}
