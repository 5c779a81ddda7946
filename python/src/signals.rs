//! Signals such as Ctrl-C, whose handlers in Python run only where the interpreter is asked about them.

use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two questions.
const PAUSE: Duration = Duration::from_millis(50);

/// Asks about signals during a computation without the interpreter's lock, in the thread that called it.
pub(crate) struct Signals {
    steps: Cell<u32>,
    asked: Cell<Instant>,
    raised: RefCell<Option<PyErr>>,
}

impl Signals {
    /// The first question comes after a pause.
    pub(crate) fn new() -> Self {
        Self { steps: Cell::new(0), asked: Cell::new(Instant::now()), raised: RefCell::new(None) }
    }

    /// Whether a handler has raised. A step of the computation calls it.
    pub(crate) fn have_raised(&self) -> bool {
        /// The clock takes 25 ns, which counts beside the step of a small mechanism, and is read only after so many steps.
        const STEPS: u32 = 16;
        let steps = self.steps.get() + 1;
        self.steps.set(steps % STEPS);
        if steps == STEPS && self.asked.get().elapsed() >= PAUSE {
            let found = Python::attach(|py| py.check_signals()).err();
            self.asked.set(Instant::now());
            if found.is_some() {
                self.raised.replace(found);
            }
        }
        self.raised.borrow().is_some()
    }

    /// What a handler has raised.
    pub(crate) fn result(self) -> PyResult<()> {
        self.raised.into_inner().map_or(Ok(()), Err)
    }
}

/// Computes in another thread without the interpreter's lock, while this one asks about signals. Where a handler raises, the flag that the
/// computation reads is set, and what was raised is returned after its end.
pub(crate) fn attended<R: Send>(py: Python<'_>, compute: impl FnOnce(&AtomicBool) -> R + Send) -> PyResult<R> {
    let is_cancelled = AtomicBool::new(false);
    py.detach(|| {
        thread::scope(|scope| {
            let (ends, ended) = channel::<()>();
            let computation = thread::Builder::new().spawn_scoped(scope, || {
                // Dropped at the end, also by a panic.
                let _ends = ends;
                compute(&is_cancelled)
            })?;
            let mut raised = None;
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none() {
                    raised = Python::attach(|py| py.check_signals()).err();
                    is_cancelled.store(raised.is_some(), Ordering::Relaxed);
                }
            }
            let result = computation.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised.map_or(Ok(result), Err)
        })
    })
}
