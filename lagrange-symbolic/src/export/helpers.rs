//! The functions that exported texts call: each language has a file with one section a function.

use super::Language;

/// The names of the functions. Each stands behind those that it calls.
const ORDER: &[&str] = &[
    "sign",
    "modulo",
    "minimum",
    "maximum",
    "reciprocal_or_zero",
    "norm",
    "sinc",
    "piece",
    "spline",
    "solve_implicit",
    "solve_symmetric",
];

/// The functions that a text calls, and those that these call.
pub(super) fn called(language: Language, text: &str) -> String {
    let (file, mark) = match language {
        Language::C => (include_str!("library/helpers.c"), "//: "),
        Language::JavaScript => (include_str!("library/helpers.mjs"), "//: "),
        Language::Python => (include_str!("library/helpers.py"), "#: "),
    };
    let section = |name: &str| {
        let start = file.find(&format!("{mark}{name}\n")).map_or(file.len(), |at| at + mark.len() + name.len() + 1);
        let end = file[start..].find(&format!("\n{mark}")).map_or(file.len(), |at| start + at + 1);
        file[start..end].trim_end()
    };
    let mut needed: Vec<&str> = Vec::new();
    for name in ORDER.iter().rev() {
        let calls = |text: &str| calls(text, name);
        if calls(text) || needed.iter().any(|other| calls(section(other))) {
            needed.push(name);
        }
    }
    let lines = if language == Language::Python { "\n\n\n" } else { "\n\n" };
    needed.iter().rev().map(|name| section(name).to_owned() + lines).collect()
}

/// Whether a text calls a function.
fn calls(text: &str, name: &str) -> bool {
    text.match_indices(&format!("{name}("))
        .any(|(at, _)| !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == '.'))
}
