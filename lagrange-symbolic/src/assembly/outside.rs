//! The names of parts in the block that has them.

use super::include::{Part, element};
use super::members::Members;
use super::walk::{Names, Walk};
use crate::meaning::Known;
use crate::report::{Mistake, Report, did_you_mean};
use crate::syntax::{
    Energy, Expr, GivenQuantity, Spec, StatedUnit, Statement, StatementKind, is_joined, joined, plain, segments,
};
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};

/// The most names of a part that a message lists.
const MOST_LISTED: usize = 24;

/// What the block may say about its parts.
#[derive(Debug, Default)]
pub(super) struct Outside {
    /// The names of the parts.
    pub(super) parts: Vec<String>,
    /// The mistakes that were found.
    pub(super) report: Report,
    /// The quantities that the part read last leaves open.
    pub(super) given: Vec<GivenQuantity>,
    /// The quantities that have a unit in their part.
    pub(super) units: Vec<(String, StatedUnit)>,
    /// For each part: the name of its struct, and the names of its quantities there.
    types: BTreeMap<String, (String, Vec<String>)>,
    own: BTreeSet<String>,
    shared: BTreeSet<String>,
    open: BTreeSet<String>,
}

impl Outside {
    /// The names of a part.
    pub(super) fn learn(&mut self, part: &Part<'_>, members: &Members, energies: &BTreeSet<Energy>) {
        let prefix = match part.field.length {
            Some(_) => format!("{}[].", plain(part.name)),
            None => format!("{}.", plain(part.name)),
        };
        let names: Vec<String> =
            members.own.iter().cloned().chain(energies.iter().map(|energy| energy.keyword().to_owned())).collect();
        self.own.extend(names.iter().map(|name| format!("{prefix}{name}")));
        self.shared.extend(members.shared.iter().map(|name| format!("{}.{name}", plain(part.name))));
        let known = names.into_iter().chain(members.shared.iter().cloned()).collect();
        self.types.insert(plain(part.name), (part.type_name.clone(), known));
    }

    /// The quantities that a part leaves open. Reports those that the block does not state.
    pub(super) fn open(&mut self, part: &Part<'_>, members: &Members, known: &Known, whole: &Spec) {
        for open in &members.open {
            let name = part.own(&open.name);
            let text = plain(&name);
            let is_stated = |statement: &Statement| matches!(&statement.kind, StatementKind::Let { name, .. } if plain(name) == text);
            if !whole.statements.iter().any(is_stated) {
                let (quantity, form) = match part.field.length {
                    Some(length) => (text.replace("[]", ""), text.replacen("[]", &format!("[i in 0..{length}]"), 1)),
                    None => (text.clone(), text.clone()),
                };
                let type_name = part.type_name.clone();
                self.report.add(Mistake::GivenWithoutValue { quantity, type_name, form }, part.name);
            }
            // Lengths that are no numbers are reported where the part is defined.
            let length = |length: &Expr| known.whole(length).ok().and_then(|length| usize::try_from(length).ok());
            let lengths = open.lengths.iter().map_while(length).collect();
            let (parts, type_name) = (part.field.length.into_iter().collect(), part.type_name.clone());
            self.given.push(GivenQuantity { name, lengths, parts, type_name, place: part.name.into() });
            self.units.extend(open.unit.clone().map(|unit| (text.clone(), unit)));
            self.open.insert(text);
        }
    }

    /// Checks every name of a part in the block, and reads constants of parts without the index of the part.
    pub(super) fn rename(&mut self, statements: &mut [Statement]) {
        for statement in statements {
            if let StatementKind::Let { name, .. } = &statement.kind
                && is_joined(name)
                && segments(name).first().is_some_and(|(part, _)| self.types.contains_key(&plain(part)))
                && !self.open.contains(&plain(name))
            {
                let known: Vec<String> =
                    self.open.iter().map(|name| format!("`{}`", name.replace("[]", "[i]"))).collect();
                let help = match known.is_empty() {
                    true => "a block defines no quantities of its parts".to_owned(),
                    false => format!("the parts leave open {}", known.join(", ")),
                };
                self.report.add(Mistake::NotOpen { quantity: plain(name).replace("[]", "[i]"), help }, name);
            }
            Walk::new(self).statement(&mut statement.kind);
        }
    }

    /// Reports a name that the part does not have.
    fn unknown(&mut self, name: &Ident, whole: &Expr) {
        let text = plain(name);
        let part = segments(name).into_iter().next().map(|(part, _)| plain(&part)).unwrap_or_default();
        // A part with mistakes has no names; these mistakes are reported.
        let Some((type_name, known)) = self.types.get(&part) else { return };
        let bare = |text: &str| text.replace("[]", "");
        let stated = self.own.iter().find(|own| bare(own) == bare(&text));
        let help = match stated {
            Some(stated) if stated.contains("[]") => {
                format!("there are several: write `{}`", stated.replace("[]", "[i]"))
            }
            Some(stated) => format!("there is one: write `{stated}`"),
            None => {
                let rest = text.split_once('.').map_or("", |(_, rest)| rest);
                let suggestion = did_you_mean(rest, known.iter().map(String::as_str));
                format!("{suggestion} it has {}", listed(known)).trim().to_owned()
            }
        };
        let quantity = whole.to_string();
        let mistake = Mistake::UnknownOfPart { quantity, type_name: type_name.clone(), help };
        self.report.add(mistake, whole.place);
    }
}

impl Names for Outside {
    fn quantity(&mut self, name: &Ident, indices: Vec<Expr>, whole: &Expr) -> Option<Expr> {
        let text = plain(name);
        if !is_joined(name) {
            if self.parts.contains(&text) {
                let known = self.types.get(&text).map(|(_, known)| listed(known)).unwrap_or_default();
                self.report.add(Mistake::PartAsQuantity { name: text, known }, whole.place);
            }
            return None;
        }
        if self.own.contains(&text) {
            return None;
        }
        let of_parts = segments(name);
        let arrays = of_parts.iter().filter(|(_, is_array)| *is_array).count();
        let mut parts = of_parts.into_iter().map(|(part, _)| part);
        let first = parts.next()?;
        let constant = parts.fold(first, |part, name| joined(&part, &name));
        if self.shared.contains(&plain(&constant)) && indices.len() >= arrays {
            return Some(element(constant, indices[arrays..].to_vec(), whole.place));
        }
        self.unknown(name, whole);
        None
    }

    fn function(&mut self, _: &Ident) -> Option<Ident> {
        None
    }

    fn variable(&mut self, _: &Ident) -> Option<Ident> {
        None
    }
}

/// Names for a message. A long list is cut.
fn listed(names: &[String]) -> String {
    let rest = names.len().saturating_sub(MOST_LISTED);
    let list = names.iter().take(MOST_LISTED).map(|name| name.replace("[]", "[i]")).collect::<Vec<_>>().join(" ");
    match rest {
        0 => list,
        _ => format!("{list} and {rest} others"),
    }
}
