//! The rows of contacts and dry friction, whose phases a driver finds. A row is a gap, the slip of a contact, or a friction with a bound of its own.

use super::Writer;
use crate::derivation::Derivation;
use crate::mechanics::Law;

/// The most rows whose phases a driver finds by trying every combination.
pub(super) const MOST_ROWS: usize = 8;

/// What a row is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Friction,
    /// The gap of this index.
    Contact(usize),
    /// The slip of the contact in this row.
    Slip(usize),
}

/// A row: its name, what it is, and the index of its switching function.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) switch: usize,
}

/// The rows; none where the force of one follows from more than the rows, so that a driver could not find it.
pub(super) fn rows(derivation: &Derivation) -> Vec<Row> {
    let contacts = &derivation.equations.contacts;
    let names = contacts.names(derivation.model.physics.frictions.iter().map(|friction| &friction.name[..]));
    let is_own = !contacts.adheres
        && names.len() <= MOST_ROWS
        && contacts.breakaway_rows.is_empty()
        && contacts.shared.is_empty()
        && contacts.shared_loads.is_empty();
    let rows = names.into_iter().zip(&contacts.switches).enumerate().map(|(k, (name, &switch))| {
        let kind = match contacts.laws.get(k) {
            None | Some(Law::Friction) => Kind::Friction,
            Some(&Law::Contact(gap)) => Kind::Contact(gap),
            Some(&Law::Slip(contact)) => Kind::Slip(contact),
            Some(Law::Loaded(_) | Law::Vector { .. } | Law::VectorSlip { .. } | Law::Latch { .. }) => {
                return None;
            }
        };
        Some(Row { name, kind, switch })
    });
    if is_own { rows.collect::<Option<_>>().unwrap_or_default() } else { Vec::new() }
}

/// How many rows are exported, and what they are, in words.
pub(super) fn described(derivation: &Derivation) -> Option<(usize, String)> {
    let rows = rows(derivation);
    let words = rows.iter().enumerate().map(|(k, Row { name, kind, .. })| match kind {
        Kind::Friction => format!("{k}, the friction {name}"),
        Kind::Contact(gap) => format!("{k}, the contact {name} with the gap {gap}"),
        Kind::Slip(contact) => format!("{k}, the slip {name} of the contact in row {contact}"),
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| (rows.len(), words.join("; ")))
}

impl Writer<'_> {
    /// The rows as a constant of JavaScript; nothing where they are not exported.
    pub(super) fn rows_in_javascript(&self) -> String {
        let rows = rows(self.derivation).into_iter().map(|Row { name, kind, switch }| {
            let law = match kind {
                Kind::Friction => "law: \"friction\"".to_owned(),
                Kind::Contact(gap) => format!("law: \"contact\", gap: {gap}"),
                Kind::Slip(contact) => format!("law: \"slip\", contact: {contact}"),
            };
            format!("    {{ name: {name:?}, {law}, switch: {switch} }},\n")
        });
        let rows: String = rows.collect();
        if rows.is_empty() {
            return rows;
        }
        format!(
            "/** The rows of `contact_rows`, with the places of their gaps, contacts and switching functions. */\nexport const ROWS = [\n{rows}];\n\n"
        )
    }
}
