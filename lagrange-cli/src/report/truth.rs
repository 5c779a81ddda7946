//! The page of truth: every statement of the documents with its place, what was computed, the verdict and the reason, as Markdown.
//!
//! The page is the same on every machine: each figure is written in the digits that are certain.

use super::Report;
use super::number::typeset;
use super::row::Row;
use super::statement::{Statement, Verdict, tally};
use std::fmt::Write;

/// Returns the page. `command` is the command that writes it.
pub fn render(report: &Report, command: &str) -> String {
    let mut out = String::from("# What the five documents say, and what is true\n\n");
    let [holding, failing, partly, unjudged] = tally(report.statements.iter(), &report.rows);
    _ = write!(
        out,
        "The documents make {} statements that can be told apart. **{holding} hold, {failing} do not hold, {partly} hold in part, {unjudged} {} \
         not judged.** A statement counts once, however many rows judge it. It holds in part if a reading or a part of it holds and another \
         does not.\n\n\
         The command `{command}` computes everything on this page and writes it; a test compares the two. Each figure stands in the \
         digits that are the same on every machine. “At most” is a bound for what is only rounding. Definitions, derivations \
         without a result to test, and opinions are no statements here.\n\n\
         | study | statements | hold | do not hold | hold in part | not judged |\n|---|---:|---:|---:|---:|---:|\n",
        report.statements.len(),
        if unjudged == 1 { "is" } else { "are" },
    );
    let documents = || report.studies.iter().filter(|study| !report.statements_of(study.number).is_empty());
    for study in documents() {
        let statements = report.statements_of(study.number);
        let counts = tally(statements.iter(), &report.rows).map(|count| count.to_string()).join(" | ");
        _ = writeln!(
            out,
            "| [{0}. {1}](#{0}-{2}) | {3} | {counts} |",
            study.number,
            study.name,
            anchor(study.name),
            statements.len()
        );
    }
    for study in documents() {
        _ = write!(out, "\n## {}. {}\n\n{}. {}\n", study.number, study.name, study.document, study.summary);
        for (index, statement) in report.statements_of(study.number).into_iter().enumerate() {
            section(report, statement, index + 1, &mut out);
        }
    }
    out
}

/// The anchor that Markdown gives a heading of these words.
fn anchor(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

fn section(report: &Report, statement: &'static Statement, number: usize, out: &mut String) {
    let verdict = statement.verdict(&report.rows);
    _ = write!(
        out,
        "\n### {}.{number} {}: {}\n\n> {}\n\n",
        statement.study,
        statement.place,
        verdict.words(),
        statement.says
    );
    let mut rows = statement.rows(&report.rows).peekable();
    if rows.peek().is_some() {
        out.push_str("| computed | ours | compared with | |\n|---|---:|---:|---|\n");
        for row in rows {
            _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                cell(&row.quantity),
                cell(&row.certain_text()),
                compared(row),
                holds(row)
            );
        }
        out.push('\n');
    }
    _ = writeln!(out, "{}", statement.reason);
}

/// The figure that ours is compared with, with its unit.
fn compared(row: &Row) -> String {
    if row.published_text.is_empty() {
        return String::new();
    }
    let text = row.published_text.split(' ').map(typeset).collect::<Vec<_>>().join(" ");
    let unit = if row.unit.is_empty() { String::new() } else { format!(" {}", row.unit) };
    cell(&format!("{text}{unit}"))
}

fn holds(row: &Row) -> &'static str {
    match row.holds {
        Some(true) => Verdict::Holds.words(),
        Some(false) => Verdict::Fails.words(),
        None => "",
    }
}

/// Text as a cell of a table: a bar would end it.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figure::Study;
    use crate::report::row::Published;

    static PERIOD: Statement = Statement { study: 1, place: "§5.1", says: "The period is 2.84 s.", reason: "It is." };
    static ENERGY: Statement = Statement { study: 1, place: "§6", says: "The energy stays.", reason: "It drifts." };
    static COST: Statement = Statement { study: 1, place: "§7", says: "It is fast.", reason: "Fast is no number." };

    fn report() -> Report {
        let row = |name: &str, published: Published, ours| Row::compared((1, "1"), name, "J", published, ours, "note");
        Report {
            studies: vec![Study { number: 1, id: "a", name: "A pendulum", document: "A, 2013", summary: "It swings." }],
            statements: vec![&PERIOD, &ENERGY, &COST],
            rows: vec![
                row("largest |E|", Published::within("0", 1e-9).of(&ENERGY), 1e-15),
                row("period", Published::printed("2.84").of(&PERIOD), 2.838_46),
                row("last |E|", Published::within("0", 1e-9).of(&ENERGY), 0.031_25),
            ],
            ..Report::default()
        }
    }

    #[test]
    fn statements_stand_in_their_order_with_rows_verdict_and_reason() {
        let page = render(&report(), "make it");
        assert!(page.contains("make 3 statements"), "{page}");
        assert!(page.contains("**1 hold, 0 do not hold, 1 hold in part, 1 is not judged.**"), "{page}");
        assert!(page.contains("| [1. A pendulum](#1-a-pendulum) | 3 | 1 | 0 | 1 | 1 |"), "{page}");
        assert!(page.contains("### 1.1 §5.1: holds\n\n> The period is 2.84 s.\n\n"), "{page}");
        assert!(
            page.contains("| largest \\|E\\| | at most 10⁻⁹ J | 0 ± 10⁻⁹ J | holds |\n| last \\|E\\| | 0.0312 J |"),
            "{page}"
        );
        assert!(page.contains("### 1.3 §7: is not judged\n\n> It is fast.\n\nFast is no number.\n"), "{page}");
    }
}
