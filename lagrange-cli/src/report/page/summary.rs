//! The page's summary: what holds in each study, and what does not.

use super::{escape, numbered, results, unprinted};
use crate::report::Report;
use crate::report::row::Row;
use crate::report::statement::{Statement, Verdict, tally};
use std::fmt::Write;

pub(super) fn render(report: &Report, out: &mut String) {
    out.push_str(
        "<section id=\"summary\" aria-labelledby=\"summary-title\"><h2 id=\"summary-title\">Summary</h2>\
         <div class=\"scroll\"><table class=\"scores\"><thead><tr><th>study</th><th>hold</th><th>do not</th><th>in part</th><th>not judged</th>\
         <th>recomputed</th><th>expected</th><th>figures</th></tr></thead><tbody>",
    );
    for study in &report.studies {
        let rows: Vec<Row> = report.rows.iter().filter(|row| row.study == study.number).cloned().collect();
        let figures = report.sections.iter().filter(|section| section.study == study.number);
        _ = write!(out, "<tr><td><a href=\"#{}\">{}{}</a></td>", study.id, numbered(study.number), escape(study.name));
        for (count, verdict) in tally(report.statements_of(study.number).iter(), &rows).into_iter().zip(Verdict::ALL) {
            let text = if count == 0 { "–".to_owned() } else { count.to_string() };
            _ = write!(out, "<td class=\"n\" data-name=\"{}\">{text}</td>", verdict.plural(count));
        }
        for ((held, judged), name) in unprinted(&rows).into_iter().zip(["recomputed", "expected"]) {
            let text = if judged == 0 { "–".to_owned() } else { format!("{held} of {judged}") };
            _ = write!(out, "<td class=\"n\" data-name=\"{name}\">{text}</td>");
        }
        let count: usize = figures.map(|section| section.figures.len()).sum();
        _ = write!(out, "<td class=\"n\" data-name=\"figures\">{count}</td></tr>");
    }
    out.push_str("</tbody></table></div>");
    failures(report, out);
    out.push_str("</section>");
}

/// The statements that do not hold, or not in all parts and readings, with the reasons.
fn failures(report: &Report, out: &mut String) {
    let refuted =
        |statement: &&&'static Statement| matches!(statement.verdict(&report.rows), Verdict::Fails | Verdict::Partly);
    let unprinted = |row: &&Row| row.statement.is_none() && row.holds == Some(false);
    if !report.statements.iter().any(|statement| refuted(&statement)) && !report.rows.iter().any(|row| unprinted(&row))
    {
        out.push_str("<p class=\"setup\">Everything that is judged holds.</p>");
        return;
    }
    out.push_str("<h3>What does not hold, and why</h3>");
    for study in &report.studies {
        let statements = report.statements_of(study.number);
        let refuted: Vec<_> = statements.iter().filter(refuted).collect();
        let rows: Vec<&Row> = report.rows.iter().filter(|row| row.study == study.number).filter(unprinted).collect();
        if refuted.is_empty() && rows.is_empty() {
            continue;
        }
        let name = format!("{}{}", numbered(study.number), escape(study.name));
        _ = write!(out, "<h4><a href=\"#{}-numbers\">{name}</a></h4><ul class=\"failures\">", study.id);
        for statement in refuted {
            _ = write!(
                out,
                "<li><b>{}</b> ({}) {}.{} <span class=\"note\">{}</span></li>",
                escape(statement.says),
                escape(statement.place),
                statement.verdict(&report.rows).words(),
                statement.rows(&report.rows).filter(|row| row.holds == Some(false)).map(found).collect::<String>(),
                escape(statement.reason)
            );
        }
        for row in rows {
            _ = write!(
                out,
                "<li>{} <span class=\"note\">{}</span></li>",
                found(row),
                escape(&results::typeset_note(&row.note))
            );
        }
        out.push_str("</ul>");
    }
}

/// A row that does not hold, as a sentence.
fn found(row: &Row) -> String {
    format!(
        " {}: {} against {}.",
        escape(&row.quantity),
        results::with_unit(&row.ours_text(), row.unit),
        results::with_unit(&row.published_text, row.unit)
    )
}
