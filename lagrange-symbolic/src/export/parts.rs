//! The parts of mechanisms that stand in one source file.

use super::source::{Found, Message};
use crate::assembly::Source;
use crate::parse::part_paths;
use crate::report::Mistake;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashMap;

/// What begins the name of a scope that is the body of a function. Its items see those around the function.
pub(super) const FUNCTION: &str = "fn ";

/// The names of a file: its structs with blocks, and what its modules import.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    /// The modules and functions around each struct.
    pub(super) of_found: Vec<Vec<String>>,
    /// Imported names: the module, the name and the path.
    pub(super) imports: HashMap<(Vec<String>, String), Vec<String>>,
    /// Whether the file is certainly the root of a crate, because it has the function `main`.
    pub(super) is_root: bool,
    /// The modules from which a module imports everything.
    pub(super) globs: HashMap<Vec<String>, Vec<Vec<String>>>,
}

impl Scopes {
    /// Remembers what a `use` imports into a module.
    pub(super) fn import(&mut self, scope: &[String], mut path: Vec<String>, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.import(scope, path, &inner.tree);
            }
            syn::UseTree::Name(name) => {
                path.push(name.ident.to_string());
                self.imports.insert((scope.to_vec(), name.ident.to_string()), path);
            }
            syn::UseTree::Rename(rename) => {
                path.push(rename.ident.to_string());
                self.imports.insert((scope.to_vec(), rename.rename.to_string()), path);
            }
            syn::UseTree::Glob(_) => self.globs.entry(scope.to_vec()).or_default().push(path),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(scope, path.clone(), tree));
            }
        }
    }

    /// The struct that a path means in a scope, if it stands in this file.
    fn find(&self, all: &[Found], scope: &[String], path: &[String], depth: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        if depth > 8 {
            return None;
        }
        let is_at = |scope: &[String], name: &String| {
            (0..all.len()).find(|&index| self.of_found[index] == scope && all[index].name == *name)
        };
        let mut scope = scope.to_vec();
        match first.as_str() {
            "self" => return self.find(all, module(&scope), rest, depth + 1),
            "super" => {
                let (_, around) = module(&scope).split_last()?;
                return self.find(all, around, rest, depth + 1);
            }
            // Elsewhere the file is a module whose own path is not known.
            "crate" if self.is_root => {
                let (name, modules) = rest.split_last()?;
                return is_at(modules, name);
            }
            "crate" => return None,
            _ => {}
        }
        loop {
            let (name, modules) = path.split_last()?;
            if let Some(found) = is_at(&[&scope[..], modules].concat(), name) {
                return Some(found);
            }
            if let Some(imported) = self.imports.get(&(scope.clone(), first.clone())) {
                return self.find(all, &scope, &[&imported[..], rest].concat(), depth + 1);
            }
            let globs = self.globs.get(&scope).map(Vec::as_slice).unwrap_or_default();
            let through = globs.iter().find_map(|from| self.find(all, &scope, &[&from[..], path].concat(), depth + 1));
            if through.is_some() {
                return through;
            }
            if !scope.pop()?.starts_with(FUNCTION) {
                return None;
            }
        }
    }

    /// Gives each mechanism the parts that its block states, with the parts inside them.
    pub(super) fn join(&self, all: &mut [Found]) {
        let joined: Vec<_> = (0..all.len()).map(|index| self.parts(all, index, &mut Vec::new())).collect();
        for (found, parts) in all.iter_mut().zip(joined) {
            match parts {
                Ok(parts) => found.parts = parts,
                Err(missing) => found.missing = Some(missing),
            }
        }
    }

    fn parts(&self, all: &[Found], index: usize, around: &mut Vec<usize>) -> Result<Vec<Option<Source>>, Message> {
        around.push(index);
        let mut parts = Vec::new();
        for (name, path) in part_paths(&all[index].block) {
            let missing = || Message::at(Mistake::PartElsewhere { name: name.to_string() }.text(), name.span());
            let found = self.find(all, &self.of_found[index], &segments(path), 0).ok_or_else(missing)?;
            // A part of itself is a mistake that the derivation reports.
            if around.contains(&found) {
                parts.push(None);
                continue;
            }
            let Found { block, item, .. } = &all[found];
            let inner = self.parts(all, found, around)?;
            parts.push(Some(Source { block: block.clone(), item: item.clone(), parts: inner }));
        }
        around.pop();
        Ok(parts)
    }
}

/// The module in which a scope lies.
fn module(scope: &[String]) -> &[String] {
    let end = scope.iter().rposition(|name| !name.starts_with(FUNCTION)).map_or(0, |last| last + 1);
    &scope[..end]
}

/// The names in a path. One that begins with `::` begins with a crate, which no module is named like.
fn segments(path: TokenStream) -> Vec<String> {
    let names = path.into_iter().filter_map(|token| match token {
        TokenTree::Ident(name) => Some(name.to_string()),
        _ => None,
    });
    names.collect()
}
