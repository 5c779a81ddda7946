//! `lagrange simulate MODEL`.

mod csv;
#[cfg(test)]
mod tests;

use super::{Failure, output};
use crate::catalog::{self, Catalog, MethodChoice, Model, Request, Summary};
use crate::parse;
use lagrange_runtime::error::Number;
use std::fmt::Write as _;
use std::io::{self, Write};
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
    /// The mechanism, as `lagrange list` names it
    model: String,
    /// The end time, s; before 0 it goes backward
    #[arg(long, value_name = "TIME", value_parser = parse::number, allow_hyphen_values = true)]
    t_end: f64,
    #[command(flatten)]
    method: MethodChoice,
    /// How many steps may be tried [default: no limit]
    #[arg(long, value_name = "COUNT", value_parser = parse::count, allow_hyphen_values = true)]
    max_steps: Option<u64>,
    /// Change a parameter or an input; may be repeated, with another name each time
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse::assignment, allow_hyphen_values = true)]
    set: Vec<(String, f64)>,
    /// Change an initial coordinate or velocity; may be repeated, with another name each time
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse::assignment, allow_hyphen_values = true)]
    initial: Vec<(String, f64)>,
    /// Where the initial state breaks the constraints, start from the nearest that meets them, however far it is
    ///
    /// Without it, components move by a thousandth of their magnitude at most, and a note says how far.
    #[arg(long)]
    project: bool,
    /// Write the states to this file as CSV; `-` is the standard output
    ///
    /// Until the run ends the file has `.partial` added to its name. A run that fails, or that Ctrl-C breaks off, leaves its
    /// complete rows there.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Replace the CSV file where it exists
    #[arg(long, requires = "csv")]
    force: bool,
    /// How many states to write, evenly spaced in time [default: one after each step]
    #[arg(long, value_name = "COUNT", value_parser = parse::count, allow_hyphen_values = true)]
    points: Option<u64>,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    let model = catalog.find(&arguments.model)?;
    let request = Request {
        set: arguments.set.clone(),
        initial: arguments.initial.clone(),
        project: arguments.project,
        t_end: arguments.t_end,
        method: arguments.method,
        max_steps: arguments.max_steps,
        points: arguments.points.map(|points| usize::try_from(points).unwrap_or(usize::MAX)),
    };
    let start = model.start(&request)?;
    let to_file = arguments.csv.as_deref().filter(|path| *path != Path::new("-"));
    if let Some(path) = to_file {
        output::may_create(path, arguments.force)?;
    }
    if !start.moved.is_empty() {
        // A closed standard error is no failure: the first row of the result shows the state too.
        let text = catalog::describe(&start.moved);
        _ = writeln!(io::stderr(), "note: the initial state was brought onto the constraints: {text}");
    }
    let summary = match (&arguments.csv, to_file) {
        (_, Some(path)) => csv::to_file(model, &request, path, arguments.force)?,
        (Some(_), None) => return csv::to_standard_output(model, &request),
        (None, None) => model.simulate(&request, &mut ())?,
    };
    output::print(&describe(model, &request, &summary))
}

/// The end of the motion and the work, in a few lines.
fn describe(model: &dyn Model, request: &Request, summary: &Summary) -> String {
    let statistics = &summary.statistics;
    let mut text = format!("{} at t = {} s\n", model.name(), Number(summary.t));
    for (index, name) in model.coordinates().iter().enumerate() {
        _ = writeln!(text, "  {name} = {}, {name}_dot = {}", Number(summary.q[index]), Number(summary.v[index]));
    }
    let [first, last] = summary.energy;
    _ = writeln!(text, "  energy = {} J, {:+.3e} J since the start", Number(last), last - first);
    _ = write!(text, "  {} steps", statistics.steps);
    if request.method.name.kind().is_adaptive() {
        _ = write!(text, ", {} rejected", statistics.rejected);
    }
    _ = writeln!(text, ", {} evaluations", statistics.evaluations);
    for warning in statistics.warnings() {
        _ = writeln!(text, "  warning: {warning}");
    }
    text
}
