//! Linear maps in pieces. A bundle of arguments passes by the pieces whose arguments are 0 in it, and by those of which no output is needed.

use super::bundle::Bundle;
use super::columns::{Directions, Pattern};
use crate::scalar::Scalar;
use core::ops::Range;

/// What the pieces of a map read and write. The arguments have the first slots, and pieces write to the others. The last slot is 0.
pub(super) type Slots<R, const S: usize> = [Bundle<R>; S];

/// What stands for the argument of a slot that has none. The slot is always 0.
pub const NO_ARGUMENT: u16 = u16::MAX;

/// Where a piece stands in a map.
pub struct Place {
    /// Its number among the pieces.
    pub index: usize,
    /// The slots of the arguments on which it depends.
    pub arguments: &'static [Range<usize>],
    /// The first output that depends on it.
    pub first_output: usize,
    /// The slots to which it writes.
    pub writes: Range<usize>,
}

/// A bundle of arguments on its way through the pieces of a map.
pub struct Run<'s, R, const S: usize> {
    slots: &'s mut Slots<R, S>,
    /// The slots of the arguments that may differ from 0.
    span: Range<usize>,
    /// How many outputs are needed.
    outputs: usize,
    /// Bit k says whether what piece k writes may differ from 0. Pieces after the last bit have none.
    written: &'s mut u64,
}

impl<R: Scalar, const S: usize> Run<'_, R, S> {
    /// Applies a piece. Where all its arguments are 0, 0 is written.
    #[inline(always)]
    pub fn apply(&mut self, place: Place, piece: impl Fn(&mut Slots<R, S>)) {
        if place.first_output >= self.outputs {
            return;
        }
        let bit = 1_u64.checked_shl(place.index as u32).unwrap_or(0);
        if place.arguments.iter().any(|range| range.start < self.span.end && self.span.start < range.end) {
            *self.written |= bit;
            piece(self.slots);
        } else if bit == 0 || *self.written & bit != 0 {
            *self.written &= !bit;
            self.slots[place.writes].fill(Bundle::ZERO);
        }
    }
}

/// A linear map with `N` outputs, in pieces with `S` slots.
pub struct Map<const N: usize, const S: usize, F> {
    /// The slot of each output.
    pub(super) outputs: &'static [usize; N],
    /// The argument of each of the first slots.
    order: &'static [u16],
    apply: F,
}

/// A linear map from the slots of its outputs, the arguments in the first slots, and the function that applies its pieces.
#[inline(always)]
pub fn linear_map<R, const N: usize, const S: usize, F: Fn(Run<'_, R, S>)>(
    outputs: &'static [usize; N],
    order: &'static [u16],
    apply: F,
) -> Map<N, S, F> {
    Map { outputs, order, apply }
}

/// How columns of a map are computed.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// Whether all slots are 0 before the first bundle.
    pub(super) is_zero: bool,
    /// Whether the map is symmetric. Outputs after the last argument of a bundle are not computed then.
    pub(super) is_symmetric: bool,
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
        let mut written = u64::MAX;
        for directions in Directions::runs(range.clone(), Bundle::<R>::WIDTH, pattern) {
            let span = self.enter(slots, &directions, &range);
            (self.apply)(Run { slots, span, outputs: N, written: &mut written });
            take(&directions, &self.outputs.map(|slot| slots[slot]));
        }
    }

    /// Makes each argument of a run 1 in its direction and 0 in the others. Returns where the arguments of the run are. The argument number 0 is the
    /// variable `range.start`.
    #[inline(always)]
    fn enter<R: Scalar>(&self, slots: &mut Slots<R, S>, directions: &Directions, range: &Range<usize>) -> Range<usize> {
        let mut span = self.order.len()..0;
        for ((place, &argument), slot) in self.order.iter().enumerate().zip(slots) {
            *slot = Bundle::ZERO;
            if argument == NO_ARGUMENT {
                continue;
            }
            if let Some(direction) = directions.of(range.start + usize::from(argument)) {
                slot.set(direction, R::ONE);
                span = span.start.min(place)..place + 1;
            }
        }
        span
    }

    /// The columns of the map, by bundles of successive slots, for the function `take`: the arguments of the bundle, and the slots.
    #[inline(always)]
    pub(super) fn columns<R: Scalar>(
        &self,
        slots: &mut Slots<R, S>,
        start: Start,
        mut take: impl FnMut(&'static [u16], &Slots<R, S>),
    ) where
        F: Fn(Run<'_, R, S>),
    {
        let (width, mut written) = (Bundle::<R>::WIDTH, if start.is_zero { 0 } else { u64::MAX });
        slots[..self.order.len()].fill(Bundle::ZERO);
        for (first, arguments) in (0..).step_by(width).zip(self.order.chunks(width)) {
            if arguments.iter().all(|&argument| argument == NO_ARGUMENT) {
                continue;
            }
            let span = first..first + arguments.len();
            for (place, (slot, &argument)) in slots[span.clone()].iter_mut().zip(arguments).enumerate() {
                if argument != NO_ARGUMENT {
                    slot.set(place, R::ONE);
                }
            }
            let outputs = if start.is_symmetric { span.end } else { N };
            (self.apply)(Run { slots, span: span.clone(), outputs, written: &mut written });
            take(arguments, slots);
            slots[span].fill(Bundle::ZERO);
        }
    }

    /// The map of arguments that all may differ from 0. They are in their slots.
    #[inline(always)]
    pub(super) fn of_all<R: Scalar>(&self, slots: &mut Slots<R, S>)
    where
        F: Fn(Run<'_, R, S>),
    {
        let mut written = u64::MAX;
        (self.apply)(Run { slots, span: 0..self.order.len(), outputs: N, written: &mut written });
    }
}
