//! The page's table of results.

use super::escape;
use crate::report::number::typeset;
use crate::report::row::{Origin, Row};
use std::fmt::Write;

pub(super) fn table(rows: &[Row], out: &mut String) {
    out.push_str(
        "<section id=\"results\"><h2>Results</h2><div class=\"scroll\"><table><thead><tr><th>quantity</th>\
         <th>compared with</th><th>ours</th><th>difference</th><th>holds</th></tr></thead>",
    );
    let mut group = None;
    for row in rows {
        if group != Some((row.study, row.experiment)) {
            if group.is_some() {
                out.push_str("</tbody>");
            }
            group = Some((row.study, row.experiment));
            _ = write!(
                out,
                "<tbody><tr class=\"group\"><th colspan=\"5\">Study {}, {}</th></tr>",
                row.study,
                escape(&experiment(row.experiment))
            );
        }
        line(row, out);
    }
    if group.is_some() {
        out.push_str("</tbody>");
    }
    out.push_str("</table></div></section>");
}

fn experiment(name: &str) -> String {
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("experiment {name}") } else { name.to_owned() }
}

fn line(row: &Row, out: &mut String) {
    let unit = |text: &str| match (text, row.unit) {
        ("", _) => String::new(),
        (text, "") => typeset_all(text),
        (text, unit) => format!("{}&nbsp;<small>{}</small>", typeset_all(text), escape(unit)),
    };
    let (class, badge) = match row.holds {
        Some(true) => ("yes", "holds"),
        Some(false) => ("no", "differs"),
        None if row.published.is_some() => ("none", "not judged"),
        None => ("none", "–"),
    };
    _ = write!(
        out,
        "<tr><td>{}<p class=\"note\">{}</p></td><td class=\"n\" data-name=\"published\">{}</td><td class=\"n\" data-name=\"ours\">{}</td>\
         <td class=\"n\" data-name=\"difference\">{}</td>\
         <td><span class=\"badge {class}\">{badge}</span></td></tr>",
        escape(&row.quantity),
        escape(&typeset_note(&row.note)),
        format_args!("{}{}", unit(&row.published_text), origin(row)),
        unit(&row.ours_text()),
        typeset_all(&row.difference_text()),
    );
}

/// The mark of a figure that the document does not print.
fn origin(row: &Row) -> String {
    match row.origin.map(Origin::word) {
        None | Some("") => String::new(),
        Some(word) => format!("<br><small>{word}</small>"),
    }
}

/// Typesets every number of a text like `3e-4 ± 2e-4`.
fn typeset_all(text: &str) -> String {
    text.split(' ').map(typeset).collect::<Vec<_>>().join("&nbsp;")
}

/// Typesets the numbers with a power of ten in running text.
fn typeset_note(text: &str) -> String {
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
