//! One study: what its document does, its experiments with their figures, and its numbers.

use super::{animation, escape, numbered, results, verdicts};
use crate::report::Report;
use crate::report::figure::{Figure, Section, Study};
use crate::report::plot;
use crate::report::row::Row;
use std::fmt::Write;

/// Writes the section of a study; `charts` counts those of the page.
pub(super) fn render(report: &Report, study: &Study, charts: &mut usize, out: &mut String) {
    let sections: Vec<&Section> = report.sections.iter().filter(|section| section.study == study.number).collect();
    let rows: Vec<Row> = report.rows.iter().filter(|row| row.study == study.number).cloned().collect();
    _ = write!(
        out,
        "<section class=\"study\" id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}{2}</h2>",
        study.id,
        numbered(study.number),
        escape(study.name)
    );
    for (class, text) in [("document", study.document), ("setup", study.summary)] {
        if !text.is_empty() {
            _ = write!(out, "<p class=\"{class}\">{}</p>", escape(text));
        }
    }
    let statements = report.statements_of(study.number);
    if !statements.is_empty() {
        _ = write!(out, "<p class=\"score\">{}</p>", verdicts(&statements, &rows));
    }
    contents(study, &sections, !rows.is_empty(), out);
    for section in sections {
        experiment(section, charts, out);
    }
    if !rows.is_empty() {
        _ = write!(out, "<article id=\"{}-numbers\"><h3>Numbers and statements</h3>", study.id);
        results::table(&rows, out);
        out.push_str("</article>");
    }
    out.push_str("</section>");
}

/// The links to the parts of a study.
fn contents(study: &Study, sections: &[&Section], numbers: bool, out: &mut String) {
    _ = write!(out, "<ul class=\"contents\" aria-label=\"Parts of {}\">", escape(study.name));
    for section in sections {
        _ = write!(out, "<li><a href=\"#{}\">{}</a></li>", section.id, escape(&section.title));
    }
    if numbers {
        _ = write!(out, "<li><a href=\"#{}-numbers\">Numbers and statements</a></li>", study.id);
    }
    out.push_str("</ul>");
}

fn experiment(section: &Section, charts: &mut usize, out: &mut String) {
    _ = write!(
        out,
        "<article id=\"{}\"><h3>{}</h3><p class=\"setup\">{}</p>",
        section.id,
        escape(&section.title),
        escape(&section.setup)
    );
    if let Some(equations) = section.equations {
        _ = write!(
            out,
            "<details><summary>The derived equations</summary><pre>{}</pre></details>",
            escape(equations.trim())
        );
    }
    if let Some(animated) = &section.animation {
        animation::render(animated, out);
    }
    for shown in &section.figures {
        figure(shown, charts, out);
    }
    out.push_str("</article>");
}

fn figure(figure: &Figure, charts: &mut usize, out: &mut String) {
    let (columns, width) = if figure.charts.len() > 1 { ("pair", 540.0) } else { ("single", 1080.0) };
    _ = write!(out, "<figure><h4>{}</h4><div class=\"{columns}\">", escape(&figure.title));
    for chart in &figure.charts {
        *charts += 1;
        out.push_str("<div class=\"chart\">");
        plot::render(chart, width, *charts, out);
        out.push_str("</div>");
    }
    out.push_str("</div><figcaption>");
    for (who, text) in [("The document", &figure.paper), ("Here", &figure.ours)] {
        if !text.is_empty() {
            _ = write!(out, "<p><b>{who}</b> {}</p>", escape(text));
        }
    }
    out.push_str("</figcaption></figure>");
}
