//! The page's summary: what holds in each study, and what does not.

use super::{escape, numbered, results, scores};
use crate::report::Report;
use crate::report::row::Row;
use std::fmt::Write;

pub(super) fn render(report: &Report, out: &mut String) {
    out.push_str(
        "<section id=\"summary\" aria-labelledby=\"summary-title\"><h2 id=\"summary-title\">Summary</h2>\
         <div class=\"scroll\"><table class=\"scores\"><thead><tr><th>study</th><th>printed</th><th>recomputed</th><th>expected</th>\
         <th>figures</th></tr></thead><tbody>",
    );
    for study in &report.studies {
        let rows: Vec<Row> = report.rows.iter().filter(|row| row.study == study.number).cloned().collect();
        let figures = report.sections.iter().filter(|section| section.study == study.number);
        _ = write!(out, "<tr><td><a href=\"#{}\">{}{}</a></td>", study.id, numbered(study.number), escape(study.name));
        for ((held, judged), name) in scores(&rows).into_iter().zip(["printed", "recomputed", "expected"]) {
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

/// What does not hold, with the reasons.
fn failures(report: &Report, out: &mut String) {
    let failing: Vec<&Row> = report.rows.iter().filter(|row| row.holds == Some(false)).collect();
    if failing.is_empty() {
        out.push_str("<p class=\"setup\">Everything that is judged holds.</p>");
        return;
    }
    out.push_str("<h3>What does not hold, and why</h3>");
    for study in &report.studies {
        let rows: Vec<&&Row> = failing.iter().filter(|row| row.study == study.number).collect();
        if rows.is_empty() {
            continue;
        }
        let name = format!("{}{}", numbered(study.number), escape(study.name));
        _ = write!(out, "<h4><a href=\"#{}-numbers\">{name}</a></h4><ul class=\"failures\">", study.id);
        for row in rows {
            _ = write!(
                out,
                "<li><b>{}</b>{}: {} against {}. <span class=\"note\">{}</span></li>",
                escape(&row.quantity),
                if row.source.is_empty() { String::new() } else { format!(" ({})", escape(row.source)) },
                results::with_unit(&row.ours_text(), row.unit),
                results::with_unit(&row.published_text, row.unit),
                escape(&results::typeset_note(&row.note))
            );
        }
        out.push_str("</ul>");
    }
}
