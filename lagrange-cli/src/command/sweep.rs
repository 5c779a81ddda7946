//! `lagrange sweep MODEL`: a mechanism from many starts, or with many parameters.

mod extremes;
mod members;
mod parts;
mod picture;
mod plan;
mod row;
#[cfg(test)]
mod tests;
mod totals;
pub(super) mod variation;
mod work;

pub use parts::{Opened, Parts};

use super::interrupt::Interrupt;
use super::progress::Line;
use super::setup::{Ending, Simulation};
use super::sheet::{self, Sheet, Table};
use super::{Failure, output};
use crate::catalog::{Catalog, Model, Quantity, Request, States};
use crate::parse;
use clap::builder::{OsStringValueParser, TypedValueParser};
use lagrange_runtime::error::Number;
use lagrange_runtime::workers::{RunOutcome, Workers};
use parts::Format;
use picture::Picture;
use plan::Plan;
use row::Row;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use totals::Totals;
use variation::{Sample, Section, Vary};

const EXAMPLES: &str = "\
Examples:
  lagrange sweep double-pendulum --vary theta1=-3..3:128 --vary theta2=-3..3:128 \\
      --initial theta1_dot=0 --initial theta2_dot=0 --t-end 20 --until '|theta2|=180deg' --plot flips.svg
  lagrange sweep double-pendulum --vary m2=0.5..2:31 --t-end 10 --csv ends.csv --plot ends.svg --show theta1
  lagrange sweep double-pendulum --sample 'm1=normal(1,0.01)' --sample 'theta1=uniform(44deg,46deg)' \\
      --count 1000 --seed 7 --t-end 10 --csv spread.csv
  lagrange sweep double-pendulum --vary theta1=-3..3:1000 --vary theta2=-3..3:1000 --t-end 100 --parts map
  lagrange sweep double-pendulum --vary theta1=0.1..3:200 --t-end 200 --after 50 --section theta1=0 --plot section.svg --show theta2
  lagrange sweep double-pendulum --vary theta1=-3..3:64 --vary theta2=-3..3:64 --t-end 50 --lyapunov --plot chaos.svg --show lyapunov

Each member is simulated as by `lagrange simulate` with its values; its last state has the same digits. A member that fails is a row
with its message, and the others go on. No digit depends on the number of threads.";

/// Simulate a mechanism from many starts or with many parameters, and write the ends of its motions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    simulation: Simulation,
    #[command(flatten)]
    ending: Ending,
    /// Give a coordinate, a velocity, a parameter or an input evenly spaced values; may be repeated
    ///
    /// Several of them make a grid, in which the last one varies fastest. The values include FROM and TO. With `:log` after COUNT,
    /// neighbours have the same ratio instead of the same difference. NAME:COUNT takes the nominal range that the mechanism states of the quantity.
    #[arg(long, value_name = "NAME=FROM..TO:COUNT", value_parser = variation::vary, allow_hyphen_values = true)]
    #[arg(required_unless_present = "sample")]
    vary: Vec<Vary>,
    /// Give a coordinate, a velocity, a parameter or an input random values, uniform(FROM,TO) or normal(MEAN,DEVIATION); may be repeated
    ///
    /// Each member has its own values. If --vary is given, too, they are drawn --count times at each point of the grid.
    #[arg(long, value_name = "NAME=DISTRIBUTION", value_parser = variation::sample, allow_hyphen_values = true, requires = "count")]
    sample: Vec<Sample>,
    /// How many times random values are drawn
    #[arg(long, value_name = "COUNT", value_parser = parse::count, allow_hyphen_values = true, requires = "sample")]
    count: Option<u64>,
    /// The seed of the random values [default: 0]
    ///
    /// The values of a member depend on the seed, on its index, and on the order of the options --sample alone.
    #[arg(long, value_name = "COUNT", value_parser = parse::count, allow_hyphen_values = true, requires = "sample")]
    seed: Option<u64>,
    /// Record each motion where a quantity rises through a value; `NAME=VALUE:falling` and `:both` are the other directions
    ///
    /// A recorded state is a row of its own, with the outcome `recorded`. The last row of each member is that of its end. With
    /// --plot and one quantity of --vary, the states are drawn as dots above its values: a bifurcation diagram.
    #[arg(long, value_name = "NAME=VALUE", value_parser = variation::section, allow_hyphen_values = true)]
    section: Option<Section>,
    /// Record each motion at multiples of this time
    ///
    /// They count from --after, and otherwise from 0. With --plot and --sample, the spread of the members is drawn as bands over the
    /// time; with one quantity of --vary, the states are drawn as dots above its values.
    #[arg(long, value_name = "TIME", value_parser = parse::positive, allow_hyphen_values = true, conflicts_with = "section")]
    every: Option<f64>,
    /// Compute the largest Lyapunov exponent of each motion
    ///
    /// It is the column `lyapunov`, and `--show lyapunov` draws it. It is the mean rate at which a small deviation grows.
    #[arg(long)]
    lyapunov: bool,
    /// Add the least, the largest and the mean value of a quantity over each motion as columns; may be repeated
    ///
    /// The columns of `x` are `min(x)`, `max(x)` and `mean(x)`, and `--show 'max(x)'` draws one. The quantity is a coordinate, a velocity, an
    /// output, or `energy`. The values between the steps count, too: coordinates, velocities and outputs are missed by at most 1/2000 of what
    /// they span.
    #[arg(long, value_name = "NAME", conflicts_with = "section")]
    extremes: Vec<String>,
    /// Record states, seek extremes and average the growth of deviations only after this time, s
    #[arg(long, value_name = "TIME", value_parser = parse::not_negative, allow_hyphen_values = true)]
    after: Option<f64>,
    /// How many threads compute [default: one for each core]
    #[arg(long, value_name = "COUNT", value_parser = parse::count, allow_hyphen_values = true)]
    threads: Option<u64>,
    /// Write a row for each member to this file as CSV; `-` is the standard output
    ///
    /// A row has the index, the values that vary, the last time, state and energy, the outcome, and the message of a failure. Until the sweep
    /// ends the file has `.partial` added to its name. A sweep that Ctrl-C breaks off leaves the rows of its first members there.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the rows to this file as Parquet, in columns of 64-bit numbers and of texts
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "parts"], hide = cfg!(not(feature = "parquet")))]
    #[arg(value_parser = OsStringValueParser::new().try_map(sheet::parquet_file))]
    parquet: Option<sheet::ParquetFile>,
    /// Write the rows in parts to this directory, from which the same command goes on if the sweep is cut short
    ///
    /// A part is a file with the rows of consecutive members, and is there only when it is complete. The directory also gets the
    /// settings (manifest.json) and in the end the sums over all members (totals.json). With other settings it is refused.
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "csv")]
    parts: Option<PathBuf>,
    /// How many members a part has [default: a hundredth of all, but at most 1000]
    #[arg(long, value_name = "COUNT", value_parser = parse::count, allow_hyphen_values = true, requires = "parts")]
    block: Option<u64>,
    /// The format of the parts [default: csv]
    #[arg(long, value_enum, requires = "parts")]
    format: Option<Format>,
    /// Draw a curve over one quantity of --vary, or a map over two, to an .svg or, with the feature `png`, a .png
    ///
    /// --section, --every and --sample make other pictures; their help says which.
    /// In a map, the first quantity is horizontal and the second one vertical.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// What the picture shows: t, a coordinate, a velocity, an output, `energy`, a column of --extremes, or `lyapunov` [default: t with --until,
    /// otherwise the first coordinate]
    ///
    /// The colours of times are logarithmic if the largest is more than ten times the smallest.
    #[arg(long, value_name = "NAME", requires = "plot")]
    show: Option<String>,
    /// Write the units into the names of the columns of CSV files: `theta [rad]`
    ///
    /// Names of quantities whose units are not known stay as they are. `fit --data` reads both forms.
    #[arg(long, requires = "csv")]
    units: bool,
    /// Replace the files where they exist
    #[arg(long)]
    force: bool,
    /// Write the sums over all members as JSON instead of text
    #[arg(long)]
    json: bool,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.parts.is_some() {
        return Parts::new(catalog, arguments)?.run();
    }
    let plan = Plan::new(catalog, arguments)?;
    let mut receiver = Receiver {
        line: Line::new(),
        plan: &plan,
        totals: plan.totals(),
        picture: arguments.picture(&plan)?,
        sheet: arguments.sheet(arguments.named(plan.columns()))?,
    };
    let interrupt = Interrupt::listen();
    let workers = arguments.workers(&plan).with_cancel(interrupt.flag());
    let total = plan.members.total;
    let row = |_, index| plan.row(index, interrupt.flag());
    let (outcome, count) = workers.run(0..total, row, |index, row| receiver.receive(index, &row));
    let Receiver { line, totals, picture, sheet, .. } = receiver;
    drop(line);
    let result = match outcome {
        RunOutcome::Cancelled if count < total => Err(Failure::Interrupted(totals.broken_off(total))),
        _ => Ok(()),
    };
    let result = match sheet {
        Some(sheet) => sheet.finish(result, 1),
        None => result,
    };
    totals.tell();
    result?;
    arguments.conclude(&plan, &totals, picture.as_ref())
}

/// Takes the rows in the order of the members.
struct Receiver<'a> {
    line: Line,
    plan: &'a Plan,
    totals: Totals,
    picture: Option<Picture>,
    sheet: Option<Sheet>,
}

impl Receiver<'_> {
    /// Takes the row of the member of this index. Returns `Break` if it cannot be written.
    fn receive(&mut self, index: u64, row: &Row) -> ControlFlow<()> {
        let total = self.plan.members.total;
        self.line.show(index as f64 / total as f64, || format!("{index} of {total} members"));
        self.totals.add(index, row);
        if let Some(picture) = &mut self.picture {
            picture.add(row);
        }
        match &mut self.sheet {
            Some(sheet) => row.tell(index, &self.plan.conditions, |numbers, texts| sheet.add(numbers, texts)),
            None => ControlFlow::Continue(()),
        }
    }
}

impl Arguments {
    /// The states that are recorded, and the time after which the exponent is averaged, if it is asked for.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a name that no quantity has, or for a time that no motion reaches.
    fn recording(&self, model: &dyn Model, request: &Request) -> Result<(States, Option<f64>), Failure> {
        let from = self.after.unwrap_or(0.0);
        if self.after.is_some()
            && self.section.is_none()
            && self.every.is_none()
            && !self.lyapunov
            && self.extremes.is_empty()
        {
            let text = "--after belongs to --section, --every, --extremes or --lyapunov, and none of them is given";
            return Err(Failure::Usage(text.to_owned()));
        }
        if from >= request.t_end.abs() {
            let [from, t_end] = [Number(from), Number(request.t_end)];
            return Err(Failure::Usage(format!(
                "--after {from} is not before the end of the motions, --t-end {t_end}"
            )));
        }
        if self.lyapunov && model.outputs().contains(&row::EXPONENT) {
            let text = format!("--lyapunov adds the column `{0}`, and an output is called `{0}`, too", row::EXPONENT);
            return Err(Failure::Usage(text));
        }
        let states = match (&self.section, self.every) {
            (Some(Section { crossing, direction }), _) => {
                Quantity::find(&crossing.quantity, model.components(), model.outputs())?;
                States::Section { crossing: crossing.clone(), direction: *direction, from }
            }
            (None, Some(interval)) => States::Every { from, interval },
            (None, None) => States::EveryStep,
        };
        let states = Request { states, ..request.clone() };
        states.times()?;
        Ok((states.states, self.lyapunov.then_some(from)))
    }

    /// The threads for the members of this plan.
    fn workers(&self, plan: &Plan) -> Workers<'static> {
        let threads = self.threads.map_or(0, |threads| threads.min(plan.members.total));
        Workers::new().with_threads(usize::try_from(threads).unwrap_or(usize::MAX))
    }

    /// The picture, if one is asked for.
    ///
    /// # Errors
    /// As [`Picture::new`].
    fn picture(&self, plan: &Plan) -> Result<Option<Picture>, Failure> {
        let Some(path) = &self.plot else { return Ok(None) };
        Picture::new(plan.model, &plan.members, (&plan.request, &plan.extremes), (path, self.show.as_deref())).map(Some)
    }

    /// Writes the picture and the sums over all members.
    ///
    /// # Errors
    /// [`Failure::Work`] where something cannot be written, or if all members failed.
    fn conclude(&self, plan: &Plan, totals: &Totals, picture: Option<&Picture>) -> Result<(), Failure> {
        if let Some(picture) = picture {
            output::new_file(picture.path(), &picture.draw()?, self.force)?;
        }
        if self.json {
            output::print(&totals.json(&plan.method))?;
        } else if !self.writes_to_standard_output() {
            output::print(&totals.text(&plan.method))?;
        }
        if totals.failed.count == plan.members.total {
            return Err(Failure::Work("all members failed, so that the sweep has no result".to_owned()));
        }
        Ok(())
    }

    /// The columns, with their units in their names if that is asked for.
    fn named(&self, columns: sheet::Columns) -> sheet::Columns {
        if self.units { columns.with_units_in_names() } else { columns }
    }

    /// Whether the rows go to the standard output.
    fn writes_to_standard_output(&self) -> bool {
        self.csv.as_deref() == Some(Path::new("-"))
    }

    /// The table for the rows, if one is asked for. All files are looked at before anything is computed.
    ///
    /// # Errors
    /// [`Failure::Usage`] where a file may not be created, or where options contradict each other.
    fn sheet(&self, columns: sheet::Columns) -> Result<Option<Sheet>, Failure> {
        let file = self.file();
        let named = [file.as_ref().map(|(path, _)| *path), self.plot.as_deref()];
        for path in named.into_iter().flatten() {
            output::may_create(path, self.force)?;
        }
        if self.force && named == [None, None] {
            return Err(Failure::Usage("--force replaces a file, and none is named".to_owned()));
        }
        if named[0].is_some() && named[0] == named[1] {
            return Err(Failure::Usage("the rows and the picture have the same file; give each its own".to_owned()));
        }
        if self.writes_to_standard_output() {
            if self.json {
                let text = "--json and --csv - both write to the standard output; name a file for the rows";
                return Err(Failure::Usage(text.to_owned()));
            }
            return Ok(Some(Sheet::standard_output(Box::new(sheet::Csv), columns)));
        }
        Ok(file.map(|(path, table)| Sheet::file(path, self.force, table, columns)))
    }

    /// The file for the rows with its format, if one is named.
    fn file(&self) -> Option<(&Path, Box<dyn Table>)> {
        if let Some(path) = &self.parquet {
            return Some(sheet::parquet(path));
        }
        let path = self.csv.as_deref().filter(|path| *path != Path::new("-"))?;
        Some((path, Box::new(sheet::Csv)))
    }
}
