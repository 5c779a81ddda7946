//! The queue from which threads take members in order, and through which the caller receives their
//! trajectories in the same order.

use super::{End, Member, MemberError, RunOutcome, Summary, Trajectory};
use crate::statistics::Statistics;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The number of members that may be handed out, counted from the first one whose trajectory is
/// missing. It limits how many trajectories are stored until that one is computed.
const AHEAD: u64 = 4096;

/// The time after which a waiting thread checks again whether the run must end.
const PATIENCE: Duration = Duration::from_millis(20);

/// The members and the function that receives their trajectories. All threads share it.
pub(super) struct Queue<'a, I, F, const N: usize> {
    state: Mutex<State<I, F, N>>,
    /// Wakes the threads that wait in [`Queue::take`].
    room: Condvar,
    /// Whether the run has been ended early.
    stopped: AtomicBool,
    cancel: Option<&'a AtomicBool>,
    deadline: Option<Instant>,
}

/// The part of the queue that one thread at a time may use.
struct State<I, F, const N: usize> {
    members: I,
    receive: F,
    /// The index of the next member; `None` after the last one.
    next: Option<u64>,
    /// The index of the first trajectory that is missing.
    missing: u64,
    /// The trajectories that are computed, but wait for those of earlier members.
    waiting: BTreeMap<u64, Result<End<N>, MemberError<N>>>,
    summary: Summary,
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

impl<'a, M, I, F, const N: usize> Queue<'a, I, F, N>
where
    I: Iterator<Item = Member<M, N>>,
    F: FnMut(Trajectory<N>) -> ControlFlow<()>,
{
    pub(super) fn new(members: I, receive: F, cancel: Option<&'a AtomicBool>, deadline: Option<Instant>) -> Self {
        let summary =
            Summary { outcome: RunOutcome::Complete, members: 0, failed: 0, statistics: Statistics::default() };
        let state = State { members, receive, next: Some(0), missing: 0, waiting: BTreeMap::new(), summary };
        Self { state: Mutex::new(state), room: Condvar::new(), stopped: AtomicBool::new(false), cancel, deadline }
    }

    /// Locks the state. If another thread has panicked in a function of the caller, the run ends.
    fn lock(&self) -> MutexGuard<'_, State<I, F, N>> {
        self.state.lock().unwrap_or_else(|poisoned| {
            self.stopped.store(true, Ordering::Relaxed);
            poisoned.into_inner()
        })
    }

    /// Does the work of one thread. If it panics, the run ends, since its trajectories would be
    /// missing for ever. The panic itself reaches the caller when the threads are joined.
    pub(super) fn guard(&self, work: impl FnOnce(&Self)) {
        let guard = Guard(&self.stopped);
        work(self);
        drop(guard);
    }

    /// Returns the next member with its index, or `None` if there is none or the run has ended.
    ///
    /// If [`AHEAD`] members have been handed out from the first missing trajectory on, an idle
    /// thread (`is_idle`) waits for that trajectory. Any other thread gets `None`.
    pub(super) fn take(&self, is_idle: bool) -> Option<(u64, Member<M, N>)> {
        let mut state = self.lock();
        loop {
            let index = state.next?;
            if self.stop(&mut state) {
                return None;
            }
            if index - state.missing < AHEAD {
                let Some(member) = state.members.next() else {
                    state.next = None;
                    return None;
                };
                state.next = Some(index + 1);
                return Some((index, member));
            }
            if !is_idle {
                return None;
            }
            state = self.room.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes the trajectory of the member `index`. If it is the first one that is missing, the
    /// caller's function receives it, and then those that waited for it.
    pub(super) fn give(&self, index: u64, result: Result<End<N>, MemberError<N>>) {
        let mut state = self.lock();
        let state = &mut *state;
        state.waiting.insert(index, result);
        while let Some(result) = state.waiting.remove(&state.missing) {
            if self.stop(state) {
                break;
            }
            let index = state.missing;
            state.missing += 1;
            state.summary.members += 1;
            state.summary.failed += u64::from(result.is_err());
            state.summary.statistics += match &result {
                Ok(end) => end.statistics,
                Err(MemberError::Solve(error)) => error.statistics,
                Err(MemberError::Prepare(_)) => Statistics::default(),
            };
            if (state.receive)(Trajectory { index, result }).is_break() {
                state.summary.outcome = RunOutcome::Stopped;
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        self.room.notify_all();
    }

    /// Whether the run has been ended early. Ends it if there is a reason now.
    pub(super) fn is_stopped(&self) -> bool {
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
    fn stop(&self, state: &mut State<I, F, N>) -> bool {
        if self.stopped.load(Ordering::Relaxed) {
            return true;
        }
        let Some(reason) = self.reason() else { return false };
        state.summary.outcome = reason;
        self.stopped.store(true, Ordering::Relaxed);
        true
    }

    /// Returns the summary of the run, once all threads have ended.
    pub(super) fn summary(self) -> Summary {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).summary
    }
}
