//! The end of one member as a row of a table.

use super::members::Members;
use crate::catalog::{Model, Moved, Output, Quantity, RequestError, Sample, Summary};
use crate::command::sheet::Columns;
use crate::command::sheet::read::Cells;
use lagrange_runtime::error::Number;
use lagrange_runtime::prelude::{Outcome, Statistics};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The outcome of a member that reached the end time.
const FINISHED: &str = "finished";

/// The outcome of a member that ended in an error.
const FAILED: &str = "failed";

/// The end of one member.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// The values of the quantities that vary.
    pub(super) varied: Vec<f64>,
    /// The last time, and the last value of each quantity in the order of [`Quantity::names`]. They are NaN for a member that did not
    /// start.
    pub(super) last: Vec<f64>,
    pub(super) end: End,
    /// The counters of the work.
    pub(super) statistics: Statistics,
    /// The reasons to doubt the result.
    pub(super) warnings: Vec<String>,
    /// The initial values that were moved onto the constraints.
    pub(super) moved: Vec<Moved>,
}

/// How a member ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    /// At the end time.
    Finished,
    /// At the value of this index among those of `--until`.
    Event(usize),
    /// In an error.
    Failed(String),
}

impl Row {
    /// The row of a member with these values.
    pub(super) fn of(model: &dyn Model, members: &Members, varied: Vec<f64>, interrupt: &AtomicBool) -> Self {
        let result = model.simulate(&members.request(&varied), &mut Watch(interrupt));
        let names = || Quantity::names(model.components(), model.outputs());
        match result {
            Ok(Summary { t, q, v, outputs, outcome, statistics, warnings, moved, .. }) => {
                let last = joined(t, &[q, v, outputs]);
                let end = match (last.iter().position(|value| !value.is_finite()), outcome) {
                    (Some(place), _) => {
                        let name = names().into_iter().nth(place.wrapping_sub(1)).unwrap_or_default();
                        End::Failed(format!("`{name}` is {} at the end; it must be finite", Number(last[place])))
                    }
                    (None, Outcome::Event(index)) => End::Event(index),
                    (None, _) => End::Finished,
                };
                Self { varied, last, end, statistics, warnings, moved }
            }
            Err(error) => {
                let end = End::Failed(error.to_string());
                let last = if let RequestError::Failed(failed) = error { failed.last } else { None };
                let (last, statistics) = match last {
                    Some(last) => (joined(last.t, &[last.q, last.v, last.outputs]), last.statistics),
                    None => (vec![f64::NAN; names().len() + 1], Statistics::default()),
                };
                Self { varied, last, end, statistics, warnings: Vec::new(), moved: Vec::new() }
            }
        }
    }

    /// The numbers of the row, which belong to [`columns`].
    pub(super) fn numbers(&self, index: u64) -> Vec<f64> {
        let mut numbers = Vec::with_capacity(1 + self.varied.len() + self.last.len());
        numbers.push(index as f64);
        numbers.extend(self.varied.iter().chain(&self.last));
        numbers
    }

    /// The row that was written with these cells, without its counters and remarks, and its index. `conditions` are those at which
    /// motions end. `None` if the cells are not those of a row that starts with `varied` values after the index.
    pub(super) fn of_cells((mut numbers, texts): Cells, varied: usize, conditions: &[String]) -> Option<(f64, Self)> {
        let [outcome, failure] = <[String; 2]>::try_from(texts).ok()?;
        let end = match &outcome[..] {
            FINISHED => End::Finished,
            FAILED => End::Failed(failure),
            event => End::Event(conditions.iter().position(|condition| condition == event)?),
        };
        if numbers.len() <= 1 + varied {
            return None;
        }
        let last = numbers.split_off(1 + varied);
        let varied = numbers.split_off(1);
        let (statistics, warnings, moved) = (Statistics::default(), Vec::new(), Vec::new());
        Some((numbers[0], Self { varied, last, end, statistics, warnings, moved }))
    }

    /// The texts of the row. `conditions` are those at which motions end.
    pub(super) fn texts<'a>(&'a self, conditions: &'a [String]) -> [&'a str; 2] {
        match &self.end {
            End::Finished => [FINISHED, ""],
            End::Event(index) => [conditions.get(*index).map_or("event", String::as_str), ""],
            End::Failed(text) => [FAILED, text],
        }
    }
}

/// The columns of all rows.
pub(super) fn columns(model: &dyn Model, members: &Members) -> Columns {
    let mut numbers = vec!["index".to_owned()];
    numbers.extend(members.varied.iter().map(super::members::Varied::column));
    numbers.push("t".to_owned());
    numbers.extend(Quantity::names(model.components(), model.outputs()));
    Columns { numbers, texts: vec!["outcome".to_owned(), "failure".to_owned()] }
}

/// The time, and after it the values of all parts.
fn joined(t: f64, parts: &[Vec<f64>; 3]) -> Vec<f64> {
    std::iter::once(t).chain(parts.iter().flatten().copied()).collect()
}

/// Ends an integration when the user breaks off.
struct Watch<'a>(&'a AtomicBool);

impl Output for Watch<'_> {
    fn receive(&mut self, _: &Sample<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn takes_states(&self) -> bool {
        false
    }

    fn is_interrupted(&self, _: f64) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
