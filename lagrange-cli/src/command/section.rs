//! `lagrange section MODEL`: the states of one motion at which a quantity crosses a value, as dots.

use super::setup::{self, Simulation};
use super::sheet::{Csv, Sheet};
use super::simulate::rows;
use super::sweep::variation::{self, Section};
use super::{Failure, output, plot};
use crate::analysis::cells;
use crate::catalog::{Catalog, Feedback, Model, Output, Quantity, Request, Sample, States, label, unit_of};
use crate::parse;
use crate::report::plot::{Axis, Map, Palette, map};
use crate::suggest::explain_unknown;
use lagrange_runtime::error::Number;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  lagrange section double-pendulum --initial theta1=20deg --initial theta2=0 --initial theta1_dot=0 \\
      --initial theta2_dot=0 --t-end 2000 --at theta1=0 --x theta2 --y theta2_dot
  lagrange section driven-pendulum --t-end 20000 --every 9.42477796076938 --after 400 --csv strobe.csv

A recorded state is located on the motion between two steps. If a motion moves in a plane of its states, its section is a curve; dots that
fill an area are the mark of chaos.";

/// How many cells the picture has in each direction.
const CELLS: u32 = 400;

/// Record one motion where a quantity crosses a value, and draw the recorded states as dots: a Poincaré section
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    simulation: Simulation,
    /// Record the motion where a quantity rises through a value; `NAME=VALUE:falling` and `:both` are the other directions
    #[arg(long, value_name = "NAME=VALUE", value_parser = variation::section, allow_hyphen_values = true)]
    #[arg(required_unless_present = "every")]
    at: Option<Section>,
    /// Record the motion at multiples of this time, which count from --after: a stroboscopic section
    #[arg(long, value_name = "TIME", value_parser = parse::positive, allow_hyphen_values = true, conflicts_with = "at")]
    every: Option<f64>,
    /// Record states only after this time
    #[arg(long, value_name = "TIME", value_parser = parse::not_negative, default_value = "0", allow_hyphen_values = true)]
    after: f64,
    /// The quantity of the horizontal axis [default: the first coordinate that --at does not name]
    #[arg(long, value_name = "NAME")]
    x: Option<String>,
    /// The quantity of the vertical axis [default: the velocity of that coordinate]
    #[arg(long, value_name = "NAME")]
    y: Option<String>,
    /// Also write the recorded states to this file as CSV, with the columns of `simulate`
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the units into the names of the columns of CSV files: `theta [rad]`
    ///
    /// Names of quantities whose units are not known stay as they are. `fit --data` reads both forms.
    #[arg(long, requires = "csv")]
    units: bool,
    /// The picture, an .svg or, with the feature `png`, a .png [default: the mechanism's name with -section.svg]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the files where they exist
    #[arg(long)]
    force: bool,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    let (model, request) = arguments.simulation.request(catalog)?;
    let request = Request { states: arguments.states(model, &request)?, ..request };
    request.times()?;
    let columns = rows::columns(model, &request.feedback);
    let axes = arguments.axes(model)?;
    let place = |name: &String| {
        let unknown = || Failure::Usage(explain_unknown("quantity", name, &columns.numbers));
        columns.numbers.iter().position(|known| known == name).ok_or_else(unknown)
    };
    let places = [place(&axes[0])?, place(&axes[1])?];
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}-section.svg", model.name())));
    let format = plot::format(&path)?;
    if arguments.csv.as_deref() == Some(&path) {
        return Err(Failure::Usage("the rows and the picture have the same file; give each its own".to_owned()));
    }
    for path in arguments.csv.as_deref().into_iter().chain([path.as_path()]) {
        output::may_create(path, arguments.force)?;
    }
    setup::start(model, &request)?;
    let mut recorded = Recorded(Vec::new(), &request.feedback);
    let summary = model.simulate(&request, &mut recorded)?;
    setup::warn(&summary.warnings);
    let Recorded(states, _) = recorded;
    if states.is_empty() {
        return Err(Failure::Work(
            "no state was recorded, so that there is nothing to draw; choose a longer --t-end".to_owned(),
        ));
    }
    let columns = if arguments.units { columns.with_units_in_names() } else { columns };
    let labels = axes.each_ref().map(|name| label(name, unit_of(model, name)));
    let drawing = map(&picture(&states, places, &axes, labels)?, model.name());
    if let Some(file) = arguments.csv.as_deref() {
        write(&states, file, arguments.force, columns)?;
    }
    output::new_file(&path, &format(drawing)?, arguments.force)?;
    let count = states.len();
    let are = if count == 1 { "state is" } else { "states are" };
    output::print(&format!("{count} {are} drawn in {}\n", output::quoted(&path)))
}

impl Arguments {
    /// The states to record.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a quantity that does not exist, and for a time after the end of the motion.
    fn states(&self, model: &dyn Model, request: &Request) -> Result<States, Failure> {
        let from = self.after;
        if from >= request.t_end.abs() {
            let [from, t_end] = [Number(from), Number(request.t_end)];
            return Err(Failure::Usage(format!("--after {from} is not before the end of the motion, --t-end {t_end}")));
        }
        Ok(match (&self.at, self.every) {
            (Some(Section { crossing, direction }), _) => {
                Quantity::find(&crossing.quantity, model.components(), model.outputs())?;
                States::Section { crossing: crossing.clone(), direction: *direction, from }
            }
            (None, Some(interval)) => States::Every { from, interval },
            (None, None) => States::EveryStep,
        })
    }

    /// The names of the quantities of both axes, as columns have them.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the mechanism has no coordinate for a default.
    fn axes(&self, model: &dyn Model) -> Result<[String; 2], Failure> {
        let components = model.components();
        let names = Quantity::names(components, model.outputs());
        // `dot(x)` and `x_dot` name one column.
        let column = |name: &String| {
            let found = Quantity::find(name, components, model.outputs());
            found.map_or_else(|_| name.clone(), |quantity| names[quantity.place(components)].clone())
        };
        let crossing = self.at.as_ref().map(|section| column(&section.crossing.quantity));
        let coordinates = model.coordinates();
        let free = coordinates.iter().find(|name| crossing.as_deref() != Some(**name)).or_else(|| coordinates.first());
        let missing =
            || Failure::Usage("this mechanism has no coordinates; name the quantities by --x and --y".to_owned());
        let default = |text: &dyn Fn(&str) -> String| free.map(|name| text(name)).ok_or_else(missing);
        Ok([
            self.x.as_ref().map_or_else(|| default(&str::to_owned), |name| Ok(column(name)))?,
            self.y.as_ref().map_or_else(|| default(&|name| format!("{name}_dot")), |name| Ok(column(name)))?,
        ])
    }
}

/// The recorded states, each as a row of the table.
struct Recorded<'r>(Vec<Vec<f64>>, &'r Feedback);

impl Output for Recorded<'_> {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        let mut row = Vec::new();
        rows::row(sample, self.1, &mut row);
        self.0.push(row);
        ControlFlow::Continue(())
    }
}

/// How many states each cell of the picture has.
///
/// # Errors
/// [`Failure::Work`] if a quantity has no finite value.
fn picture(states: &[Vec<f64>], places: [usize; 2], axes: &[String; 2], labels: [String; 2]) -> Result<Map, Failure> {
    let range = |index: usize| {
        let missing = || Failure::Work(format!("`{}` has no finite value at the recorded states", axes[index]));
        cells::range(states.iter().map(|state| state[places[index]])).ok_or_else(missing)
    };
    let ranges = [range(0)?, range(1)?];
    let mut values = vec![f64::NAN; (CELLS * CELLS) as usize];
    for state in states {
        let point = places.map(|place| state[place]);
        if point.iter().all(|value| value.is_finite()) {
            let [column, row] = [0, 1].map(|index| cells::cell(point[index], ranges[index], CELLS));
            cells::count(&mut values[column * CELLS as usize + row]);
        }
    }
    let several = values.iter().any(|count| *count > 1.0);
    let axis = |index: usize| Axis::linear(labels[index].clone()).spanning(ranges[index][0], ranges[index][1]);
    let label = "states in a cell";
    Ok(Map {
        x: axis(0),
        y: axis(1),
        counts: [CELLS, CELLS],
        colour: if several { Axis::logarithmic(label) } else { Axis::linear(label) },
        palette: Palette::Counts,
        values,
        others: [String::new(), String::new()],
    })
}

fn write(states: &[Vec<f64>], file: &Path, replace: bool, columns: super::sheet::Columns) -> Result<(), Failure> {
    let mut sheet = Sheet::file(file, replace, Box::new(Csv), columns);
    for state in states {
        if sheet.add(state, &[]).is_break() {
            break;
        }
    }
    sheet.finish(Ok(()), 1)
}

#[cfg(test)]
mod tests;
