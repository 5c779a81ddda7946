//! The tables of the page.

use super::MechanismReport;
use super::data::{InstantRow, ModeRow, ParameterRow};
use crate::catalog::{head, with_unit};
use crate::report::number::shown;
use crate::report::page::escape;
use std::fmt::Write;

/// The table of modes has a column for each coordinate up to this number of coordinates.
const SHAPE_COLUMNS: usize = 12;
/// The table of instants has this number of rows at most.
const INSTANT_ROWS: usize = 30;
/// The table of instants has columns for the velocities of this number of coordinates at most.
const RATE_COLUMNS: usize = 6;
/// A power whose work is smaller, relative to the largest energy or work, neither gives nor takes.
const NO_WORK: f64 = 1e-12;

pub(super) fn parameters(rows: &[ParameterRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out = table(&["name", "#value", "description"]);
    for row in rows {
        let input = if row.input { " <span class=\"badge\">input</span>" } else { "" };
        _ = write!(
            out,
            "<tr><th scope=\"row\"><code>{}</code>{input}</th><td class=\"n\">{}</td><td>{}</td></tr>",
            escape(&row.name),
            shown(row.value, 7),
            escape(&row.description)
        );
    }
    end(out)
}

/// What happened at instants. `embedded` rows are in the data of the page, for its button.
pub(super) fn instants(report: &MechanismReport, embedded: usize) -> String {
    if report.instants.is_empty() {
        return String::new();
    }
    let mut out = String::from("<div class=\"top\"><p class=\"setup\">");
    let clauses: Vec<String> = report.instant_clauses.iter().map(|clause| escape(clause)).collect();
    if !clauses.is_empty() {
        _ = write!(out, "{}. ", clauses.join("; "));
    }
    out.push_str(
        "A velocity that jumps is given before and after.</p><button type=\"button\" class=\"small\" id=\"instants-csv\" \
         aria-label=\"Download the events and impacts as CSV\">CSV</button></div>",
    );
    let shown_coordinates = report.coordinates.len().min(RATE_COLUMNS);
    let mut heads: Vec<String> =
        [&head("#time", report.units.time), "what", "where", "#impulse"].map(str::to_owned).to_vec();
    heads.extend(report.coordinates.iter().take(shown_coordinates).map(|name| format!("#{}_dot", escape(name))));
    out += &table(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    for row in report.instants.iter().take(INSTANT_ROWS) {
        _ = write!(
            out,
            "<tr><th scope=\"row\" class=\"n\">{}</th><td>{}</td><td>{}</td><td class=\"n\">{}</td>",
            shown(row.t, 7),
            escape(&row.what),
            escape(&row.name),
            if row.what == "impact" { shown(row.impulse, 5) } else { "–".to_owned() }
        );
        for index in 0..shown_coordinates {
            _ = write!(out, "<td class=\"n\">{}</td>", rates(row, report.coordinates.len() + index));
        }
        out.push_str("</tr>");
    }
    out = end(out);
    let rest = report.instant_count.max(report.instants.len() as u64) - report.instants.len().min(INSTANT_ROWS) as u64;
    if rest > 0 {
        _ = write!(out, "<p class=\"help\">{rest} more rows are not shown.");
        if embedded as u64 >= report.instant_count {
            out.push_str(" The CSV file has all of them.");
        } else {
            _ = write!(
                out,
                " The CSV file has the first {embedded} rows; the command <code>simulate</code> with \
                 <code>--instants</code> writes all of them."
            );
        }
        out.push_str("</p>");
    }
    out
}

/// The velocity of this index among the components before and after an instant.
fn rates(row: &InstantRow, index: usize) -> String {
    match (row.before.get(index), row.after.get(index)) {
        (Some(before), Some(after)) if before == after => shown(*after, 5),
        (Some(before), Some(after)) => format!("{} → {}", shown(*before, 5), shown(*after, 5)),
        _ => "–".to_owned(),
    }
}

pub(super) fn statistics(report: &MechanismReport) -> String {
    if report.statistics.is_empty() {
        return String::new();
    }
    let mut out = String::from("<dl class=\"statistics\">");
    for (label, value) in &report.statistics {
        _ = write!(out, "<div><dt>{}</dt><dd>{}</dd></div>", escape(label), escape(value));
    }
    out.push_str("</dl>");
    out
}

/// Where the energy came from and where it went.
pub(super) fn balance(report: &MechanismReport) -> String {
    let (Some(start), Some(stop)) = (report.energy.first(), report.energy.last()) else { return String::new() };
    if !(start.is_finite() && stop.is_finite()) {
        return "<p class=\"setup\">The energy of this motion is no finite number, so that there is no balance.</p>"
            .to_owned();
    }
    let sizes = report.powers.iter().map(|power| power.work).chain(report.energy.iter().copied());
    let scale = sizes.map(f64::abs).fold(0.0, f64::max);
    let mut out = String::from(
        "<p class=\"setup\">The change of the energy equals the sum of the works. The residual is the error of the integration and of \
         the works.</p>",
    );
    out += &table(&["term", &head("#energy or work", report.units.energy), "meaning"]);
    let mut row = |name: &str, value: f64, meaning: &str| {
        _ = write!(
            out,
            "<tr><th scope=\"row\">{name}</th><td class=\"n\">{}</td><td>{meaning}</td></tr>",
            shown(value, 7)
        );
    };
    row("energy at the start", *start, "");
    for power in &report.powers {
        let meaning = if !power.work.is_finite() {
            "has no finite work"
        } else if power.work.abs() <= NO_WORK * scale {
            "does no work"
        } else if power.work > 0.0 {
            "gives energy to the mechanism"
        } else {
            "takes energy from the mechanism"
        };
        row(&format!("work of <code>{}</code>", escape(&power.name)), power.work, meaning);
    }
    row("energy at the end", *stop, "");
    let relative = if scale > 0.0 && report.balance_residual.is_finite() {
        format!("{} of the largest term", shown(report.balance_residual.abs() / scale, 2))
    } else {
        String::new()
    };
    row("residual", report.balance_residual, &relative);
    end(out)
}

pub(super) fn modes(report: &MechanismReport) -> String {
    let mut out = String::new();
    if let Some(equilibrium) = &report.equilibrium {
        _ = write!(out, "<p class=\"setup\">{}</p>", escape(equilibrium));
    }
    if report.modes.is_empty() {
        return out;
    }
    let wide = report.coordinates.len() <= SHAPE_COLUMNS;
    let mut heads = vec!["mode".to_owned(), head("#frequency", report.units.frequency), "#damping ratio".to_owned()];
    if wide {
        heads.extend(report.coordinates.iter().map(|name| format!("#{}", escape(name))));
    } else {
        heads.push("largest components of the shape".to_owned());
    }
    out += &table(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    for (index, mode) in report.modes.iter().enumerate() {
        _ = write!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td>",
            index + 1,
            rate(mode, report.units.time),
            if mode.frequency == 0.0 { "–".to_owned() } else { shown(mode.damping_ratio, 3) }
        );
        if wide {
            for component in &mode.shape {
                _ = write!(out, "<td class=\"n\">{}</td>", shown(*component, 3));
            }
        } else {
            _ = write!(out, "<td>{}</td>", escape(&largest(mode, &report.coordinates)));
        }
        out.push_str("</tr>");
    }
    end(out)
}

/// The frequency of an oscillation, or the time in which a motion without oscillation changes by the factor e.
fn rate(mode: &ModeRow, unit: &str) -> String {
    let time = || with_unit(shown(1.0 / (2.0 * std::f64::consts::PI * mode.frequency), 5), unit);
    match mode.damping_ratio {
        _ if mode.frequency == 0.0 => "drifts".to_owned(),
        ratio if ratio.abs() < 1.0 - 1e-9 => shown(mode.frequency, 5),
        ratio if ratio < 0.0 => format!("grows by e in {}", time()),
        _ => format!("falls by e in {}", time()),
    }
}

/// The four largest components of a shape, in words.
fn largest(mode: &ModeRow, coordinates: &[String]) -> String {
    let mut components: Vec<(&String, f64)> = coordinates.iter().zip(mode.shape.iter().copied()).collect();
    components.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let text = |(name, value): &(&String, f64)| format!("{name} {}", shown(*value, 3));
    components.iter().take(4).map(text).collect::<Vec<_>>().join(", ")
}

/// The beginning of a table. Heads are HTML; `#` marks a column of numbers.
fn table(heads: &[&str]) -> String {
    let mut out =
        String::from("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table><thead><tr>");
    for head in heads {
        match head.strip_prefix('#') {
            Some(head) => _ = write!(out, "<th scope=\"col\" class=\"n\">{head}</th>"),
            None => _ = write!(out, "<th scope=\"col\">{head}</th>"),
        }
    }
    out.push_str("</tr></thead><tbody>");
    out
}

fn end(mut out: String) -> String {
    out.push_str("</tbody></table></div>");
    out
}
