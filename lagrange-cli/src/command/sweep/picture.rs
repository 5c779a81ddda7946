//! The picture of a sweep: the ends of motions as a curve or a map, the states that were recorded on the way as dots, or the spread of
//! random members as bands.

mod bands;
mod dots;
mod ends;

use super::extremes::Extremes;
use super::members::Members;
use super::row::{self, Row};
use crate::catalog::{Model, Request, RequestError, States, label, unit_of, with_unit};
use crate::command::{Failure, plot};
use crate::report::number;
use crate::report::plot::Axis;
use crate::suggest::explain_unknown;
use bands::Bands;
use dots::Dots;
use ends::Ends;
use lagrange_runtime::error::Number;
use std::path::{Path, PathBuf};

/// The largest number of values of a picture, which are in memory.
const MOST: u64 = 1 << 24;

/// The picture of a sweep, in a file.
pub(super) struct Picture {
    path: PathBuf,
    format: plot::Format,
    subject: Subject,
}

/// What a picture shows.
enum Subject {
    Ends(Ends),
    Dots(Dots),
    Bands(Bands),
}

/// The quantity that a picture shows.
struct Shown {
    /// The mechanism and the quantity.
    title: String,
    /// The place of the quantity in a row's values. That of the time is 0.
    place: usize,
    /// The label of the quantity.
    label: String,
}

impl Picture {
    /// The picture in this file, of the quantity of this name.
    ///
    /// # Errors
    /// [`Failure::Usage`] if no picture shows what varies and what is recorded, if the values are too many, or if the quantity or
    /// the file's format does not exist.
    pub(super) fn new(
        model: &dyn Model,
        members: &Members,
        (request, extremes): (&Request, &Extremes),
        (path, show): (&Path, Option<&str>),
    ) -> Result<Self, Failure> {
        let format = plot::format(path)?;
        let shown = |default: &str, when: &str| Shown::new(model, (request, extremes), (show.unwrap_or(default), when));
        let first = model.coordinates().iter().chain(model.states()).next().copied().unwrap_or("t");
        let ranges = members.ranges();
        if let Some(short) = (0..ranges.len()).find(|index| ranges[*index].count < 2) {
            let name = members.varied[short].column();
            return usage(format!("--plot needs two values of each quantity at least; `{name}` has one"));
        }
        let unit = model.units().time;
        let at_end = format!(" at t = {}", with_unit(Number(request.t_end), unit));
        let subject = match (ranges.len(), members.has_samples(), &request.states) {
            (1 | 2, false, States::EveryStep) => {
                let name = if request.until.is_empty() { first } else { "t" };
                let conditions: Vec<&str> = request.until.iter().map(|until| &until.label[..]).collect();
                let conditions = conditions.join(" or ");
                let shown = shown(name, &if conditions.is_empty() { at_end } else { format!(" at {conditions}") })?;
                let end = with_unit(Number(request.t_end), unit);
                Subject::Ends(Ends::new(members, !request.until.is_empty(), &end, shown)?)
            }
            (1, false, States::Section { crossing, .. }) => {
                let shown = shown(first, &format!(" at {}", crossing.label))?;
                Subject::Dots(Dots::new(members, shown))
            }
            (1, false, States::Every { interval, .. }) => {
                let shown = shown(first, &format!(" every {}", with_unit(number::text(*interval, 6), unit)))?;
                Subject::Dots(Dots::new(members, shown))
            }
            (1, true, States::EveryStep) if request.until.is_empty() => {
                Subject::Bands(Bands::over_range(members, shown(first, &at_end)?)?)
            }
            (0, true, States::Every { .. }) => {
                Subject::Bands(Bands::over_time(members, (request, unit), shown(first, "")?)?)
            }
            _ => {
                let text = "--plot draws a curve over one quantity of --vary, or a map over two; with --section or --every dots over \
                            one quantity of --vary; with --sample bands over one quantity of --vary, or with --every over the time";
                return usage(text.to_owned());
            }
        };
        Ok(Self { path: path.to_owned(), format, subject })
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the next member.
    pub(super) fn add(&mut self, row: &Row) {
        match &mut self.subject {
            Subject::Ends(ends) => ends.add(row),
            Subject::Dots(dots) => dots.add(row),
            Subject::Bands(bands) => bands.add(row),
        }
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// [`Failure::Work`] if the format cannot be written, or if there is nothing to draw, or too much.
    pub(super) fn draw(&self) -> Result<Vec<u8>, Failure> {
        (self.format)(match &self.subject {
            Subject::Ends(ends) => ends.draw(),
            Subject::Dots(dots) => dots.draw()?,
            Subject::Bands(bands) => bands.draw()?,
        })
    }
}

impl Shown {
    /// The quantity of this name. `when` says when its values are taken.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the quantity does not exist.
    fn new(
        model: &dyn Model,
        (request, extremes): (&Request, &Extremes),
        (name, when): (&str, &str),
    ) -> Result<Self, Failure> {
        let (outputs, units) = (model.outputs(), model.units());
        let names = row::quantities(model, (request, extremes));
        let place = |name: &str| 1 + names.iter().position(|known| known == name).unwrap_or(0);
        let (place, label) = match name {
            "t" if request.states != States::EveryStep => (0, label(&format!("time{when}"), units.time)),
            "t" if request.until.is_empty() => (0, label("end time", units.time)),
            "t" => (0, label(&format!("time of{}", when.trim_start_matches(" at")), units.time)),
            row::EXPONENT if request.exponent.is_some() => {
                (place(row::EXPONENT), label("largest Lyapunov exponent", units.rate))
            }
            row::ENERGY if !outputs.contains(&row::ENERGY) => {
                (place(row::ENERGY), label(&format!("energy{when}"), units.energy))
            }
            _ if extremes.columns().any(|column| column == name) => (place(name), label(name, unit_of(model, name))),
            _ => match row::place(model, name) {
                Ok(place) => (place, label(&format!("{name}{when}"), unit_of(model, name))),
                Err(RequestError::UnknownQuantity { name, mut known }) => {
                    known.insert(0, "t".to_owned());
                    known.extend(extremes.columns());
                    let is_extreme = ["min(", "max(", "mean("].iter().any(|kind| name.starts_with(kind));
                    let hint = match name == row::EXPONENT {
                        true => "; --lyapunov computes it",
                        false if is_extreme => "; --extremes NAME computes it",
                        false => "",
                    };
                    return usage(format!("{}{hint}", explain_unknown("quantity", &name, &known)));
                }
                Err(other) => return Err(other.into()),
            },
        };
        Ok(Self { title: format!("{}: {label}", model.name()), place, label })
    }
}

/// The axis of the quantity of this index among those of --vary.
fn axis(members: &Members, index: usize) -> Axis {
    let (label, range) = (members.varied[index].label(), members.ranges()[index]);
    let axis = if range.logarithmic { Axis::logarithmic(label) } else { Axis::linear(label) };
    axis.spanning(range.first, range.last)
}

/// Fails with this text if more numbers than [`MOST`] would be in memory.
fn check_count(count: u64, what: &str) -> Result<(), Failure> {
    if count <= MOST { Ok(()) } else { usage(format!("--plot draws at most {MOST} {what}; {count} are asked for")) }
}

fn usage<T>(text: String) -> Result<T, Failure> {
    Err(Failure::Usage(text))
}
