//! The data of the page as JSON.

mod instants;

use super::MechanismReport;
use super::data::{BesideMotion, MovingPoint, PowerRow, SeriesRow, draws};
use super::shapes::shapes;
use crate::analysis::decimate::{self, ROUNDING};
use crate::catalog::{head, in_common, label, stem};
use instants::instants;
use serde_json::{Value, json};

/// The largest number of samples of a curve.
const SAMPLES: usize = 20_000;
/// The fewest samples of a curve, where a report has very many curves.
const FEWEST_SAMPLES: usize = 200;
/// The largest number of values on the page, which bounds the size of the file to about 4 MB.
const VALUES: usize = 300_000;
/// The largest number of samples whose doubles are on the page for the CSV files, which bounds their text to about 11 MB.
const DOUBLES: usize = 1_000_000;
/// The largest number of values before and after instants.
const INSTANT_VALUES: usize = 40_000;
/// Step sizes whose largest exceeds this multiple of the smallest have a logarithmic axis.
const WIDE_SPREAD: f64 = 20.0;

/// The data, and what the page around them must know.
pub(super) struct Data {
    pub(super) json: Value,
    /// The titles of the plots over time, in order.
    pub(super) plots: Vec<String>,
    /// How many instants are among the data.
    pub(super) instants: usize,
    /// Whether some plots over time show a part of the samples.
    pub(super) thinned: bool,
    /// The titles of the plots whose CSV files have the samples that are shown, and not all.
    pub(super) partial: Vec<String>,
    /// The last time of the animation, if the motion goes on.
    pub(super) animated: Option<f64>,
    /// The last time of the phase plane that ends first, if the motion goes on.
    pub(super) planes: Option<f64>,
}

/// The largest finite absolute value.
fn size<'s>(all: impl Iterator<Item = &'s [f64]>) -> f64 {
    all.flatten().filter(|value| value.is_finite()).fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// A curve.
struct Curve<'r> {
    name: String,
    series: &'r [f64],
    /// A change below this value is a rounding error, which is drawn as a straight line.
    noise: f64,
    /// The number of its colour and dashes, if that is not its place in the plot.
    style: Option<usize>,
}

impl<'r> Curve<'r> {
    /// A curve with rounding errors of its own values.
    fn new(name: impl Into<String>, series: &'r [f64]) -> Self {
        Self { name: name.into(), series, noise: ROUNDING * size(std::iter::once(series)), style: None }
    }

    /// The curve with rounding errors up to this value, if that is larger.
    fn with_noise(self, noise: f64) -> Self {
        Self { noise: self.noise.max(noise), ..self }
    }
}

/// How many curves have colours of their own; the page draws those behind them with other dashes.
const COLOURS: usize = 9;

/// Adds the curves of the motions that are drawn over that of the page. Each has the colour of its own quantity, and dashes.
fn add_beside<'r>(
    curves: &mut Vec<Curve<'r>>,
    report: &'r MechanismReport,
    series: impl Fn(&'r BesideMotion) -> Vec<&'r [f64]>,
) {
    let own: Vec<String> = curves.iter().map(|curve| curve.name.clone()).collect();
    for (number, beside) in report.beside.iter().enumerate() {
        for (place, (series, name)) in series(beside).into_iter().zip(&own).enumerate() {
            let noise = curves[place].noise;
            // Behind the dashes of the page's own curves, of which those beyond the colours have some too.
            let rounds = own.len().div_ceil(COLOURS);
            let style = Some(place % COLOURS + COLOURS * (rounds + number));
            curves.push(Curve { style, ..Curve::new(format!("{name} ({})", beside.name), series).with_noise(noise) });
        }
    }
}

/// A plot over time.
struct Plot<'r> {
    title: String,
    scale: &'static str,
    t: &'r [f64],
    curves: Vec<Curve<'r>>,
    /// Whether a value holds until the next one.
    stairs: bool,
}

impl<'r> Plot<'r> {
    fn series(&self) -> impl Iterator<Item = &'r [f64]> {
        self.curves.iter().map(|curve| curve.series)
    }
}

pub(super) fn data(report: &MechanismReport) -> Data {
    let step_times: Vec<f64> = report.steps.iter().map(|step| step[0]).collect();
    let step_sizes: Vec<f64> = report.steps.iter().map(|step| step[1]).collect();
    let plots = plots(report, (&step_times, &step_sizes));
    let points = report.points();
    let curves = plots.iter().map(|plot| plot.curves.len()).sum::<usize>()
        + 3 * report.coordinates.len()
        + points.iter().map(|point| point.components.len()).sum::<usize>()
        + report.spectra.len();
    let limit = (VALUES / curves.max(1)).clamp(FEWEST_SAMPLES, SAMPLES);
    let mut tables = Tables::default();
    let mut partial = Vec::new();
    let drawn: Vec<Value> = plots
        .iter()
        .map(|plot| {
            let kept = tables.over_time(plot, limit);
            let curves: Vec<Value> = plot
                .curves
                .iter()
                .map(|curve| {
                    let values = tables.values(&kept, curve.series);
                    json!({ "name": curve.name, "values": values, "noise": curve.noise, "style": curve.style })
                })
                .collect();
            let samples = (kept.indices.len() < plot.t.len())
                .then(|| tables.samples(std::iter::once(plot.t).chain(plot.series())));
            if matches!(samples, Some(None)) {
                partial.push(plot.title.clone());
            }
            json!({
                "title": plot.title, "scale": plot.scale, "time": kept.table, "curves": curves, "stairs": plot.stairs,
                "samples": samples.flatten(),
            })
        })
        .collect();
    let (plane, planes) = plane(report, limit, &mut tables);
    let (points, animated) = moving(&points, report, limit, &mut tables);
    let (instants, instant_count) = instants(report);
    let json = json!({
        "name": report.name,
        "units": { "time": report.units.time, "frequency": report.units.frequency },
        "instants": instants,
        "plots": drawn,
        "plane": plane,
        "points": points,
        "spectra": report.spectra.iter().map(|row| spectrum(report, row, limit)).collect::<Vec<_>>(),
        "times": tables.times,
        "series": tables.series,
        "samples": tables.samples,
    });
    Data {
        json,
        plots: plots.into_iter().map(|plot| plot.title).collect(),
        instants: instant_count,
        thinned: tables.thinned,
        partial,
        animated,
        planes,
    }
}

/// All plots over time. Series without values and series of a wrong length are left out.
fn plots<'r>(report: &'r MechanismReport, steps: (&'r [f64], &'r [f64])) -> Vec<Plot<'r>> {
    let plot = |title: &str, scale, t: &'r [f64], curves: Vec<Curve<'r>>| Plot {
        title: title.to_owned(),
        scale,
        t,
        curves,
        stairs: false,
    };
    let named = |kind: usize, name: fn(&String) -> String| {
        let series = [&report.q, &report.v][kind].iter().zip(rounding(report, kind));
        let named = report.coordinates.iter().map(name).zip(series);
        named.map(|(name, (series, noise))| Curve::new(name, series).with_noise(noise)).collect()
    };
    let rows = |rows: &'r [SeriesRow]| rows.iter().map(|row| Curve::new(&row.name, &row.series)).collect();
    let energies = [
        ("kinetic energy", report.kinetic.as_deref()),
        ("potential energy", report.potential.as_deref()),
        ("energy h", Some(report.energy.as_slice())),
    ];
    let (t, units) = (report.t.as_slice(), &report.units);
    // Powers are compared with the energies.
    let energy = size(energies.iter().filter_map(|(_, series)| *series));
    let power = match t {
        [first, .., last] if first < last => energy / (last - first),
        _ => 0.0,
    };
    let power = |row: &'r PowerRow| Curve::new(&row.name, &row.series).with_noise(ROUNDING * power);
    let powers = head("Powers", units.power);
    let mut all = vec![
        plot("Coordinates", "linear", t, named(0, String::clone)),
        plot("Velocities", "linear", t, named(1, |name| format!("{name}_dot"))),
        plot("States", "linear", t, rows(&report.states)),
        plot(
            &head("Energies", units.energy),
            "linear",
            t,
            energies
                .iter()
                .filter_map(|(name, series)| Some(Curve::new(*name, (*series)?).with_noise(ROUNDING * energy)))
                .collect(),
        ),
        plot(&powers, "linear", t, report.powers.iter().map(power).collect()),
        plot("Violation of the constraints", "log", t, rows(&report.constraints)),
        plot("Multipliers", "linear", t, rows(&report.multipliers)),
    ];
    let known = &report.quantity_units;
    let of_states = known.coordinates.get(report.coordinates.len()..).unwrap_or_default();
    for (place, units) in [(0, known.coordinates), (1, known.velocities), (2, of_states), (6, known.multipliers)] {
        add_units(&mut all[place], units);
    }
    overlay(&mut all, report);
    let mut of_outputs = known.outputs;
    for (stem, mut components) in outputs(&report.outputs) {
        let (units, rest) = of_outputs.split_at(components.len().min(of_outputs.len()));
        of_outputs = rest;
        let own = components.len();
        let of_stem = |beside: &'r BesideMotion| {
            let rows = beside.outputs.iter().filter(|row| self::stem(&row.name) == stem);
            rows.map(|row| row.series.as_slice()).collect()
        };
        add_beside(&mut components, report, of_stem);
        let mut output = plot(&format!("Output {stem}"), "linear", t, components);
        // The motions over this one have the same components.
        let units: Vec<&str> =
            units.iter().copied().cycle().take(output.curves.len() / own.max(1) * units.len()).collect();
        add_units(&mut output, &units);
        all.push(output);
    }
    let mut inputs = plot("Inputs", "linear", &report.input_times, rows(&report.inputs));
    add_units(&mut inputs, &known.fields[known.fields.len().saturating_sub(report.inputs.len())..]);
    all.push(inputs);
    let positive = || steps.1.iter().copied().filter(|size| *size > 0.0);
    let spread = positive().fold(0.0, f64::max) / positive().fold(f64::INFINITY, f64::min);
    let scale = if spread > WIDE_SPREAD { "log" } else { "linear" };
    all.push(Plot {
        stairs: true,
        ..plot(&head("Step size", units.time), scale, steps.0, vec![Curve::new("step size", steps.1)])
    });
    for plot in &mut all {
        plot.curves.retain(|curve| !curve.series.is_empty() && curve.series.len() == plot.t.len());
    }
    all.retain(|plot| !plot.curves.is_empty() && draws(plot.t));
    all
}

/// Writes the units of the curves behind the title, where all have one, and otherwise behind the name of each.
fn add_units(plot: &mut Plot<'_>, units: &[&str]) {
    let all = plot.curves.len() == units.len();
    match if all { in_common(units.iter().copied()) } else { "" } {
        "" => {
            for (curve, unit) in plot.curves.iter_mut().zip(units) {
                curve.name = head(&curve.name, unit);
            }
        }
        unit => plot.title = head(&plot.title, unit),
    }
}

/// Adds the curves of the other motions to the first plots: coordinates, velocities, states and energies.
fn overlay<'r>(plots: &mut [Plot<'r>], report: &'r MechanismReport) {
    let all = |all: &'r [Vec<f64>]| all.iter().map(Vec::as_slice).collect();
    let [coordinates, velocities, states, energies, ..] = plots else { return };
    add_beside(&mut coordinates.curves, report, |beside| all(&beside.q));
    add_beside(&mut velocities.curves, report, |beside| all(&beside.v));
    add_beside(&mut states.curves, report, |beside| beside.states.iter().map(|row| row.series.as_slice()).collect());
    // Of the energies the last one is h.
    let parts = energies.curves.len() - 1;
    add_beside(&mut energies.curves, report, |beside| {
        std::iter::repeat_n(&[][..], parts).chain([beside.energy.as_slice()]).collect()
    });
}

/// The values of each coordinate, or of each velocity if `kind` is 1, below which they are rounding.
fn rounding(report: &MechanismReport, kind: usize) -> impl Iterator<Item = f64> {
    report.rounding[kind].iter().copied().chain(std::iter::repeat(0.0))
}

/// The outputs, with the components of one output together, which have one scale.
fn outputs(rows: &[SeriesRow]) -> Vec<(&str, Vec<Curve<'_>>)> {
    let mut groups: Vec<(&str, Vec<Curve<'_>>)> = Vec::new();
    for row in rows {
        let (stem, curve) = (stem(&row.name), Curve::new(&row.name, &row.series));
        match groups.iter_mut().find(|(name, _)| *name == stem) {
            Some((_, curves)) => curves.push(curve),
            None => groups.push((stem, vec![curve])),
        }
    }
    for (_, curves) in &mut groups {
        let most = curves.iter().fold(0.0, |most: f64, curve| most.max(curve.noise));
        curves.iter_mut().for_each(|curve| curve.noise = most);
    }
    groups
}

/// The coordinates and velocities of the phase plane, and the last time of the plane that ends first, if the motion goes on.
fn plane(report: &MechanismReport, limit: usize, tables: &mut Tables) -> (Value, Option<f64>) {
    let (mut coordinates, mut until) = (Vec::new(), None);
    let noise = rounding(report, 0).zip(rounding(report, 1)).map(|(q, v)| [q, v]);
    for ((name, noise), (q, v)) in report.coordinates.iter().zip(noise).zip(report.q.iter().zip(&report.v)) {
        let noise = [Curve::new("", q).with_noise(noise[0]).noise, Curve::new("", v).with_noise(noise[1]).noise];
        if q.len() == report.t.len() && v.len() == report.t.len() {
            let (kept, end) = tables.lines(report, &[(&[q], noise[0]), (&[v], noise[1])], limit);
            until = [until, end].into_iter().flatten().reduce(f64::min);
            let (q_all, v_all) = (q.as_slice(), v.as_slice());
            let (time, q, v) = (kept.table, tables.values(&kept, q), tables.values(&kept, v));
            let all = (kept.indices.len() < report.t.len())
                .then(|| tables.samples([report.t.as_slice(), q_all, v_all].into_iter()));
            let place = coordinates.len();
            let unit = |units: &[&'static str]| units.get(place).copied().unwrap_or_default();
            let axes = [
                label(name, unit(report.quantity_units.coordinates)),
                label(&format!("{name}_dot"), unit(report.quantity_units.velocities)),
            ];
            let beside: Vec<Value> =
                report.beside.iter().filter_map(|beside| over(beside, place, limit, tables)).collect();
            coordinates.push(json!({
                "name": name, "axes": axes, "time": time, "q": q, "v": v, "noise": noise, "samples": all.flatten(),
                "label": report.label, "beside": beside,
            }));
        }
    }
    (json!({ "coordinates": coordinates }), until)
}

/// The curve of another motion in the phase plane of a coordinate.
fn over(beside: &BesideMotion, place: usize, limit: usize, tables: &mut Tables) -> Option<Value> {
    let (q, v) = (beside.q.get(place)?.as_slice(), beside.v.get(place)?.as_slice());
    if q.len() != beside.t.len() || v.len() != beside.t.len() {
        return None;
    }
    // A motion that ended has no values from there on.
    let end = q.iter().zip(v).position(|(q, v)| !(q.is_finite() && v.is_finite())).unwrap_or(q.len());
    let series = [(&q[..end], decimate::allowed(&[&q[..end]])), (&v[..end], decimate::allowed(&[&v[..end]]))];
    let mut indices = decimate::chords(&beside.t[..end], &series);
    indices.truncate(limit);
    let kept = tables.keep(&beside.t, indices);
    Some(json!({ "name": beside.name, "q": tables.values(&kept, q), "v": tables.values(&kept, v) }))
}

/// The points of the animation, and its last time, if the motion goes on.
fn moving(
    points: &[MovingPoint<'_>],
    report: &MechanismReport,
    limit: usize,
    tables: &mut Tables,
) -> (Value, Option<f64>) {
    if points.is_empty() {
        return (json!({ "time": 0, "all": [], "shapes": [] }), None);
    }
    let series: Vec<&[f64]> = points.iter().flat_map(|point| point.components.iter().copied()).collect();
    let (kept, until) = tables.lines(report, &[(&series, 0.0)], limit);
    let mut all = Vec::new();
    for point in points {
        let components: Vec<usize> = point.components.iter().map(|series| tables.values(&kept, series)).collect();
        all.push(json!({ "name": point.name, "components": components }));
    }
    let shapes: Vec<Value> = shapes(points)
        .iter()
        .map(|shape| json!({ "name": shape.name, "kind": shape.kind.name(), "points": shape.points }))
        .collect();
    (json!({ "time": kept.table, "all": all, "shapes": shapes }), until)
}

fn spectrum(report: &MechanismReport, row: &super::SpectrumRow, limit: usize) -> Value {
    let place = report.coordinates.iter().position(|name| *name == row.name);
    let unit = place.and_then(|place| report.quantity_units.coordinates.get(place)).copied().unwrap_or_default();
    let frequencies: Vec<f64> = (0..row.amplitudes.len()).map(|index| index as f64 * row.resolution).collect();
    let indices = decimate::indices(&frequencies, &[&row.amplitudes], limit);
    let picked =
        |values: &[f64], digits| indices.iter().map(|&index| number(values[index], digits)).collect::<Vec<_>>();
    json!({ "name": head(&row.name, unit), "frequencies": picked(&frequencies, 9), "values": picked(&row.amplitudes, 7) })
}

/// The tables of numbers. What is drawn twice with the same samples is embedded once.
#[derive(Default)]
struct Tables {
    times: Vec<Vec<Value>>,
    series: Vec<Vec<Value>>,
    /// All doubles of a series in base 64.
    samples: Vec<String>,
    /// How many doubles these are.
    doubles: usize,
    thinned: bool,
}

/// The samples that are kept, and the number of the table of their times.
struct Kept {
    indices: Vec<usize>,
    table: usize,
}

impl Tables {
    /// The samples of a plot over time: all of them, else those between which lines keep to the curves, else the extremes.
    fn over_time(&mut self, plot: &Plot<'_>, limit: usize) -> Kept {
        let series: Vec<&[f64]> = plot.series().collect();
        let mut indices: Vec<usize> = (0..plot.t.len()).collect();
        let allowed = decimate::allowed(&series);
        // A reader who hides large curves sees small ones with a scale of their own.
        for own_scale in [true, false] {
            if indices.len() > limit && !plot.stairs {
                let own = |curve: &Curve<'_>| decimate::allowed(&[curve.series]).max(curve.noise);
                let each = plot.curves.iter().map(|curve| (curve.series, if own_scale { own(curve) } else { allowed }));
                indices = decimate::chords(plot.t, &each.collect::<Vec<_>>());
            }
        }
        if indices.len() > limit {
            indices = decimate::indices(plot.t, &series, limit);
        }
        self.thinned |= indices.len() < plot.t.len();
        self.keep(plot.t, indices)
    }

    /// The samples between which lines keep to curves of several kinds, and the time until which there are such, if the motion goes on.
    /// Each kind is drawn with one scale, and is missed by the rounding beside it at least.
    fn lines(&mut self, report: &MechanismReport, kinds: &[(&[&[f64]], f64)], limit: usize) -> (Kept, Option<f64>) {
        let whole = report.whole.unwrap_or(report.t.len());
        let mut series = Vec::new();
        for (kind, rounding) in kinds {
            let first: Vec<&[f64]> = kind.iter().map(|series| &series[..whole]).collect();
            let allowed = decimate::allowed(&first).max(*rounding);
            series.extend(first.into_iter().map(|series| (series, allowed)));
        }
        let mut indices = decimate::chords(&report.t[..whole], &series);
        indices.truncate(limit);
        let goes_on = indices.last().is_some_and(|last| last + 1 < report.t.len());
        let until = indices.last().filter(|_| goes_on).map(|last| report.t[*last]);
        (self.keep(&report.t, indices), until)
    }

    fn keep(&mut self, t: &[f64], indices: Vec<usize>) -> Kept {
        // Two more digits than values have: samples are close to each other in a long run.
        let own = indices.iter().map(|&index| number(t[index], 9)).collect();
        Kept { indices, table: place(&mut self.times, own) }
    }

    /// The numbers of the texts with all samples of these series; `None` if the page would become too large.
    fn samples<'s>(&mut self, all: impl Iterator<Item = &'s [f64]>) -> Option<Vec<usize>> {
        let texts: Vec<(String, usize)> = all.map(|series| (base64(series), series.len())).collect();
        let new = texts.iter().filter(|(text, _)| !self.samples.contains(text));
        let doubles = self.doubles + new.map(|(_, length)| length).sum::<usize>();
        if doubles > DOUBLES {
            return None;
        }
        self.doubles = doubles;
        let place = |(text, _): (String, usize)| {
            self.samples.iter().position(|known| *known == text).unwrap_or_else(|| {
                self.samples.push(text);
                self.samples.len() - 1
            })
        };
        Some(texts.into_iter().map(place).collect())
    }

    /// The number of the table of the series' values.
    fn values(&mut self, kept: &Kept, series: &[f64]) -> usize {
        let given = kept.indices.iter().map(|&index| series[index]);
        let digits = digits(given.clone());
        place(&mut self.series, given.map(|value| number(value, digits)).collect())
    }
}

/// The bytes of doubles in base 64, the lowest byte first.
fn base64(values: &[f64]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, index| bits << 8 | u32::from(three.get(index).copied().unwrap_or(0)));
        for sign in 0..4 {
            let known = sign <= three.len();
            text.push(if known { char::from(SIGNS[(bits >> (18 - 6 * sign) & 63) as usize]) } else { '=' });
        }
    }
    text
}

/// The place of a table among tables, to which it is added if it is new.
fn place(tables: &mut Vec<Vec<Value>>, own: Vec<Value>) -> usize {
    tables.iter().position(|table| *table == own).unwrap_or_else(|| {
        tables.push(own);
        tables.len() - 1
    })
}

/// How many significant digits show the changes of a series: seven, and more where the changes are small beside the values.
fn digits(values: impl Iterator<Item = f64>) -> usize {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|value| value.is_finite()) {
        (low, high) = (low.min(value), high.max(value));
    }
    let (size, change) = (low.abs().max(high.abs()), high - low);
    if change > ROUNDING * size { 7 + (size / change).log10().max(0.0).floor() as usize } else { 7 }
}

/// A number with so many significant digits. JSON has neither NaN nor infinity: they become null.
fn number(value: f64, digits: usize) -> Value {
    let rounded: f64 = format!("{value:.*e}", digits - 1).parse().unwrap_or(f64::NAN);
    // Without the decimal point of `1.0`.
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 { json!(rounded as i64) } else { json!(rounded) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Units;

    #[test]
    fn numbers_have_seven_digits_and_are_valid() {
        assert_eq!(number(0.123_456_789, 7).to_string(), "0.1234568");
        assert_eq!(number(1.0, 7).to_string(), "1");
        assert_eq!(number(-0.0, 7).to_string(), "0");
        assert_eq!(number(1.5e-30, 7).to_string(), "1.5e-30");
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(number(value, 7), Value::Null);
        }
    }

    #[test]
    fn bytes_of_doubles_are_base_64() {
        // As `base64.b64encode(struct.pack("<d", value))` of Python writes them.
        for (values, text) in [
            (&[][..], ""),
            (&[1.0], "AAAAAAAA8D8="),
            (&[-0.1, 3.5], "mpmZmZmZub8AAAAAAAAMQA=="),
            (&[1.0, 2.0, 3.0], "AAAAAAAA8D8AAAAAAAAAQAAAAAAAAAhA"),
        ] {
            assert_eq!(base64(values), text);
        }
    }

    #[test]
    fn all_samples_are_on_the_page_where_a_plot_shows_a_part() {
        let report = |count: u32| MechanismReport {
            coordinates: vec!["x".to_owned()],
            t: (0..count).map(f64::from).collect(),
            q: vec![(0..count).map(|i| f64::from(i).sin()).collect()],
            v: vec![(0..count).map(|i| f64::from(i).cos()).collect()],
            ..MechanismReport::default()
        };
        let (few, many, most) = (data(&report(100)), data(&report(60_000)), data(&report(500_000)));
        assert!(few.json["plots"][0]["samples"].is_null() && few.json["samples"] == json!([]));
        // Time, x and its velocity are there once each, for two plots and the phase plane.
        assert_eq!(
            (&many.json["plots"][1]["samples"], many.json["samples"].as_array().map(Vec::len)),
            (&json!([0, 2]), Some(3))
        );
        assert_eq!(many.json["plane"]["coordinates"][0]["samples"], json!([0, 1, 2]));
        assert!(many.thinned && many.partial.is_empty() && most.partial == ["Velocities"], "{:?}", most.partial);
    }

    #[test]
    fn plots_with_the_same_samples_share_their_times() {
        let series = vec![vec![1.0, 2.0, 5.0]];
        let report = MechanismReport {
            coordinates: vec!["x".to_owned()],
            t: vec![0.0, 0.1, 0.2],
            q: series.clone(),
            v: series,
            energy: vec![1.0, 1.0, 1.0],
            units: Units::SI,
            ..MechanismReport::default()
        };
        let data = data(&report);
        assert_eq!(data.plots, ["Coordinates", "Velocities", "Energies, J"]);
        assert_eq!(data.json["times"].as_array().map(Vec::len), Some(1));
        assert!(!data.thinned);
    }

    #[test]
    fn many_curves_stay_below_the_bound() {
        let series: Vec<Vec<f64>> = (0..300).map(|k| (0..3000).map(|i| f64::from(i * k).sin()).collect()).collect();
        let report = MechanismReport {
            coordinates: (0..300).map(|k| format!("q[{k}]")).collect(),
            t: (0..3000).map(f64::from).collect(),
            q: series.clone(),
            v: series,
            ..MechanismReport::default()
        };
        let json = data(&report).json;
        let samples = json["samples"].to_string().len();
        assert!(json.to_string().len() - samples < 3_000_000 && samples < 11 * DOUBLES, "{samples}");
    }
}
