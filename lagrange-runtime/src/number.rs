//! Numbers in error messages.

use core::fmt;

/// A number as messages show it: with the fewest digits that give it back exactly, and as 1e300 where it would have many zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = self;
        let usual = *value == 0.0 || !value.is_finite() || (1e-4..1e15).contains(&value.abs());
        if usual { write!(f, "{value}") } else { write!(f, "{value:e}") }
    }
}

/// The largest number of components or names that a message lists.
const LISTED: usize = 8;

/// Writes at most eight items, each by `write`, and the number of the remaining `things`.
pub(crate) fn list(
    f: &mut fmt::Formatter<'_>,
    count: usize,
    things: &str,
    mut write: impl FnMut(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
) -> fmt::Result {
    for index in 0..count.min(LISTED) {
        f.write_str(if index == 0 { "" } else { ", " })?;
        write(f, index)?;
    }
    match count.saturating_sub(LISTED) {
        0 => Ok(()),
        more => write!(f, ", and {more} more {things}"),
    }
}
