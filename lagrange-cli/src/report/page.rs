//! The report as one self-contained HTML page: no file or address outside it is needed.

mod animation;
mod results;
mod study;
mod summary;

use super::Report;
use super::figure::Study;
use super::number;
use super::row::{Origin, Row};
use super::statement::{Statement, Verdict, tally};
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
         <meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\">\
         <title>Lagrange: five published studies, reproduced</title><style>{BASE}{STYLE}</style></head><body>"
    );
    header(report, seconds, &mut out);
    navigation(&report.studies, &mut out);
    out.push_str("<main>");
    summary::render(report, &mut out);
    let mut charts = 0;
    for study in &report.studies {
        study::render(report, study, &mut charts, &mut out);
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

/// For values that no document prints, recomputed and expected ones: the number of rows that hold, and the number of rows that are judged.
fn unprinted(rows: &[Row]) -> [(usize, usize); 2] {
    [Origin::Recomputed, Origin::Expected].map(|origin| score(rows, origin))
}

/// The verdicts over the statements of a study, as a sentence.
fn verdicts(statements: &[&'static Statement], rows: &[Row]) -> String {
    let counts = tally(statements.iter(), rows);
    let told: Vec<String> = Verdict::ALL
        .iter()
        .zip(counts)
        .filter(|(_, count)| *count > 0)
        .map(|(verdict, count)| format!("{count} {}", verdict.plural(count)))
        .collect();
    format!("Of {} statements {}.", statements.len(), told.join(", "))
}

fn header(report: &Report, seconds: f64, out: &mut String) {
    let [recomputed, expected] = unprinted(&report.rows);
    let [holding, ..] = tally(report.statements.iter(), &report.rows);
    _ = write!(
        out,
        "<header><div class=\"inner\"><p class=\"brand\">Lagrange</p>\
         <h1>Five published studies, reproduced</h1>\
         <p class=\"lead\">A mechanism states its energies; its equations of motion are derived when the program is \
         compiled. On this page, every number, every figure and every comparison in words of five documents stands beside what \
         these equations give. A statement counts once, however many rows judge it.</p>\
         <dl class=\"facts\"><div class=\"headline\"><dt>statements of the documents that hold</dt>\
         <dd>{} <small>of {}</small></dd></div><div><dt>figures</dt><dd>{}</dd></div>\
         <div><dt>computed in</dt><dd>{} <small>s</small></dd></div></dl>\
         <p class=\"unprinted\">The counts above leave out values that no document prints: {} of {} values hold that were \
         <span class=\"origin recomputed\">recomputed</span> from a document's equations by another program, and {} of {} that are \
         <span class=\"origin expected\">expected</span> from the mathematics.</p></div></header>",
        holding,
        report.statements.len(),
        report.sections.iter().map(|section| section.figures.len()).sum::<usize>(),
        number::text(seconds, 2),
        recomputed.0,
        recomputed.1,
        expected.0,
        expected.1,
    );
}

fn navigation(studies: &[Study], out: &mut String) {
    out.push_str("<nav aria-label=\"Studies\"><div class=\"inner\"><a href=\"#summary\">Summary</a>");
    for study in studies {
        _ = write!(out, "<a href=\"#{}\">{}{}</a>", study.id, numbered(study.number), escape(study.name));
    }
    out.push_str("</div></nav>");
}

/// The number of a study before its name. What goes beyond the documents has none.
fn numbered(number: u32) -> String {
    if number == 0 { String::new() } else { format!("<b>{number}</b> ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figure::{Figure, Section};
    use crate::report::row::Published;

    static PERIOD: Statement = Statement { study: 1, place: "§5.1", says: "The period is 2.84 s.", reason: "It is." };
    static STEP: Statement =
        Statement { study: 1, place: "§5.4", says: "The mean step is 2.468 ms.", reason: "No rule is printed." };

    fn report() -> Report {
        let study = Study { number: 1, id: "pendulum", name: "A pendulum", document: "A <b>", summary: "It swings." };
        let figure = |title: &str| Figure {
            title: title.to_owned(),
            charts: Vec::new(),
            paper: String::new(),
            ours: String::new(),
        };
        Report {
            studies: vec![study, Study { number: 0, id: "beyond", name: "Beyond", document: "", summary: "" }],
            statements: vec![&PERIOD, &STEP],
            rows: vec![
                Row::compared((1, "1"), "period <T>", "s", Published::printed("2.84").of(&PERIOD), 2.8385, ""),
                Row::compared((1, "1"), "mean step", "ms", Published::printed("2.468").of(&STEP), 3.18, ""),
                Row::compared((1, "1"), "turn", "rad", Published::within("0", 1e-12).expected(), 0.0, ""),
            ],
            sections: vec![
                Section {
                    id: "one",
                    study: 1,
                    title: "First: a".to_owned(),
                    figures: vec![figure("A")],
                    ..Section::default()
                },
                Section { id: "two", title: "Second".to_owned(), figures: vec![figure("B")], ..Section::default() },
            ],
            series: Vec::new(),
        }
    }

    #[test]
    fn the_page_needs_nothing_outside_it() {
        let page = render(&report(), 1.0);
        assert!(page.contains("period &lt;T&gt;") && page.contains("A &lt;b&gt;"));
        for outside in ["http://", "https://", "src=", "@import", "url(http"] {
            assert!(!page.contains(outside), "{outside}");
        }
    }

    #[test]
    fn a_summary_is_first_and_figures_stand_before_their_table() {
        let page = render(&report(), 1.0);
        let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
        let order = [
            "<nav",
            "id=\"summary\"",
            "id=\"pendulum\"",
            "id=\"one\"",
            "<figure",
            "id=\"pendulum-numbers\"",
            "id=\"beyond\"",
            "id=\"two\"",
        ];
        assert!(order.windows(2).all(|pair| place(pair[0]) < place(pair[1])), "{order:?}");
        assert!(page.contains("<a href=\"#pendulum\"><b>1</b> A pendulum</a>"));
        assert!(!page.contains("id=\"beyond-numbers\""), "no table without rows");
    }

    #[test]
    fn the_headline_counts_only_what_is_printed() {
        let page = render(&report(), 1.0);
        assert!(page.contains("<dd>1 <small>of 2</small></dd>"));
        assert!(page.contains("and 1 of 1 that are "));
        assert!(page.contains("Of 2 statements 1 holds, 1 does not hold."));
        assert!(page.contains("No rule is printed."), "the summary has the reason");
    }
}
