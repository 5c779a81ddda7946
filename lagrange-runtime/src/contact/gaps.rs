//! Gaps: contacts that open and close.

use super::latches::position;
use super::motion::{bits, rounding};
use super::reduced::{Place, Reduced};
use super::rows::Rows;
use super::rules::{At, Driven, Margins, Site, Watched};
use super::{Instant, gap_terms};
use crate::error::Failure;
use crate::quantities::{Gap, Law, Row};
use crate::scalar::Scalar;
use crate::state::State;
use nalgebra::SVector;

/// The gap that is rounding, in roundings of its terms.
const ROUNDINGS: f64 = 64.0;

/// The rounding of a rate, in roundings of what the acceleration adds to it in a step.
const RATE_ROUNDINGS: f64 = 256.0;

/// The part of its rounding by which a gap that is at rest may be below 0.
const CROSSED: f64 = 1.0 / 16.0;

/// The Newton steps onto closed gaps.
const ITERATIONS: u32 = 8;

impl<S, R, const N: usize, const C: usize, const U: usize, const W: usize> Site<'_, S, R, N, C, U, W>
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    /// The law of a row. One that names what does not exist counts as that of a friction.
    pub(super) fn law(&self, k: usize) -> Law {
        match self.system.row_laws().get(k) {
            Some(&Law::Contact { gap }) if gap >= W => Law::Friction,
            Some(&(Law::Slip { contact } | Law::VectorSlip { contact, .. })) if contact >= W => Law::Friction,
            Some(&Law::Latch { latch, .. }) if latch >= W => Law::Friction,
            Some(law) => *law,
            None => Law::Friction,
        }
    }

    /// The rows of gaps, with the index of each gap.
    pub(super) fn gap_rows(&self) -> impl Iterator<Item = (usize, usize)> + use<'_, S, R, N, C, U, W> {
        let laws = self.system.row_laws().iter().enumerate().take(self.system.row_count().min(W));
        laws.filter_map(|(k, law)| match *law {
            Law::Contact { gap } if gap < W => Some((k, gap)),
            _ => None,
        })
    }

    pub(super) fn gaps(&self, t: R, q: &SVector<R, N>) -> [Gap<R>; W] {
        let mut gaps = [Gap::NONE; W];
        self.system.gaps(t, q, &mut gaps);
        gaps
    }

    /// The rows whose phases last, where contacts open and close.
    pub(super) fn gaps_lasting(&self, (t, q, v, u): At<'_, R, N, U>) -> Option<u64> {
        let mut rows = [Row::NONE; W];
        let mut held = None;
        let place = Place::new(self.system, t, q, v, u);
        if self.phases.any_sticks() || self.has_vectors() {
            let Ok(reduced) = Reduced::<R, N, C, W>::at(&place) else { return None };
            let reduced = reduced.in_phases(self.phases);
            let Ok(forces) = reduced.forces(self.phases, self.system.row_names()) else { return None };
            rows[..reduced.rows().len()].copy_from_slice(reduced.rows());
            held = Some((reduced, forces));
        } else {
            self.system.rows(t, q, v, u, &mut rows);
        }
        let gaps = self.gaps(t, q);
        // Without an attempt, the branch belongs to a state alone.
        let size = self.attempt.as_ref().map_or(0.0, |attempt| attempt.size.to_f64());
        let before = if self.has_vectors() { self.rows_before((t, q, v, u)) } else { [Row::NONE; W] };
        let rows = rows.iter().enumerate().take(self.system.row_count());
        Some(bits(rows.map(|(k, row)| {
            let law = self.law(k);
            match (law, &held) {
                _ if law.contact().is_some_and(|of| !self.phases.sticks(of)) => true,
                (Law::Latch { .. }, _) => true,
                (Law::Vector { first, .. } | Law::VectorSlip { first, .. }, Some((reduced, forces))) => {
                    match self.phases.sticks(first) {
                        true => reduced.is_held(first, forces),
                        false => self.vector_slips_on(first, (reduced, forces), v, &before),
                    }
                }
                (_, Some((reduced, forces))) if self.phases.sticks(k) => reduced.is_held(k, forces),
                (Law::Contact { gap }, _) => {
                    let gap = &gaps[gap];
                    !self.attempt.as_ref().is_some_and(|attempt| is_reached(gap, row, (t, q, v), attempt))
                        && stays_open(gap, row, (t, q, v))
                }
                (_, Some((reduced, _))) => {
                    // The rounding of the acceleration in a step is that of the rate of a row that slips at the rate 0.
                    let drift = reduced.acceleration_terms(k) * size * RATE_ROUNDINGS * R::EPSILON;
                    self.slips_on(k, row, v) || row.rate.to_f64().abs() <= drift
                }
                _ => self.slips_on(k, row, v),
            }
        })))
    }

    /// For each row that sticks, how far its force is from its limit, and a force with which that compares.
    pub(super) fn gap_margins(&self, reduced: &Reduced<'_, R, N, C, W>, forces: &[R; W], out: &mut Margins) {
        let of = |k: usize| {
            let force = reduced.length(k, |row| forces[row]).to_f64();
            if !self.phases.sticks(k) || reduced.first_of(k) != k {
                return None;
            }
            let bound = reduced.limit(k, forces).to_f64();
            Some(match self.law(k) {
                Law::Latch { .. } => return None,
                Law::Friction => (bound - force.abs(), bound),
                Law::Contact { .. } => (force + bound, reduced.largest_force(k, forces)),
                Law::Slip { .. } | Law::Loaded { .. } | Law::Vector { .. } | Law::VectorSlip { .. } => {
                    (bound - force.abs(), reduced.largest_force(k, forces))
                }
            })
        };
        out.iter_mut().enumerate().take(reduced.rows().len()).for_each(|(k, out)| *out = of(k));
    }

    pub(super) fn name(&self, k: usize) -> &'static str {
        self.system.row_names().get(k).copied().unwrap_or_default()
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize, const W: usize> Driven<'_, '_, '_, S, R, N, C, U, W>
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    /// The gap of each open contact, with its rounding added.
    pub(super) fn open_gaps(&mut self, state: &State<R, N>, out: &mut [Option<f64>]) {
        if !self.phases.known {
            return;
        }
        let State { t, q, v } = state;
        let u = (self.inputs)(*t, q, v);
        let mut rows = [Row::NONE; W];
        self.system.rows(*t, q, v, &u, &mut rows);
        let gaps = self.gaps(*t, q);
        for (k, gap) in self.gap_rows().filter(|(k, _)| !self.phases.sticks(*k)) {
            let value = &gaps[gap];
            if let Some(out) = out.get_mut(k) {
                *out = Some(value.value.to_f64() + gap_rounding(value, &rows[k], (*t, q, v)));
            }
        }
    }

    /// The coordinates, changed least in the metric of M, at which the gaps and the holonomic rows of switched constraints in the rows `closed`
    /// vanish.
    pub(super) fn grounded(&mut self, state: &State<R, N>, closed: u64) -> Result<SVector<R, N>, Failure> {
        let State { t, mut q, v } = *state;
        let positions = self.gap_rows().chain(self.latch_positions()).fold(0_u64, |set, (k, _)| set | 1 << k);
        let closed = closed & positions;
        if closed == 0 {
            return Ok(q);
        }
        let u = (self.inputs)(t, &q, &v);
        let mut last = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let (gaps, latches) = (self.gaps(t, &q), self.latches(t, &q, &v));
            let place = Place::new(self.system, t, &q, &v, &u);
            let reduced = Reduced::<R, N, C, W>::at(&place)?;
            let (mut right, mut terms, mut worst) = ([R::ZERO; W], [0.0; W], 0.0_f64);
            let gaps = self.gap_rows().map(|(k, gap)| (k, gaps[gap]));
            let latches = self.latch_positions().map(|(k, latch)| (k, position(&latches[latch])));
            for (k, gap) in gaps.chain(latches).filter(|(k, _)| closed >> k & 1 == 1) {
                (right[k], terms[k]) = (-gap.value, gap_terms(&gap, &reduced.rows()[k], (t, &q, &v)));
                let size = if terms[k] > 0.0 { right[k].to_f64().abs() / terms[k] } else { 0.0 };
                worst = worst.max(size);
            }
            // Near rounding, the iteration ends at the first step that gains nothing.
            if worst <= 2.0 * R::EPSILON || worst >= 0.5 * last && worst <= ROUNDINGS * R::EPSILON {
                break;
            }
            last = worst;
            q += reduced.shift(closed, (&right, &terms), self.system.row_names())?;
        }
        Ok(q)
    }
}

/// The magnitude of a gap that is rounding.
pub(super) fn gap_rounding<R: Scalar, const N: usize>(gap: &Gap<R>, row: &Row<R, N>, at: Instant<'_, R, N>) -> f64 {
    ROUNDINGS * R::EPSILON * gap_terms(gap, row, at)
}

/// Whether an open contact is reached by an attempt that is too short to change the gap by more than its rounding. An attempt over a switch
/// reaches what the longer attempts before it met: a gap of at most twice the rounding.
fn is_reached<R: Scalar, const N: usize>(
    gap: &Gap<R>,
    row: &Row<R, N>,
    at: Instant<'_, R, N>,
    attempt: &Watched<R, N>,
) -> bool {
    let (approach, rounding) = (-row.rate.to_f64(), gap_rounding(gap, row, at));
    let (size, near) = if attempt.over { (0.0, 2.0 * rounding) } else { (attempt.size.to_f64(), rounding) };
    approach > 0.0 && gap.value.to_f64() < near && approach * size <= rounding
}

/// Whether an open contact stays open: its gap is not negative. A gap may be below 0 by its rounding while it grows, as it is where the contact
/// has just opened, and by a part of its rounding while it is at rest.
fn stays_open<R: Scalar, const N: usize>(gap: &Gap<R>, row: &Row<R, N>, at: Instant<'_, R, N>) -> bool {
    let (value, rate) = (gap.value.to_f64(), row.rate.to_f64());
    let below = gap_rounding(gap, row, at);
    value >= 0.0 || rate >= 0.0 && value >= -below || rate >= -rounding(row, at.2) && value >= -below * CROSSED
}
