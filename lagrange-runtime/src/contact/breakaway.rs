//! Breakaway: a friction at rest holds up to a static bound, which is larger than its bound while it slips.
//!
//! A friction with a static bound bₛ ≥ b sticks while the force that holds it is at most bₛ. Where it slips, its force has the length b.
//! So between b and bₛ, a friction at rest sticks, and one that has just begun to slip goes on.
//!
//! Frictions at rest are decided together. First each is held up to its static bound, and the rule for several contacts finds the forces. The
//! frictions that slip under these forces break away at once: their bounds become b, and the rule finds the forces of all again, until no further one
//! slips that was held by its static bound. Beside bounds without multipliers and without contacts, the forces of a round are unique. A round does
//! not depend on the order of the frictions, and lets at least one of them break away, so that there are at most as many rounds as frictions.

use super::phases::Phases;
use super::reduced::{BAND, Motion, Reduced};
use crate::error::{Failure, SingularMass};
use crate::quantities::{Bound, Law};
use crate::scalar::Scalar;
use nalgebra::SVector;

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'_, R, N, C, W> {
    /// The frictions with a static bound, by first rows, one bit each.
    pub(super) fn breaking(&self) -> u64 {
        let rows = self.bounds.breakaway_rows().iter();
        rows.filter(|&&row| row < self.count).fold(0, |set, row| set | 1 << row)
    }

    /// The bounds that depend on multipliers, or belong to vectors.
    pub(super) fn bounds_under(&self, multipliers: &SVector<R, C>) -> [Bound<R, C>; W] {
        let mut bounds = self.bounds.bounds(multipliers);
        if self.firm != 0 {
            for (row, held) in self.static_bounds(multipliers) {
                if let Law::Loaded { bound } | Law::Vector { bound, .. } = self.law(row)
                    && let Some(own) = bounds.get_mut(bound)
                    && self.firm >> row & 1 == 1
                {
                    *own = held;
                }
            }
        }
        bounds
    }

    /// The static bounds, or the static coefficients of slips of contacts, with the first row of each.
    fn static_bounds(
        &self,
        multipliers: &SVector<R, C>,
    ) -> impl Iterator<Item = (usize, Bound<R, C>)> + use<R, N, C, W> {
        let (rows, count) = (self.bounds.breakaway_rows(), self.count);
        rows.iter().copied().zip(self.bounds.breakaways(multipliers)).filter(move |(row, _)| *row < count)
    }

    /// These equations, in which the frictions `firm`, by first rows, have their static bounds, and all others the bounds under which they slip.
    fn holding(&self, firm: u64) -> Self {
        let mut held = *self;
        held.firm = firm;
        for (row, bound) in self.static_bounds(&SVector::repeat(R::ZERO)) {
            if let Law::Friction | Law::Slip { .. } | Law::VectorSlip { .. } = self.law(row)
                && let Some(own) = held.rows.get_mut(row)
                && firm >> row & 1 == 1
            {
                own.bound = bound.value;
            }
        }
        held
    }

    /// These equations with the bounds of given phases: static ones where a friction sticks.
    pub(super) fn in_phases(self, phases: Phases) -> Self {
        match self.breaking() & phases.closed() {
            0 => self,
            firm => self.holding(firm),
        }
    }

    /// The phases and the forces at a state at which the rows `at_rest` have no slip rate. The others slip as in `phases`.
    ///
    /// # Errors
    /// Those of [`Reduced::decide_within`].
    pub(crate) fn decide(
        &self,
        phases: Phases,
        at_rest: u64,
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        let mut firm = self.breaking() & at_rest;
        while firm != 0 {
            let motion = self.holding(firm).decide_within(phases, at_rest, names)?;
            let breaks = self.breaking_away(&motion, firm);
            if breaks == 0 {
                return Ok(motion);
            }
            firm &= !breaks;
        }
        self.decide_within(phases, at_rest, names)
    }

    /// The frictions among `firm` that slip. The slip of an open contact has no force.
    fn breaking_away(&self, motion: &Motion<R, W>, firm: u64) -> u64 {
        let slips = |&k: &usize| {
            let acts = self.law(k).contact().is_none_or(|contact| motion.phases.sticks(contact));
            firm >> k & 1 == 1 && acts && !motion.phases.sticks(k)
        };
        (0..self.count).filter(slips).fold(0, |set, k| set | 1 << k)
    }

    /// Checks that no static bound is below the bound under which the friction slips, nor NaN. The bounds that contain multipliers are those under
    /// `forces`, and are not checked without these.
    pub(super) fn check_breakaways(
        &self,
        forces: Option<&[R; W]>,
        (names, t): (&[&'static str], f64),
    ) -> Result<(), Failure> {
        let breaking = self.breaking();
        if breaking == 0 {
            return Ok(());
        }
        let held = self.holding(breaking);
        for (k, &contact) in names.iter().enumerate().take(self.count).filter(|(k, _)| breaking >> k & 1 == 1) {
            let of = |reduced: &Self| match (self.law(k), forces) {
                (Law::Friction | Law::Slip { .. } | Law::VectorSlip { .. }, _) => {
                    reduced.rows.get(k).map(|row| row.bound.to_f64())
                }
                (Law::Loaded { .. }, None) => None,
                // Under constraints the bounds of a vector may contain multipliers too.
                (Law::Vector { .. }, None) if const { C > 0 } => None,
                (_, forces) => Some(reduced.limit(k, forces.unwrap_or(&[R::ZERO; W])).to_f64()),
            };
            if let (Some(bound), Some(breakaway)) = (of(self), of(&held))
                && (breakaway < bound - BAND * bound || breakaway.is_nan())
            {
                return Err(Failure::Breakaway { contact, breakaway, bound, t });
            }
        }
        Ok(())
    }
}
