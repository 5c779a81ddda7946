//! How an integration ended.

/// How an integration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// At the end time.
    Finished,
    /// At the terminal event of this index among those of the options.
    Event(usize),
    /// Where the observer broke off.
    Stopped,
    /// At an error, of which the [`SolveError`] beside it tells.
    Failed,
}
