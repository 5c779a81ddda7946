//! The progress of an integration, shown on the terminal.

use crate::catalog::{Output, Sample};
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Nothing is shown of a shorter integration.
const QUIET: Duration = Duration::from_secs(1);

/// The time between two lines.
const PAUSE: Duration = Duration::from_millis(200);

/// The number of steps between two readings of the clock.
const STEPS: u32 = 64;

/// Shows on the standard error how far an integration has come, if that is a terminal and the integration takes long. Alone, it is
/// an output that takes no state.
#[derive(Debug)]
pub(super) struct Progress {
    t_end: f64,
    begun: Instant,
    shown: Cell<Option<Instant>>,
    steps: Cell<u32>,
    is_terminal: bool,
}

impl Progress {
    /// The progress of an integration from 0 to this time.
    pub(super) fn to(t_end: f64) -> Self {
        Self {
            t_end,
            begun: Instant::now(),
            shown: Cell::new(None),
            steps: Cell::new(0),
            is_terminal: io::stderr().is_terminal(),
        }
    }

    /// Shows that time `t` is reached.
    pub(super) fn show(&self, t: f64) {
        self.steps.set(self.steps.get().wrapping_add(1));
        if !self.is_terminal || !self.steps.get().is_multiple_of(STEPS) || self.begun.elapsed() < QUIET {
            return;
        }
        if self.shown.get().is_none_or(|last| last.elapsed() > PAUSE) {
            self.shown.set(Some(Instant::now()));
            let part = (100.0 * t / self.t_end).clamp(0.0, 100.0);
            _ = write!(io::stderr(), "\r{part:5.1} %, t = {t:.4} s ");
        }
    }
}

impl Drop for Progress {
    /// Clears the line.
    fn drop(&mut self) {
        if self.shown.get().is_some() {
            _ = write!(io::stderr(), "\r{:40}\r", "");
        }
    }
}

impl Output for Progress {
    fn receive(&mut self, _: &Sample<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn is_interrupted(&self, t: f64) -> bool {
        self.show(t);
        false
    }
}
