//! The parts of an expansion, each the text of one golden file. Every item of the expansion is in exactly one part.

use super::digest::{self, counts_operations};
use syn::{File, ImplItem, Item, ItemImpl};

/// An expansion, taken apart.
#[derive(Default)]
pub(super) struct Parts {
    item: Vec<Item>,
    mechanism: Vec<Item>,
    prepared: Vec<Item>,
    methods: Vec<Item>,
    system: Vec<Item>,
    evaluations: Vec<Item>,
    markers: Vec<Item>,
}

impl Parts {
    /// Returns the struct with its documentation.
    pub(super) fn item(&self) -> String {
        text(&self.item)
    }

    /// Returns the implementations for the struct.
    pub(super) fn mechanism(&self) -> String {
        text(&self.mechanism)
    }

    /// The prepared type, and how it is made.
    pub(super) fn prepared(&self) -> String {
        text(&self.prepared)
    }

    /// The prepared type's own functions.
    pub(super) fn methods(&self) -> String {
        text(&self.methods)
    }

    /// The functions of `System` that compute nothing: names, facts, lengths.
    pub(super) fn system(&self) -> String {
        text(&self.system)
    }

    /// The functions of `System` that evaluate equations.
    pub(super) fn evaluations(&self) -> String {
        text(&self.evaluations)
    }

    /// The proved facts as traits.
    pub(super) fn markers(&self) -> String {
        text(&self.markers)
    }

    /// Every function that counts operations, without its code.
    pub(super) fn digest(&self) -> String {
        digest::of(self.methods.iter().chain(&self.evaluations))
    }
}

/// Takes an expansion apart.
pub(super) fn of(file: File) -> Parts {
    let mut parts = Parts::default();
    for item in file.items {
        match item {
            Item::Const(constant) => {
                let syn::Expr::Block(block) = *constant.expr else { panic!("a block of items") };
                for statement in block.block.stmts {
                    let syn::Stmt::Item(item) = statement else { panic!("an item") };
                    match item {
                        Item::Mod(module) => parts.sort(module.content.expect("a module with its items").1),
                        other => parts.mechanism.push(other),
                    }
                }
            }
            other => parts.item.push(other),
        }
    }
    parts
}

impl Parts {
    fn sort(&mut self, items: Vec<Item>) {
        for item in items {
            match item {
                Item::Impl(found) if found.trait_.is_none() => self.methods.push(Item::Impl(found)),
                Item::Impl(found) if found.items.is_empty() => self.markers.push(Item::Impl(found)),
                Item::Impl(found) => {
                    let (evaluations, rest) = found.items.iter().cloned().partition(counts_operations);
                    let with = |items: Vec<ImplItem>| Item::Impl(ItemImpl { items, ..found.clone() });
                    self.system.push(with(rest));
                    self.evaluations.push(with(evaluations));
                }
                other => self.prepared.push(other),
            }
        }
    }
}

fn text(items: &[Item]) -> String {
    prettyplease::unparse(&File { shebang: None, frontmatter: None, attrs: Vec::new(), items: items.to_vec() })
}
