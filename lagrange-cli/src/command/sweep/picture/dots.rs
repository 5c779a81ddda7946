//! The recorded states of each motion as dots above the value of one quantity: a bifurcation diagram.

use super::{MOST, Shown, axis};
use crate::analysis::cells;
use crate::command::Failure;
use crate::command::sweep::members::Members;
use crate::command::sweep::row::Row;
use crate::report::plot::{Axis, Drawing, Map, Palette, map};

/// The number of rows of cells, into which the values are sorted.
const ROWS: u32 = 300;

/// The values of the recorded states, with the member to which they belong.
pub(super) struct Dots {
    shown: Shown,
    x: Axis,
    /// The number of members, each of which is a column.
    columns: u32,
    /// The column of the next member.
    next: u32,
    dots: Vec<(u32, f64)>,
    /// Whether there were more than [`MOST`].
    too_many: bool,
}

impl Dots {
    /// A picture without dots.
    pub(super) fn new(members: &Members, shown: Shown) -> Self {
        let columns = members.ranges()[0].count;
        Self { shown, x: axis(members, 0), columns, next: 0, dots: Vec::new(), too_many: false }
    }

    /// Adds the next member.
    pub(super) fn add(&mut self, row: &Row) {
        for recorded in &row.recorded {
            self.too_many |= self.dots.len() as u64 >= MOST;
            if !self.too_many {
                self.dots.push((self.next, recorded[self.shown.place]));
            }
        }
        self.next += 1;
    }

    /// # Errors
    /// [`Failure::Work`] if there is no dot, or if there are too many.
    pub(super) fn draw(&self) -> Result<Drawing, Failure> {
        if self.too_many {
            let text = format!("more than {MOST} states were recorded, which are too many for a picture; record fewer");
            return Err(Failure::Work(text));
        }
        let Some(range) = cells::range(self.dots.iter().map(|(_, value)| *value)) else {
            let text = "no state was recorded, so that there is nothing to draw; see --section, --every and --after";
            return Err(Failure::Work(text.to_owned()));
        };
        let mut values = vec![f64::NAN; self.columns as usize * ROWS as usize];
        for (column, value) in self.dots.iter().filter(|(_, value)| value.is_finite()) {
            cells::count(&mut values[*column as usize * ROWS as usize + cells::cell(*value, range, ROWS)]);
        }
        let several = values.iter().any(|count| *count > 1.0);
        let label = "states in a cell";
        let map_of_counts = Map {
            x: self.x.clone(),
            y: Axis::linear(self.shown.label.clone()).spanning(range[0], range[1]),
            counts: [self.columns, ROWS],
            colour: if several { Axis::logarithmic(label) } else { Axis::linear(label) },
            palette: Palette::Counts,
            values,
            others: [String::new(), String::new()],
        };
        Ok(map(&map_of_counts, &self.shown.title))
    }
}
