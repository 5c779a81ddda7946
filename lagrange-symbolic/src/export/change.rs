//! The function that does a change of a mode: it assigns the values that `change_values` computes.

use super::{Language, Writer, wrapped};
use crate::graph::{Node, Symbol};
use std::fmt::Write as _;

const ABOUT: &str = "Does a change of a mode, by its place among the conditions that `change_values` gives. Where the condition holds and the mode \
     does not have the value yet,";

/// A change: where its condition and its values stand in `change_values`, and which components get the values, first the mode.
struct Assignments {
    condition: usize,
    values: Vec<(String, usize)>,
}

impl Assignments {
    /// All changes, if their conditions and values are exported.
    fn all(writer: &Writer<'_>) -> Vec<Self> {
        let model = &writer.derivation.model;
        if writer.changed_modes().is_empty() {
            return Vec::new();
        }
        let mut next = model.physics.changes.len();
        let changes = model.physics.changes.iter().enumerate().map(|(condition, change)| {
            let values = change.assigned.iter().filter_map(|(target, _)| {
                let component = match *model.graph.node(*target) {
                    Node::Symbol(Symbol::Coordinate(index)) => format!("q[{index}]"),
                    Node::Symbol(Symbol::Velocity(index)) => format!("v[{index}]"),
                    _ => return None,
                };
                next += 1;
                Some((component, next - 1))
            });
            Self { condition, values: values.collect() }
        });
        changes.collect()
    }

    /// Where the change is not to be done, as an expression with these words of a language: not, or, equal.
    fn idle(&self, [not, or, equal]: [&str; 3]) -> String {
        let holds = format!("{not}(values[{}] > 0)", self.condition);
        match self.values.first() {
            Some((mode, place)) => format!("{holds} {or} {mode} {equal} values[{place}]"),
            None => holds,
        }
    }

    fn assigned(&self, margin: &str, end: &str) -> String {
        self.values.iter().map(|(component, place)| format!("{margin}{component} = values[{place}]{end}\n")).collect()
    }
}

impl Writer<'_> {
    /// The mode of each change that the function does; none where conditions and values are not exported.
    pub(super) fn changed_modes(&self) -> Vec<String> {
        let is_exported = self.contents.evaluations.iter().any(|(exported, _)| exported.name == "change_values");
        let changes = &self.derivation.model.physics.changes;
        if is_exported { changes.iter().map(|change| change.mode.clone()).collect() } else { Vec::new() }
    }

    /// The function; nothing without changes. In C, this is the definition.
    pub(super) fn change(&self) -> String {
        let changes = Assignments::all(self);
        match (changes.is_empty(), self.syntax.language) {
            (true, _) => String::new(),
            (false, Language::C) => self.change_in_c(&changes),
            (false, Language::JavaScript) => self.change_in_javascript(&changes),
            (false, Language::Python) => change_in_python(&changes),
        }
    }

    /// The declaration in C.
    pub(super) fn change_declared(&self) -> String {
        if self.changed_modes().is_empty() {
            return String::new();
        }
        let about = format!(
            "{ABOUT} it assigns to q and v and returns 1. Otherwise it returns 0, and q and v stay as they are."
        );
        format!("/* {} */\n{};\n\n", wrapped(&about, "   "), self.change_signature())
    }

    fn change_signature(&self) -> String {
        let stem = &self.names.stem;
        format!(
            "int {stem}_change(\n    int index, const {stem}_change_values_result *changes, lagrange_real *q, lagrange_real *v)"
        )
    }

    fn change_in_c(&self, changes: &[Assignments]) -> String {
        let mut text = format!(
            "{}\n{{\n    const real *const values = changes->change_values;\n    (void)q;\n    switch (index) {{\n",
            self.change_signature()
        );
        for change in changes {
            _ = write!(
                text,
                "    case {}:\n        if ({}) return 0;\n{}        return 1;\n",
                change.condition,
                change.idle(["!", "||", "=="]),
                change.assigned("        ", ";")
            );
        }
        text + "    default:\n        return 0;\n    }\n}\n\n"
    }

    fn change_in_javascript(&self, changes: &[Assignments]) -> String {
        let modes: Vec<String> = self.changed_modes().iter().map(|mode| format!("{mode:?}")).collect();
        let about = format!("{ABOUT} it returns the new q and v, otherwise null.");
        let mut text = format!(
            "/** The mode of each change, in the order of the conditions of `change_values`. */\nexport const CHANGES = [{}];\n\n\
             /** {} */\nexport function change(index, changes, q, v) {{\n    const values = changes.change_values;\n    \
             [q, v] = [[...q], [...v]];\n    switch (index) {{\n",
            modes.join(", "),
            wrapped(&about, "    ")
        );
        for change in changes {
            _ = write!(
                text,
                "        case {}:\n            if ({}) return null;\n{}            return {{ q, v }};\n",
                change.condition,
                change.idle(["!", "||", "==="]),
                change.assigned("            ", ";")
            );
        }
        text + "        default:\n            throw new RangeError(`there is no change ${index}`);\n    }\n}\n\n"
    }
}

fn change_in_python(changes: &[Assignments]) -> String {
    let about = format!("{ABOUT} it returns the new q and v, otherwise None.");
    let mut text = format!(
        "def change(index, changes, q, v):\n    \"\"\"{}\"\"\"\n    values = changes.change_values\n    \
         q, v = np.array(q, dtype=float), np.array(v, dtype=float)\n",
        wrapped(&about, "    ")
    );
    for change in changes {
        _ = write!(
            text,
            "    if index == {}:\n        if {}:\n            return None\n{}        return q, v\n",
            change.condition,
            change.idle(["not ", "or", "=="]),
            change.assigned("        ", "")
        );
    }
    text + "    raise IndexError(f\"there is no change {index}\")\n\n\n"
}
