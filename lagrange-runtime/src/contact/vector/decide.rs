//! The phases of contacts and frictions at rest, where slips are vectors.
//!
//! Which contacts open is decided first. With each choice the frictions are decided as where no contact opens: all of them stick if they can, and otherwise those at
//! their bounds slip.

use super::super::impact::rows;
use super::super::laws::Level;
use super::super::phases::Phases;
use super::super::reduced::{Motion, Reduced};
use super::{Found, Known};
use crate::error::SingularMass;
use crate::quantities::Law;
use crate::scalar::Scalar;

/// The most contacts of which every choice is tried.
const MOST_TRIED: u32 = 8;

/// The most exchanges of Murty's rule.
const EXCHANGES: usize = 10_000;

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'_, R, N, C, W> {
    /// The phases and the forces at a state at which the rows `at_rest`, by first rows, have no rate.
    ///
    /// Every choice of open contacts among at most eight is tried, and a result is given only where all that obey the laws lead to the same motion. Among more,
    /// Murty's rule finds one.
    ///
    /// # Errors
    /// [`SingularMass`] names a friction that the others at rest make redundant, or a contact at which no motion obeys the laws, or several do.
    pub(in crate::contact) fn decide_beside_vectors(
        &self,
        phases: Phases,
        at_rest: u64,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        let is_gap = |k: &usize| matches!(self.law(*k), Law::Contact { .. });
        let gaps = self.firsts().filter(|k| at_rest >> k & 1 == 1).filter(is_gap).fold(0_u64, |set, k| set | 1 << k);
        if gaps == 0 {
            return self.decide_frictions(phases, at_rest, level, names);
        }
        if gaps.count_ones() > MOST_TRIED {
            return self.decide_by_exchange((phases, at_rest), gaps, level, names);
        }
        let (mut found, mut singular): (Option<Motion<R, W>>, _) = (None, None);
        let mut open = 0_u64;
        loop {
            match self.decide_with((phases, at_rest), (gaps, open), level, names) {
                Ok(motion) if rows(gaps).all(|k| self.gap_obeys(k, &motion, level)) => match &found {
                    None => found = Some(motion),
                    Some(first) if self.is_same(&first.forces, &motion.forces, level) => {}
                    Some(first) => {
                        let k = self.blamed(gaps, first.phases.differs(motion.phases));
                        return Err(SingularMass::of_contact(k, names, true));
                    }
                },
                Ok(_) => {}
                Err(error) => singular = Some(error),
            }
            // The next subset of the gaps.
            open = open.wrapping_sub(gaps) & gaps;
            if open == 0 {
                break;
            }
        }
        let none = || SingularMass::of_contact(self.blamed(gaps, u64::MAX), names, false);
        found.ok_or_else(|| singular.unwrap_or_else(none))
    }

    /// The phases and the forces at a state at which the rows `at_rest`, by first rows, have no rate, if the contacts that were not closed in the phases `before` open, and no
    /// other contact does. `None` where this does not obey the laws.
    pub(in crate::contact) fn decide_as_before(
        &self,
        before: Phases,
        (phases, at_rest): (Phases, u64),
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Option<Motion<R, W>> {
        let is_gap = |k: &usize| matches!(self.law(*k), Law::Contact { .. });
        let gaps = rows(at_rest).filter(is_gap).fold(0_u64, |set, k| set | 1 << k);
        let motion = self.decide_with((phases, at_rest), (gaps, gaps & !before.closed()), level, names).ok()?;
        rows(gaps).all(|k| self.gap_obeys(k, &motion, level)).then_some(motion)
    }

    /// The phases at the end of Murty's rule for the contacts: the first one that does not obey its law opens or closes.
    fn decide_by_exchange(
        &self,
        start: (Phases, u64),
        gaps: u64,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        let mut open = 0;
        for _ in 0..EXCHANGES {
            let motion = self.decide_with(start, (gaps, open), level, names)?;
            match rows(gaps).find(|&k| !self.gap_obeys(k, &motion, level)) {
                None => return Ok(motion),
                Some(k) => open ^= 1 << k,
            }
        }
        Err(SingularMass::of_contact(self.blamed(gaps, u64::MAX), names, false))
    }

    /// The phases and the forces, where the contacts `open` among `gaps` have no force and the others of these are closed.
    fn decide_with(
        &self,
        (phases, at_rest): (Phases, u64),
        (gaps, open): (u64, u64),
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        let (mut tried, mut candidates) = (phases, at_rest & !gaps);
        for k in rows(gaps) {
            if open >> k & 1 == 1 { tried.slide(k, false) } else { tried.stick(k) }
        }
        let contacts = tried;
        for k in self.firsts().filter(|&k| !self.acts_in(contacts, k)) {
            tried.slide(k, false);
            candidates &= !(1 << k);
        }
        self.decide_frictions(tried, candidates, level, names)
    }

    /// Whether a closed contact presses, or an open one does not approach.
    fn gap_obeys(&self, k: usize, motion: &Motion<R, W>, level: &Level<R, W>) -> bool {
        match motion.phases.sticks(k) {
            true => self.is_allowed(k, &motion.forces, level),
            false => {
                let along = self.driven(k, &motion.forces, level);
                along >= -self.rounding_of_motion(k, &motion.forces, level)
            }
        }
    }

    /// The phases and the forces, where the phases of contacts are known and the frictions `at_rest`, by first rows, have no slip rate.
    fn decide_frictions(
        &self,
        mut phases: Phases,
        at_rest: u64,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        rows(at_rest).filter(|&k| self.first_of(k) == k).for_each(|k| phases.stick(k));
        let slides = |k: &usize| self.first_of(*k) == *k && !matches!(self.law(*k), Law::Latch { .. });
        let sought = rows(at_rest).filter(slides).fold(0_u64, |set, k| set | 1 << k);
        let forces = self.forces_beside_vectors(phases, level, names)?;
        if rows(sought).all(|k| self.is_within(k, &forces, level)) {
            return Ok(Motion { phases, forces });
        }
        let bounded = sought | self.beginning(phases);
        let Found { forces, at_bound } = self.balanced(Known { phases, bounded, level, names })?;
        for k in rows(sought & at_bound) {
            match self.law(k).vector() {
                Some(_) => phases.begin(k),
                None => phases.slide(k, forces[k].to_f64() > 0.0),
            }
        }
        Ok(Motion { phases, forces: self.forces_beside_vectors(phases, level, names)? })
    }
}
