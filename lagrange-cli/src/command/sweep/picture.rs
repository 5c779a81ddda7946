//! The picture of a sweep: a curve over one quantity, or a map over two.

use super::members::Members;
use super::row::{End, Row};
use crate::catalog::{Model, Quantity, Request, RequestError};
use crate::command::{Failure, plot};
use crate::report::plot::{Axis, Chart, Curve, Drawing, Map, Style, map, standalone};
use crate::suggest::explain_unknown;
use lagrange_runtime::error::Number;
use lagrange_runtime::sampling;
use std::path::{Path, PathBuf};

/// The largest number of members of a picture, for which there is a number in memory each.
const MOST: u64 = 1 << 24;

/// The value of a member that did not cross any of the values of `--until`.
const NO_EVENT: f64 = f64::NAN;

/// The value of a member that failed.
const FAILED: f64 = f64::INFINITY;

/// Times are drawn on a logarithmic scale if the largest is more than this factor above the smallest.
const LOGARITHMIC: f64 = 10.0;

/// The picture of a sweep: a curve or a map of one quantity at the ends of the members' motions.
pub(super) struct Picture {
    path: PathBuf,
    format: plot::Format,
    title: String,
    /// The labels of the axes, and their ranges.
    axes: Vec<(String, sampling::Axis)>,
    /// The place of the quantity in a row's last values. That of the time is 0.
    place: usize,
    /// The label of the quantity.
    label: String,
    /// Whether only members that end at an event have a value.
    needs_event: bool,
    /// The text that the picture shows for members whose motion ends without an event.
    no_event: String,
    /// A value for each member so far.
    values: Vec<f64>,
}

impl Picture {
    /// The picture in this file, of the quantity of this name.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the members are not those of one or two axes, if they are too many, or if the quantity or the file's
    /// format does not exist.
    pub(super) fn new(
        model: &dyn Model,
        members: &Members,
        request: &Request,
        (path, show): (&Path, Option<&str>),
    ) -> Result<Self, Failure> {
        let usage = |text: String| Err(Failure::Usage(text));
        let axes = members.grid().unwrap_or(&[]);
        if !(1..=2).contains(&axes.len()) {
            let count = members.varied.len();
            return usage(format!(
                "--plot draws a curve over one quantity of --vary, or a map over two, without --sample; {count} vary here"
            ));
        }
        if let Some(short) = (0..axes.len()).find(|index| axes[*index].2 < 2) {
            let name = members.varied[short].column();
            return usage(format!("--plot needs two values of each quantity at least; `{name}` has one"));
        }
        if members.total > MOST {
            return usage(format!("--plot draws at most {MOST} members; {} are asked for", members.total));
        }
        let needs_event = !request.until.is_empty();
        let conditions: Vec<&str> = request.until.iter().map(|until| &until.label[..]).collect();
        let conditions = conditions.join(" or ");
        let first = model.coordinates().iter().chain(model.states()).next().copied().unwrap_or("t");
        let name = show.unwrap_or(if needs_event { "t" } else { first });
        let place = place(model, name)?;
        let label = match (place, needs_event) {
            (0, true) => format!("time of {conditions} (s)"),
            (0, false) => "end time (s)".to_owned(),
            (_, true) => format!("{name} at {conditions}"),
            (_, false) => format!("{name} at t = {} s", Number(request.t_end)),
        };
        Ok(Self {
            path: path.to_owned(),
            format: plot::format(path)?,
            title: format!("{}: {label}", model.name()),
            axes: members.varied.iter().zip(axes).map(|(varied, axis)| (varied.label(), *axis)).collect(),
            place,
            label,
            needs_event,
            no_event: format!("not until t = {} s", Number(request.t_end)),
            values: Vec::new(),
        })
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the next member.
    pub(super) fn add(&mut self, row: &Row) {
        self.values.push(match row.end {
            End::Failed(_) => FAILED,
            End::Finished if self.needs_event => NO_EVENT,
            End::Finished | End::Event(_) => row.last[self.place],
        });
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// [`Failure::Work`] if the format cannot be written.
    pub(super) fn draw(&self) -> Result<Vec<u8>, Failure> {
        (self.format)(match &self.axes[..] {
            [x, y] => map(&self.map([x, y]), &self.title),
            _ => Drawing { svg: standalone(&self.chart(), &self.title), cells: None },
        })
    }

    /// The map over two quantities.
    fn map(&self, axes: [&(String, sampling::Axis); 2]) -> Map {
        let [x, y] = axes.map(|(label, (first, last, _))| Axis::linear(label.clone()).spanning(*first, *last));
        Map {
            x,
            y,
            counts: axes.map(|(_, (.., count))| *count),
            colour: self.scale(),
            values: self.values.clone(),
            others: [self.no_event.clone(), "failed".to_owned()],
        }
    }

    /// The curve over one quantity. It has a gap at members without a value.
    fn chart(&self) -> Chart {
        let axes: Vec<sampling::Axis> = self.axes.iter().map(|(_, axis)| *axis).collect();
        let mut points = Vec::with_capacity(self.values.len());
        for (index, value) in (0..).zip(&self.values) {
            let mut x = [0.0];
            sampling::grid_point(&axes, index, &mut x);
            points.push([x[0], *value]);
        }
        let count = |is: fn(f64) -> bool| self.values.iter().filter(|value| is(**value)).count();
        let mut name = self.label.clone();
        for (count, what) in [(count(f64::is_nan), &self.no_event[..]), (count(f64::is_infinite), "failed")] {
            if count > 0 {
                name.push_str(&format!("; gap: {count} {what}"));
            }
        }
        let ends = [points.first(), points.last()].map(|point| point.map_or(0.0, |point| point[0]));
        let label = self.axes.first().map_or_else(String::new, |(label, _)| label.clone());
        let x = Axis::linear(label).spanning(ends[0], ends[1]);
        Chart::new(x, self.scale(), vec![Curve::new(name, Style::First, points)]).with_aspect(0.5)
    }

    /// The axis of the values.
    fn scale(&self) -> Axis {
        let finite = self.values.iter().filter(|value| value.is_finite());
        let (least, largest) = finite
            .fold((f64::INFINITY, 0.0), |(least, largest): (f64, f64), value| (least.min(*value), largest.max(*value)));
        let logarithmic = self.place == 0 && least > 0.0 && largest > LOGARITHMIC * least;
        if logarithmic { Axis::logarithmic(self.label.clone()) } else { Axis::linear(self.label.clone()) }
    }
}

/// The place of a quantity in a row's last values.
fn place(model: &dyn Model, name: &str) -> Result<usize, Failure> {
    if name == "t" {
        return Ok(0);
    }
    let (components, outputs) = (model.components(), model.outputs());
    match Quantity::find(name, components, outputs) {
        Ok(quantity) => Ok(1 + quantity.place(components)),
        Err(RequestError::UnknownQuantity { name, mut known }) => {
            known.insert(0, "t".to_owned());
            Err(Failure::Usage(explain_unknown("quantity", &name, &known)))
        }
        Err(other) => Err(other.into()),
    }
}
