//! The progress of a work, shown on the terminal.

use crate::catalog::{Output, Sample, with_unit};
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Nothing is shown of a shorter work.
const QUIET: Duration = Duration::from_secs(1);

/// The time between two lines.
const PAUSE: Duration = Duration::from_millis(200);

/// The number of steps between two readings of the clock.
const STEPS: u32 = 64;

/// A line on the standard error that says how far a work has come. It is shown if the standard error is a terminal and the work takes
/// long.
#[derive(Debug)]
pub(super) struct Line {
    begun: Instant,
    shown: Cell<Option<Instant>>,
    is_terminal: bool,
}

impl Line {
    /// The line of a work that begins now.
    pub(super) fn new() -> Self {
        Self { begun: Instant::now(), shown: Cell::new(None), is_terminal: io::stderr().is_terminal() }
    }

    /// Shows that this `part` of the work is done, from 0 to 1, with the text that `rest` returns.
    pub(super) fn show(&self, part: f64, rest: impl FnOnce() -> String) {
        if !self.is_terminal || self.begun.elapsed() < QUIET {
            return;
        }
        if self.shown.get().is_none_or(|last| last.elapsed() > PAUSE) {
            self.shown.set(Some(Instant::now()));
            _ = write!(io::stderr(), "\r{:5.1} %, {} ", (100.0 * part).clamp(0.0, 100.0), rest());
        }
    }
}

impl Drop for Line {
    /// Clears the line.
    fn drop(&mut self) {
        if self.shown.get().is_some() {
            _ = write!(io::stderr(), "\r{:60}\r", "");
        }
    }
}

/// The progress of an integration. Alone, it is an output that takes no state.
#[derive(Debug)]
pub(super) struct Progress {
    t_end: f64,
    /// The unit of times.
    unit: &'static str,
    steps: Cell<u32>,
    line: Line,
}

impl Progress {
    /// The progress of an integration from 0 to this time in this unit.
    pub(super) fn to(t_end: f64, unit: &'static str) -> Self {
        Self { t_end, unit, steps: Cell::new(0), line: Line::new() }
    }

    /// Shows that time `t` is reached.
    pub(super) fn show(&self, t: f64) {
        self.steps.set(self.steps.get().wrapping_add(1));
        if self.steps.get().is_multiple_of(STEPS) {
            self.line.show(t / self.t_end, || format!("t = {}", with_unit(format!("{t:.4}"), self.unit)));
        }
    }
}

impl Output for Progress {
    fn receive(&mut self, _: &Sample<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn takes_states(&self) -> bool {
        false
    }

    fn is_interrupted(&self, t: f64) -> bool {
        self.show(t);
        false
    }
}
