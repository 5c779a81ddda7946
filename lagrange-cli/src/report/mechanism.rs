//! The page of one mechanism and one of its motions: a self-contained HTML file.

mod data;
mod embed;
mod equations;
mod overlay;
mod shapes;
mod tables;

pub use data::{
    BesideMotion, InstantRow, MechanismReport, ModeRow, MovingPoint, ParameterRow, PowerRow, SeriesRow, SpectrumRow,
};

use super::live;
use super::number::shown;
use super::page::escape;
use crate::catalog::with_unit;
use std::fmt::Write;

const BASE: &str = include_str!("base.css");
const STYLE: &str = include_str!("mechanism/style.css");
const PLOT_STYLE: &str = include_str!("mechanism/vendor/uPlot.min.css");
const PLOT_SCRIPT: &str = include_str!("mechanism/vendor/uPlot.iife.min.js");
const PLOT_LICENCE: &str = include_str!("mechanism/vendor/LICENSE");
/// Each file uses names of those before it.
const SCRIPTS: [&str; 7] = [
    include_str!("mechanism/script/common.js"),
    include_str!("mechanism/script/pictures.js"),
    include_str!("mechanism/script/plots.js"),
    include_str!("mechanism/script/portrait.js"),
    include_str!("mechanism/script/animation.js"),
    include_str!("mechanism/script/instants.js"),
    include_str!("mechanism/script/start.js"),
];

/// A part of the page: its anchor, its heading, and its content. A part without content is left out.
struct Part {
    id: &'static str,
    title: &'static str,
    content: String,
}

/// The page. It asks for nothing outside itself.
pub fn render(report: &MechanismReport) -> String {
    let joined = (!report.beside.is_empty()).then(|| overlay::joined(report));
    let report = joined.as_ref().unwrap_or(report);
    let data = embed::data(report);
    let parts: Vec<Part> = [
        Part { id: "live", title: "Compute in this page", content: live::content(report.live.as_ref()) },
        Part { id: "animation", title: "Animation", content: animation(report, data.animated) },
        Part { id: "motion", title: "Motion", content: compared(report) + &plots(&data.plots) },
        Part { id: "instants", title: "Events and impacts", content: tables::instants(report, data.instants) },
        Part { id: "portrait", title: "Phase plane", content: portrait(report, data.planes) },
        Part { id: "spectrum", title: "Spectrum", content: spectrum(report) },
        Part { id: "block", title: "The mechanism as written", content: block(report) },
        Part { id: "equations", title: "Derived equations", content: derived(report) },
        Part { id: "parameters", title: "Parameters", content: tables::parameters(&report.parameters) },
        Part { id: "statistics", title: "Integration", content: tables::statistics(report) },
        Part { id: "balance", title: "Energy and power", content: tables::balance(report) },
        Part { id: "modes", title: "Modes", content: tables::modes(report) },
    ]
    .into_iter()
    .filter(|part| !part.content.is_empty())
    .collect();
    let mut out = String::with_capacity(1 << 20);
    _ = write!(
        out,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\">\
         <title>{}</title><style>{PLOT_STYLE}{BASE}{STYLE}{}</style></head><body>",
        escape(&report.name),
        live::style(report.live.as_ref())
    );
    header(report, &parts, &mut out);
    out.push_str("<main>");
    for Part { id, title, content } in &parts {
        _ = write!(
            out,
            "<section id=\"{id}\" aria-labelledby=\"{id}-title\"><h2 id=\"{id}-title\">{title}</h2>{content}</section>"
        );
    }
    out.push_str("</main><footer><p>The equations were derived from the block when the program was compiled.");
    if data.thinned {
        out.push_str(" Plots over time of many samples show a part of them: those between which straight lines keep to the curves or, where these are too many, the extremes.");
        match &data.partial[..] {
            [] => out.push_str(" Their CSV files have all samples."),
            titles => {
                _ = write!(
                    out,
                    " The CSV files of {} have these samples, too, because all of them would make the page too large; the command \
                     <code>simulate</code> with <code>--csv</code> writes all.",
                    escape(&titles.join(", "))
                );
            }
        }
    }
    _ = write!(
        out,
        "</p><details><summary>Licence of the plots (uPlot 1.6.32)</summary><pre>{}</pre></details></footer>\
         <p id=\"spoken\" class=\"unseen\" role=\"status\"></p>\
         <script type=\"application/json\" id=\"data\">{}</script>{}<script>{PLOT_SCRIPT}</script>\
         <script>\"use strict\";{{{}{}}}</script></body></html>",
        escape(PLOT_LICENCE.trim()),
        // A name may contain the end of a script.
        data.json.to_string().replace('<', "\\u003c"),
        live::data(report.live.as_ref()),
        SCRIPTS.concat(),
        live::script(report.live.as_ref())
    );
    out
}

fn header(report: &MechanismReport, parts: &[Part], out: &mut String) {
    _ = write!(
        out,
        "<header><div class=\"inner\"><p class=\"brand\">Lagrange</p><h1>{}</h1><p class=\"lead\">{}</p>",
        escape(&report.name),
        escape(&report.summary)
    );
    if !report.source.is_empty() {
        _ = write!(out, "<p class=\"source\">Source: {}</p>", escape(&report.source));
    }
    warnings(&report.warnings, out);
    out.push_str("<noscript><p class=\"warning\">The plots and the animation need JavaScript.</p></noscript><dl class=\"facts\">");
    _ = write!(out, "<div><dt>coordinates</dt><dd>{}</dd></div>", report.coordinates.len());
    if !report.states.is_empty() {
        _ = write!(out, "<div><dt>states</dt><dd>{}</dd></div>", report.states.len());
    }
    if let Some(end) = report.t.last() {
        let end = small_unit(shown(*end, 4), report.units.time);
        _ = write!(out, "<div><dt>end of the run</dt><dd>{end}</dd></div>");
        _ = write!(out, "<div><dt>samples</dt><dd>{}</dd></div>", report.t.len());
    }
    if !report.energy.is_empty() && report.balance_residual.is_finite() {
        let residual = small_unit(shown(report.balance_residual, 2), report.units.energy);
        _ = write!(out, "<div><dt>residual of the energy balance</dt><dd>{residual}</dd></div>");
    }
    out.push_str("</dl>");
    if !report.method.is_empty() {
        _ = write!(out, "<p class=\"method\"><b>Method</b> {}</p>", escape(&report.method));
    }
    out.push_str("</div></header>");
    if !parts.is_empty() {
        out.push_str("<nav aria-label=\"Parts of this page\"><div class=\"inner\">");
        for part in parts {
            _ = write!(out, "<a href=\"#{}\">{}</a>", part.id, part.title);
        }
        out.push_str("</div></nav>");
    }
}

/// A number with its unit in small letters.
fn small_unit(number: String, unit: &str) -> String {
    if unit.is_empty() { number } else { format!("{number} <small>{}</small>", escape(unit)) }
}

fn warnings(warnings: &[String], out: &mut String) {
    if warnings.is_empty() {
        return;
    }
    let title = if warnings.len() == 1 { "Warning" } else { "Warnings" };
    _ = write!(out, "<div class=\"warning\" role=\"note\" aria-label=\"{title}\"><p><b>{title}</b></p><ul>");
    for warning in warnings {
        _ = write!(out, "<li>{}</li>", escape(warning));
    }
    out.push_str("</ul></div>");
}

/// A clause for a picture that ends before the motion.
fn shown_until(report: &MechanismReport, until: Option<f64>) -> String {
    match (until, report.t.last()) {
        (Some(until), Some(end)) => {
            let time = |value: f64| with_unit(shown(value, 4), report.units.time);
            format!(" It shows the motion until {}; the motion ends at {}.", time(until), time(*end))
        }
        _ => String::new(),
    }
}

fn animation(report: &MechanismReport, until: Option<f64>) -> String {
    let points = report.points();
    if points.is_empty() || !report.moves() {
        return String::new();
    }
    let space = points.iter().any(|point| point.components.len() == 3);
    let (role, help) = if space {
        ("application", "Drag the picture to turn it, or focus it and press the arrow keys.")
    } else {
        ("img", "Lengths have the same scale in both directions.")
    };
    let shapes = shapes::shapes(&points);
    let in_shape = |place: usize| shapes.iter().any(|shape| shape.points.contains(&place));
    let free = (0..points.len()).filter(|place| !in_shape(*place));
    let names: Vec<String> =
        shapes.iter().map(|shape| shape.name).chain(free.map(|place| points[place].name)).map(escape).collect();
    format!(
        "<div class=\"player\"><div class=\"stage\"><canvas id=\"stage\" tabindex=\"{}\" role=\"{role}\" \
         aria-label=\"Motion of {}. {help}\"></canvas></div>\
         <div class=\"controls\"><button type=\"button\" id=\"play\">Play</button>\
         <input type=\"range\" id=\"seek\" min=\"0\" max=\"1000\" step=\"any\" value=\"0\" aria-label=\"Time\">\
         <output id=\"clock\" for=\"seek\"></output></div>\
         <div class=\"options\"><label>Speed <select id=\"speed\"><option value=\"0.25\">0.25</option>\
         <option value=\"0.5\">0.5</option><option value=\"1\" selected>1</option><option value=\"2\">2</option>\
         <option value=\"4\">4</option></select></label><label>Trails <select id=\"trails\"><option value=\"0\">none</option>\
         <option value=\"0.1\" selected>short</option><option value=\"1\">whole</option></select></label>\
         <label><input type=\"checkbox\" id=\"lines\"> Lines from the origin through the points</label>\
         <span class=\"legend\" id=\"shown-points\" role=\"group\" aria-label=\"Points\"></span></div>\
         <p class=\"help\">{help}{} <span id=\"rate\"></span></p></div>",
        if space { 0 } else { -1 },
        names.join(", "),
        shown_until(report, until),
    )
}

/// Which motions are drawn over each other, and which laws the inputs follow.
fn compared(report: &MechanismReport) -> String {
    let mut out = String::new();
    for law in &report.laws {
        _ = write!(out, "<p class=\"setup\">{}</p>", escape(law));
    }
    if report.beside.is_empty() {
        return out;
    }
    let names: Vec<String> = report.beside.iter().map(|beside| escape(&beside.name)).collect();
    _ = write!(
        out,
        "<p class=\"setup\">This page shows the motion with {}. Dashed curves are drawn over it: {}. All tables, and the animation, are \
         those of the motion with {}. CSV files have the times of all motions; between its own samples a motion has values on straight \
         lines.</p>",
        escape(&report.label),
        names.join("; "),
        escape(&report.label)
    );
    if !report.comparisons.is_empty() {
        out.push_str("<ul class=\"proved\" id=\"comparisons\">");
        for sentence in &report.comparisons {
            _ = write!(out, "<li>{}</li>", escape(sentence));
        }
        out.push_str("</ul>");
    }
    out
}

/// The figures of all plots over time. The script draws them.
fn plots(titles: &[String]) -> String {
    if titles.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<p class=\"setup\">The time axis and the cursor of these plots are linked. Drag across a plot to zoom, and double-click \
         to reset.</p><details><summary>Mouse, touch and keys</summary><ul class=\"keys\"><li>A drag with the shift key pans. \
         The buttons of a legend hide and show curves.</li><li>One finger reads values. Two fingers zoom and pan.</li>\
         <li>On a focused plot, the left and right arrows move the cursor, and with the shift key they pan. \
         + and − zoom, 0 resets, and Escape hides the cursor.</li></ul></details>\
         <div class=\"tools\" role=\"group\" aria-label=\"Time axis\">\
         <button type=\"button\" data-zoom=\"in\">Zoom in</button><button type=\"button\" data-zoom=\"out\">Zoom out</button>\
         <button type=\"button\" data-zoom=\"earlier\">Earlier</button><button type=\"button\" data-zoom=\"later\">Later</button>\
         <button type=\"button\" data-zoom=\"reset\">Reset</button><output id=\"range\"></output></div><div class=\"plots\">",
    );
    for (index, title) in titles.iter().enumerate() {
        figure(&format!("plot{index}"), title, &mut out);
    }
    out.push_str("</div>");
    out
}

fn figure(id: &str, title: &str, out: &mut String) {
    let title = escape(title);
    _ = write!(
        out,
        "<figure class=\"plot\" id=\"{id}\"><div class=\"top\"><h3>{title}</h3>\
         <span class=\"saves\"><button type=\"button\" class=\"small\" data-csv aria-label=\"Download {title} as CSV\">CSV</button>\
         <button type=\"button\" class=\"small\" data-picture=\"svg\" aria-label=\"Download {title} as SVG\">SVG</button>\
         <button type=\"button\" class=\"small\" data-picture=\"png\" aria-label=\"Download {title} as PNG\">PNG</button></span></div>\
         <div class=\"legend\" role=\"group\" aria-label=\"Curves of {title}\"></div>\
         <div class=\"area\" tabindex=\"0\" role=\"group\" aria-label=\"Plot: {title}\"></div></figure>"
    );
}

fn portrait(report: &MechanismReport, until: Option<f64>) -> String {
    let pairs = report.q.len().min(report.v.len()).min(report.coordinates.len());
    if pairs == 0 || !report.moves() {
        return String::new();
    }
    let mut out = String::from("<div class=\"tools\"><label>Coordinate <select id=\"chosen\">");
    for (index, name) in report.coordinates.iter().take(pairs).enumerate() {
        _ = write!(out, "<option value=\"{index}\">{}</option>", escape(name));
    }
    out.push_str("</select></label></div>");
    figure("plane", "Velocity against coordinate", &mut out);
    if until.is_some() {
        _ = write!(out, "<p class=\"help\">{}</p>", shown_until(report, until).trim_start());
    }
    out
}

fn spectrum(report: &MechanismReport) -> String {
    let mut out = String::new();
    if report.spectra.iter().any(|row| row.amplitudes.len() > 1) {
        figure("frequencies", "Amplitude against frequency", &mut out);
    }
    out
}

fn block(report: &MechanismReport) -> String {
    let mut out = String::new();
    if !report.stated_latex.trim().is_empty() {
        equations::render(&report.stated_latex, &mut out);
    }
    if !report.block.trim().is_empty() {
        let (open, close) =
            if out.is_empty() { ("", "") } else { ("<details><summary>The block</summary>", "</details>") };
        _ = write!(
            out,
            "{open}<pre tabindex=\"0\" aria-label=\"The block\"><code>{}</code></pre>{close}",
            escape(report.block.trim_matches('\n'))
        );
    }
    out
}

fn derived(report: &MechanismReport) -> String {
    let mut out = String::new();
    if !report.facts.is_empty() {
        out.push_str("<ul class=\"proved\">");
        for fact in &report.facts {
            _ = write!(out, "<li>{}</li>", escape(&sentence(fact)));
        }
        out.push_str("</ul>");
    }
    if !report.equations_latex.trim().is_empty() {
        equations::render(&report.equations_latex, &mut out);
    }
    if !report.equations_text.trim().is_empty() {
        _ = write!(
            out,
            "<details><summary>The equations as text</summary><pre tabindex=\"0\">{}</pre></details>",
            escape(report.equations_text.trim())
        );
    }
    out
}

/// A clause as a sentence: with a capital letter and a full stop.
fn sentence(clause: &str) -> String {
    let mut characters = clause.trim().chars();
    let capital: String = characters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    let end = if clause.trim_end().ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{capital}{}{end}", characters.as_str())
}

#[cfg(test)]
mod tests;
