//! Rows of constraints that modes switch on and off. A row that is on bears the force that keeps its rate 0, with any sign. Where it is switched on, an
//! ideal impact without restitution makes its rate 0.

use super::gap_terms;
use super::gaps::gap_rounding;
use super::impact::within_an_instant;
use super::reduced::Reduced;
use super::rows::Rows;
use super::rules::Site;
use crate::error::Failure;
use crate::quantities::{Gap, Latch, Law};
use crate::scalar::Scalar;
use crate::state::State;
use nalgebra::SVector;

/// A row may be switched on at a distance of this many roundings of the time from where it holds.
const INSTANT: f64 = 1024.0;

/// The position of a row as a gap.
pub(super) fn position<R: Scalar>(latch: &Latch<R>) -> Gap<R> {
    Gap { value: latch.value, scale: latch.scale, restitution: R::ZERO }
}

impl<S, R, const N: usize, const C: usize, const U: usize, const W: usize> Site<'_, S, R, N, C, U, W>
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    /// The rows with the index of each row of a switched constraint, and whether it is holonomic.
    fn latch_rows(&self) -> impl Iterator<Item = (usize, usize, bool)> + use<'_, S, R, N, C, U, W> {
        let laws = self.system.row_laws().iter().enumerate().take(self.system.row_count().min(W));
        laws.filter_map(|(k, law)| match *law {
            Law::Latch { latch, holonomic } if latch < W => Some((k, latch, holonomic)),
            _ => None,
        })
    }

    /// The holonomic ones among these rows, with their indices.
    pub(super) fn latch_positions(&self) -> impl Iterator<Item = (usize, usize)> + use<'_, S, R, N, C, U, W> {
        self.latch_rows().filter(|(.., holonomic)| *holonomic).map(|(k, latch, _)| (k, latch))
    }

    pub(super) fn latches(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> [Latch<R>; W] {
        let mut latches = [Latch::NONE; W];
        self.system.latches(t, q, v, &mut latches);
        latches
    }

    /// The rows of switched constraints that are on, one bit each. One that was off must hold where it is switched on.
    pub(super) fn switched_on(
        &self,
        state: &State<R, N>,
        reduced: &Reduced<'_, R, N, C, W>,
        (fresh, time_rounding): (bool, f64),
    ) -> Result<u64, Failure> {
        let State { t, q, v } = state;
        let latches = self.latches(*t, q, v);
        let mut on = 0;
        for (k, latch, holonomic) in self.latch_rows().filter(|(_, latch, _)| latches[*latch].is_on()) {
            on |= 1 << k;
            if holonomic && (fresh || !self.phases.sticks(k)) {
                let (gap, row) = (position(&latches[latch]), &reduced.rows()[k]);
                let at = (*t, q, v);
                let allowed = Scalar::sqrt(R::EPSILON) * gap_terms(&gap, row, at)
                    + gap_rounding(&gap, row, at)
                    + within_an_instant(reduced, k, v, INSTANT * time_rounding);
                let residual = gap.value.to_f64();
                if residual.is_nan() || residual.abs() > allowed {
                    return Err(Failure::ApartLatch { constraint: self.name(k), residual, t: t.to_f64() });
                }
            }
        }
        Ok(on)
    }
}
