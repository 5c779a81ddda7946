//! Jacobians column by column: variables in the order q, v, t, u, several of which share a run.

use core::ops::Range;

/// The structure of a Jacobian: groups of variables that share no row, and the rows of each variable's column. The variables are in the
/// order q, v, t, u.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// The group of each variable. Nothing depends on the variables after the last one here.
    pub groups: &'static [u16],
    /// The rows of each variable's column that may differ from 0; `None` for a variable alone in its group, whose direction is its column.
    pub rows: &'static [Option<&'static [u16]>],
}

/// The kind and the index of a variable, from its place in the order q, v, t, u.
pub(super) enum Variable {
    Coordinate(usize),
    Velocity(usize),
    Time,
    Input(usize),
}

impl Variable {
    pub(super) fn of<const N: usize>(index: usize) -> Self {
        match index {
            _ if index < N => Self::Coordinate(index),
            _ if index < 2 * N => Self::Velocity(index - N),
            _ if index == 2 * N => Self::Time,
            _ => Self::Input(index - 2 * N - 1),
        }
    }
}

/// The directions of one run. A direction has one variable, or one group of the pattern.
#[derive(Clone, Copy)]
pub(super) struct Directions {
    pattern: Option<&'static Pattern>,
    first: usize,
    width: usize,
}

impl Directions {
    /// The runs for the variables in `range`, with `width` directions each.
    pub(super) fn runs(
        range: Range<usize>,
        width: usize,
        pattern: Option<&'static Pattern>,
    ) -> impl Iterator<Item = Self> {
        let whole = Self { pattern, first: 0, width: usize::MAX };
        let groups = range.clone().filter_map(move |index| whole.of(index));
        let first = groups.clone().min().unwrap_or(0);
        let last = groups.max().map_or(first, |last| last + 1);
        (first..last)
            .step_by(width)
            .map(move |first| Self { pattern, first, width })
            .filter(move |run| range.clone().any(|index| run.of(index).is_some()))
    }

    /// The variables of a run whose directions are variables, among those in `range`.
    pub(super) fn variables(&self, range: &Range<usize>) -> Range<usize> {
        self.first..range.end.min(self.first.saturating_add(self.width))
    }

    /// The direction of a variable in this run.
    #[inline(always)]
    pub(super) fn of(&self, index: usize) -> Option<usize> {
        let group = match self.pattern {
            Some(pattern) => usize::from(*pattern.groups.get(index)?),
            None => index,
        };
        let direction = group.checked_sub(self.first)?;
        (direction < self.width).then_some(direction)
    }
}

/// The rows of a variable's column; `None` if its direction is its column.
#[inline(always)]
pub(super) fn rows_of(pattern: Option<&'static Pattern>, index: usize) -> Option<&'static [u16]> {
    pattern.and_then(|pattern| pattern.rows.get(index).copied().flatten())
}
