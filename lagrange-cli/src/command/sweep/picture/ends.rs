//! The ends of motions as a curve over one quantity, or as a map over two.

use super::{Shown, axis, check_count};
use crate::command::Failure;
use crate::command::sweep::members::Members;
use crate::command::sweep::row::{End, Row};
use crate::report::plot::{Axis, Chart, Curve, Drawing, Map, Palette, Style, map, standalone};

/// The value of a member that did not cross any of the values of `--until`.
const NO_EVENT: f64 = f64::NAN;

/// The value of a member that failed, or that has no Lyapunov exponent.
const FAILED: f64 = f64::INFINITY;

/// Times are drawn on a logarithmic scale if the largest is more than this factor above the smallest.
const LOGARITHMIC: f64 = 10.0;

/// A value for the end of each member's motion.
pub(super) struct Ends {
    shown: Shown,
    /// The axis of each quantity.
    axes: Vec<Axis>,
    /// The numbers of values of the quantities.
    counts: Vec<u32>,
    /// The values of the first quantity.
    across: Vec<f64>,
    /// Whether only members that end at an event have a value.
    needs_event: bool,
    /// The text that the picture shows for members whose motion ends without an event.
    no_event: String,
    /// A value for each member so far.
    values: Vec<f64>,
}

impl Ends {
    /// A picture without values. `needs_event` says whether only members that end at an event before the time `end` have one.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the members are too many.
    pub(super) fn new(members: &Members, needs_event: bool, end: &str, shown: Shown) -> Result<Self, Failure> {
        check_count(members.total, "members")?;
        let ranges = members.ranges();
        Ok(Self {
            shown,
            axes: (0..ranges.len()).map(|index| axis(members, index)).collect(),
            counts: ranges.iter().map(|range| range.count).collect(),
            across: (0..ranges[0].count).map(|index| ranges[0].value(index)).collect(),
            needs_event,
            no_event: format!("not until t = {end}"),
            values: Vec::new(),
        })
    }

    /// Adds the next member.
    pub(super) fn add(&mut self, row: &Row) {
        self.values.push(match row.end {
            End::Failed(_) => FAILED,
            End::Finished if self.needs_event => NO_EVENT,
            End::Finished | End::Event(_) => match row.last[self.shown.place] {
                value if value.is_nan() => FAILED,
                value => value,
            },
        });
    }

    pub(super) fn draw(&self) -> Drawing {
        match (&self.axes[..], &self.counts[..]) {
            ([x, y], &[columns, rows]) => map(
                &Map {
                    x: x.clone(),
                    y: y.clone(),
                    counts: [columns, rows],
                    colour: self.scale(),
                    palette: Palette::Values,
                    values: self.values.clone(),
                    others: [self.no_event.clone(), "failed".to_owned()],
                },
                &self.shown.title,
            ),
            _ => Drawing { svg: standalone(&self.chart(), &self.shown.title), cells: None },
        }
    }

    /// The curve over one quantity. It has a gap at members without a value.
    fn chart(&self) -> Chart {
        let points = self.across.iter().zip(&self.values).map(|(x, value)| [*x, *value]).collect();
        let count = |is: fn(f64) -> bool| self.values.iter().filter(|value| is(**value)).count();
        let mut name = self.shown.label.clone();
        for (count, what) in [(count(f64::is_nan), &self.no_event[..]), (count(f64::is_infinite), "failed")] {
            if count > 0 {
                name.push_str(&format!("; gap: {count} {what}"));
            }
        }
        let x = self.axes.first().cloned().unwrap_or_else(|| Axis::linear(""));
        Chart::new(x, self.scale(), vec![Curve::new(name, Style::First, points)]).with_aspect(0.5)
    }

    /// The axis of the values.
    fn scale(&self) -> Axis {
        let finite = self.values.iter().filter(|value| value.is_finite());
        let (least, largest) = finite
            .fold((f64::INFINITY, 0.0), |(least, largest): (f64, f64), value| (least.min(*value), largest.max(*value)));
        let logarithmic = self.shown.place == 0 && least > 0.0 && largest > LOGARITHMIC * least;
        let label = self.shown.label.clone();
        if logarithmic { Axis::logarithmic(label) } else { Axis::linear(label) }
    }
}
