//! Names in LaTeX: Greek letters, subscripts, and the usual letters of the derived quantities.

use super::Given;

/// Greek letters by the names that people type.
pub(super) const GREEK: [&str; 35] = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "varepsilon",
    "zeta",
    "eta",
    "theta",
    "vartheta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "pi",
    "rho",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "varphi",
    "chi",
    "psi",
    "omega",
    "Gamma",
    "Delta",
    "Theta",
    "Lambda",
    "Xi",
    "Sigma",
    "Phi",
    "Psi",
    "Omega",
];

/// How many of the quantities below are energies that a part states.
const ENERGIES: usize = 4;

/// The derived quantities of a model, with their usual letters.
const QUANTITIES: [(&str, &str); 10] = [
    ("lagrangian", "L"),
    ("kinetic", "T"),
    ("potential", "V"),
    ("dissipation", "D"),
    ("energy", "h"),
    ("momentum", "p"),
    ("symmetry", "J"),
    ("mass", "M"),
    ("balance", "f"),
    ("forcing", "F"),
];

/// A name's letter and its subscripts: `theta1` is (`\theta`, `1`), `r[2][0]` is (`r`, `2,0`).
///
/// The names of parts are the first subscripts: `link[2].theta1` is (`\theta`, `link,2,1`).
fn parts(name: &str) -> (String, Vec<String>) {
    if name.contains('.') {
        return of_part(name);
    }
    let (stem, indices) = name.split_once('[').unwrap_or((name, ""));
    let stem = stem.trim();
    let digits = stem.len() - stem.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (stem, number) = stem.split_at(stem.len() - digits);
    let mut words = stem.split('_').filter(|word| !word.is_empty());
    let letter = word(words.next().unwrap_or("x"));
    let mut subscripts: Vec<String> = words.map(word).collect();
    if !number.is_empty() {
        subscripts.push(number.to_string());
    }
    let indices = indices.replace(']', "").replace('[', ",");
    let index = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.to_string(),
        false => symbol(text),
    };
    subscripts.extend(indices.split(',').map(str::trim).filter(|index| !index.is_empty()).map(index));
    (letter, subscripts)
}

/// The letter of an energy of a part, `left.kinetic`.
fn energy(name: &str) -> Option<&'static str> {
    let energies = &QUANTITIES[..ENERGIES];
    energies.iter().find(|(energy, _)| *energy == name).map(|(_, letter)| *letter)
}

/// The letter and the subscripts of a name that contains the name of a part.
fn of_part(name: &str) -> (String, Vec<String>) {
    let mut depth = 0_i32;
    let outside: Vec<(usize, char)> = name
        .char_indices()
        .filter(|(_, sign)| {
            depth += i32::from(*sign == '[') - i32::from(*sign == ']');
            depth == 0 || *sign == '[' && depth == 1
        })
        .collect();
    if let Some((point, _)) = outside.iter().rev().find(|(_, sign)| *sign == '.') {
        let own = &name[point + 1..];
        let (letter, own) = energy(own).map_or_else(|| parts(own), |letter| (letter.to_owned(), Vec::new()));
        let subscripts = name[..*point].split('.').flat_map(|part| {
            let (letter, subscripts) = parts(part);
            std::iter::once(letter).chain(subscripts)
        });
        return (letter, subscripts.chain(own).collect());
    }
    // `mass[left.theta, right.theta]`
    let (stem, indices) = name.split_once('[').unwrap_or((name, ""));
    let indices = indices.strip_suffix(']').unwrap_or(indices);
    let (letter, mut subscripts) = parts(stem);
    subscripts.extend(indices.split(',').map(|index| symbol(index.trim())));
    (letter, subscripts)
}

/// One word: a letter, a Greek letter, or upright text.
fn word(word: &str) -> String {
    if GREEK.contains(&word) {
        format!("\\{word}")
    } else if word.chars().count() == 1 {
        word.to_string()
    } else {
        format!("\\mathrm{{{word}}}")
    }
}

fn with_subscripts(letter: &str, subscripts: &[String]) -> String {
    if subscripts.is_empty() { letter.to_string() } else { format!("{letter}_{{{}}}", subscripts.join(",")) }
}

/// A name in LaTeX.
pub(super) fn symbol(name: &str) -> String {
    let (letter, subscripts) = parts(name);
    with_subscripts(&letter, &subscripts)
}

/// A stated symbol, with the indices of an element as subscripts. A symbol with a subscript of its own is one base for them, and one with a
/// superscript is one base for exponents.
pub(super) fn given(given: &Given) -> String {
    with_subscripts(&given_base(given), &given.subscripts)
}

fn given_base(Given { latex, subscripts }: &Given) -> String {
    if latex.contains('^') || !subscripts.is_empty() && latex.contains('_') {
        format!("{{{latex}}}")
    } else {
        latex.clone()
    }
}

/// The subscripts of a name besides those that belong to its own letter: parts and indices.
pub(super) fn subscripts(name: &str) -> Vec<String> {
    let (path, own) = name.rsplit_once('.').unwrap_or(("", name));
    let indices = own.find('[').map_or("", |start| &own[start..]);
    let (_, subscripts) = parts(&format!("{path}{}x{indices}", if path.is_empty() { "" } else { "." }));
    subscripts
}

/// A coordinate's derivative in LaTeX, with the dots over the letter: `\dot`, `\ddot`.
pub(super) fn derivative(name: &str, dots: &str) -> String {
    let (letter, subscripts) = parts(name);
    with_subscripts(&format!("{dots}{{{letter}}}"), &subscripts)
}

/// The left side of an equation in LaTeX: a derived quantity, a derivative, 0, or any name.
pub(super) fn quantity(name: &str) -> String {
    if name == "0" {
        return name.to_string();
    }
    if let Some(inner) = name.strip_prefix("dot(").and_then(|rest| rest.strip_suffix(')')) {
        return match inner.strip_prefix("dot(").and_then(|rest| rest.strip_suffix(')')) {
            Some(coordinate) => derivative(coordinate, "\\ddot"),
            None => derivative(inner, "\\dot"),
        };
    }
    let stem = name.split_once('[').map_or(name, |(stem, _)| stem);
    let (letter, subscripts) = parts(name);
    match QUANTITIES.iter().find(|(quantity, _)| *quantity == stem) {
        Some((_, usual)) => with_subscripts(usual, &subscripts),
        None => with_subscripts(&letter, &subscripts),
    }
}

/// The name of a quantity of a block: a letter with subscripts.
pub(super) struct Shown {
    letter: String,
    subscripts: Vec<String>,
}

impl Shown {
    /// The name with the LaTeX that is stated for the quantity, if it is. `link[].tip` takes its first index behind the name of the part.
    pub(super) fn new(name: &str, stated: Option<&str>, indices: &[String]) -> Self {
        let (path, own) = name.rsplit_once('.').unwrap_or(("", name));
        let mut indices = indices.iter().cloned();
        let mut subscripts = Vec::new();
        for part in path.split('.').filter(|part| !part.is_empty()) {
            let (part, is_array) = part.strip_suffix("[]").map_or((part, false), |part| (part, true));
            let (letter, own) = parts(part);
            subscripts.push(letter);
            subscripts.extend(own);
            subscripts.extend(is_array.then(|| indices.next()).flatten());
        }
        let usual = energy(own).filter(|_| !path.is_empty());
        let (letter, own) = match (stated, usual) {
            (Some(latex), _) => {
                let given = Given {
                    latex: latex.to_owned(),
                    subscripts: subscripts.iter().cloned().chain(indices.clone()).collect(),
                };
                return Self { letter: given_base(&given), subscripts: given.subscripts };
            }
            (None, Some(usual)) => (usual.to_owned(), Vec::new()),
            (None, None) => parts(own),
        };
        subscripts.extend(own.into_iter().chain(indices));
        Self { letter, subscripts }
    }

    /// The name in LaTeX.
    pub(super) fn latex(&self) -> String {
        with_subscripts(&self.letter, &self.subscripts)
    }

    /// The name with a command over its letter, such as a dot.
    pub(super) fn with(&self, command: &str) -> String {
        with_subscripts(&format!("{command}{{{}}}", self.letter), &self.subscripts)
    }

    /// Another letter with the name as its first subscripts.
    pub(super) fn under(&self, letter: &str) -> String {
        let all: Vec<String> = std::iter::once(self.letter.clone()).chain(self.subscripts.iter().cloned()).collect();
        with_subscripts(letter, &all)
    }
}

/// A unit as a block writes it, `kg*m^2/s`, in upright letters.
pub(super) fn unit(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars().peekable();
    while let Some(sign) = characters.next() {
        let mut run = |first: char, test: fn(&char) -> bool| {
            let mut run = String::from(first);
            while let Some(next) = characters.next_if(test) {
                run.push(next);
            }
            run
        };
        match sign {
            '*' => out.push_str(" \\cdot "),
            '^' => {
                let exponent: String = run('^', |next| next.is_ascii_digit() || *next == '-');
                out.push_str(&format!("^{{{}}}", &exponent[1..]));
            }
            '%' => out.push_str("\\%"),
            letter if letter.is_alphabetic() => {
                out.push_str(&format!("\\mathrm{{{}}}", run(letter, |next| next.is_alphabetic())));
            }
            other => out.push(other),
        }
    }
    out
}
