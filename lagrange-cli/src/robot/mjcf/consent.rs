//! Elements and attributes that are left out of a file, because they do not change the motion or because the user agrees by `--leave-out`.

use crate::robot::names::shown;
use crate::robot::urdf::LeftOut;
use crate::robot::xml::{Element, Fault};
use std::collections::BTreeSet;

/// The names behind `--leave-out`, and what has been left out so far.
#[derive(Debug)]
pub(crate) struct Consent<'o> {
    names: &'o [String],
    found: BTreeSet<String>,
    left: LeftOut,
}

impl<'o> Consent<'o> {
    /// Nothing is left out yet.
    pub(crate) fn new(names: &'o [String]) -> Self {
        Self { names, found: BTreeSet::new(), left: LeftOut::default() }
    }

    /// Notes an element that does not change the motion.
    pub(crate) fn harmless(&mut self, element: Element<'_>) {
        self.found.insert(element.name().to_owned());
        self.left.add(element);
    }

    /// Notes something that an element states and that does not change the motion.
    pub(crate) fn note(&mut self, what: &str, element: Element<'_>) {
        self.left.note(what, element);
    }

    /// Whether the user lets something be left out. It is noted then.
    pub(crate) fn lets(&mut self, what: &str, element: Element<'_>) -> bool {
        let lets = self.names.iter().any(|name| name == what);
        if lets {
            self.found.insert(what.to_owned());
            self.left.note(what, element);
        }
        lets
    }

    /// Something that changes the motion and has no translation.
    ///
    /// # Errors
    /// [`Fault`] unless the user lets it be left out.
    pub(crate) fn refuse(&mut self, element: Element<'_>, what: &str) -> Result<(), Fault> {
        if self.lets(what, element) {
            return Ok(());
        }
        let text = format!(
            "{} may change the motion, and has no translation; `--leave-out {what}` leaves it out",
            shown(what)
        );
        Err(element.fault_at(what, text))
    }

    /// Sentences about the elements and attributes that were left out, one for each name.
    ///
    /// # Errors
    /// [`Fault`] at a name behind `--leave-out` that nothing in the file has.
    pub(crate) fn sentences(self, root: Element<'_>) -> Result<Vec<String>, Fault> {
        match self.names.iter().find(|name| !self.found.contains(*name)) {
            Some(name) => {
                let text = format!(
                    "`--leave-out {name}` leaves nothing out: nothing that would be refused has this name in the file"
                );
                Err(root.fault(text))
            }
            None => Ok(self.left.sentences()),
        }
    }
}
