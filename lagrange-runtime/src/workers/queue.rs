//! The queue from which threads take items in order, and through which the caller receives their
//! results in the same order.

use super::RunOutcome;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The number of items that may be handed out, counted from the first one whose result is missing.
/// It limits how many results are stored until that one is computed.
const AHEAD: u64 = 4096;

/// The time after which a waiting thread checks again whether the run must end.
const PATIENCE: Duration = Duration::from_millis(20);

/// The items and the function that receives their results of the type `R`. All threads share it.
pub(crate) struct Queue<'a, I, F, R> {
    state: Mutex<State<I, F, R>>,
    /// Wakes the threads that wait in [`Queue::take`].
    room: Condvar,
    /// Whether the run has been ended early.
    stopped: AtomicBool,
    cancel: Option<&'a AtomicBool>,
    deadline: Option<Instant>,
}

/// The part of the queue that one thread at a time may use.
struct State<I, F, R> {
    items: I,
    receive: F,
    /// The index of the next item; `None` after the last one.
    next: Option<u64>,
    /// The index of the first result that is missing. This is also the number of results that the
    /// caller has received.
    missing: u64,
    /// The results that are computed, but wait for those of earlier items.
    waiting: BTreeMap<u64, R>,
    outcome: RunOutcome,
}

/// Ends the run if it is dropped by a panic.
struct Guard<'a>(&'a AtomicBool);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl<'a, I, F, R> Queue<'a, I, F, R>
where
    I: Iterator,
    F: FnMut(u64, R) -> ControlFlow<()>,
{
    pub(super) fn new(items: I, receive: F, cancel: Option<&'a AtomicBool>, deadline: Option<Instant>) -> Self {
        let outcome = RunOutcome::Complete;
        let state = State { items, receive, next: Some(0), missing: 0, waiting: BTreeMap::new(), outcome };
        Self { state: Mutex::new(state), room: Condvar::new(), stopped: AtomicBool::new(false), cancel, deadline }
    }

    /// Locks the state. If another thread has panicked in a function of the caller, the run ends.
    fn lock(&self) -> MutexGuard<'_, State<I, F, R>> {
        self.state.lock().unwrap_or_else(|poisoned| {
            self.stopped.store(true, Ordering::Relaxed);
            poisoned.into_inner()
        })
    }

    /// Does the work of one thread. If it panics, the run ends, since its results would be missing
    /// for ever. The panic itself reaches the caller when the threads are joined.
    pub(super) fn guard(&self, work: impl FnOnce(&Self)) {
        let guard = Guard(&self.stopped);
        work(self);
        drop(guard);
    }

    /// Returns the next item with its index, or `None` if there is none or the run has ended.
    ///
    /// If [`AHEAD`] items have been handed out from the first missing result on, an idle thread
    /// (`is_idle`) waits for that result. Any other thread gets `None`.
    pub(crate) fn take(&self, is_idle: bool) -> Option<(u64, I::Item)> {
        let mut state = self.lock();
        loop {
            let index = state.next?;
            if self.stop(&mut state) {
                return None;
            }
            if index - state.missing < AHEAD {
                let Some(item) = state.items.next() else {
                    state.next = None;
                    return None;
                };
                state.next = Some(index + 1);
                return Some((index, item));
            }
            if !is_idle {
                return None;
            }
            state = self.room.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes the result of the item `index`. If it is the first one that is missing, the caller's
    /// function receives it, and then those that waited for it.
    pub(crate) fn give(&self, index: u64, result: R) {
        let mut state = self.lock();
        let state = &mut *state;
        state.waiting.insert(index, result);
        while let Some(result) = state.waiting.remove(&state.missing) {
            if self.stop(state) {
                break;
            }
            let index = state.missing;
            state.missing += 1;
            if (state.receive)(index, result).is_break() {
                state.outcome = RunOutcome::Stopped;
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        self.room.notify_all();
    }

    /// Whether the run has been ended early. Ends it if there is a reason now.
    #[cfg(feature = "ensemble")]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || (self.reason().is_some() && self.stop(&mut self.lock()))
    }

    /// Returns the reason to end the run now, if there is one: its flag is set, or its deadline has
    /// passed.
    fn reason(&self) -> Option<RunOutcome> {
        if self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(RunOutcome::Cancelled);
        }
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_late.then_some(RunOutcome::Deadline)
    }

    /// Ends the run if there is a reason. Returns whether it has been ended, now or before.
    fn stop(&self, state: &mut State<I, F, R>) -> bool {
        if self.stopped.load(Ordering::Relaxed) {
            return true;
        }
        let Some(reason) = self.reason() else { return false };
        state.outcome = reason;
        self.stopped.store(true, Ordering::Relaxed);
        true
    }

    /// Returns why the run has ended, and how many results the caller has received. All threads
    /// must have ended.
    pub(super) fn end(self) -> (RunOutcome, u64) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.outcome, state.missing)
    }
}
