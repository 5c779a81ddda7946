//! How an integration ended.

/// How an integration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It reached the end time.
    Finished,
    /// It ended at the terminal event of this index among those of the options.
    Event(usize),
    /// It ended after all that happened at an instant, among it the cause of this index among
    /// [`Options::ends_at`](crate::options::Options::ends_at).
    Instant(usize),
    /// It ended where the observer broke off.
    Stopped,
    /// It ended in an error, which the accompanying [`SolveError`](crate::error::SolveError) describes.
    Failed,
}
