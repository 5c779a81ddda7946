//! Reads the struct: which fields are parameters, which are inputs, and which pass through untouched.

use super::cursor::Cursor;
use super::expression::Parser;
use crate::report::{Mistake, Place, Report};
use crate::syntax::{Field, Item, NumberType, StatedUnit};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

/// Reads the struct of a block with these parts.
pub(crate) fn read(tokens: TokenStream, parts: &[String]) -> Result<Item, Report> {
    let whole = tokens.clone().into_iter();
    let place = match (whole.clone().next(), whole.last()) {
        (Some(first), Some(last)) => Place::of(&first).to(Place::of(&last)),
        _ => Place::at(proc_macro2::Span::call_site()),
    };
    let mut item = match syn::parse2(tokens) {
        Ok(syn::Item::Struct(item)) => item,
        Ok(other) => {
            let (found, place) = other_item(&other, place);
            return Err(Report::of(Mistake::NotAStruct { found }, place));
        }
        Err(error) => {
            return Err(Report::of(Mistake::ItemSyntax { error: error.to_string() }, Place::at(error.span())));
        }
    };
    let mut report = Report::new();
    let generics: Vec<Ident> = item.generics.type_params().map(|parameter| parameter.ident.clone()).collect();
    let mut fields = Vec::new();
    let mut of_parts = Vec::new();
    match &mut item.fields {
        syn::Fields::Named(named) => {
            for field in &mut named.named {
                if field.ident.as_ref().is_some_and(|ident| parts.contains(&crate::syntax::plain(ident))) {
                    of_parts.extend(super::part::field(field, fields.len(), &generics, &mut report));
                    continue;
                }
                fields.extend(read_field(field, &generics, &mut report));
            }
        }
        syn::Fields::Unnamed(unnamed) => {
            report.add(Mistake::TupleStruct { name: item.ident.to_string() }, ends(unnamed));
        }
        syn::Fields::Unit => {}
    }
    let mut used = fields.iter().filter_map(|field| match &field.number {
        NumberType::Generic(parameter) => Some((parameter, &field.ident)),
        _ => None,
    });
    if let Some((first, _)) = used.next()
        && let Some((second, field)) = used.find(|(parameter, _)| *parameter != first)
    {
        report.add(Mistake::TwoTypeParameters { first: first.to_string(), second: second.to_string() }, field);
    }
    report.propagate(Item { item, fields, parts: of_parts })
}

/// The struct without its helper attributes, which is emitted together with the messages when there are mistakes.
///
/// Tokens that are no struct pass through unchanged.
pub fn without_helpers(tokens: TokenStream) -> TokenStream {
    let Ok(mut item) = syn::parse2::<syn::ItemStruct>(tokens.clone()) else { return tokens };
    for field in &mut item.fields {
        field.attrs.retain(|attribute| !is_helper(attribute));
    }
    item.into_token_stream()
}

pub(super) fn is_helper(attribute: &syn::Attribute) -> bool {
    ["input", "skip", "unit", "range", "symbol"].into_iter().any(|helper| attribute.path().is_ident(helper))
}

fn read_field(field: &mut syn::Field, generics: &[Ident], report: &mut Report) -> Option<Field> {
    let ident = field.ident.clone()?;
    let name = crate::syntax::plain(&ident);
    let (helpers, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut field.attrs).into_iter().partition(is_helper);
    field.attrs = kept;
    let mut input = false;
    let mut skip = false;
    let (mut unit, mut range, mut symbol) = (None, None, None);
    for helper in &helpers {
        if helper.path().is_ident("unit") {
            read_unit(helper, &name, &mut unit, report);
            continue;
        }
        if helper.path().is_ident("range") {
            read_range(helper, &name, &mut range, report);
            continue;
        }
        if helper.path().is_ident("symbol") {
            read_symbol(helper, &name, &mut symbol, report);
            continue;
        }
        let seen = if helper.path().is_ident("input") { &mut input } else { &mut skip };
        if !matches!(helper.meta, syn::Meta::Path(_)) {
            report.add(Mistake::HelperArguments { helper: path_text(helper.path()) }, ends(helper));
        } else if *seen {
            report.add(Mistake::HelperTwice { helper: path_text(helper.path()), field: name.clone() }, ends(helper));
        }
        *seen = true;
    }
    if input && skip {
        report.add(Mistake::InputAndSkip { field: name.clone() }, &ident);
    }
    if skip {
        if unit.is_some() {
            report.add(Mistake::UnitOfSkipped { field: name.clone() }, &ident);
        }
        if range.is_some() {
            report.add(Mistake::NominalOfSkipped { field: name.clone() }, &ident);
        }
        if symbol.is_some() {
            report.add(Mistake::SymbolOfSkipped { field: name }, &ident);
        }
        return None;
    }
    if let Some(attribute) = field.attrs.iter().find(|attribute| attribute.path().is_ident("cfg")) {
        report.add(Mistake::ConditionalField { field: name.clone() }, ends(attribute));
        return None;
    }
    let mut lengths = Vec::new();
    let mut ty = without_group(&field.ty);
    while let syn::Type::Array(array) = ty {
        match length(&array.len) {
            Some(length) => lengths.push(length),
            None if is_zero(&array.len) => {
                report.add(Mistake::NoElements { field: name }, ends(&array.len));
                return None;
            }
            None => {
                report.add(Mistake::ArrayLength { field: name }, ends(&array.len));
                return None;
            }
        }
        ty = without_group(&array.elem);
    }
    if lengths.iter().try_fold(1_usize, |size, length| size.checked_mul(*length)).is_none_or(|size| size > MOST_NUMBERS)
    {
        report.add(Mistake::ArraySize { field: name, limit: MOST_NUMBERS }, ends(&field.ty));
        return None;
    }
    let Some(number) = number_type(ty, generics) else {
        report.add(Mistake::FieldType { field: name, help: number_instead(ty) }, ends(&field.ty));
        return None;
    };
    let documentation = documentation(&field.attrs);
    // A field without a doc comment stays without one, so that the lint for missing ones sees it.
    if let Some(unit) = unit.as_ref().filter(|_| !documentation.is_empty()) {
        let line = format!(" Unit: `{}`.", unit.text);
        field.attrs.extend([syn::parse_quote!(#[doc = ""]), syn::parse_quote!(#[doc = #line])]);
    }
    if let Some([low, high]) = range.filter(|_| !documentation.is_empty()) {
        let line = format!(" Nominal range: {low:?} to {high:?}.");
        field.attrs.extend([syn::parse_quote!(#[doc = ""]), syn::parse_quote!(#[doc = #line])]);
    }
    Some(Field { ident, number, lengths, is_input: input, unit, range, symbol, documentation })
}

/// Reads `#[unit(…)]`.
fn read_unit(helper: &syn::Attribute, field: &str, unit: &mut Option<StatedUnit>, report: &mut Report) {
    let syn::Meta::List(list) = &helper.meta else {
        return report.add(Mistake::UnitForm { found: "no parentheses".to_owned() }, ends(helper));
    };
    let mut parser = Parser::default();
    let mut cursor = Cursor::within(list.tokens.clone(), ends(helper));
    let found = parser.whole_unit(&mut cursor);
    report.append(parser.report);
    if unit.is_some() {
        report.add(Mistake::HelperTwice { helper: "unit".to_owned(), field: field.to_owned() }, ends(helper));
    }
    *unit = found;
}

/// Reads `#[range(low..high)]`.
fn read_range(helper: &syn::Attribute, field: &str, range: &mut Option<[f64; 2]>, report: &mut Report) {
    let syn::Meta::List(list) = &helper.meta else {
        return report.add(Mistake::NominalForm { found: "no parentheses".to_owned() }, ends(helper));
    };
    let mut parser = Parser::default();
    let mut cursor = Cursor::within(list.tokens.clone(), ends(helper));
    let found = parser.whole_nominal(&mut cursor);
    report.append(parser.report);
    if range.is_some() {
        report.add(Mistake::HelperTwice { helper: "range".to_owned(), field: field.to_owned() }, ends(helper));
    }
    *range = found;
}

/// Reads `#[symbol("…")]`.
fn read_symbol(helper: &syn::Attribute, field: &str, symbol: &mut Option<String>, report: &mut Report) {
    let text = match helper.parse_args::<syn::LitStr>() {
        Ok(text) => text.value().trim().to_owned(),
        Err(_) => return report.add(Mistake::SymbolForm { found: "no text in quotes".to_owned() }, ends(helper)),
    };
    if let Some(found) = no_symbol(&text) {
        report.add(Mistake::SymbolForm { found }, ends(helper));
    }
    if symbol.replace(text).is_some() {
        report.add(Mistake::HelperTwice { helper: "symbol".to_owned(), field: field.to_owned() }, ends(helper));
    }
}

/// Says why a text is no symbol within a formula, if it is none.
fn no_symbol(text: &str) -> Option<String> {
    /// The most characters of a symbol.
    const MOST: usize = 60;
    if text.is_empty() {
        return Some("an empty text".to_owned());
    }
    if text.chars().count() > MOST {
        return Some(format!("more than {MOST} characters"));
    }
    // They end a formula or a column, or begin a comment.
    if let Some(sign) = text.chars().find(|sign| "$&#%~".contains(*sign) || sign.is_control()) {
        return Some(format!("the character `{}`", sign.escape_default()));
    }
    if text.contains(r"\\") {
        return Some("the end of a line".to_owned());
    }
    let mut depth = 0_i32;
    let closes_early = text.chars().any(|sign| {
        depth += i32::from(sign == '{') - i32::from(sign == '}');
        depth < 0
    });
    (closes_early || depth != 0).then(|| "braces that do not match".to_owned())
}

/// The most numbers in one field.
const MOST_NUMBERS: usize = 10_000;

/// A type without the invisible delimiters of macros and without parentheses.
pub(super) fn without_group(mut ty: &syn::Type) -> &syn::Type {
    while let syn::Type::Group(syn::TypeGroup { elem, .. }) | syn::Type::Paren(syn::TypeParen { elem, .. }) = ty {
        ty = elem;
    }
    ty
}

/// A length that is written as a number and is not zero.
pub(super) fn length(expr: &syn::Expr) -> Option<usize> {
    match expr {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(length), .. }) => {
            length.base10_parse().ok().filter(|length| *length > 0)
        }
        syn::Expr::Group(group) => length(&group.expr),
        syn::Expr::Paren(inner) => length(&inner.expr),
        _ => None,
    }
}

/// Whether a length is written as 0.
fn is_zero(expr: &syn::Expr) -> bool {
    matches!(expr, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(length), .. }) if length.base10_digits() == "0")
}

/// What to write instead of a type that is no number's.
fn number_instead(ty: &syn::Type) -> String {
    const OTHERS: &str = "a parameter is `f64`, `f32` or a type parameter of the struct; mark other fields `#[skip]`";
    const NUMBERS: [&str; 13] =
        ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize", "bool"];
    let last = match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default(),
        syn::Type::Reference(reference) => {
            return format!("the struct owns its numbers; {}", number_instead(&reference.elem));
        }
        _ => return OTHERS.to_owned(),
    };
    match last.as_str() {
        "Vec" | "VecDeque" => format!("an array has a fixed length, `[f64; 8]`; {OTHERS}"),
        "Option" => format!("a parameter always has a value: `f64`; {OTHERS}"),
        "Vector2" | "Vector3" | "SVector" | "Vec3" | "Vec2" => format!("a vector is an array, `[f64; 3]`; {OTHERS}"),
        name if NUMBERS.contains(&name) => format!("write `f64`; {OTHERS}"),
        _ => format!("{OTHERS}; a macro does not see what an alias stands for"),
    }
}

/// A number's type.
pub(super) fn number_type(ty: &syn::Type, generics: &[Ident]) -> Option<NumberType> {
    let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = ty else { return None };
    let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    match segments.as_slice() {
        [.., "primitive", "f64"] | ["f64"] => Some(NumberType::F64),
        [.., "primitive", "f32"] | ["f32"] => Some(NumberType::F32),
        [name] => generics.iter().find(|parameter| *parameter == name).cloned().map(NumberType::Generic),
        _ => None,
    }
}

/// The doc comment that a list of attributes makes up.
pub fn documentation(attributes: &[syn::Attribute]) -> String {
    let lines: Vec<String> = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        })
        .collect();
    lines.join("\n")
}

fn other_item(item: &syn::Item, whole: Place) -> (String, Place) {
    let (found, place) = match item {
        syn::Item::Enum(item) => ("an enum", Place::from(&item.ident)),
        syn::Item::Union(item) => ("a union", Place::from(&item.ident)),
        syn::Item::Fn(item) => ("a function", Place::from(&item.sig.ident)),
        syn::Item::Mod(item) => ("a module", Place::from(&item.ident)),
        syn::Item::Trait(item) => ("a trait", Place::from(&item.ident)),
        _ => ("another item", whole),
    };
    (found.to_owned(), place)
}

fn path_text(path: &syn::Path) -> String {
    path.to_token_stream().to_string()
}

/// First and last token of a piece of syntax.
pub(super) fn ends(syntax: &impl ToTokens) -> Place {
    let tokens: Vec<_> = syntax.to_token_stream().into_iter().collect();
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => Place::of(first).to(Place::of(last)),
        _ => Place::at(syntax.to_token_stream().span()),
    }
}
