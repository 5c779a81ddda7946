//! The page's table of results.

use super::escape;
use crate::report::number::typeset;
use crate::report::row::{Origin, Row};
use std::fmt::Write;

/// Writes the table of one study, with a heading for each experiment.
pub(super) fn table(rows: &[Row], out: &mut String) {
    out.push_str(
        "<div class=\"scroll\"><table class=\"results\"><thead><tr><th>quantity</th><th>compared with</th><th>ours</th>\
         <th>difference</th><th>holds</th></tr></thead>",
    );
    let mut group = None;
    for row in rows {
        if group != Some(row.experiment) {
            if group.is_some() {
                out.push_str("</tbody>");
            }
            group = Some(row.experiment);
            let name = escape(&experiment(row.experiment));
            _ = write!(out, "<tbody><tr class=\"group\"><th colspan=\"5\" scope=\"rowgroup\">{name}</th></tr>");
        }
        line(row, out);
    }
    if group.is_some() {
        out.push_str("</tbody>");
    }
    out.push_str("</table></div>");
}

fn experiment(name: &str) -> String {
    let mut characters = name.chars();
    match characters.next() {
        Some(first) if first.is_ascii_digit() && name.len() == 1 => format!("Experiment {name}"),
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// A number with its unit, as HTML.
pub(super) fn with_unit(text: &str, unit: &str) -> String {
    match (text, unit) {
        ("", _) => String::new(),
        (text, "") => typeset_all(text),
        (text, unit) => format!("{}&nbsp;<small>{}</small>", typeset_all(text), escape(unit)),
    }
}

fn line(row: &Row, out: &mut String) {
    let (class, badge) = match row.holds {
        Some(true) => ("yes", "holds"),
        Some(false) => ("no", "differs"),
        None if row.published.is_some() => ("none", "not judged"),
        None => ("none", "–"),
    };
    _ = write!(
        out,
        "<tr><td>{}{}<p class=\"note\">{}</p></td><td class=\"n\" data-name=\"compared with\">{}{}</td>\
         <td class=\"n\" data-name=\"ours\">{}</td><td class=\"n\" data-name=\"difference\">{}</td>\
         <td><span class=\"badge {class}\">{badge}</span></td></tr>",
        escape(&row.quantity),
        says(row),
        escape(&typeset_note(&row.note)),
        with_unit(&row.published_text, row.unit),
        origin(row),
        with_unit(&row.ours_text(), row.unit),
        typeset_all(&row.difference_text()),
    );
}

/// What the document says, where the row judges a statement of it.
fn says(row: &Row) -> String {
    row.statement.map_or_else(String::new, |statement| {
        format!("<p class=\"note\"><b>The document</b> <span class=\"says\">{}</span></p>", escape(statement.says))
    })
}

/// The mark of where the compared figure comes from.
fn origin(row: &Row) -> String {
    let Some(origin) = row.origin else { return String::new() };
    let name = match origin {
        Origin::Printed => "printed",
        Origin::Recomputed | Origin::Expected => origin.word(),
    };
    let place = if row.source().is_empty() { String::new() } else { format!(", {}", escape(row.source())) };
    format!("<span class=\"from\"><span class=\"origin {name}\">{name}</span>{place}</span>")
}

/// Typesets every number of a text like `3e-4 ± 2e-4`.
fn typeset_all(text: &str) -> String {
    text.split(' ').map(typeset).collect::<Vec<_>>().join("&nbsp;")
}

/// Typesets the numbers with a power of ten in running text.
pub(super) fn typeset_note(text: &str) -> String {
    let word = |word: &str| {
        let number = word.trim_end_matches([';', ',', '.', ':']);
        let is_power = number.contains('e') && number.parse::<f64>().is_ok();
        if is_power { format!("{}{}", typeset(number), &word[number.len()..]) } else { word.to_owned() }
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::typeset_note;

    #[test]
    fn only_numbers_are_typeset() {
        assert_eq!(typeset_note("tolerance 5e-7, the mean of e"), "tolerance 5·10⁻⁷, the mean of e");
    }
}
