//! Work on many items by several threads, with results in the order of the items.
//!
//! [`Workers`] calls a function for each item of an iterator. Another function of the caller
//! receives the results one after the other, in the order of the items, whatever thread is the
//! first to finish. What that function computes therefore does not depend on the number of threads.
//! The module `ensemble` uses it for trajectories. Use it directly if the members of an
//! ensemble are not all of one type, or if more than the end of each motion is wanted.
//!
//! ```
//! use lagrange_runtime::workers::{RunOutcome, Workers};
//! use std::ops::ControlFlow;
//!
//! let mut squares = Vec::new();
//! let (outcome, count) = Workers::new().with_threads(2).run(0..5, |_, item| item * item, |index, square| {
//!     squares.push((index, square));
//!     ControlFlow::Continue(())
//! });
//! assert_eq!((outcome, count), (RunOutcome::Complete, 5));
//! assert_eq!(squares, [(0, 0), (1, 1), (2, 4), (3, 9), (4, 16)]);
//! ```

mod queue;

pub(crate) use queue::Queue;

use core::ops::ControlFlow;
use core::sync::atomic::AtomicBool;
use std::time::Instant;

/// Why a run over many items ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunOutcome {
    /// The caller has received the results of all items.
    Complete,
    /// The function that receives the results has returned
    /// [`Break`](core::ops::ControlFlow::Break).
    Stopped,
    /// The flag of [`Workers::with_cancel`] was set.
    Cancelled,
    /// The time of [`Workers::with_deadline`] had come.
    Deadline,
}

/// The number of threads for a run, and what ends it early.
#[derive(Clone, Copy, Debug, Default)]
pub struct Workers<'a> {
    threads: usize,
    cancel: Option<&'a AtomicBool>,
    deadline: Option<Instant>,
}

impl<'a> Workers<'a> {
    /// Returns the settings for a run on all cores that does not end early.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of threads. The default is 0, which stands for the number of cores.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Ends the run when `flag` is `true`. Another thread or a signal handler may set it. The flag
    /// is checked before each item is begun, and before each result is passed on. Results that the
    /// caller has not yet received are dropped.
    #[must_use]
    pub fn with_cancel(self, flag: &'a AtomicBool) -> Self {
        Self { cancel: Some(flag), ..self }
    }

    /// Ends the run at the time `deadline`. It is checked as often as the flag of
    /// [`Workers::with_cancel`].
    #[must_use]
    pub fn with_deadline(self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// Calls `work` with the index and the value of each item, and passes the results to `receive`
    /// in the order of the items. Returns why the run ended, and the number of results that
    /// `receive` got. They are those of the first items, without a gap.
    ///
    /// Several threads call `work` at the same time. They also call `receive` and the iterator,
    /// but never two of them at the same time. At most some thousand results wait for that of an
    /// earlier item. If `receive` returns `Break`, the run ends. If any of these functions panics,
    /// the run ends and panics too.
    pub fn run<I, R, W, F>(&self, items: I, work: W, receive: F) -> (RunOutcome, u64)
    where
        I: IntoIterator,
        I::IntoIter: Send,
        R: Send,
        W: Fn(u64, I::Item) -> R + Sync,
        F: FnMut(u64, R) -> ControlFlow<()> + Send,
    {
        self.share(items.into_iter(), receive, |queue| {
            while let Some((index, item)) = queue.take(true) {
                queue.give(index, work(index, item));
            }
        })
    }

    /// Runs `work` on one queue in each thread, waits until all threads have finished it, and
    /// returns the same as [`Workers::run`].
    pub(crate) fn share<I, R, F>(
        &self,
        items: I,
        receive: F,
        work: impl Fn(&Queue<'_, I, F, R>) + Sync,
    ) -> (RunOutcome, u64)
    where
        I: Iterator + Send,
        R: Send,
        F: FnMut(u64, R) -> ControlFlow<()> + Send,
    {
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, core::num::NonZero::get),
            threads => threads,
        };
        let queue = Queue::new(items, receive, self.cancel, self.deadline);
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // If the system refuses a thread, the others do its work.
                if std::thread::Builder::new().spawn_scoped(scope, || queue.guard(&work)).is_err() {
                    break;
                }
            }
            queue.guard(&work);
        });
        queue.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::AssertUnwindSafe;
    use std::vec::Vec;

    /// Work that takes longer for earlier items, so that results wait.
    fn slow(_: u64, item: u64) -> u64 {
        std::thread::sleep(std::time::Duration::from_micros(20 * (50 - item.min(50))));
        item + 100
    }

    #[test]
    fn results_come_in_order_from_any_number_of_threads() {
        for threads in 0..4 {
            let mut received = Vec::new();
            let end = Workers::new().with_threads(threads).run(0..50, slow, |index, result| {
                received.push((index, result));
                ControlFlow::Continue(())
            });
            assert_eq!(end, (RunOutcome::Complete, 50));
            assert!(received.iter().zip(0..).all(|(found, index)| *found == (index, index + 100)), "{received:?}");
        }
    }

    #[test]
    fn a_run_ends_early_without_a_gap_and_with_a_panic_of_its_work() {
        let mut count = 0;
        let end = Workers::new().with_threads(2).run(0.., slow, |index, _| {
            assert_eq!(index, count);
            count += 1;
            if count == 9 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((end, count), ((RunOutcome::Stopped, 9), 9));
        let flag = AtomicBool::new(true);
        let end = Workers::new().with_cancel(&flag).run(0.., slow, |_, _| ControlFlow::Continue(()));
        assert_eq!(end, (RunOutcome::Cancelled, 0));
        let end = Workers::new().with_deadline(Instant::now()).run(0.., slow, |_, _| ControlFlow::Continue(()));
        assert_eq!(end, (RunOutcome::Deadline, 0));
        let work = |index: u64, _| assert!(index != 20, "the panic of the work");
        let run = || Workers::new().with_threads(2).run(0_u64.., work, |_, ()| ControlFlow::Continue(()));
        assert!(std::panic::catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
