//! The report as one self-contained HTML page: no file or address outside it is needed.

mod animation;
mod results;

use super::Report;
use super::figure::{Figure, Section};
use super::number;
use super::plot;
use super::row::Origin;
use super::table::score;
use std::fmt::Write;

const BASE: &str = include_str!("base.css");
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// The page; `seconds` is how long the studies took.
pub fn render(report: &Report, seconds: f64) -> String {
    let mut out = String::with_capacity(1 << 20);
    _ = write!(
        out,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <title>Lagrange: five published studies, reproduced</title><style>{BASE}{STYLE}</style></head><body>"
    );
    header(report, seconds, &mut out);
    out.push_str("<main>");
    results::table(&report.rows, &mut out);
    let mut charts = 0;
    for section in &report.sections {
        render_section(section, &mut charts, &mut out);
    }
    _ = write!(
        out,
        "</main><footer>Made by <code>cargo run --release</code>: the equations were derived from \
         the energies when the program was compiled. Numbers: <a href=\"results.json\">results.json</a>; curves:"
    );
    for series in &report.series {
        _ = write!(out, " <a href=\"{0}.csv\">{0}.csv</a>", escape(&series.name));
    }
    _ = write!(out, ".</footer><script>{SCRIPT}</script></body></html>");
    out
}

/// Text with the characters escaped that HTML reserves.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn header(report: &Report, seconds: f64, out: &mut String) {
    let [printed, recomputed, expected] =
        [Origin::Printed, Origin::Recomputed, Origin::Expected].map(|origin| score(&report.rows, origin));
    _ = write!(
        out,
        "<header><div class=\"inner\"><p class=\"brand\">Lagrange</p>\
         <h1>Five published studies, reproduced</h1>\
         <p class=\"lead\">A mechanism states its energies; its equations of motion are derived when the program is \
         compiled. Below, every figure that five documents publish stands beside the one these equations give. Figures that \
         the documents do not print are marked: some were recomputed from their equations by another program, some follow from \
         the mathematics.</p>\
         <dl class=\"facts\"><div><dt>printed figures that hold</dt><dd>{} <small>of {}</small></dd></div>\
         <div><dt>recomputed</dt><dd>{} <small>of {}</small></dd></div><div><dt>expected</dt><dd>{} <small>of {}</small></dd></div>\
         <div><dt>rows in all</dt><dd>{}</dd></div><div><dt>computed in</dt><dd>{} <small>s</small></dd></div></dl>\
         </div></header><nav><div class=\"inner\"><a href=\"#results\">Results</a>",
        printed.0,
        printed.1,
        recomputed.0,
        recomputed.1,
        expected.0,
        expected.1,
        report.rows.len(),
        number::text(seconds, 2),
    );
    for section in &report.sections {
        let short = section.title.split(':').next().unwrap_or(&section.title);
        _ = write!(out, "<a href=\"#{}\">{}</a>", section.id, escape(short));
    }
    out.push_str("</div></nav>");
}

fn render_section(section: &Section, charts: &mut usize, out: &mut String) {
    _ = write!(
        out,
        "<section id=\"{}\"><p class=\"over\">{}</p><h2>{}</h2><p class=\"setup\">{}</p>",
        section.id,
        escape(section.study),
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
    for figure in &section.figures {
        render_figure(figure, charts, out);
    }
    out.push_str("</section>");
}

fn render_figure(figure: &Figure, charts: &mut usize, out: &mut String) {
    let (columns, width) = if figure.charts.len() > 1 { (" class=\"pair\"", 540.0) } else { ("", 1080.0) };
    _ = write!(out, "<figure><h3>{}</h3><div{columns}>", escape(&figure.title));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::row::{Published, Row};

    #[test]
    fn the_page_needs_nothing_outside_it() {
        let report = Report {
            rows: vec![Row::compared((1, "1"), "period <T>", "s", Published::printed("2.84"), 2.8385, "")],
            sections: vec![Section { id: "one", title: "Study 1: a".to_owned(), ..Section::default() }],
            series: Vec::new(),
        };
        let page = render(&report, 1.0);
        assert!(page.contains("period &lt;T&gt;"));
        assert!(page.contains("href=\"#one\">Study 1</a>"));
        for outside in ["http://", "https://", "<link", "src=", "@import", "url(http"] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
