//! Sums, means and counts over all members of a sweep.

use super::extremes::Extremes;
use super::row::{self, End, Row};
use super::work::{Noted, Work};
use crate::catalog::{Model, Request};
use crate::command::setup;
use crate::report::number;
use lagrange_runtime::error::Number;
use std::fmt::Write as _;
use std::io::{self, Write as _};

/// The sums over the members that have rows. They are formed in the order of the members, so that they do not depend on the
/// number of threads.
pub(super) struct Totals {
    model: &'static dyn Model,
    /// The conditions at which motions end.
    conditions: Vec<String>,
    members: u64,
    finished: u64,
    /// How many members ended at each condition.
    events: Vec<u64>,
    pub(super) failed: Noted,
    work: Work,
    /// The moments of the last time and of each quantity at the end, over the members that did not fail.
    moments: Vec<Moments>,
    /// Their names.
    names: Vec<String>,
}

/// The least, the mean, the standard deviation and the largest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moments {
    count: f64,
    mean: f64,
    /// The sum of the squares of the differences from the mean.
    squares: f64,
    least: f64,
    largest: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self { count: 0.0, mean: 0.0, squares: 0.0, least: f64::INFINITY, largest: f64::NEG_INFINITY }
    }
}

impl Moments {
    /// Adds a number by Welford's formulas, which do not cancel.
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
        (self.least, self.largest) = (self.least.min(value), self.largest.max(value));
    }

    /// The standard deviation, if there are two numbers.
    fn deviation(&self) -> f64 {
        (self.squares / (self.count - 1.0)).sqrt()
    }
}

impl Totals {
    /// The sums over no member.
    pub(super) fn new(model: &'static dyn Model, asked: (&Request, &Extremes), conditions: Vec<String>) -> Self {
        let names: Vec<String> = std::iter::once("t".to_owned()).chain(row::quantities(model, asked)).collect();
        Self {
            model,
            events: vec![0; conditions.len()],
            conditions,
            members: 0,
            finished: 0,
            failed: Noted::default(),
            work: Work::default(),
            moments: vec![Moments::default(); names.len()],
            names,
        }
    }

    /// Adds the row of this index.
    pub(super) fn add(&mut self, index: u64, row: &Row) {
        self.members += 1;
        self.work.add(index, row);
        match &row.end {
            End::Failed(text) => return self.failed.add(index, || text.clone()),
            End::Finished => self.finished += 1,
            End::Event(event) => self.events[*event] += 1,
        }
        for (moments, value) in self.moments.iter_mut().zip(&row.last) {
            // A motion may have no Lyapunov exponent.
            if !value.is_nan() {
                moments.add(*value);
            }
        }
    }

    /// Adds the counters and remarks of members whose rows were read from a file. The rows do not contain them.
    pub(super) fn append(&mut self, work: Work) {
        self.work.append(work);
    }

    /// Writes to the standard error which starts were moved, which results have a warning, and which members failed.
    pub(super) fn tell(&self) {
        if let Some(note) = self.note() {
            // A closed standard error is no failure of the rows.
            _ = writeln!(io::stderr(), "note: {note}");
        }
        setup::warn(&self.warnings());
    }

    /// The reasons to look again, in sentences.
    fn warnings(&self) -> Vec<String> {
        let warned = self.work.warned.sentence(self.members, ["has a warning", "have a warning"]);
        warned.into_iter().chain(self.failed.sentence(self.members, ["failed", "failed"])).collect()
    }

    /// A sentence on the starts that were moved onto the constraints.
    fn note(&self) -> Option<String> {
        self.work.moved.sentence(
            self.members,
            [
                "starts at a state that was brought onto the constraints",
                "start at states that were brought onto the constraints",
            ],
        )
    }

    /// The sums in some lines. `method` is the method with its settings.
    pub(super) fn text(&self, method: &str) -> String {
        let plural = if self.members == 1 { "" } else { "s" };
        let mut text = format!("{}: {} member{plural}\n", self.model.name(), self.members);
        for (condition, count) in self.conditions.iter().zip(&self.events) {
            _ = writeln!(text, "  ended at {condition}: {count}");
        }
        _ = writeln!(text, "  reached the end time: {}", self.finished);
        _ = writeln!(text, "  failed: {}", self.failed.count);
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(10);
        if self.members > self.failed.count {
            _ = writeln!(
                text,
                "  {:<width$} {:>12} {:>12} {:>12} {:>12}",
                "at the end", "least", "mean", "deviation", "largest"
            );
            for (name, moments) in self.names.iter().zip(&self.moments) {
                _ = write!(text, "  {name:<width$}");
                for value in [moments.least, moments.mean, moments.deviation(), moments.largest] {
                    let cell = if value.is_nan() { "–".to_owned() } else { number::text(value, 6) };
                    _ = write!(text, " {cell:>12}");
                }
                text.push('\n');
            }
        }
        _ = writeln!(text, "  method: {method}");
        _ = write!(text, "  {} steps", self.work.steps);
        if self.work.rejected > 0 {
            _ = write!(text, ", {} rejected", self.work.rejected);
        }
        _ = writeln!(text, ", {} evaluations", self.work.evaluations);
        text
    }

    /// The sums as JSON.
    pub(super) fn json(&self, method: &str) -> String {
        let events: serde_json::Map<_, _> =
            self.conditions.iter().zip(&self.events).map(|(name, count)| (name.clone(), (*count).into())).collect();
        let ends: serde_json::Map<_, _> = self
            .names
            .iter()
            .cloned()
            .zip(&self.moments)
            .map(|(name, moments)| {
                let Moments { least, mean, largest, .. } = moments;
                let deviation = moments.deviation();
                let values =
                    serde_json::json!({ "least": least, "mean": mean, "deviation": deviation, "largest": largest });
                (name, values)
            })
            .collect();
        let failure =
            self.failed.first.as_ref().map(|(index, text)| serde_json::json!({ "index": index, "text": text }));
        let value = serde_json::json!({
            "model": self.model.name(),
            "method": method,
            "members": self.members,
            "finished": self.finished,
            "events": events,
            "failed": self.failed.count,
            "first_failure": failure,
            "ends": if self.members > self.failed.count { ends } else { serde_json::Map::new() },
            "steps": self.work.steps,
            "rejected": self.work.rejected,
            "evaluations": self.work.evaluations,
            "warnings": self.warnings(),
        });
        format!("{value:#}\n")
    }

    /// The sentence for a sweep that the user broke off, of which `total` members were asked for.
    pub(super) fn broken_off(&self, total: u64) -> String {
        format!("broken off after {} of {} members, as asked", self.members, Number(total as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_do_not_cancel() {
        let mut moments = Moments::default();
        for value in [1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0] {
            moments.add(value);
        }
        assert_eq!((moments.least, moments.mean, moments.largest), (1e9 + 4.0, 1e9 + 10.0, 1e9 + 16.0));
        assert!((moments.deviation() - 30.0_f64.sqrt()).abs() < 1e-9);
    }
}
