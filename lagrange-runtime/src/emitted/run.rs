//! Linear maps in pieces. A bundle of arguments passes by the pieces whose arguments are 0 in it.

use super::bundle::Bundle;
use super::columns::{Directions, Pattern};
use crate::scalar::Scalar;
use core::ops::Range;

/// What the pieces of a map read and write. The arguments have the first slots, and pieces write to the others. The last slot is 0.
pub(super) type Slots<R, const S: usize> = [Bundle<R>; S];

/// A bundle of arguments on its way through the pieces of a map.
pub struct Run<'s, R, const S: usize> {
    slots: &'s mut Slots<R, S>,
    /// The arguments that may differ from 0.
    span: Range<usize>,
}

impl<R: Scalar, const S: usize> Run<'_, R, S> {
    /// Applies a piece, which depends on the arguments in some ranges and writes to the slots `writes`. Where all these arguments are 0, 0 is
    /// written.
    #[inline(always)]
    pub fn apply(&mut self, arguments: &[Range<usize>], writes: Range<usize>, piece: impl Fn(&mut Slots<R, S>)) {
        if arguments.iter().any(|range| range.start < self.span.end && self.span.start < range.end) {
            piece(self.slots);
        } else {
            self.slots[writes].fill(Bundle::ZERO);
        }
    }
}

/// A linear map with `N` outputs, in pieces with `S` slots.
pub struct Map<const N: usize, const S: usize, F> {
    /// The slot of each output.
    outputs: [usize; N],
    apply: F,
}

/// A linear map from the slots of its outputs and the function that applies its pieces.
#[inline(always)]
pub fn linear_map<R, const N: usize, const S: usize, F: Fn(Run<'_, R, S>)>(
    outputs: [usize; N],
    apply: F,
) -> Map<N, S, F> {
    Map { outputs, apply }
}

impl<const N: usize, const S: usize, F> Map<N, S, F> {
    /// The map of each of the variables in `range`, bundle by bundle, for the function `take`.
    #[inline(always)]
    pub(super) fn sweep<R: Scalar>(
        &self,
        slots: &mut Slots<R, S>,
        range: Range<usize>,
        pattern: Option<&'static Pattern>,
        mut take: impl FnMut(&Directions, &[Bundle<R>; N]),
    ) where
        F: Fn(Run<'_, R, S>),
    {
        for directions in Directions::runs(range.clone(), Bundle::<R>::WIDTH, pattern) {
            let span = enter(slots, &directions, &range);
            (self.apply)(Run { slots, span });
            take(&directions, &self.outputs.map(|slot| slots[slot]));
        }
    }
}

/// Makes each argument of a run 1 in its direction and 0 in the others. Returns where the arguments of the run are. The argument number 0 is the
/// variable `range.start`.
#[inline(always)]
fn enter<R: Scalar, const S: usize>(
    slots: &mut Slots<R, S>,
    directions: &Directions,
    range: &Range<usize>,
) -> Range<usize> {
    let mut span = range.len()..0;
    for ((argument, index), slot) in range.clone().enumerate().zip(slots) {
        *slot = Bundle::ZERO;
        if let Some(place) = directions.of(index) {
            slot.set(place, R::ONE);
            span = span.start.min(argument)..argument + 1;
        }
    }
    span
}
