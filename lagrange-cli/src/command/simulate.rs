//! `lagrange simulate MODEL`.

mod rows;
#[cfg(test)]
mod tests;

use super::progress::Progress;
use super::setup::{self, Ending, Simulation};
use super::sheet::{self, Table};
use super::{Failure, output};
use crate::catalog::{Catalog, Model, Request, States, Summary};
use crate::parse;
use crate::report::number;
use lagrange_runtime::error::Number;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  lagrange simulate double-pendulum --t-end 10 --csv motion.csv
  lagrange simulate compound-double-pendulum --method verlet --step 1e-3 --t-end 60 \\
      --set m1=2 --set l2=0.5 --initial theta1=45deg --initial theta1_dot=-1 --csv - --points 601
  lagrange simulate compound-double-pendulum-with-drag --method rkf45 --rtol 1e-9 --t-end 500 --set mu=0.1

The velocity of the coordinate `theta1` is `theta1_dot` or `dot(theta1)`. Angles are in radians; `45deg` is 45°.
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
    #[cfg(feature = "parquet")]
    #[arg(long, value_name = "FILE", conflicts_with = "csv")]
    parquet: Option<PathBuf>,
    /// Replace the file where it exists
    #[arg(long)]
    force: bool,
    /// Write the end of the motion as JSON instead of text
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// How many states to write, evenly spaced in time [default: one after each step]
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
    let file = arguments.file();
    if let Some((path, _)) = &file {
        output::may_create(path, arguments.force)?;
    } else if arguments.force {
        return Err(Failure::Usage("--force replaces a file, and none is named".to_owned()));
    }
    setup::start(model, &request)?;
    let summary = match file {
        Some((path, table)) => rows::to_file(model, &request, table, (path, arguments.force))?,
        None if arguments.csv.is_some() => {
            let summary = rows::to_standard_output(model, &request)?;
            setup::warn(&summary.warnings);
            return Ok(());
        }
        None => model.simulate(&request, &mut Progress::to(request.t_end))?,
    };
    output::print(&if arguments.json { json(model, &summary) } else { describe(model, &summary) })
}

impl Arguments {
    /// The file for the states with its format, if one is named.
    fn file(&self) -> Option<(&Path, Box<dyn Table>)> {
        #[cfg(feature = "parquet")]
        if let Some(path) = &self.parquet {
            return Some((path, Box::new(sheet::Parquet::default())));
        }
        let path = self.csv.as_deref().filter(|path| *path != Path::new("-"))?;
        Some((path, Box::new(sheet::Csv)))
    }
}

/// The end of the motion and the work, in a few lines.
fn describe(model: &dyn Model, summary: &Summary) -> String {
    let statistics = &summary.statistics;
    let mut text = format!("{} at t = {} s\n", model.name(), Number(summary.t));
    for (index, name) in model.coordinates().iter().enumerate() {
        _ = writeln!(text, "  {name} = {}, {name}_dot = {}", Number(summary.q[index]), Number(summary.v[index]));
    }
    for (name, z) in model.states().iter().zip(&summary.v[summary.q.len()..]) {
        _ = writeln!(text, "  {name} = {}", Number(*z));
    }
    let [first, last] = summary.energy;
    _ = writeln!(text, "  energy = {} J, {:+.3e} J since the start", Number(last), last - first);
    if let Some(balance) = &summary.balance {
        for (name, work) in balance.works.iter().filter(|(_, work)| *work != 0.0) {
            _ = writeln!(text, "    {name}: {} J", number::text(*work, 6));
        }
        let part = balance.relative();
        _ = writeln!(
            text,
            "    missing in the balance: {} J (at most {part:.1e} of the energy that was exchanged)",
            number::text(balance.residual, 3)
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
    let (rates, states) = summary.v.split_at(summary.q.len());
    let mut value = serde_json::json!({
        "model": model.name(),
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
        "warnings": summary.warnings,
    });
    add_states(&mut value, model, states);
    format!("{value:#}\n")
}

/// Adds the values of the states, where there are any, under their names.
pub(super) fn add_states(value: &mut serde_json::Value, model: &dyn Model, states: &[f64]) {
    if !model.states().is_empty() {
        let named = model.states().iter().zip(states).map(|(name, z)| ((*name).to_owned(), (*z).into()));
        value["values_of_states"] = named.collect::<serde_json::Map<_, _>>().into();
    }
}
