//! The documentation of the struct: its statements and equations, what is proved of it, and the cost of each evaluation.
//!
//! A page of rustdoc shows statements and equations as mathematics, with the text below, folded. An editor shows no MathML, but its source.
//! So the lines with HTML exist only while rustdoc reads the crate (`cfg(doc)`), and the text beside them always.

use super::Forms;
use crate::derivation::{Conserved, Derivation, FoundSymmetry, Symmetry};
use crate::print::mathml;
use crate::program::Evaluations;

/// More equations than this are folded on a page, so that what follows is found.
const MOST_OPEN: usize = 40;

/// Longer mathematics, in bytes of HTML, is left out of a page, which then shows the text.
const LONGEST: usize = 200_000;

/// Lines of Markdown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    /// The lines.
    pub text: String,
    /// Whether only rustdoc sees them.
    pub is_for_pages: bool,
}

impl Lines {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_for_pages: false }
    }

    fn for_pages(text: String) -> Self {
        Self { text, is_for_pages: true }
    }
}

/// The documentation that follows that of the struct.
pub(super) fn documentation(derivation: &Derivation, evaluations: &Evaluations, forms: &Forms) -> Vec<Lines> {
    let mut all = vec![Lines::new("")];
    if let Some(stated) = mathematics(&forms.stated) {
        let block = folded("The block", &fenced(&forms.block));
        all.push(Lines::for_pages(format!("# Statements\n\n{stated}\n\n{block}\n")));
    }
    all.push(Lines::new("# Derived equations\n"));
    let text = Lines::new(fenced(&forms.equations));
    match mathematics(&forms.latex) {
        Some(equations) => all.extend([
            Lines::for_pages(format!("{equations}\n\n{FOLDED}As text</summary>\n")),
            text,
            Lines::for_pages("\n</details>\n".to_owned()),
        ]),
        None => all.push(text),
    }
    all.extend(remarks(derivation, evaluations).into_iter().map(Lines::new));
    all
}

/// The beginning of what a reader unfolds.
const FOLDED: &str = "<details><summary>";

fn folded(summary: &str, content: &str) -> String {
    format!("{FOLDED}{summary}</summary>\n\n{content}\n\n</details>")
}

/// A block of code, in a fence that its text does not contain.
fn fenced(text: &str) -> String {
    let mut fence = String::from("```");
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}text\n{text}\n{fence}")
}

/// The HTML of an `aligned` block. `None` where there is nothing to show, or where it would be too long.
fn mathematics(aligned: &str) -> Option<String> {
    // The first line and the last one begin and end the block.
    let count = aligned.lines().count().saturating_sub(2);
    let html = mathml(aligned).filter(|html| count > 0 && html.len() <= LONGEST)?;
    Some(if count > MOST_OPEN { folded(&format!("{count} lines"), &html) } else { html })
}

/// What is known of the mechanism, and the cost of each evaluation.
fn remarks(derivation: &Derivation, evaluations: &Evaluations) -> Vec<String> {
    let Derivation { model, equations, .. } = derivation;
    let mut lines = vec![String::new()];
    let without_inertia = &model.coordinates[model.mechanical()..][..equations.resolved.rates.len()];
    if !without_inertia.is_empty() {
        let names = without_inertia.iter().map(|named| format!("`{}`", named.name)).collect::<Vec<_>>().join(", ");
        lines.push(format!(
            "Without inertia: {names}. Their rates above follow from their equations, and their values stand among the velocities \
             of a state."
        ));
        lines.push(String::new());
    }
    if !model.physics.changes.is_empty() {
        lines.push(
            "A change happens where its condition above is positive and the mode does not have the value yet. It assigns the values above, each \
             of which is that before the change."
                .to_owned(),
        );
        lines.push(String::new());
    }
    lines.extend(units(derivation));
    let solved = if equations.constraints.is_empty() {
        "They are solved as `mass * acceleration = forcing`."
    } else {
        "They are solved as `mass * acceleration = forcing + transpose(G) * multipliers`, with the constraints zero."
    };
    for (name, how) in &derivation.invariants {
        lines.push(match how {
            Conserved::Proved => format!("`{name}` is conserved (proved)."),
            Conserved::Checked { points } => format!(
                "`{name}` is conserved (checked at {points} states with quantities from 1e-6 to 1e6, not proved)."
            ),
        });
        lines.push(String::new());
    }
    for symmetry in &derivation.symmetries {
        lines.push(symmetry_line(symmetry));
        lines.push(String::new());
    }
    for symmetry in &derivation.found {
        lines.push(found_line(symmetry));
        lines.push(String::new());
    }
    lines.push(format!("{solved} Operations of each evaluation:"));
    lines.push(String::new());
    for (name, count) in evaluations.counts() {
        lines.push(format!("- `{name}`: {count}"));
    }
    lines
}

/// What is known of a symmetry and its momentum.
fn symmetry_line(Symmetry { name, how, changed_by, .. }: &Symmetry) -> String {
    let (how, fate) = (establishment(*how), fate(changed_by));
    format!("`{name}` is a symmetry of L ({how}). Its momentum, the output `{name}`, {fate}.")
}

/// What is known of a symmetry that is not stated, and of its momentum.
fn found_line(FoundSymmetry { change, gauge, momentum, how, changed_by }: &FoundSymmetry) -> String {
    let (how, fate) = (establishment(*how), fate(changed_by));
    let gauge = if gauge == "0" { String::new() } else { format!(" with the gauge `{gauge}`") };
    format!(
        "The change `{change}`{gauge} is a symmetry of L that is not stated ({how}). Its momentum `{momentum}` {fate}."
    )
}

/// How a symmetry was established.
fn establishment(how: Conserved) -> String {
    match how {
        Conserved::Proved => "proved".to_owned(),
        Conserved::Checked { points } => {
            format!("checked at {points} states with quantities from 1e-6 to 1e6, not proved")
        }
    }
}

/// What becomes of a momentum.
fn fate(changed_by: &[String]) -> String {
    match changed_by {
        [] => "is conserved".to_owned(),
        parts => format!("changes by `{}` alone", parts.join("`, `")),
    }
}

/// The units of coordinates, states and outputs, and those of parameters and inputs that follow from others.
fn units(derivation: &Derivation) -> Vec<String> {
    let Derivation { model, units, .. } = derivation;
    if units.time.is_empty() {
        return Vec::new();
    }
    let names = model.parameters.iter().chain(&model.inputs).filter(|named| !units.is_stated(&named.name));
    let names = names.chain(&model.coordinates).map(|named| named.name.as_str());
    let names = names.chain(model.physics.outputs.iter().map(|output| output.name.as_str()));
    let named =
        names.filter(|name| !units.of(name).is_empty()).map(|name| format!("`{name}` {}", units.readable(name)));
    let all: Vec<String> = named.collect();
    if all.is_empty() { Vec::new() } else { vec![format!("Units: {}.", all.join(", ")), String::new()] }
}
