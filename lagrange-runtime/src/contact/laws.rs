//! The laws of the rows, and the phases in which all rows obey them.
//!
//! The laws are the same for accelerations and for the velocities of an impact. With the motion w = c + D f of the rows, a gap
//! obeys 0 ≤ f ⊥ w ≥ 0. The slip of a closed contact with force N obeys |f| ≤ μ N, with f = −μ N where w > 0 and f = μ N where
//! w < 0. For accelerations, w are the second derivatives of gaps and slips. For an impact, f are impulses, and w is the rate of
//! a slip after the impact, or s⁺ + e s⁻ for a gap. Source: J. J. Moreau, *Unilateral contact and dry friction in finite freedom
//! dynamics*, in *Nonsmooth Mechanics and Applications*, CISM 302, 1988.
//!
//! With friction D has no definite part, and there may be no solution or several (P. Painlevé, *Sur les lois du frottement de
//! glissement*, C. R. Acad. Sci. 121, 1895). So every combination of phases is tried, and a result is given only where all that
//! obey the laws lead to the same motion. Where rows that depend on each other are too many for that, see [`many`](super::many).
//!
//! # Rows that depend on each other
//!
//! The motion does not determine the forces of rows of which one follows from others, as of four feet on a floor. Only their sum over these rows, W f,
//! is determined, and with it the acceleration. Of all f with this sum, the one of least Σ Dₖₖ fₖ² is taken. Dₖₖ fₖ² does not change with the units in which
//! a row is stated. Equal feet share a load in equal parts. Where a row would leave its law by that, [`many`](super::many) shares the load between the others.

use super::phases::Phases;
use super::reduced::{BAND, Motion, Reduced, pivot, terms};
use crate::error::SingularMass;
use crate::quantities::Law;
use crate::scalar::Scalar;
use nalgebra::SVector;

/// The most components of a slip that is a vector.
pub(crate) const MAX_COMPONENTS: usize = 8;

/// Two motions are the same if they differ by at most this part of their terms.
const SAME: f64 = 1e-7;

/// The motion w of a row counts as 0 within this number of roundings of its terms.
const ROUNDINGS: f64 = 256.0;

/// Forces of rows that stick.
pub(super) struct Shared<R, const W: usize> {
    pub(super) forces: [R; W],
    /// Whether the motion determines them. Otherwise they are the shortest ones with this motion.
    pub(super) is_determined: bool,
}

/// The motion of the rows without forces, and the sum of the magnitudes of its terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level<R, const W: usize> {
    pub(super) free: [R; W],
    pub(super) terms: [f64; W],
    /// Whether the motion is that of an impact, in which the bounded force of a `friction` statement has no impulse.
    pub(super) is_impact: bool,
    /// Whether contacts bear no tension: in an impact, and where their forces are counted from their adhesion.
    pub(super) is_pressed: bool,
}

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'_, R, N, C, W> {
    /// The law of a row. One that names what does not exist counts as that of a friction.
    pub(super) fn law(&self, k: usize) -> Law {
        match self.laws.get(k) {
            Some(&Law::Loaded { bound }) if bound >= W => Law::Friction,
            Some(&Law::Slip { contact }) if contact >= self.count => Law::Friction,
            Some(&Law::Vector { bound, .. }) if bound >= W => Law::Friction,
            Some(&Law::VectorSlip { contact, .. }) if contact >= self.count => Law::Friction,
            Some(&(Law::Vector { first, size, .. } | Law::VectorSlip { first, size, .. }))
                if first > k || k - first >= size || size > self.count - first || size > MAX_COMPONENTS =>
            {
                Law::Friction
            }
            Some(law) => *law,
            None => Law::Friction,
        }
    }

    /// The level of accelerations.
    pub(super) fn motion_level(&self) -> Level<R, W> {
        let terms = core::array::from_fn(|k| {
            let row = &self.rows[k];
            let cancelled = self.cancelled.map_or(0.0, |cancelled| cancelled[k]);
            (0..N).fold(row.curvature.to_f64().abs() + cancelled, |sum, i| {
                sum + (row.direction[i].to_f64() * self.accelerations[(i, 0)].to_f64()).abs()
            })
        });
        Level { free: self.free, terms, is_impact: false, is_pressed: false }
    }

    /// The impulses that stop the sticking rows, whose rates change by `right`.
    pub(super) fn stopping_impulses(
        &self,
        phases: Phases,
        right: &[R; W],
        v: &SVector<R, N>,
        names: &[&'static str],
    ) -> Result<[R; W], SingularMass> {
        let terms = core::array::from_fn(|k| terms(&self.rows[k], v));
        self.solve_held(self.sticking(phases), &[[R::ZERO; W]; W], (right, &terms), names).map(|shared| shared.forces)
    }

    /// The change of the coordinates, least in the metric of M, that changes the positions of the rows `held` by `right`.
    /// `terms` are the magnitudes of the terms of these positions.
    ///
    /// # Errors
    /// [`SingularMass`] names a contact whose position follows from those of others, and contradicts them.
    pub(crate) fn shift(
        &self,
        held: u64,
        (right, terms): (&[R; W], &[f64; W]),
        names: &[&'static str],
    ) -> Result<SVector<R, N>, SingularMass> {
        let found = self.solve_held(held, &[[R::ZERO; W]; W], (right, terms), names)?;
        Ok(self.change(&found.forces))
    }

    /// The rows that stick. The slip of an open contact does not, and a vector sticks as a whole.
    pub(super) fn sticking(&self, phases: Phases) -> u64 {
        (0..self.count).fold(0, |held, k| {
            if phases.sticks(self.first_of(k)) && self.acts_in(phases, k) { held | 1 << k } else { held }
        })
    }

    /// Whether a force may act on a row: not on the slip of an open contact.
    pub(super) fn acts_in(&self, phases: Phases, k: usize) -> bool {
        self.law(k).contact().is_none_or(|contact| phases.sticks(contact))
    }

    /// X f.
    pub(super) fn change(&self, forces: &[R; W]) -> SVector<R, N> {
        SVector::from_fn(|i, _| {
            (0..self.count).fold(R::ZERO, |sum, k| sum + self.accelerations[(i, k + 1)] * forces[k])
        })
    }

    /// The sum of the magnitudes of the terms of w.
    pub(super) fn reach(&self, k: usize, forces: &[R; W], level: &Level<R, W>) -> f64 {
        (0..self.count).fold(level.terms[k], |sum, l| sum + (self.compliance[k][l].to_f64() * forces[l].to_f64()).abs())
    }

    /// The magnitudes of the terms of the acceleration of a row without forces of contacts.
    pub(crate) fn acceleration_terms(&self, k: usize) -> f64 {
        self.motion_level().terms[k]
    }

    /// The largest force that the terms of w of a row need.
    pub(crate) fn largest_force(&self, k: usize, forces: &[R; W]) -> f64 {
        self.force_scale(k, forces, &self.motion_level())
    }

    /// The largest force that the terms of w of a row need. The friction of a contact also has the rounding of the contact's
    /// force, times μ: where the contact opens, that is all there is.
    fn force_scale(&self, k: usize, forces: &[R; W], level: &Level<R, W>) -> f64 {
        let needed = |k: usize| {
            let own = self.compliance[k][k].to_f64();
            if own > 0.0 { self.reach(k, forces, level) / own } else { 0.0 }
        };
        match self.law(k) {
            Law::Slip { contact } => needed(k).max(self.rows[k].bound.to_f64() * needed(contact)),
            Law::VectorSlip { contact, .. } => {
                let own = self.rows_of(k).map(needed).fold(0.0, f64::max);
                own.max(self.rows[k].bound.to_f64() * needed(contact))
            }
            _ => needed(k),
        }
    }

    /// Whether the force on a sticking row is what its law allows.
    pub(super) fn is_allowed(&self, k: usize, forces: &[R; W], level: &Level<R, W>) -> bool {
        let force = self.length(k, |row| forces[row]).to_f64();
        let tension = |k: usize| if level.is_pressed { 0.0 } else { self.adhesion(k).to_f64() };
        // A force that is allowed on the pressed level must be allowed here too. There the forces are N + a, and their scale may be larger by 2 μ a.
        let pressing =
            self.law(k).contact().map_or(0.0, |contact| 2.0 * self.rows[k].bound.to_f64() * tension(contact));
        let rounding = BAND * (self.force_scale(k, forces, level) + pressing);
        let limit = match self.law(k) {
            Law::Slip { contact } | Law::VectorSlip { contact, .. } => {
                self.rows[k].bound.to_f64() * (forces[contact].to_f64() + tension(contact))
            }
            _ => self.limit(k, forces).to_f64(),
        };
        match self.law(k) {
            Law::Friction => force.abs() <= limit + BAND * limit,
            Law::Latch { .. } => true,
            // A contact that no longer holds within the rounding of its phase must open here.
            Law::Contact { .. } if level.is_pressed && !level.is_impact && self.adhesion(k) != R::ZERO => force >= 0.0,
            Law::Contact { .. } => force >= -(tension(k) + rounding),
            Law::Slip { .. } | Law::Loaded { .. } | Law::Vector { .. } | Law::VectorSlip { .. } => {
                force.abs() <= limit + rounding
            }
        }
    }

    /// w of a row.
    pub(crate) fn motion_of(&self, k: usize, forces: &[R; W]) -> f64 {
        self.driven(k, forces, &self.motion_level())
    }

    pub(super) fn driven(&self, k: usize, forces: &[R; W], level: &Level<R, W>) -> f64 {
        (0..self.count).fold(level.free[k], |sum, l| sum + self.compliance[k][l] * forces[l]).to_f64()
    }

    /// The first candidate that does not obey its law in these phases.
    pub(super) fn violated(
        &self,
        phases: Phases,
        candidates: u64,
        forces: &[R; W],
        level: &Level<R, W>,
    ) -> Option<usize> {
        (0..self.count).filter(|k| candidates >> k & 1 == 1).find(|&k| {
            if matches!(self.law(k), Law::Slip { contact } if !phases.sticks(contact)) {
                return false;
            }
            if phases.sticks(k) {
                return !self.is_allowed(k, forces, level);
            }
            let along = self.driven(k, forces, level) * phases.direction(k);
            // A motion that is not a number obeys nothing.
            along.is_nan() || along < -self.rounding_of_motion(k, forces, level)
        })
    }

    /// The w of a row that is rounding.
    pub(super) fn rounding_of_motion(&self, k: usize, forces: &[R; W], level: &Level<R, W>) -> f64 {
        ROUNDINGS * R::EPSILON * self.reach(k, forces, level)
    }

    /// How many phases a candidate may have.
    pub(super) fn choices(&self, k: usize) -> u8 {
        match self.law(k) {
            Law::Latch { .. } => 1,
            Law::Contact { .. } => 2,
            _ => 3,
        }
    }

    /// The phases in which the candidates obey their laws, from all combinations. The other rows have their phases in `phases`.
    pub(super) fn decide_by_trial(
        &self,
        phases: Phases,
        candidates: u64,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        let choices = |k: usize| if candidates >> k & 1 == 1 { self.choices(k) } else { 1 };
        let mut choice = [0_u8; W];
        let mut found: Option<Motion<R, W>> = None;
        let mut singular = None;
        loop {
            if let Some(tried) = self.chosen(phases, candidates, &choice) {
                let mut several = None;
                let visited = self.each_solution(tried, level, names, &mut |forces| {
                    if self.violated(tried, candidates, &forces, level).is_some() {
                        return Ok(());
                    }
                    match &found {
                        None => found = Some(Motion { phases: tried, forces }),
                        Some(first) if self.is_same(&first.forces, &forces, level) => {}
                        Some(first) => several = Some(self.blamed(candidates, first.phases.differs(tried))),
                    }
                    Ok(())
                });
                if let Some(k) = several {
                    return Err(SingularMass::of_contact(k, names, true));
                }
                singular = visited.err().or(singular);
            }
            // The next combination: the last row changes fastest.
            let Some(k) = (0..self.count).rev().find(|&k| choice[k] + 1 < choices(k)) else { break };
            choice[k] += 1;
            choice[k + 1..].fill(0);
        }
        match (found, singular) {
            (Some(found), _) => Ok(found),
            (None, Some(singular)) => Err(singular),
            (None, None) => Err(SingularMass::of_contact(self.blamed(candidates, u64::MAX), names, false)),
        }
    }

    /// The phases of a combination of choices: 0 sticks, 1 slips forward or is open, 2 slips backward. An open contact has one
    /// combination, whatever the choice of its slip.
    fn chosen(&self, mut phases: Phases, candidates: u64, choice: &[u8; W]) -> Option<Phases> {
        for k in (0..self.count).filter(|k| candidates >> k & 1 == 1) {
            let is_open = matches!(self.law(k), Law::Slip { contact } if !phases.sticks(contact));
            match choice[k] {
                0 if is_open => phases.slide(k, false),
                _ if is_open => return None,
                0 => phases.stick(k),
                other => phases.slide(k, other == 2),
            }
        }
        Some(phases)
    }

    /// Whether two sets of forces cause the same motion.
    pub(super) fn is_same(&self, a: &[R; W], b: &[R; W], level: &Level<R, W>) -> bool {
        (0..N).all(|i| {
            let (mut difference, mut scale) = (0.0, 0.0);
            for k in 0..self.count {
                let column = self.accelerations[(i, k + 1)].to_f64();
                difference += column * (a[k].to_f64() - b[k].to_f64());
                scale += column.abs() * self.force_scale(k, a, level).max(self.force_scale(k, b, level));
            }
            difference.abs() <= SAME * scale
        })
    }

    /// The contact that a message names: the first candidate among `rows`, where possible one that opens and closes.
    pub(super) fn blamed(&self, candidates: u64, rows: u64) -> usize {
        let among = |set: u64| {
            let is_gap = |k: &usize| matches!(self.law(*k), Law::Contact { .. });
            let rows = || (0..self.count).filter(move |k| set >> k & 1 == 1);
            rows().find(is_gap).or_else(|| rows().next())
        };
        among(candidates & rows).or_else(|| among(candidates)).unwrap_or(0)
    }

    /// The forces f of the rows `held` for which w changes by `right`. The other forces depend on them by `slope`. Of rows that depend on each other, the forces
    /// are those of least Σ Dₖₖ fₖ².
    ///
    /// # Errors
    /// [`SingularMass`] names a row that depends on others and contradicts them: what is left of it is more than the rounding of
    /// `terms`.
    pub(super) fn solve_held(
        &self,
        held: u64,
        slope: &[[R; W]; W],
        (right, terms): (&[R; W], &[f64; W]),
        names: &[&'static str],
    ) -> Result<Shared<R, W>, SingularMass> {
        let (mut rows, mut n) = ([0_usize; W], 0);
        for k in (0..self.count).filter(|k| held >> k & 1 == 1) {
            (rows[n], n) = (k, n + 1);
        }
        let mut columns = rows;
        // Each row is divided by the root of its own compliance, so that rows of different units compare.
        let unit: [R; W] = core::array::from_fn(|k| {
            let own = self.compliance[k][k];
            if own.to_f64() > 0.0 { own.sqrt() } else { R::ONE }
        });
        let mut matrix = [[R::ZERO; W]; W];
        let mut rest = [R::ZERO; W];
        let mut size = [0.0; W];
        for (i, &k) in rows[..n].iter().enumerate() {
            for (j, &l) in rows[..n].iter().enumerate() {
                let slips = (0..self.count).filter(|&s| slope[s][l] != R::ZERO);
                let entry = slips.fold(self.compliance[k][l], |sum, s| sum + self.compliance[k][s] * slope[s][l]);
                matrix[i][j] = entry / (unit[k] * unit[l]);
            }
            (rest[i], size[i]) = (right[k] / unit[k], terms[k] / unit[k].to_f64());
        }
        // Divided by its own compliance, no row of the motion without forces is larger than that motion in the metric of M.
        let scale = size[..n].iter().fold(0.0, |scale: f64, &size| scale.max(size));
        let mut rank = 0;
        while rank < n {
            let mut best = (rank, rank, 0.0);
            for (i, row) in matrix.iter().enumerate().take(n).skip(rank) {
                for (j, entry) in row.iter().enumerate().take(n).skip(rank) {
                    let entry = entry.to_f64().abs();
                    // Rounding must not decide between equal pivots.
                    if entry > best.2 * (1.0 + 1e-9) {
                        best = (i, j, entry);
                    }
                }
            }
            let (i, j, size_of_best) = best;
            if size_of_best <= pivot::<R>() {
                break;
            }
            matrix.swap(rank, i);
            rest.swap(rank, i);
            size.swap(rank, i);
            rows.swap(rank, i);
            matrix.iter_mut().for_each(|row| row.swap(rank, j));
            columns.swap(rank, j);
            let (above, rest_above, size_above) = (matrix[rank], rest[rank], size[rank]);
            for i in rank + 1..n {
                let factor = matrix[i][rank] / above[rank];
                for (entry, above) in matrix[i].iter_mut().zip(above).take(n).skip(rank) {
                    *entry -= factor * above;
                }
                rest[i] -= factor * rest_above;
                size[i] += factor.to_f64().abs() * size_above;
            }
            rank += 1;
        }
        for i in rank..n {
            if rest[i].to_f64().abs() > Scalar::sqrt(R::EPSILON) * size[i] + ROUNDINGS * R::EPSILON * scale {
                return Err(SingularMass::of_dependent_contact(rows[i], names, 0.0));
            }
        }
        let mut forces = [R::ZERO; W];
        for i in (0..rank).rev() {
            let sum = (i + 1..rank).fold(rest[i], |sum, j| sum - matrix[i][j] * forces[columns[j]] * unit[columns[j]]);
            forces[columns[i]] = sum / (matrix[i][i] * unit[columns[i]]);
        }
        if rank < n {
            let shared = shortest(&matrix, &rest, (rank, n));
            for (&k, &force) in columns[..n].iter().zip(&shared) {
                forces[k] = force / unit[k];
            }
        }
        Ok(Shared { forces, is_determined: rank == n })
    }
}

/// The shortest x with U x = r, where the first `rank` rows of U are upper triangular, and `n` columns.
fn shortest<R: Scalar, const W: usize>(upper: &[[R; W]; W], right: &[R; W], (rank, n): (usize, usize)) -> [R; W] {
    // With x = (y − T z, z), the z of least |x| solves (1 + TᵀT) z = Tᵀ y.
    let back = |column: &dyn Fn(usize) -> R| {
        let mut x = [R::ZERO; W];
        for i in (0..rank).rev() {
            x[i] = (i + 1..rank).fold(column(i), |sum, j| sum - upper[i][j] * x[j]) / upper[i][i];
        }
        x
    };
    let mut x = back(&|i| right[i]);
    let mut spread = [[R::ZERO; W]; W];
    for free in rank..n {
        spread[free] = back(&|i| upper[i][free]);
    }
    let product = |a: &[R; W], b: &[R; W]| (0..rank).fold(R::ZERO, |sum, i| sum + a[i] * b[i]);
    let mut matrix = [[R::ZERO; W]; W];
    for k in rank..n {
        for l in rank..n {
            matrix[k][l] = product(&spread[k], &spread[l]) + if k == l { R::ONE } else { R::ZERO };
        }
        x[k] = product(&spread[k], &x);
    }
    // Its pivots are at least 1.
    for k in rank..n {
        for l in k + 1..n {
            let factor = matrix[l][k] / matrix[k][k];
            let above = matrix[k];
            for (entry, above) in matrix[l].iter_mut().zip(above).take(n).skip(k) {
                *entry -= factor * above;
            }
            let above = x[k];
            x[l] -= factor * above;
        }
    }
    for k in (rank..n).rev() {
        x[k] = (k + 1..n).fold(x[k], |sum, l| sum - matrix[k][l] * x[l]) / matrix[k][k];
    }
    for i in 0..rank {
        x[i] = (rank..n).fold(x[i], |sum, k| sum - spread[k][i] * x[k]);
    }
    x
}
