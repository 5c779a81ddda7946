//! The end of one member as a row of a table, after rows for the states that are recorded on the way.

use super::extremes::{Extremes, Seen};
use super::members::Members;
use crate::catalog::{Model, Moved, Output, Quantity, Request, RequestError, Sample, States, Summary};
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

/// The outcome in the row of a state that was recorded on the way.
const RECORDED: &str = "recorded";

/// The column of the largest Lyapunov exponent.
pub(super) const EXPONENT: &str = "lyapunov";

/// The end of one member, and the states that were recorded on the way.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// The values of the quantities that vary.
    pub(super) varied: Vec<f64>,
    /// The recorded states: each has the values that `last` has, and NaN for the exponent.
    pub(super) recorded: Vec<Vec<f64>>,
    /// The last time, the last value of each quantity in the order of [`Quantity::names`], the energy, the extremes that are asked for, and the
    /// exponent if it is asked for. They are NaN for a member that did not start.
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
    pub(super) fn of(
        (model, members, extremes): (&dyn Model, &Members, &Extremes),
        varied: Vec<f64>,
        interrupt: &AtomicBool,
    ) -> Self {
        let mut request = members.request(&varied);
        let (records, has_exponent) = (request.states != States::EveryStep, request.exponent.is_some());
        if !records && !extremes.is_empty() {
            // The states at both ends. The simulation passes the states between them, because the recorder takes curves.
            request.states = States::Points(2);
        }
        let has_energy = has_energy(model);
        let seen = Seen::new(extremes);
        let mut recorder = Recorder { interrupt, records, has_energy, states: Vec::new(), extremes, seen };
        let result = model.simulate(&request, &mut recorder);
        let Recorder { states: mut recorded, mut seen, .. } = recorder;
        let values = |last: &Summary| {
            let mut values = joined(last.t, &[&last.q, &last.v, &last.outputs]);
            values.extend(has_energy.then_some(last.energy[1]));
            values
        };
        let mut row = match result {
            Ok(summary) => {
                let mut last = values(&summary);
                seen.add(&last);
                last.extend(seen.found());
                let Summary { outcome, statistics, warnings, moved, exponent, .. } = summary;
                let end = match (last.iter().position(|value| !value.is_finite()), outcome) {
                    (Some(place), _) => {
                        let mut names = with_energy(model);
                        names.extend(extremes.columns());
                        let name = names.into_iter().nth(place.wrapping_sub(1)).unwrap_or_default();
                        End::Failed(format!("`{name}` is {} at the end; it must be finite", Number(last[place])))
                    }
                    (None, Outcome::Event(index)) => End::Event(index),
                    (None, _) => End::Finished,
                };
                last.extend(has_exponent.then_some(exponent.unwrap_or(f64::NAN)));
                Self { varied, recorded: Vec::new(), last, end, statistics, warnings, moved }
            }
            Err(error) => {
                let end = End::Failed(error.to_string());
                let last = if let RequestError::Failed(failed) = error { failed.last } else { None };
                let (mut last, statistics) = match last {
                    Some(last) => (values(&last), last.statistics),
                    None => (vec![f64::NAN; with_energy(model).len() + 1], Statistics::default()),
                };
                // Just before a motion fails, curves between its steps mean nothing.
                last.extend(extremes.columns().map(|_| f64::NAN));
                last.extend(has_exponent.then_some(f64::NAN));
                let (warnings, moved) = (Vec::new(), Vec::new());
                Self { varied, recorded: Vec::new(), last, end, statistics, warnings, moved }
            }
        };
        // Extremes and exponents belong to the whole motion.
        recorded.iter_mut().for_each(|state| state.resize(row.last.len(), f64::NAN));
        row.recorded = recorded;
        row
    }

    /// Gives the table rows of this member to `add`, which may break off: those of the recorded states, and last that of the end.
    /// Numbers and texts belong to [`columns`]. `conditions` are those at which motions end.
    pub(super) fn tell<B>(
        &self,
        index: u64,
        conditions: &[String],
        mut add: impl FnMut(&[f64], &[&str; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut numbers = Vec::with_capacity(1 + self.varied.len() + self.last.len());
        let last = (&self.last, self.texts(conditions));
        for (values, texts) in self.recorded.iter().map(|values| (values, [RECORDED, ""])).chain([last]) {
            numbers.clear();
            numbers.push(index as f64);
            numbers.extend(self.varied.iter().chain(values));
            add(&numbers, &texts)?;
        }
        ControlFlow::Continue(())
    }

    /// The row of the member of this index, without its counters and remarks, from the next of the cells that were written.
    /// `conditions` are those at which motions end. `None` if the cells are not those of this member, with `varied` values after the
    /// index.
    pub(super) fn of_cells(
        cells: &mut impl Iterator<Item = Cells>,
        index: u64,
        varied: usize,
        conditions: &[String],
    ) -> Option<Self> {
        let mut recorded = Vec::new();
        loop {
            let (mut numbers, texts) = cells.next()?;
            let [outcome, failure] = <[String; 2]>::try_from(texts).ok()?;
            if numbers.len() <= 1 + varied || numbers[0] != index as f64 {
                return None;
            }
            let last = numbers.split_off(1 + varied);
            let end = match &outcome[..] {
                RECORDED => {
                    recorded.push(last);
                    continue;
                }
                FINISHED => End::Finished,
                FAILED => End::Failed(failure),
                event => End::Event(conditions.iter().position(|condition| condition == event)?),
            };
            let varied = numbers.split_off(1);
            let (statistics, warnings, moved) = (Statistics::default(), Vec::new(), Vec::new());
            return Some(Self { varied, recorded, last, end, statistics, warnings, moved });
        }
    }

    /// Whether these cells are those of the end of a member.
    pub(super) fn is_end((_, texts): &Cells) -> bool {
        texts.first().is_none_or(|outcome| outcome != RECORDED)
    }

    /// The texts of the row of the end. `conditions` are those at which motions end.
    fn texts<'a>(&'a self, conditions: &'a [String]) -> [&'a str; 2] {
        match &self.end {
            End::Finished => [FINISHED, ""],
            End::Event(index) => [conditions.get(*index).map_or("event", String::as_str), ""],
            End::Failed(text) => [FAILED, text],
        }
    }
}

/// The columns of all rows.
pub(super) fn columns(model: &dyn Model, members: &Members, (request, extremes): (&Request, &Extremes)) -> Columns {
    let mut numbers = vec!["index".to_owned()];
    numbers.extend(members.varied.iter().map(super::members::Varied::column));
    numbers.push("t".to_owned());
    numbers.extend(quantities(model, (request, extremes)));
    Columns::of(model, numbers, &["outcome", "failure"])
}

/// The names of the values of a row after the time.
pub(super) fn quantities(model: &dyn Model, (request, extremes): (&Request, &Extremes)) -> Vec<String> {
    let mut names = with_energy(model);
    names.extend(extremes.columns());
    names.extend(request.exponent.map(|_| EXPONENT.to_owned()));
    names
}

/// The column of the energy h.
pub(super) const ENERGY: &str = "energy";

/// Whether rows have the column [`ENERGY`]. An output of that name takes its place.
fn has_energy(model: &dyn Model) -> bool {
    !model.outputs().contains(&ENERGY)
}

/// The names of all quantities, and the energy after them.
fn with_energy(model: &dyn Model) -> Vec<String> {
    let mut names = Quantity::names(model.components(), model.outputs());
    names.extend(has_energy(model).then(|| ENERGY.to_owned()));
    names
}

/// The place of a quantity in a row's values, of which the time is the first.
///
/// # Errors
/// [`RequestError::UnknownQuantity`] lists the quantities of a row.
pub(super) fn place(model: &dyn Model, name: &str) -> Result<usize, RequestError> {
    if name == ENERGY && has_energy(model) {
        return Ok(with_energy(model).len());
    }
    let (components, outputs) = (model.components(), model.outputs());
    match Quantity::find(name, components, outputs) {
        Ok(quantity) => Ok(1 + quantity.place(components)),
        Err(RequestError::UnknownQuantity { name, mut known }) => {
            known.extend(has_energy(model).then(|| ENERGY.to_owned()));
            Err(RequestError::UnknownQuantity { name, known })
        }
        Err(other) => Err(other),
    }
}

/// The time, and after it the values of all parts.
fn joined(t: f64, parts: &[&[f64]; 3]) -> Vec<f64> {
    std::iter::once(t).chain(parts.iter().copied().flatten().copied()).collect()
}

/// Takes the states that are recorded on the way or belong to extremes, and ends an integration when the user breaks off.
struct Recorder<'a> {
    interrupt: &'a AtomicBool,
    /// Whether states are recorded.
    records: bool,
    has_energy: bool,
    states: Vec<Vec<f64>>,
    extremes: &'a Extremes,
    seen: Seen<'a>,
}

impl Output for Recorder<'_> {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        let mut values = joined(sample.t, &[sample.q, sample.v, sample.outputs]);
        values.extend(self.has_energy.then_some(sample.energies.energy));
        self.seen.add(&values);
        if self.records && !sample.between {
            self.states.push(values);
        }
        ControlFlow::Continue(())
    }

    fn takes_states(&self) -> bool {
        self.records || !self.extremes.is_empty()
    }

    fn takes_curves(&self) -> bool {
        !self.extremes.is_empty()
    }

    fn is_interrupted(&self, _: f64) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}
