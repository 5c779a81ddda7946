//! Identifiers in exported texts, for what they read and what they compute.

use super::Language;
use crate::derivation::Derivation;
use crate::graph::Symbol;
use crate::program::{Evaluations, Operation, Value};
use std::collections::{HashMap, HashSet};

/// The names of symbols and of prepared values. Locals have prefixes, so that no user's name is the name of an argument.
pub(super) struct Names {
    /// The name of the mechanism in snake case, with which the names of its files and, in C, of its functions begin.
    pub(super) stem: String,
    pub(super) coordinates: Vec<String>,
    pub(super) inputs: Vec<String>,
    /// The parameters as the caller of `prepare` writes them.
    pub(super) parameters: Vec<String>,
    language: Language,
    prepared: HashMap<Value, String>,
    /// In the equations of a system: the number of its unknowns, which are the first arguments.
    own_unknowns: Option<u32>,
}

impl Names {
    pub(super) fn new(derivation: &Derivation, evaluations: &Evaluations, language: Language) -> Self {
        let model = &derivation.model;
        let parameters = distinct(model.parameters.iter().map(|field| field.name.as_str()), language);
        let mut prepared = HashMap::new();
        let mut next = 0;
        for &value in &evaluations.hoisted {
            let name = match evaluations.builder.operation(value) {
                Operation::Symbol(Symbol::Parameter(index)) => format!("p_{}", &parameters[*index as usize]),
                _ => {
                    next += 1;
                    format!("k{next}")
                }
            };
            prepared.insert(value, name);
        }
        Self {
            stem: snake_case(&portable(&crate::syntax::plain(&model.item.ident))),
            coordinates: distinct(model.coordinates.iter().map(|named| named.name.as_str()), language),
            inputs: distinct(model.inputs.iter().map(|field| field.name.as_str()), language),
            parameters,
            language,
            prepared,
            own_unknowns: None,
        }
    }

    /// The names in the equations r(w, a) = 0.
    pub(super) fn of_equations(unknowns: usize, language: Language) -> Self {
        Self {
            stem: String::new(),
            coordinates: Vec::new(),
            inputs: Vec::new(),
            parameters: Vec::new(),
            language,
            prepared: HashMap::new(),
            own_unknowns: Some(unknowns as u32),
        }
    }

    /// The name of a prepared value.
    pub(super) fn prepared(&self, value: Value) -> Option<&str> {
        self.prepared.get(&value).map(String::as_str)
    }

    /// The local variable for a symbol, and the expression that reads it.
    pub(super) fn load(&self, symbol: Symbol) -> (String, String) {
        let of = |prefix: &str, list: &[String], index: u32| {
            (format!("{prefix}_{}", &list[index as usize]), format!("{prefix}[{index}]"))
        };
        match symbol {
            Symbol::Coordinate(i) => of("q", &self.coordinates, i),
            Symbol::Velocity(i) => of("v", &self.coordinates, i),
            Symbol::Acceleration(i) => of("a", &self.coordinates, i),
            Symbol::Input(i) => of("u", &self.inputs, i),
            Symbol::Parameter(i) => {
                let name = &self.parameters[i as usize];
                let source = match self.language {
                    Language::C => format!("parameters->{name}"),
                    Language::JavaScript => format!("parameters.{name}"),
                    Language::Python => format!("parameters[\"{name}\"]"),
                };
                (format!("p_{name}"), source)
            }
            Symbol::Multiplier(i) | Symbol::Dummy(i) => (format!("m_{i}"), format!("multipliers[{i}]")),
            Symbol::Force(i) => (format!("f_{i}"), format!("forces[{i}]")),
            Symbol::Time => ("t".to_owned(), "t".to_owned()),
        }
    }

    /// The local variable for the i-th component of a further vector argument: of an acceleration, or in equations of w and a.
    pub(super) fn argument(&self, index: u32) -> (String, String) {
        match self.own_unknowns {
            Some(unknowns) if index < unknowns => (format!("w_{index}"), format!("w[{index}]")),
            Some(unknowns) => (format!("a_{}", index - unknowns), format!("a[{}]", index - unknowns)),
            None => self.load(Symbol::Acceleration(index)),
        }
    }
}

/// Words that cannot name a field of a struct in C.
const RESERVED: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
];

/// Names as identifiers: `theta[3]` becomes `theta_3`, and `link[3].theta` `link_3_theta`. Underscores are appended where a name is taken or reserved.
fn distinct<'n>(names: impl Iterator<Item = &'n str>, language: Language) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    names
        .map(|name| {
            let mut part = portable(&name.replace(']', "").replace(['[', '.'], "_"));
            // Only C has them as identifiers.
            let is_reserved = |part: &str| language == Language::C && RESERVED.contains(&part);
            while is_reserved(&part) || !taken.insert(part.clone()) {
                part.push('_');
            }
            part
        })
        .collect()
}

/// A name in the characters that every C compiler reads: `θ` becomes `u3b8`.
fn portable(name: &str) -> String {
    let mut portable = String::new();
    for letter in name.chars() {
        match letter {
            _ if letter.is_ascii() => portable.push(letter),
            _ => portable.push_str(&format!("u{:x}", u32::from(letter))),
        }
    }
    portable
}

/// `DoublePendulum` as `double_pendulum`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (index, letter) in letters.iter().enumerate() {
        let begins = letter.is_uppercase()
            && index > 0
            && (letters[index - 1].is_lowercase()
                || letters[index - 1].is_numeric()
                || letters.get(index + 1).is_some_and(|next| next.is_lowercase()));
        if begins && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
