//! The types of a module, as editors and type checkers read them.

use lagrange_cli::catalog::Model;
use std::fmt::Write;

/// A keyword argument of a class: a parameter, an input, or an array of them.
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    /// The values by default: one, or one for each element.
    pub(crate) defaults: Vec<f64>,
    pub(crate) is_array: bool,
}

/// The words that Python keeps for itself. A parameter with such a name is given as `Pendulum(**{"lambda": 2})`.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The keyword arguments of the class of a mechanism. Parameters of parts, such as `left.m`, are no identifiers and are left out.
pub(crate) fn arguments(model: &dyn Model) -> Vec<Argument> {
    let mut arguments: Vec<Argument> = Vec::new();
    for parameter in model.parameters() {
        let (name, is_array) = match parameter.name.split_once('[') {
            Some((name, _)) => (name, true),
            None => (parameter.name, false),
        };
        if parameter.name.contains('.') || KEYWORDS.contains(&name) {
            continue;
        }
        match arguments.iter_mut().find(|known| known.name == name) {
            Some(known) => known.defaults.push(parameter.default),
            None => arguments.push(Argument { name, defaults: vec![parameter.default], is_array }),
        }
    }
    arguments
}

/// The name of a class: `DoublePendulum` of `double-pendulum`.
pub(crate) fn class_name(name: &str) -> String {
    let part = |part: &str| {
        let mut letters = part.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    };
    name.split(['-', '_']).map(part).collect()
}

/// What a mechanism is, as a sentence without its full stop.
pub(crate) fn sentence(model: &dyn Model) -> String {
    let mut letters = model.summary().trim_end_matches('.').chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The text of the `.pyi` file of a module with these mechanisms.
pub(crate) fn stubs(models: &[&dyn Model]) -> String {
    let mut text = include_str!("common.pyi").to_owned();
    for model in models {
        let mut known: Vec<String> = Vec::new();
        for Argument { name, defaults, is_array } in arguments(*model) {
            known.push(match is_array {
                true => format!("{name}: ArrayLike = ..."),
                false => format!("{name}: float = {:?}", defaults[0]),
            });
        }
        let all = if known.is_empty() {
            "**parameters: float".to_owned()
        } else {
            format!("*, {}, **parameters: float", known.join(", "))
        };
        // A `String` takes every text.
        _ = write!(
            text,
            "\nclass {}(Mechanism):\n    \"\"\"{}.\"\"\"\n\n    def __init__(self, {all}) -> None: ...\n",
            class_name(model.name()),
            sentence(*model).replace('\\', "\\\\")
        );
    }
    text
}
