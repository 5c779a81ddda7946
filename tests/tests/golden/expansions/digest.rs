//! A digest of an expansion: of every function that counts its operations, these counts and the names of its temporaries.

use std::fmt::Write;
use syn::{Attribute, Expr, ImplItem, ImplItemFn, Item, Lit, Meta, Pat, Stmt};

const MARK: &str = "Operations: ";

/// Whether an item is a function whose documentation counts operations.
pub(super) fn counts_operations(item: &ImplItem) -> bool {
    matches!(item, ImplItem::Fn(function) if operations(&function.attrs).is_some())
}

/// The digest of the implementations among some items.
pub(super) fn of<'a>(items: impl Iterator<Item = &'a Item>) -> String {
    let mut digest = String::new();
    for item in items {
        let Item::Impl(found) = item else { continue };
        for item in &found.items {
            let ImplItem::Fn(function) = item else { continue };
            if let Some(operations) = operations(&function.attrs) {
                describe(&mut digest, function, &operations);
            }
        }
    }
    digest
}

fn describe(digest: &mut String, function: &ImplItemFn, operations: &str) {
    let mut names = Vec::new();
    for statement in &function.block.stmts {
        if let Stmt::Local(local) = statement {
            bound(&local.pat, &mut names);
        }
    }
    let (numbered, named): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| is_numbered(name));
    _ = writeln!(digest, "{}\n    operations: {operations}", function.sig.ident);
    _ = writeln!(digest, "    numbered temporaries: {}", numbered.len());
    let mut line = String::from("    named temporaries:");
    for name in &named {
        if line.len() + 1 + name.len() > 120 {
            _ = writeln!(digest, "{line}");
            line = String::from("       ");
        }
        _ = write!(line, " {name}");
    }
    _ = writeln!(digest, "{line}\n");
}

/// The names that a pattern binds, in order.
fn bound(pattern: &Pat, names: &mut Vec<String>) {
    match pattern {
        Pat::Ident(name) => names.push(name.ident.to_string()),
        Pat::Type(typed) => bound(&typed.pat, names),
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|element| bound(element, names)),
        Pat::Slice(slice) => slice.elems.iter().for_each(|element| bound(element, names)),
        _ => {}
    }
}

/// Whether a temporary has the form `x12`.
fn is_numbered(name: &str) -> bool {
    name.strip_prefix('x').is_some_and(|rest| rest.parse::<u32>().is_ok())
}

/// The counts that documentation states.
fn operations(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else { return None };
        let Expr::Lit(literal) = &pair.value else { return None };
        let Lit::Str(text) = &literal.lit else { return None };
        Some(text.value().trim().strip_prefix(MARK)?.trim_end_matches('.').to_owned())
    })
}
