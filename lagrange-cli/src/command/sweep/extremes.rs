//! The least, the largest and the mean value of quantities over a motion.

use super::row;
use crate::catalog::{Model, RequestError};
use crate::command::Failure;
use crate::suggest::explain_unknown;

/// A quantity whose extremes are sought.
#[derive(Clone, Debug, PartialEq)]
struct Followed {
    name: String,
    /// The place of the quantity in a row's values, of which the time is the first.
    place: usize,
}

/// The quantities whose extremes are sought, and the time from which on they count.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Extremes {
    followed: Vec<Followed>,
    from: f64,
}

impl Extremes {
    /// The extremes of the quantities of these names from the time `from` on.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a name that no quantity has, or that is given twice.
    pub(super) fn new(model: &dyn Model, names: &[String], from: f64) -> Result<Self, Failure> {
        let mut followed: Vec<Followed> = Vec::new();
        for name in names {
            let place = row::place(model, name).map_err(|error| match error {
                RequestError::UnknownQuantity { name, known } => {
                    Failure::Usage(explain_unknown("quantity", &name, &known))
                }
                other => other.into(),
            })?;
            if followed.iter().any(|earlier| earlier.place == place) {
                return Err(Failure::Usage(format!("--extremes {name} is given twice")));
            }
            followed.push(Followed { name: name.clone(), place });
        }
        Ok(Self { followed, from })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.followed.is_empty()
    }

    /// The columns: three for each quantity.
    pub(super) fn columns(&self) -> impl Iterator<Item = String> {
        self.followed
            .iter()
            .flat_map(|Followed { name, .. }| ["min", "max", "mean"].map(|kind| format!("{kind}({name})")))
    }

    /// The setting of a manifest, if there are extremes.
    pub(super) fn setting(&self) -> Option<String> {
        let names: Vec<&str> = self.followed.iter().map(|followed| &followed.name[..]).collect();
        (!names.is_empty()).then(|| format!("{} after {:?}", names.join(" "), self.from))
    }
}

/// The values of one quantity over a motion so far.
#[derive(Clone, Copy, Debug)]
struct Values {
    least: f64,
    largest: f64,
    /// The integral over the time, by the trapezoidal rule.
    integral: f64,
}

/// The extremes of one motion so far. Between two states quantities are straight.
#[derive(Clone, Debug)]
pub(super) struct Seen<'a> {
    extremes: &'a Extremes,
    values: Vec<Values>,
    /// The last state that counts, as a row's values.
    last: Option<Vec<f64>>,
    /// The last state before the time from which on states count.
    before: Option<Vec<f64>>,
    duration: f64,
}

impl<'a> Seen<'a> {
    pub(super) fn new(extremes: &'a Extremes) -> Self {
        let none = Values { least: f64::INFINITY, largest: f64::NEG_INFINITY, integral: 0.0 };
        Self { extremes, values: vec![none; extremes.followed.len()], last: None, before: None, duration: 0.0 }
    }

    /// Takes the next state, as a row's values.
    pub(super) fn add(&mut self, state: &[f64]) {
        if self.extremes.is_empty() {
            return;
        }
        let (t, from) = (state[0].abs(), self.extremes.from);
        if t < from {
            self.before = Some(state.to_vec());
            return;
        }
        if let Some(before) = self.before.take().filter(|_| t > from) {
            // The state at the time from which on states count, on the line between its neighbours.
            let part = (from - before[0].abs()) / (t - before[0].abs());
            let at: Vec<f64> = before.iter().zip(state).map(|(a, b)| a + part * (b - a)).collect();
            self.count(&at);
        }
        self.count(state);
    }

    fn count(&mut self, state: &[f64]) {
        let step = self.last.as_ref().map_or(0.0, |last| (state[0] - last[0]).abs());
        for (Followed { place, .. }, values) in self.extremes.followed.iter().zip(&mut self.values) {
            let value = state[*place];
            let before = self.last.as_ref().map_or(value, |last| last[*place]);
            (values.least, values.largest) = (values.least.min(value), values.largest.max(value));
            values.integral += 0.5 * step * (before + value);
        }
        self.duration += step;
        self.last = Some(state.to_vec());
    }

    /// The least, the largest and the mean value of each quantity; NaN where no state counts.
    pub(super) fn found(&self) -> Vec<f64> {
        let Some(last) = &self.last else { return vec![f64::NAN; 3 * self.values.len()] };
        let of = |(followed, values): (&Followed, &Values)| {
            let mean = if self.duration > 0.0 { values.integral / self.duration } else { last[followed.place] };
            [values.least, values.largest, mean]
        };
        self.extremes.followed.iter().zip(&self.values).flat_map(of).collect()
    }
}
