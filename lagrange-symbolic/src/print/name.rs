//! Names in LaTeX: Greek letters, subscripts, and the usual letters of the derived quantities.

use super::Given;

/// Greek letters by the names that people type.
const GREEK: [&str; 35] = [
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
        let (letter, own) = parts(&name[point + 1..]);
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
pub(super) fn given(Given { latex, indices }: &Given) -> String {
    let base = if latex.contains('^') || !indices.is_empty() && latex.contains('_') {
        format!("{{{latex}}}")
    } else {
        latex.clone()
    };
    let indices: Vec<String> = indices.iter().map(ToString::to_string).collect();
    with_subscripts(&base, &indices)
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
