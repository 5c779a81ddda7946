//! The data of the page as JSON.

use super::MechanismReport;
use super::data::{InstantRow, MovingPoint, SeriesRow, draws};
use crate::analysis::decimate;
use serde_json::{Value, json};

/// The largest number of samples of a curve.
const SAMPLES: usize = 2000;
/// The fewest samples of a curve, where a report has very many curves.
const FEWEST_SAMPLES: usize = 200;
/// The largest number of values on the page, which bounds the size of the file to about 2.5 MB.
const VALUES: usize = 200_000;
/// With fewer stretches, extremes are no better than samples at equal distances.
const FEWEST_STRETCHES: usize = 10;
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
    /// Whether some samples are left out.
    pub(super) thinned: bool,
}

/// Names and values.
type Curves<'r> = Vec<(String, &'r [f64])>;

/// A plot over time.
struct Plot<'r> {
    title: String,
    scale: &'static str,
    t: &'r [f64],
    curves: Curves<'r>,
    /// Whether it shows coordinates or velocities.
    motion: bool,
}

impl<'r> Plot<'r> {
    fn series(&self) -> impl Iterator<Item = &'r [f64]> {
        self.curves.iter().map(|(_, series)| *series)
    }
}

pub(super) fn data(report: &MechanismReport) -> Data {
    let step_times: Vec<f64> = report.steps.iter().map(|step| step[0]).collect();
    let step_sizes: Vec<f64> = report.steps.iter().map(|step| step[1]).collect();
    let plots = plots(report, (&step_times, &step_sizes));
    let points = report.points();
    let curves = plots.iter().map(|plot| plot.curves.len()).sum::<usize>()
        + points.iter().map(|point| point.components.len()).sum::<usize>()
        + report.spectra.len();
    let limit = (VALUES / curves.max(1)).clamp(FEWEST_SAMPLES, SAMPLES);
    let mut tables = Tables::default();
    // The phase plane needs coordinates and velocities at the same times.
    let motion: Vec<&[f64]> = plots.iter().filter(|plot| plot.motion).flat_map(Plot::series).collect();
    let drawn: Vec<Value> = plots
        .iter()
        .map(|plot| {
            let kept = tables.keep(plot.t, if plot.motion { motion.clone() } else { plot.series().collect() }, limit);
            let curves: Vec<Value> = plot
                .curves
                .iter()
                .map(|(name, series)| json!({ "name": name, "values": tables.values(&kept, series) }))
                .collect();
            json!({ "title": plot.title, "scale": plot.scale, "time": kept.table, "curves": curves })
        })
        .collect();
    let plane = plane(report, &motion, limit, &mut tables);
    let points = moving(&points, &report.t, limit, &mut tables);
    let (instants, instant_count) = instants(report);
    let json = json!({
        "name": report.name,
        "instants": instants,
        "plots": drawn,
        "plane": plane,
        "points": points,
        "spectra": report.spectra.iter().map(|row| spectrum(row, limit)).collect::<Vec<_>>(),
        "times": tables.times,
        "series": tables.series,
    });
    Data {
        json,
        plots: plots.into_iter().map(|plot| plot.title).collect(),
        instants: instant_count,
        thinned: tables.thinned,
    }
}

/// What happened at instants, as the heads and the rows of a table, and the number of the rows.
fn instants(report: &MechanismReport) -> (Value, usize) {
    let rates = report.coordinates.iter().map(|name| format!("dot({name})"));
    let states = report.states.iter().map(|row| row.name.clone());
    let components: Vec<String> = report.coordinates.iter().cloned().chain(rates).chain(states).collect();
    let heads = ["time s", "what", "name", "impulse"].map(str::to_owned).into_iter();
    let heads = heads.chain(components.iter().map(|name| format!("before({name})")));
    let heads: Vec<String> = heads.chain(components.iter().map(|name| format!("after({name})"))).collect();
    let count = report.instants.len().min(INSTANT_VALUES / heads.len());
    let row = |row: &InstantRow| {
        // Impacts of a body that comes to rest are close to each other.
        let numbers =
            std::iter::once(&row.impulse).chain(&row.before).chain(&row.after).map(|value| number(*value, 15));
        [number(row.t, 15), json!(row.what), json!(row.name)].into_iter().chain(numbers).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<Value>> = report.instants.iter().take(count).map(row).collect();
    (json!({ "heads": heads, "rows": rows }), count)
}

/// All plots over time. Series without values and series of a wrong length are left out.
fn plots<'r>(report: &'r MechanismReport, steps: (&'r [f64], &'r [f64])) -> Vec<Plot<'r>> {
    let plot = |title: &str, scale, t: &'r [f64], curves: Curves<'r>| Plot {
        title: title.to_owned(),
        scale,
        t,
        curves,
        motion: matches!(title, "Coordinates" | "Velocities"),
    };
    let named = |series: &'r [Vec<f64>], name: fn(&String) -> String| {
        report.coordinates.iter().map(name).zip(series.iter().map(Vec::as_slice)).collect()
    };
    let rows = |rows: &'r [SeriesRow]| rows.iter().map(|row| (row.name.clone(), row.series.as_slice())).collect();
    let energies = [
        ("kinetic energy", report.kinetic.as_deref()),
        ("potential energy", report.potential.as_deref()),
        ("energy h", Some(report.energy.as_slice())),
    ];
    let t = report.t.as_slice();
    let mut all = vec![
        plot("Coordinates", "linear", t, named(&report.q, String::clone)),
        plot("Velocities", "linear", t, named(&report.v, |name| format!("dot({name})"))),
        plot("States", "linear", t, rows(&report.states)),
        plot(
            "Energies, J",
            "linear",
            t,
            energies.iter().filter_map(|(name, series)| Some(((*name).to_owned(), (*series)?))).collect(),
        ),
        plot(
            "Powers, W",
            "linear",
            t,
            report.powers.iter().map(|row| (row.name.clone(), row.series.as_slice())).collect(),
        ),
        plot("Violation of the constraints", "log", t, rows(&report.constraints)),
        plot("Multipliers", "linear", t, rows(&report.multipliers)),
    ];
    for (stem, components) in outputs(&report.outputs) {
        all.push(plot(&format!("Output {stem}"), "linear", t, components));
    }
    let positive = || steps.1.iter().copied().filter(|size| *size > 0.0);
    let spread = positive().fold(0.0, f64::max) / positive().fold(f64::INFINITY, f64::min);
    let scale = if spread > WIDE_SPREAD { "log" } else { "linear" };
    all.push(plot("Step size, s", scale, steps.0, vec![("step size".to_owned(), steps.1)]));
    for plot in &mut all {
        plot.curves.retain(|(_, series)| !series.is_empty() && series.len() == plot.t.len());
    }
    all.retain(|plot| !plot.curves.is_empty() && draws(plot.t));
    all
}

/// The outputs, with the components of one output together.
fn outputs(rows: &[SeriesRow]) -> Vec<(&str, Curves<'_>)> {
    let mut groups: Vec<(&str, Curves<'_>)> = Vec::new();
    for row in rows {
        let stem = row.name.split('[').next().unwrap_or(&row.name);
        let curve = (row.name.clone(), row.series.as_slice());
        match groups.iter_mut().find(|(name, _)| *name == stem) {
            Some((_, curves)) => curves.push(curve),
            None => groups.push((stem, vec![curve])),
        }
    }
    groups
}

/// The coordinates and velocities of the phase plane.
fn plane(report: &MechanismReport, motion: &[&[f64]], limit: usize, tables: &mut Tables) -> Value {
    let kept = tables.keep(&report.t, motion.to_vec(), limit);
    let mut coordinates = Vec::new();
    for (name, (q, v)) in report.coordinates.iter().zip(report.q.iter().zip(&report.v)) {
        if q.len() == report.t.len() && v.len() == report.t.len() {
            coordinates.push(json!({ "name": name, "q": tables.values(&kept, q), "v": tables.values(&kept, v) }));
        }
    }
    json!({ "time": kept.table, "coordinates": coordinates })
}

/// The points of the animation.
fn moving(points: &[MovingPoint<'_>], t: &[f64], limit: usize, tables: &mut Tables) -> Value {
    let series = points.iter().flat_map(|point| point.components.iter().copied()).collect();
    let kept = tables.keep(t, series, limit);
    let mut all = Vec::new();
    for point in points {
        let components: Vec<usize> = point.components.iter().map(|series| tables.values(&kept, series)).collect();
        all.push(json!({ "name": point.name, "components": components }));
    }
    json!({ "time": kept.table, "all": all })
}

fn spectrum(row: &super::SpectrumRow, limit: usize) -> Value {
    let frequencies: Vec<f64> = (0..row.amplitudes.len()).map(|index| index as f64 * row.resolution).collect();
    let indices = indices(&frequencies, &[&row.amplitudes], limit);
    let picked =
        |values: &[f64], digits| indices.iter().map(|&index| number(values[index], digits)).collect::<Vec<_>>();
    json!({ "name": row.name, "frequencies": picked(&frequencies, 9), "values": picked(&row.amplitudes, 7) })
}

/// The tables of numbers. What is drawn twice with the same samples is embedded once.
#[derive(Default)]
struct Tables {
    times: Vec<Vec<Value>>,
    series: Vec<Vec<Value>>,
    thinned: bool,
}

/// The samples that are kept, and the number of the table of their times.
struct Kept {
    indices: Vec<usize>,
    table: usize,
}

impl Tables {
    fn keep(&mut self, t: &[f64], series: Vec<&[f64]>, limit: usize) -> Kept {
        let indices = indices(t, &series, limit);
        self.thinned |= indices.len() < t.len();
        // Two more digits than values have: samples are close to each other in a long run.
        let own = indices.iter().map(|&index| number(t[index], 9)).collect();
        Kept { indices, table: place(&mut self.times, own) }
    }

    /// The number of the table of the series' values.
    fn values(&mut self, kept: &Kept, series: &[f64]) -> usize {
        let own = kept.indices.iter().map(|&index| number(series[index], 7)).collect();
        place(&mut self.series, own)
    }
}

/// The place of a table among tables, to which it is added if it is new.
fn place(tables: &mut Vec<Vec<Value>>, own: Vec<Value>) -> usize {
    tables.iter().position(|table| *table == own).unwrap_or_else(|| {
        tables.push(own);
        tables.len() - 1
    })
}

/// Which samples are kept: all up to `limit`, else the extremes of each series in equal stretches of the abscissa, or
/// samples at equal distances where there are too many series for that. Of two samples at a jump both are kept or none, and both of
/// all jumps where these are less than half of what may be kept.
fn indices(x: &[f64], series: &[&[f64]], limit: usize) -> Vec<usize> {
    if x.len() <= limit {
        return (0..x.len()).collect();
    }
    let jumps: Vec<usize> = (1..x.len()).filter(|&index| x[index - 1] == x[index]).collect();
    let mut kept: Vec<usize> = if 4 * jumps.len() <= limit { jumps.clone() } else { Vec::new() };
    // Every kept sample may be at a jump, and then brings another one with it.
    let limit = match jumps.len() {
        0 => limit,
        count if 4 * count <= limit => limit - 2 * count,
        _ => limit / 2,
    };
    let last = x.len() - 1;
    let stretches = (limit - 2) / (2 * series.len().max(1));
    if series.is_empty() || stretches < FEWEST_STRETCHES {
        kept.extend((0..limit).map(|place| place * last / (limit - 1)));
    } else {
        kept.extend([0, last]);
        for values in series {
            let points = values.iter().enumerate().map(|(index, value)| [index as f64, *value]);
            let extremes = decimate::extremes(points, [0.0, last as f64], stretches);
            kept.extend(extremes.iter().map(|point| point[0] as usize));
        }
    }
    if !jumps.is_empty() {
        let partners = |&index: &usize| {
            let before = (index > 0 && x[index - 1] == x[index]).then(|| index - 1);
            let after = (index < last && x[index + 1] == x[index]).then(|| index + 1);
            before.into_iter().chain(after)
        };
        let partners: Vec<usize> = kept.iter().flat_map(partners).collect();
        kept.extend(partners);
    }
    kept.sort_unstable();
    kept.dedup();
    kept
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
    fn long_series_lose_no_peak() {
        let x: Vec<f64> = (0..100_000).map(f64::from).collect();
        let mut y: Vec<f64> = x.iter().map(|x| (x * 0.01).sin()).collect();
        y[77_777] = 9.0;
        let kept = indices(&x, &[&y, &x], 2000);
        assert!(kept.len() <= 2000);
        assert!(kept.contains(&77_777));
        assert_eq!((kept[0], kept[kept.len() - 1]), (0, 99_999));
        assert!(kept.is_sorted());
    }

    #[test]
    fn both_samples_at_a_jump_are_kept_or_none() {
        // A sawtooth whose jumps are small beside its slope, with so many teeth.
        for teeth in [40, 4000] {
            let (mut x, mut y) = (Vec::new(), Vec::new());
            for tooth in 0..teeth {
                for k in 0..=100 {
                    x.push(f64::from(tooth * 100 + k));
                    y.push(f64::from(tooth * 99 + k));
                }
            }
            let kept = indices(&x, &[&y], 2000);
            assert!(kept.len() <= 2000, "{}", kept.len());
            assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
            let jumps: Vec<usize> = (1..x.len()).filter(|&index| x[index - 1] == x[index]).collect();
            let is_kept = |index: usize| kept.binary_search(&index).is_ok();
            assert!(jumps.iter().all(|&index| is_kept(index) == is_kept(index - 1)));
            assert!(teeth > 40 || jumps.iter().all(|&index| is_kept(index)));
        }
    }

    #[test]
    fn plots_with_the_same_samples_share_their_times() {
        let series = vec![vec![1.0, 2.0, 3.0]];
        let report = MechanismReport {
            coordinates: vec!["x".to_owned()],
            t: vec![0.0, 0.1, 0.2],
            q: series.clone(),
            v: series,
            energy: vec![1.0, 1.0, 1.0],
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
        assert!(data(&report).json.to_string().len() < 3_000_000);
    }
}
