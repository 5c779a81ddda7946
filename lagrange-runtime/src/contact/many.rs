//! The phases of rows whose combinations are too many to be tried one by one.
//!
//! Rows that do not act on each other are decided apart: rows act on each other if the force on one changes the motion of the other, and a slip and its
//! contact do. Of a group of rows, every combination of phases is tried if these are at most 3⁸, as many as eight frictions at rest have. For a
//! larger group, a [path](super::path) leads to phases that obey the laws. Where all rows of the group are gaps, frictions with bounds of their own and switched
//! constraints, there is one motion, and the path finds it. With slips of contacts there may be several, of which the combinations of a small group would tell.
//! In a larger group all rows stick, if the forces that share the load obey the laws then: a pile that can stand stands. Otherwise the path finds one of the motions.
//!
//! Of the phases with this motion, those are taken in which every row without a motion of its own sticks, if the forces that share the load obey the laws.
//! Combinations that are tried begin with the same phases.

#[cfg(test)]
mod tests;

use super::impact::rows;
use super::laws::{Level, Shared};
use super::loaded::Sliding;
use super::path::{Kind, Phase, Problem};
use super::phases::Phases;
use super::reduced::{Motion, Reduced};
use crate::error::SingularMass;
use crate::quantities::Law;
use crate::scalar::Scalar;

/// The most combinations of phases that are tried one by one, 3⁸.
const COMBINATIONS: u64 = 6561;

/// The number of rows whose combinations are never more than [`COMBINATIONS`]: a row has at most three phases.
const TRIED_ROWS: usize = COMBINATIONS.ilog(3) as usize;

/// The most paths that are followed.
const PATHS: usize = 8;

/// The most corrections of the phases at the end of a path, for each row. The ε of the path may have misjudged forces that are as small.
const CORRECTIONS: usize = 4;

/// Entries of D below this many roundings of their rows' own compliances are 0.
const ROUNDINGS: f64 = 4.0;

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'_, R, N, C, W> {
    /// The phases in which the candidates obey their laws. The other rows have their phases in `phases`.
    ///
    /// # Errors
    /// [`SingularMass`] names a contact at which no motion obeys the laws, or several do, or none was found.
    pub(super) fn decide_all(
        &self,
        phases: Phases,
        candidates: u64,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        if self.has_vectors() {
            return self.decide_beside_vectors(phases, candidates, level, names);
        }
        // Programs in which no mechanism has more rows do not contain the path.
        if const { W <= TRIED_ROWS + 1 } || self.are_few(candidates) {
            return self.decide_by_trial(phases, candidates, level, names);
        }
        // What acts on no row of a group may have any phase meanwhile.
        let mut apart = phases;
        rows(candidates).for_each(|k| apart.slide(k, false));
        let (mut decided, mut left) = (phases, candidates);
        while left != 0 {
            let group = self.group_of(left.trailing_zeros() as usize, left, phases);
            left &= !group;
            let motion = match self.are_few(group) {
                true => self.decide_by_trial(apart, group, level, names)?,
                false => self.decide_by_path(apart, group, level, names)?,
            };
            rows(group).for_each(|k| decided.copy(k, motion.phases));
        }
        Ok(Motion { phases: decided, forces: self.forces_of(decided, level, names)? })
    }

    /// Whether every combination of the phases of these rows is tried.
    pub(super) fn are_few(&self, candidates: u64) -> bool {
        rows(candidates).fold(1, |all: u64, k| all.saturating_mul(u64::from(self.choices(k)))) <= COMBINATIONS
    }

    /// The rows among `candidates` on which row `first` acts, and those on which these act, and so on.
    fn group_of(&self, first: usize, candidates: u64, phases: Phases) -> u64 {
        let contact_of = |k: usize| if let Law::Slip { contact } = self.law(k) { contact } else { k };
        // Other rows pass an action on where they stick, and slips of candidates do.
        let passes = |k: usize| phases.sticks(k) || candidates >> contact_of(k) & 1 == 1;
        let others = (0..self.count).filter(|&k| candidates >> k & 1 == 0 && passes(k)).fold(0, |set, k| set | 1 << k);
        let acting = candidates | others;
        let (mut group, mut new) = (1 << first, 1 << first);
        while new != 0 {
            let k = u64::trailing_zeros(new) as usize;
            new &= new - 1;
            for l in rows(acting & !group) {
                if self.act(k, l) || contact_of(k) == l || contact_of(l) == k {
                    group |= 1 << l;
                    new |= 1 << l;
                }
            }
        }
        group & candidates
    }

    /// Whether the force on one of two rows changes the motion of the other.
    fn act(&self, k: usize, l: usize) -> bool {
        let own = self.compliance[k][k].to_f64() * self.compliance[l][l].to_f64();
        let entry = self.compliance[k][l].to_f64().abs().max(self.compliance[l][k].to_f64().abs());
        entry.is_nan() || entry > ROUNDINGS * R::EPSILON * own.max(0.0).sqrt()
    }

    /// The phases in which the candidates obey their laws: rest, if that is possible, or else the end of a path.
    fn decide_by_path(
        &self,
        phases: Phases,
        candidates: u64,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        let mut rest = phases;
        rows(candidates).for_each(|k| rest.stick(k));
        if let Ok(forces) = self.forces_of(rest, level, names)
            && self.violated(rest, candidates, &forces, level).is_none()
        {
            return Ok(Motion { phases: rest, forces });
        }
        let problem = self.problem(phases, candidates, level);
        let mut singular = None;
        for cover in 0..PATHS {
            let Some(found) = problem.phases(cover) else { continue };
            let mut tried = phases;
            for k in rows(candidates) {
                match found[k] {
                    Phase::Sticks => tried.stick(k),
                    slips => tried.slide(k, slips == Phase::Backward),
                }
            }
            match self.corrected(tried, candidates, level, names) {
                Ok(Some(motion)) => return Ok(self.with_all_at_rest(motion, candidates, level, names)),
                Ok(None) => {}
                Err(error) => singular = Some(error),
            }
        }
        Err(singular.unwrap_or_else(|| SingularMass::of_many_contacts(self.blamed(candidates, u64::MAX), names)))
    }

    /// These phases with the slips of open contacts as [`Reduced::decide_by_trial`] gives them.
    fn with_open_slips(&self, mut phases: Phases, candidates: u64) -> Phases {
        for k in rows(candidates) {
            if matches!(self.law(k), Law::Slip { contact } if !phases.sticks(contact)) {
                phases.slide(k, false);
            }
        }
        phases
    }

    /// Phases near `tried` in which the candidates obey their laws: the first candidate that does not changes its phase, as in Murty's rule.
    pub(super) fn corrected(
        &self,
        mut tried: Phases,
        candidates: u64,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<Option<Motion<R, W>>, SingularMass> {
        for _ in 0..=CORRECTIONS * self.count {
            tried = self.with_open_slips(tried, candidates);
            let forces = self.forces_of(tried, level, names)?;
            let Some(k) = self.violated(tried, candidates, &forces, level) else {
                return Ok(Some(Motion { phases: tried, forces }));
            };
            self.exchange(&mut tried, k, &forces);
        }
        Ok(None)
    }

    /// The motion that was found, in the phases in which all candidates at rest stick. If these phases do not obey the laws, the phases stay as they were found.
    fn with_all_at_rest(
        &self,
        found: Motion<R, W>,
        candidates: u64,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Motion<R, W> {
        let mut tried = found.phases;
        for k in rows(candidates) {
            let acts = !matches!(self.law(k), Law::Slip { contact } if !tried.sticks(contact));
            let rounding = self.rounding_of_motion(k, &found.forces, level);
            if acts && self.driven(k, &found.forces, level).abs() <= rounding {
                tried.stick(k);
            }
        }
        match self.forces_of(tried, level, names) {
            Ok(forces)
                if self.violated(tried, candidates, &forces, level).is_none()
                    && self.is_same(&found.forces, &forces, level) =>
            {
                Motion { phases: tried, forces }
            }
            _ => found,
        }
    }

    /// The forces in given phases, with those of slips given by `sliding`. Where the motion does not determine the forces of the rows that stick, and a row
    /// would leave its law if all of them yielded alike, rows at their bounds yield no more, so that the others bear the rest, if the motion is the
    /// same.
    pub(super) fn within_laws(
        &self,
        phases: Phases,
        sliding: &Sliding<R, W>,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<[R; W], SingularMass> {
        let Shared { forces, is_determined } = self.solved(phases, sliding, level, names)?;
        let held = self.sticking(phases);
        if is_determined || self.violated(phases, held, &forces, level).is_none() {
            return Ok(forces);
        }
        let problem = Problem { dilates: true, ..self.problem(phases, held, level) };
        let Some(found) = problem.phases(0) else { return Ok(forces) };
        let mut tried = phases;
        for k in rows(held) {
            match found[k] {
                Phase::Sticks => tried.stick(k),
                slips => tried.slide(k, slips == Phase::Backward),
            }
        }
        for _ in 0..=CORRECTIONS * self.count {
            let shared = self.solved(tried, &self.sliding(tried, level).0, level, names)?.forces;
            if let Some(k) = self.violated(tried, held, &shared, level) {
                self.exchange(&mut tried, k, &shared);
                continue;
            }
            let rests = |k: usize| self.driven(k, &shared, level).abs() <= self.rounding_of_motion(k, &shared, level);
            return Ok(if rows(held).all(rests) { shared } else { forces });
        }
        Ok(forces)
    }

    /// Gives a row that does not obey its law in `phases` the phase that it has beyond the end of its own one.
    fn exchange(&self, phases: &mut Phases, k: usize, forces: &[R; W]) {
        if phases.sticks(k) {
            phases.slide(k, !matches!(self.law(k), Law::Contact { .. }) && forces[k].to_f64() > 0.0);
        } else {
            phases.stick(k);
        }
    }

    /// The laws of the rows as a problem of plain numbers, in which each row is divided by the root of its own compliance.
    fn problem(&self, phases: Phases, candidates: u64, level: &Level<R, W>) -> Problem<W> {
        let unit: [f64; W] = core::array::from_fn(|k| {
            let own = self.compliance[k][k].to_f64();
            if own > 0.0 { own.sqrt() } else { 1.0 }
        });
        let is_candidate = |k: usize| candidates >> k & 1 == 1;
        let closes = |k: usize| is_candidate(k) || phases.sticks(k);
        // The force of a friction that slips.
        let known: [f64; W] = core::array::from_fn(|k| match self.law(k) {
            Law::Friction if k < self.count && !closes(k) && !level.is_impact => {
                -phases.direction(k) * self.rows[k].bound.to_f64()
            }
            _ => 0.0,
        });
        let mut free = [0.0; W];
        for (k, free) in free.iter_mut().enumerate().take(self.count) {
            let driven =
                (0..self.count).fold(level.free[k].to_f64(), |sum, l| sum + self.compliance[k][l].to_f64() * known[l]);
            *free = driven / unit[k];
        }
        let largest = free.iter().fold(0.0, |largest: f64, free| largest.max(free.abs()));
        let scale = if largest > 0.0 { largest } else { 1.0 };
        let kind = |k: usize| {
            let bound = self.rows[k].bound.to_f64();
            match self.law(k) {
                Law::Friction if level.is_impact => Kind::Off,
                Law::Friction if is_candidate(k) => Kind::Friction { bound: bound * unit[k] / scale },
                Law::Contact { .. } if is_candidate(k) => Kind::Gap,
                Law::Slip { contact } if !closes(contact) => Kind::Off,
                Law::Slip { contact } if is_candidate(k) => {
                    Kind::Slip { contact, friction: bound * unit[k] / unit[contact] }
                }
                _ if closes(k) => Kind::Held,
                Law::Slip { contact } => {
                    Kind::Drag { contact, factor: -phases.direction(k) * bound * unit[k] / unit[contact] }
                }
                _ => Kind::Off,
            }
        };
        let mut problem = Problem {
            count: self.count,
            kinds: [Kind::Off; W],
            free,
            compliance: [[0.0; W]; W],
            softness: R::EPSILON.sqrt(),
            dilates: false,
        };
        for k in 0..self.count {
            problem.kinds[k] = kind(k);
            problem.free[k] /= scale;
            for l in 0..self.count {
                problem.compliance[k][l] = self.compliance[k][l].to_f64() / (unit[k] * unit[l]);
            }
        }
        problem
    }
}
