//! Names of a file as identifiers.

use std::collections::{BTreeMap, BTreeSet};

/// Names that a block or Rust uses, so that no coordinate or link has them.
const RESERVED: &[&str] = &[
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "t",
    "pi",
    "mass",
    "momentum",
    "energy",
    "kinetic",
    "potential",
    "lagrangian",
    "dissipation",
    "forcing",
    "balance",
    "force",
    "torque",
    "friction",
    "contact",
    "constraint",
    "nonholonomic",
    "coordinates",
    "state",
    "mode",
    "output",
    "invariant",
    "symmetry",
    "verify",
    "assume",
    "table",
    "units",
    "part",
    "given",
    "gravity",
    "default",
    "path",
];

/// Names of types that the written file uses itself.
const USED: &[&str] = &["Default", "Clone", "Debug", "PartialEq", "Self"];

/// The identifiers of a file that are taken.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
    /// By name and endings, the first number behind the name that has not been tried.
    untried: BTreeMap<(String, &'static [&'static str]), usize>,
}

impl Names {
    /// Only what is reserved is taken.
    pub(crate) fn new() -> Self {
        Self { taken: RESERVED.iter().map(|&name| name.to_owned()).collect(), untried: BTreeMap::new() }
    }

    /// An identifier like this name, such that it and the names with these endings are new. They are taken from then on.
    pub(crate) fn claim(&mut self, name: &str, endings: &'static [&'static str]) -> String {
        let plain = snake(name);
        let key = (plain.clone(), endings);
        // What was taken before stays taken.
        let mut tried = self.untried.get(&key).copied().unwrap_or(1);
        loop {
            let candidate = if tried == 1 { plain.clone() } else { format!("{plain}_{tried}") };
            tried += 1;
            if self.take(&candidate, endings) {
                self.untried.insert(key, tried);
                return candidate;
            }
        }
    }

    /// As [`claim`](Self::claim), with `_link` behind the name of a link that a joint has already.
    pub(crate) fn claim_link(&mut self, name: &str, endings: &'static [&'static str]) -> String {
        let plain = snake(name);
        if self.take(&plain, endings) { plain } else { self.claim(&format!("{plain}_link"), endings) }
    }

    fn take(&mut self, candidate: &str, endings: &[&str]) -> bool {
        let all: Vec<String> =
            std::iter::once("").chain(endings.iter().copied()).map(|ending| format!("{candidate}{ending}")).collect();
        let new = all.iter().all(|name| !self.taken.contains(name));
        if new {
            self.taken.extend(all);
        }
        new
    }
}

/// Names for what has none in a file, beside those that the file has.
#[derive(Clone, Debug)]
pub(crate) struct Fresh {
    taken: BTreeSet<String>,
}

impl Fresh {
    /// Beside these names.
    pub(crate) fn beside<'a>(taken: impl Iterator<Item = &'a str>) -> Self {
        Self { taken: taken.map(str::to_owned).collect() }
    }

    /// This name, with as many `_` behind it as make it new. It is taken from then on.
    pub(crate) fn name(&mut self, name: &str) -> String {
        let mut name = name.to_owned();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

/// `RightArm-Joint 0` as `right_arm_joint_0`. Characters that are neither ASCII letters nor digits become `_`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    let mut before = None::<char>;
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() {
            let starts_word = letter.is_ascii_uppercase() && before.is_some_and(|before| before.is_ascii_lowercase());
            if starts_word && !text.ends_with('_') {
                text.push('_');
            }
            text.push(letter.to_ascii_lowercase());
        } else if !text.ends_with('_') && !text.is_empty() {
            text.push('_');
        }
        before = Some(letter);
    }
    let text = text.trim_end_matches('_');
    match text.chars().next() {
        None => "unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{text}"),
        Some(_) => text.to_owned(),
    }
}

/// `two_link-arm` as `TwoLinkArm`, the name of a struct.
pub(crate) fn type_name(name: &str) -> String {
    let words = snake(name);
    let upper = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    let text: String = words.split('_').filter(|word| !word.is_empty()).map(upper).collect();
    match &text[..] {
        "Unnamed" => "Robot".to_owned(),
        used if USED.contains(&used) => format!("{text}Robot"),
        _ => text,
    }
}

/// Whether a user may name a struct so.
pub(crate) fn is_type_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !USED.contains(&name)
}

/// A name of the file inside a comment: without line breaks and other control characters, and not too long.
pub(crate) fn shown(name: &str) -> String {
    // Marks of the direction of text would show the source in another order than it is compiled in.
    let hides =
        |letter: char| letter.is_control() || matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let plain: String = name.chars().map(|letter| if hides(letter) { ' ' } else { letter }).take(100).collect();
    format!("`{}`", plain.replace('`', "'"))
}

/// The known name nearest to another one, if one is near.
pub(crate) fn near(name: &str, known: &[&str]) -> Option<String> {
    let known: Vec<String> = known.iter().map(|&name| name.to_owned()).collect();
    crate::suggest::nearest(name, &known).filter(|near| *near != name).map(str::to_owned)
}

/// A message about an unknown name, with the nearest known one.
pub(crate) fn suggesting(text: String, name: &str, known: &[&str]) -> String {
    match near(name, known) {
        Some(near) => format!("{text}; did you mean `{near}`?"),
        None => text,
    }
}
