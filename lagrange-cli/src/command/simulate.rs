//! `lagrange simulate MODEL`.

pub(super) mod rows;
#[cfg(test)]
mod tests;

use super::progress::Progress;
use super::setup::{self, Ending, Simulation};
use super::sheet::{self, Columns, Sheet, Table};
use super::{Failure, output};
use crate::catalog::{self, Catalog, Model, Request, States, Summary, unit_of, with_unit};
use crate::parse;
use crate::report::number;
use clap::builder::{OsStringValueParser, TypedValueParser};
use lagrange_runtime::error::Number;
use rows::Tables;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  lagrange simulate double-pendulum --t-end 10 --csv motion.csv
  lagrange simulate compound-double-pendulum --method verlet --step 1e-3 --t-end 60 \\
      --set m1=2 --set l2=0.5 --initial theta1=45deg --initial theta1_dot=-1 --csv - --points 601
  lagrange simulate compound-double-pendulum-with-drag --method rkf45 --rtol 1e-9 --t-end 500 --set mu=0.1
  lagrange simulate bouncing-ball --t-end 4 --instants -

The velocity of the coordinate `theta1` is `theta1_dot` or `dot(theta1)`. Angles are in radians; `45deg` is 45°,
and a value may be an expression such as `pi/3` or `sqrt(2)/2`.
What is not set keeps its published value (see `lagrange list`).";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    simulation: Simulation,
    #[command(flatten)]
    ending: Ending,
    /// Write the states to this file as CSV; `-` is the standard output
    ///
    /// Until the run ends the file has `.partial` added to its name. A run that fails, or that Ctrl-C breaks off, leaves its
    /// complete rows there.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the states to this file as Parquet, in columns of 64-bit numbers
    #[arg(long, value_name = "FILE", conflicts_with = "csv", hide = cfg!(not(feature = "parquet")))]
    #[arg(value_parser = OsStringValueParser::new().try_map(sheet::parquet_file))]
    parquet: Option<sheet::ParquetFile>,
    /// Write what happens at instants to this file as CSV: events, impacts, changes of phases; `-` is the standard output
    ///
    /// Each row has the time, what happened, the name of the contact or of the condition, the impulse of an impact, and the state before
    /// and after. A row `switch` is a change of sign at which the equations change their branch. The file is written like that of --csv.
    #[arg(long, value_name = "FILE")]
    instants: Option<PathBuf>,
    /// Write the units into the names of the columns of CSV files: `theta [rad]`
    ///
    /// Names of quantities whose units are not known stay as they are. `fit --data` reads both forms.
    #[arg(long, conflicts_with_all = ["parquet", "json"])]
    units: bool,
    /// Replace the files where they exist
    #[arg(long)]
    force: bool,
    /// Write the end of the motion as JSON instead of text
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// How many states to write, evenly spaced in time [default: one after each step and one after each jump]
    #[arg(long, value_name = "COUNT", value_parser = parse::count, allow_hyphen_values = true)]
    points: Option<u64>,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    let (model, request) = arguments.simulation.request(catalog)?;
    let count = |points: u64| States::Points(usize::try_from(points).unwrap_or(usize::MAX));
    let states = arguments.points.map_or(States::EveryStep, count);
    let request = Request { states, until: arguments.ending.until(model)?, ..request };
    // A wrong request is refused before any file is looked at; the note on the start comes only for a run that begins.
    model.start(&request)?;
    arguments.check_files()?;
    setup::start(model, &request)?;
    let summary = match arguments.tables(model, &request) {
        Tables { states: None, instants: None, .. } => {
            model.simulate(&request, &mut Progress::to(request.t_end, model.units().time))?
        }
        tables => rows::write(model, &request, tables)?,
    };
    if arguments.writes_to_standard_output() {
        setup::warn(&summary.warnings);
        return Ok(());
    }
    output::print(&if arguments.json { json(model, &summary) } else { describe(model, &summary) })
}

impl Arguments {
    /// The file for the states with its format, if one is named.
    fn file(&self) -> Option<(&Path, Box<dyn Table>)> {
        if let Some(path) = &self.parquet {
            return Some(sheet::parquet(path));
        }
        let path = self.csv.as_deref().filter(|path| !is_standard_output(path))?;
        Some((path, Box::new(sheet::Csv)))
    }

    /// The file for what happens at instants, if one is named.
    fn instants_file(&self) -> Option<&Path> {
        self.instants.as_deref().filter(|path| !is_standard_output(path))
    }

    /// Fails where the files cannot be written, before anything is done for them.
    fn check_files(&self) -> Result<(), Failure> {
        let (states, instants) = (self.file().map(|(path, _)| path), self.instants_file());
        let refuse = |text: &str| Err(Failure::Usage(text.to_owned()));
        let is_printed = |path: &Option<PathBuf>| path.as_deref().is_some_and(is_standard_output);
        if is_printed(&self.instants) && (is_printed(&self.csv) || self.json) {
            let other = if self.json { "--json writes there" } else { "--csv - names it" };
            return refuse(&format!("--instants - names the standard output, and {other} too; name a file"));
        }
        if let (Some(states), Some(instants)) = (states, instants)
            && absolute(states) == absolute(instants)
        {
            return refuse(&format!("{} is named for the states and for --instants", output::quoted(instants)));
        }
        if self.force && states.or(instants).is_none() {
            return refuse("--force replaces a file, and none is named");
        }
        if self.units && self.csv.is_none() && self.instants.is_none() {
            return refuse("--units writes units into the names of columns, and neither --csv nor --instants is given");
        }
        states.into_iter().chain(instants).try_for_each(|path| output::may_create(path, self.force))
    }

    /// Whether a table is written to the standard output.
    fn writes_to_standard_output(&self) -> bool {
        [&self.csv, &self.instants].into_iter().flatten().any(|path| is_standard_output(path))
    }

    /// The tables that are asked for.
    fn tables(&self, model: &dyn Model, request: &Request) -> Tables {
        let file = self.file();
        let named = |columns: Columns| if self.units { columns.with_units_in_names() } else { columns };
        let listens = file.is_some() || self.instants_file().is_some();
        let states = match file {
            Some((path, table)) => {
                Some(Sheet::file(path, self.force, table, named(rows::columns(model, &request.feedback))))
            }
            None => self
                .csv
                .is_some()
                .then(|| Sheet::standard_output(Box::new(sheet::Csv), named(rows::columns(model, &request.feedback)))),
        };
        let instants = self.instants.as_deref().map(|path| {
            let (table, columns) = (Box::new(sheet::TimedCsv), named(rows::instant_columns(model)));
            match is_standard_output(path) {
                true => Sheet::standard_output(table, columns),
                false => Sheet::file(path, self.force, table, columns),
            }
        });
        Tables { states, instants, listens }
    }
}

/// Whether the name stands for the standard output.
fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// The path from the root, for comparisons.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The end of the motion and the work, in a few lines.
fn describe(model: &dyn Model, summary: &Summary) -> String {
    let (statistics, units) = (&summary.statistics, model.units());
    let energy = |value: String| with_unit(value, units.energy);
    let in_unit = |name: &str, value: f64| with_unit(Number(value), unit_of(model, name));
    let mut text = format!("{} at t = {}\n", model.name(), with_unit(Number(summary.t), units.time));
    for (index, name) in model.coordinates().iter().enumerate() {
        let (q, v) = (in_unit(name, summary.q[index]), in_unit(&format!("{name}_dot"), summary.v[index]));
        _ = writeln!(text, "  {name} = {q}, {name}_dot = {v}");
    }
    for (name, z) in model.states().iter().zip(&summary.v[summary.q.len()..]) {
        _ = writeln!(text, "  {name} = {}", in_unit(name, *z));
    }
    let [first, last] = summary.energy;
    let change = energy(format!("{:+.3e}", last - first));
    _ = writeln!(text, "  energy = {}, {change} since the start", energy(Number(last).to_string()));
    if let Some(balance) = &summary.balance {
        for (name, work) in balance.works.iter().filter(|(_, work)| *work != 0.0) {
            _ = writeln!(text, "    {name}: {}", energy(number::text(*work, 6)));
        }
        let part = balance.relative();
        _ = writeln!(
            text,
            "    missing in the balance: {} (at most {part:.1e} of the energy that was exchanged)",
            energy(number::text(balance.residual, 3))
        );
        for (name, most) in &balance.violations {
            _ = writeln!(text, "  constraint {name}: at most {} off", number::text(*most, 3));
        }
    }
    _ = writeln!(text, "  method: {}", summary.method);
    _ = write!(text, "  {} steps", statistics.steps);
    if statistics.rejected > 0 {
        _ = write!(text, ", {} rejected", statistics.rejected);
    }
    _ = writeln!(text, ", {} evaluations", statistics.evaluations);
    for clause in catalog::describe_counts(&summary.instants) {
        _ = writeln!(text, "  {clause}");
    }
    for warning in &summary.warnings {
        _ = writeln!(text, "  warning: {warning}");
    }
    text
}

/// The end of the motion as JSON.
fn json(model: &dyn Model, summary: &Summary) -> String {
    let balance = summary.balance.as_ref().map(|balance| {
        let works: serde_json::Map<_, _> = balance.works.iter().map(|(name, work)| ((*name).to_owned(), (*work).into())).collect();
        let violations: serde_json::Map<_, _> =
            balance.violations.iter().map(|(name, most)| ((*name).to_owned(), (*most).into())).collect();
        serde_json::json!({ "works": works, "residual": balance.residual, "relative": balance.relative(), "violations": violations })
    });
    let instants: Vec<_> = summary
        .instants
        .iter()
        .map(|found| serde_json::json!({ "what": found.what, "name": found.name, "count": found.count }))
        .collect();
    let (rates, states) = summary.v.split_at(summary.q.len());
    let mut value = serde_json::json!({
        "model": model.name(),
        "units": model.units().json(),
        "method": summary.method,
        "t": summary.t,
        "coordinates": model.coordinates(),
        "q": summary.q,
        "v": rates,
        "energy": summary.energy,
        "balance": balance,
        "steps": summary.statistics.steps,
        "rejected": summary.statistics.rejected,
        "evaluations": summary.statistics.evaluations,
        "instants": instants,
        "warnings": summary.warnings,
    });
    add_states(&mut value, model, states);
    add_units(&mut value, model);
    format!("{value:#}\n")
}

/// Adds the units of the coordinates, the velocities and the states, with `null` for those that are not known.
pub(super) fn add_units(value: &mut serde_json::Value, model: &dyn Model) {
    let text = |name: &str| Some(unit_of(model, name)).filter(|unit| !unit.is_empty());
    let names = model.coordinates();
    value["units"]["q"] = names.iter().map(|name| text(name)).collect();
    value["units"]["v"] = names.iter().map(|name| text(&format!("{name}_dot"))).collect();
    if !model.states().is_empty() {
        value["units"]["states"] = model.states().iter().map(|name| text(name)).collect();
    }
}

/// Adds the values of the states, where there are any, under their names.
pub(super) fn add_states(value: &mut serde_json::Value, model: &dyn Model, states: &[f64]) {
    if !model.states().is_empty() {
        let named = model.states().iter().zip(states).map(|(name, z)| ((*name).to_owned(), (*z).into()));
        value["values_of_states"] = named.collect::<serde_json::Map<_, _>>().into();
    }
}
