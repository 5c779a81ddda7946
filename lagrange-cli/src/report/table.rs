//! The rows as a table on the terminal.

use super::row::{Origin, Row};
use std::fmt::Write;

const HEADINGS: [&str; 6] = ["study", "quantity", "compared with", "ours", "difference", "holds"];

/// The table, and below it the reasons of what does not hold; with colours where the terminal has them.
pub fn render(rows: &[Row], colours: bool) -> String {
    let cells: Vec<[String; 6]> = rows.iter().map(cells).collect();
    let widths: Vec<usize> = (0..6)
        .map(|column| {
            let widest = cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
            widest.max(HEADINGS[column].chars().count())
        })
        .collect();
    let mut text = String::new();
    let line = |row: &[&str], text: &mut String| {
        for (column, cell) in row.iter().enumerate() {
            let padding = " ".repeat(widths[column].saturating_sub(cell.chars().count()));
            let gap = if column == 0 { "" } else { "  " };
            match column {
                2..=4 => _ = write!(text, "{gap}{padding}{cell}"),
                5 => _ = write!(text, "{gap}{}", judgement(cell, colours)),
                _ => _ = write!(text, "{gap}{cell}{padding}"),
            }
        }
        text.push('\n');
    };
    line(&HEADINGS, &mut text);
    let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
    line(&rules.iter().map(String::as_str).collect::<Vec<_>>(), &mut text);
    for row in &cells {
        line(&row.each_ref().map(String::as_str), &mut text);
    }
    reasons(rows, &mut text);
    text
}

/// Returns two numbers of rows whose figure has this origin: those that hold, and those that are judged.
pub fn score(rows: &[Row], origin: Origin) -> (usize, usize) {
    let judged = rows.iter().filter(|row| row.origin == Some(origin) && row.holds.is_some());
    (judged.clone().filter(|row| row.holds == Some(true)).count(), judged.count())
}

fn cells(row: &Row) -> [String; 6] {
    let unit =
        |text: String| if text.is_empty() || row.unit.is_empty() { text } else { format!("{text} {}", row.unit) };
    [
        format!("{} · {}", row.study, row.experiment),
        row.quantity.clone(),
        with_origin(unit(row.published_text.clone()), row.origin),
        unit(row.ours_text()),
        row.difference_text(),
        match row.holds {
            Some(true) => "yes",
            Some(false) => "no",
            None => "–",
        }
        .to_owned(),
    ]
}

/// A figure with the word for its origin, where the document does not print it.
fn with_origin(text: String, origin: Option<Origin>) -> String {
    match origin.map(Origin::word) {
        None | Some("") => text,
        Some(word) => format!("{word} {text}"),
    }
}

fn judgement(cell: &str, colours: bool) -> String {
    match (cell, colours) {
        ("yes", true) => format!("\x1b[32m{cell}\x1b[0m"),
        ("no", true) => format!("\x1b[31m{cell}\x1b[0m"),
        _ => cell.to_owned(),
    }
}

fn reasons(rows: &[Row], text: &mut String) {
    let failing = rows.iter().filter(|row| row.holds == Some(false));
    for (index, row) in failing.enumerate() {
        if index == 0 {
            text.push_str("\nWhat does not hold, and why:\n");
        }
        let source = if row.source().is_empty() { String::new() } else { format!(" ({})", row.source()) };
        _ = writeln!(text, "  {} · {}{source}, {}:", row.study, row.experiment, row.quantity);
        let (says, reason) = row.statement.map_or(("", ""), |statement| (statement.says, statement.reason));
        for paragraph in [says, &row.note, reason].into_iter().filter(|paragraph| !paragraph.is_empty()) {
            for line in wrapped(paragraph, 112) {
                _ = writeln!(text, "      {line}");
            }
        }
    }
}

/// The text in lines of at most `width` characters, broken between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > 0 && line + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else if let Some(last) = lines.last_mut() {
            if line > 0 {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::row::Published;

    #[test]
    fn columns_line_up_and_reasons_follow() {
        let rows = [
            Row::compared((1, "1"), "period", "s", Published::printed("2.84"), 2.8385, ""),
            Row::compared((1, "4"), "mean step, Δ₀", "ms", Published::printed("2.468002"), 3.18, "rule not printed"),
        ];
        let table = render(&rows, false);
        let lines: Vec<&str> = table.lines().collect();
        let position = |line: &str, wanted: &str| line.find(wanted).map(|byte| line[..byte].chars().count());
        assert_eq!(position(lines[2], "yes"), position(lines[3], "no"));
        assert!(table.contains("      tolerance 5e-7, half the last printed digit; rule not printed"));
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(score(&rows, Origin::Printed), (1, 2));
        assert_eq!(score(&rows, Origin::Expected), (0, 0));
        let expected = Row::compared((1, "1"), "turn", "rad", Published::within("0", 1e-12).expected(), 0.0, "");
        assert!(render(&[expected], false).contains("expected 0 ± 1e-12 rad"));
    }
}
