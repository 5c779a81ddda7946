//! `lagrange fit MODEL`: values of a mechanism from a recording of its motion.

mod recording;
#[cfg(test)]
mod tests;

use super::setup::{self, Setup};
use super::{Failure, output, plot};
use crate::catalog::{Catalog, Fit, FitRequest, MeasuredColumn, MethodChoice, Model, Quantity, label, unit_of};
use crate::parse;
use crate::report::number;
use crate::report::plot::{Axis, Chart, Curve, Drawing, Style, standalone};
use crate::suggest::explain_unknown;
use recording::{Recording, Wanted};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  lagrange fit double-pendulum --data angles.csv --vary m2,l2 --initial theta1=45deg
  lagrange fit driven-pendulum --data run.csv --vary q,theta,theta_dot --set q=3 --deviation theta=0.5deg --json

The first line of the file has the names of the columns: `t` for the time, and coordinates `x`, velocities `x_dot`, states and
outputs as `simulate --csv` writes them, with their units as in `theta [rad]` or without. A unit must be that of the mechanism. The motion starts at the time 0, with constant inputs. The search begins at the values of
--set and --initial, and at the published ones; it must begin near enough to follow the recording.

The estimates have the least sum of squares. Their standard errors are right if the mechanism is, and if the errors of the samples are
independent. The picture shows what the estimates leave: residuals that are no noise tell of a wrong mechanism.";

/// The correlation that is worth a line.
const CORRELATED: f64 = 0.95;

/// Estimate parameters and initial values from a recording of the motion, with their standard errors
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    setup: Setup,
    /// The recording, a CSV file with the column `t` and columns of measured quantities
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// What to estimate: parameters, inputs, initial coordinates, velocities and states, separated by commas; may be repeated
    #[arg(long, value_name = "NAMES", required = true, value_delimiter = ',')]
    vary: Vec<String>,
    /// The columns to compare with the motion, separated by commas [default: all, which must then be quantities of the mechanism]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    measured: Vec<String>,
    /// The standard deviation of one measurement of a column [default: that of the residuals of the column]; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse::assignment, allow_hyphen_values = true)]
    deviation: Vec<(String, f64)>,
    /// The relative tolerance of the integration
    #[arg(long, value_name = "NUMBER", value_parser = parse::positive, default_value = "1e-9", allow_hyphen_values = true)]
    rtol: f64,
    /// The picture of the residuals, an .svg or, with the feature `png`, a .png [default: the mechanism's name with -fit.svg]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the picture where it exists
    #[arg(long)]
    force: bool,
    /// Write JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    let (model, request) = arguments.setup.request(catalog, None, MethodChoice::automatic())?;
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}-fit.svg", model.name())));
    let format = plot::format(&path)?;
    output::may_create(&path, arguments.force)?;
    let task = arguments.task(model)?;
    setup::start(model, &request)?;
    let found = model.fit(&request, &task)?;
    setup::warn(&found.warnings);
    let svg = standalone(&residuals(model, &task, &found), model.name());
    output::new_file(&path, &format(Drawing { svg, cells: None })?, arguments.force)?;
    let written = if arguments.json { json(model, &task, &found) } else { text(model, &task, &found, &path) };
    output::print(&written)
}

impl Arguments {
    /// The recording, and what is to be estimated from it.
    ///
    /// # Errors
    /// [`Failure::Usage`] names what is wrong with the file, or an option whose name no column has.
    fn task(&self, model: &dyn Model) -> Result<FitRequest, Failure> {
        if self.rtol < f64::EPSILON {
            return Err(Failure::Usage(format!(
                "--rtol {:?} is below the rounding of the numbers; it must be at least 2.2e-16",
                self.rtol
            )));
        }
        let (components, outputs) = (model.components(), model.outputs());
        let names = Quantity::names(components, outputs);
        let known = |name: &str| Quantity::find(name, components, outputs).is_ok();
        for name in &self.measured {
            if !known(name) {
                return Err(Failure::Usage(explain_unknown("quantity", name, &names)));
            }
        }
        let ignored =
            |name: &str| ["kinetic", "potential", "energy"].contains(&name) || name.starts_with("multiplier(");
        let wanted = match &self.measured[..] {
            [] => Wanted::Known { known: &known, ignored: &ignored, names: &names },
            measured => Wanted::Named(measured),
        };
        let Recording { times, columns, unread } = recording::read(&self.data, &wanted, &|name| unit_of(model, name))?;
        let found: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
        for (index, (name, value)) in self.deviation.iter().enumerate() {
            if !found.contains(name) {
                return Err(Failure::Usage(format!(
                    "--deviation: {}",
                    explain_unknown("measured column", name, &found)
                )));
            }
            if *value <= 0.0 {
                return Err(Failure::Usage(format!("--deviation {name}={value} is no deviation; it must be positive")));
            }
            if self.deviation[..index].iter().any(|(other, _)| other == name) {
                return Err(Failure::Usage(format!("--deviation gives `{name}` two values; give it once")));
            }
        }
        if self.measured.is_empty() && !unread.is_empty() {
            // A closed standard error is no failure of the result.
            _ = writeln!(io::stderr(), "note: not compared with the motion: {}", unread.join(", "));
        }
        let deviation = |name: &str| self.deviation.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        let column = |(name, values): (String, Vec<f64>)| MeasuredColumn { deviation: deviation(&name), name, values };
        Ok(FitRequest {
            vary: self.vary.iter().map(|name| name.trim().to_owned()).collect(),
            times,
            columns: columns.into_iter().map(column).collect(),
            rtol: self.rtol,
        })
    }
}

/// The residuals over their deviations, as dots over time.
fn residuals(model: &dyn Model, task: &FitRequest, found: &Fit) -> Chart {
    let ends = [task.times.first(), task.times.last()].map(|end| end.copied().unwrap_or_default());
    let zero = Curve::new("", Style::Reference, ends.map(|end| [end, 0.0]).to_vec());
    let styles = Style::ALL.into_iter().cycle();
    let columns = found.columns.iter().zip(styles).map(|(column, style)| {
        let points = task.times.iter().zip(&column.residuals).map(|(t, residual)| [*t, residual / column.deviation]);
        Curve::dots(column.name.clone(), style, points.collect())
    });
    Chart::new(
        Axis::linear(label("time", model.units().time)),
        Axis::linear("residual over deviation"),
        std::iter::once(zero).chain(columns).collect(),
    )
}

fn text(model: &dyn Model, task: &FitRequest, found: &Fit, path: &Path) -> String {
    let plural = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let unit = |name: &str| match unit_of(model, name) {
        "" | "1" => String::new(),
        unit => format!("  {unit}"),
    };
    let mut text = format!(
        "{}: {} from {} of {}\n\n",
        model.name(),
        plural(found.values.len(), "value"),
        plural(task.times.len(), "row"),
        plural(found.columns.len(), "column")
    );
    _ = writeln!(text, "  {:<16} {:>14} {:>14} {:>14}", "name", "estimate", "standard error", "first value");
    for value in &found.values {
        let [estimate, error, start] =
            [(value.value, 8), (value.error, 3), (value.start, 8)].map(|(value, digits)| number::text(value, digits));
        _ = writeln!(text, "  {:<16} {estimate:>14} {error:>14} {start:>14}{}", value.name, unit(&value.name));
    }
    _ = writeln!(text, "\n  {:<16} {:>14} {:>14}", "column", "deviation", "residual");
    for column in &found.columns {
        let rms = (column.residuals.iter().map(|r| r * r).sum::<f64>() / column.residuals.len() as f64).sqrt();
        let origin = if column.is_estimated { "   deviation of the residuals" } else { "   deviation as given" };
        let [deviation, rms] = [column.deviation, rms].map(|value| number::text(value, 4));
        _ = writeln!(text, "  {:<16} {deviation:>14} {rms:>14}{}{origin}", column.name, unit(&column.name));
    }
    let samples = task.times.len() * found.columns.len();
    if found.columns.iter().any(|column| !column.is_estimated) {
        let [sum, expected] =
            [found.chi_square, (samples - found.values.len()) as f64].map(|value| number::text(value, 4));
        _ = writeln!(text, "\nsum of the squared residuals over their deviations: {sum}; about {expected} is expected");
    }
    for (i, row) in found.correlations.iter().enumerate() {
        for (j, correlation) in
            row.iter().enumerate().skip(i + 1).filter(|(_, correlation)| correlation.abs() > CORRELATED)
        {
            let [first, second] = [i, j].map(|index| &found.values[index].name);
            _ = writeln!(
                text,
                "{first} and {second} have the correlation {correlation:.3}: the recording tells them hardly apart"
            );
        }
    }
    _ = writeln!(text, "\nthe residuals are drawn in {}", output::quoted(path));
    text
}

fn json(model: &dyn Model, task: &FitRequest, found: &Fit) -> String {
    let unit = |name: &str| Some(unit_of(model, name)).filter(|unit| !unit.is_empty());
    let values: Vec<_> = found
        .values
        .iter()
        .map(|value| serde_json::json!({ "name": value.name, "unit": unit(&value.name), "value": value.value, "error": value.error, "first": value.start }))
        .collect();
    let columns: Vec<_> = found
        .columns
        .iter()
        .map(|column| {
            serde_json::json!({
                "name": column.name,
                "unit": unit(&column.name),
                "deviation": column.deviation,
                "deviation_is_estimated": column.is_estimated,
                "residuals": column.residuals,
            })
        })
        .collect();
    let value = serde_json::json!({
        "model": model.name(),
        "values": values,
        "correlations": found.correlations,
        "times": task.times,
        "columns": columns,
        "chi_square": found.chi_square,
        "warnings": found.warnings,
    });
    format!("{value:#}\n")
}
