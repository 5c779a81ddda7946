//! Adhesion: a closed contact bears a tension up to a stated force a, N ≥ −a.
//!
//! With N′ = N + a, a closed contact with adhesion obeys the law of one without it, 0 ≤ N′ ⊥ w ≥ 0, under the additional force −a. The bodies press on each other
//! by N′, so that friction is bounded by μ N′ (B. V. Derjaguin, *Molekulartheorie der äußeren Reibung*, Z. Phys. 88, 1934).
//!
//! A contact that opens loses its adhesion at once. So contacts at rest are decided as frictions with a larger bound at rest are: first all of them
//! adhere, and those that open under this are free; then the others are decided again, until no further one opens.

use super::laws::Level;
use super::phases::Phases;
use super::reduced::{Motion, Reduced};
use crate::error::SingularMass;
use crate::quantities::Law;
use crate::scalar::Scalar;

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'_, R, N, C, W> {
    /// The adhesion of a contact; 0 for other rows.
    pub(super) fn adhesion(&self, k: usize) -> R {
        match (self.law(k), self.rows.get(k)) {
            (Law::Contact { .. }, Some(row)) => row.bound,
            _ => R::ZERO,
        }
    }

    /// The contacts with adhesion among these rows, one bit each.
    fn adhering(&self, rows: u64) -> u64 {
        let adheres = |k: &usize| rows >> k & 1 == 1 && self.adhesion(*k) != R::ZERO;
        (0..self.count).filter(adheres).fold(0, |set, k| set | 1 << k)
    }

    /// The motion without forces under the adhesion of these contacts, from which their forces are counted.
    fn pressed(&self, level: &Level<R, W>, adhering: u64) -> Level<R, W> {
        let mut pressed = Level { is_pressed: true, ..*level };
        for l in (0..self.count).filter(|l| adhering >> l & 1 == 1) {
            for k in 0..self.count {
                let pull = self.compliance[k][l] * self.adhesion(l);
                pressed.free[k] -= pull;
                pressed.terms[k] += pull.to_f64().abs();
            }
        }
        pressed
    }

    /// Forces that are counted from the adhesion of these contacts.
    fn without_adhesion(&self, mut forces: [R; W], adhering: u64) -> [R; W] {
        for k in (0..self.count).filter(|k| adhering >> k & 1 == 1) {
            forces[k] -= self.adhesion(k);
        }
        forces
    }

    /// The forces in given phases.
    pub(super) fn forces_adhering(&self, phases: Phases, names: &[&'static str]) -> Result<[R; W], SingularMass> {
        let level = self.motion_level();
        let forces_at = |level: &Level<R, W>| match self.has_vectors() {
            true => self.forces_beside_vectors(phases, level, names),
            false => self.forces_of(phases, level, names),
        };
        match self.adhering(phases.closed()) {
            0 => forces_at(&level),
            adhering => Ok(self.without_adhesion(forces_at(&self.pressed(&level, adhering))?, adhering)),
        }
    }

    /// The phases in which the rows `at_rest` obey their laws.
    pub(super) fn decide_adhering(
        &self,
        phases: Phases,
        at_rest: u64,
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        let level = self.motion_level();
        let mut adhering = self.adhering(at_rest);
        loop {
            let pressed = self.pressed(&level, adhering);
            let motion = match self.has_vectors() {
                true => self.decide_beside_vectors(phases, at_rest, &pressed, names)?,
                false => self.decide_all(phases, at_rest, &pressed, names)?,
            };
            let opening = adhering & !motion.phases.closed();
            if opening == 0 {
                return Ok(Motion { forces: self.without_adhesion(motion.forces, adhering), ..motion });
            }
            adhering &= !opening;
        }
    }
}
