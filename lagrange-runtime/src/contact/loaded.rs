//! The forces in known phases: of rows that stick, and of slips whose bounds depend on other forces or on multipliers.
//!
//! The force of a slip is f = −σ b, where b may depend on the force N of a contact, b = μ N, or on the multipliers, b = b(λ). All
//! forces follow from one system of equations, because λ = λ₀ + Λ f. It is linear for bounds μ N. Bounds b(λ) are
//! replaced by their tangents, and the system is solved again until the forces do not change (Newton's iteration). Each iteration
//! starts once from b = 0 and once from a bound that is large for each slip. For one slip and a convex b, such as μ |λ| and
//! μ √(λ₁² + λ₂²), these starts find every solution: b(λ₀ + Λ f) − |f| is convex in |f|, so that it has at most two zeros, and
//! Newton's iterates approach each of them from its own side.

use super::impact::rows;
use super::laws::{Level, Shared};
use super::phases::Phases;
use super::reduced::{Reduced, pivot};
use crate::error::SingularMass;
use crate::quantities::Law;
use crate::scalar::Scalar;
use nalgebra::SVector;

/// The most of Newton's iterations from one start. Where bounds are linear between kinks, a few suffice.
const ITERATIONS: u32 = 40;

/// The most steps of the iteration that keeps the bounds of the last forces. It replaces Newton's where that one does not converge.
const PLAIN_ITERATIONS: u32 = 200;

/// Forces of slips that differ by this many roundings of their terms are the same.
const ROUNDINGS: f64 = 256.0;

/// A relative change of the forces that Newton's iteration does not reduce any more counts as rounding below this.
const STAGNANT: f64 = 1e-10;

/// How much larger than λ₀ needs it a large start is.
const LARGE: f64 = 1e6;

/// The forces of all rows.
type Forces<R, const W: usize> = [R; W];

/// The forces of the rows that do not stick: f = known + Σ slope f.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sliding<R, const W: usize> {
    known: Forces<R, W>,
    slope: [Forces<R, W>; W],
}

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'_, R, N, C, W> {
    /// λ under these forces.
    pub(super) fn multipliers_under(&self, forces: &Forces<R, W>) -> SVector<R, C> {
        SVector::from_fn(|i, _| {
            (0..self.count).fold(self.multipliers[(i, 0)], |sum, k| sum + self.multipliers[(i, k + 1)] * forces[k])
        })
    }

    /// The bound of a row under these forces; the adhesion of a gap.
    pub(crate) fn limit(&self, k: usize, forces: &Forces<R, W>) -> R {
        let own = self.rows[k].bound;
        match self.law(k) {
            Law::Slip { contact } => own * (forces[contact] + self.adhesion(contact)),
            Law::VectorSlip { contact, .. } => {
                let pressing = forces[contact] + self.adhesion(contact);
                // A search may pass by tensions, under which no friction acts.
                if pressing.to_f64() < 0.0 { R::ZERO } else { own * pressing }
            }
            Law::Loaded { bound } | Law::Vector { bound, .. } => {
                self.bounds_under(&self.multipliers_under(forces))[bound].value
            }
            Law::Friction | Law::Contact { .. } | Law::Latch { .. } => own,
        }
    }

    /// The sum of the magnitudes of the terms of a bound that contains multipliers, and of the bound itself.
    pub(super) fn limit_terms(&self, k: usize, forces: &Forces<R, W>) -> f64 {
        let bound = match self.law(k) {
            Law::Loaded { bound } | Law::Vector { bound, .. } => bound,
            Law::VectorSlip { contact, .. } => {
                let terms = self.largest_force(contact, forces).max(forces[contact].to_f64().abs());
                return self.rows[k].bound.to_f64() * (terms + self.adhesion(contact).to_f64());
            }
            _ => return self.limit(k, forces).to_f64().abs(),
        };
        match self.bounds_under(&self.multipliers_under(forces)).get(bound) {
            Some(bound) => (0..C).fold(bound.value.to_f64().abs(), |terms, i| {
                terms + bound.slope[i].to_f64().abs() * self.multiplier_terms(i, forces)
            }),
            None => 0.0,
        }
    }

    /// The sum of the magnitudes of the terms of a multiplier.
    fn multiplier_terms(&self, i: usize, forces: &Forces<R, W>) -> f64 {
        (0..self.count).fold(self.multipliers[(i, 0)].to_f64().abs(), |sum, l| {
            sum + (self.multipliers[(i, l + 1)] * forces[l]).to_f64().abs()
        })
    }

    /// Whether the bound of a row depends on multipliers.
    pub(crate) fn is_loaded(&self, k: usize) -> bool {
        matches!(self.law(k), Law::Loaded { .. })
    }

    /// The forces, or the impulses, in given phases.
    ///
    /// # Errors
    /// [`SingularMass`] names a sticking row that the others make redundant, or a slip that the laws allow in no way or in several.
    pub(super) fn forces_of(
        &self,
        phases: Phases,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<Forces<R, W>, SingularMass> {
        let mut found: Option<Forces<R, W>> = None;
        let loaded = || (0..self.count).find(|&k| self.is_loaded(k) && !phases.sticks(k)).unwrap_or(0);
        self.each_solution(phases, level, names, &mut |forces| match &found {
            Some(first) if !self.is_same(first, &forces, level) => Err(SingularMass::of_contact(loaded(), names, true)),
            _ => {
                found.get_or_insert(forces);
                Ok(())
            }
        })?;
        found.ok_or_else(|| SingularMass::of_contact(loaded(), names, false))
    }

    /// Calls `visit` with each solution for the forces, or the impulses, in given phases. A solution may be visited several times,
    /// with differences of its rounding.
    ///
    /// # Errors
    /// That of `visit`, or [`SingularMass`], which names a sticking row that the others make redundant.
    pub(super) fn each_solution(
        &self,
        phases: Phases,
        level: &Level<R, W>,
        names: &[&'static str],
        visit: &mut dyn FnMut(Forces<R, W>) -> Result<(), SingularMass>,
    ) -> Result<(), SingularMass> {
        let (sliding, loaded) = self.sliding(phases, level);
        if loaded == 0 {
            return visit(self.within_laws(phases, &sliding, level, names)?);
        }
        let newton = Newton { reduced: self, phases, level, names, sliding, loaded };
        let none = newton.solve_with([R::ZERO; W])?;
        let large = newton.large(&none)?;
        let mut start = 0;
        loop {
            let mut guess = [R::ZERO; W];
            rows(start).for_each(|k| guess[k] = large[k]);
            if let Some(forces) = newton.from(newton.solve_with(guess)?)? {
                visit(forces)?;
            }
            if start == loaded {
                return Ok(());
            }
            // The next subset of the loaded slips.
            start = start.wrapping_sub(loaded) & loaded;
        }
    }

    /// The forces of the rows that do not stick, and those among these rows whose bounds contain multipliers.
    pub(super) fn sliding(&self, phases: Phases, level: &Level<R, W>) -> (Sliding<R, W>, u64) {
        let mut sliding = Sliding { known: [R::ZERO; W], slope: [[R::ZERO; W]; W] };
        let mut loaded = 0_u64;
        for k in (0..self.count).filter(|&k| !phases.sticks(k)) {
            let against = self.rows[k].bound * R::from_f64(-phases.direction(k));
            match self.law(k) {
                Law::Friction if !level.is_impact => sliding.known[k] = against,
                Law::Slip { contact } if phases.sticks(contact) => sliding.slope[k][contact] = against,
                Law::Loaded { .. } if !level.is_impact => loaded |= 1 << k,
                _ => {}
            }
        }
        (sliding, loaded)
    }

    /// The forces in given phases, with those of slips given by `sliding`.
    pub(super) fn solved(
        &self,
        phases: Phases,
        sliding: &Sliding<R, W>,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<Shared<R, W>, SingularMass> {
        let missing = core::array::from_fn(|k| {
            (0..self.count).fold(-level.free[k], |rest, l| rest - self.compliance[k][l] * sliding.known[l])
        });
        let terms = core::array::from_fn(|k| self.reach(k, &sliding.known, level));
        let Shared { forces: held, is_determined } =
            self.solve_held(self.sticking(phases), &sliding.slope, (&missing, &terms), names)?;
        let forces = core::array::from_fn(|k| {
            let known = sliding.known[k] + held[k];
            (0..self.count).fold(known, |sum, l| match sliding.slope[k][l] {
                slope if slope == R::ZERO => sum,
                slope => sum + slope * held[l],
            })
        });
        Ok(Shared { forces, is_determined })
    }
}

/// Newton's iteration for the forces of the slips `loaded`, whose bounds depend on multipliers.
struct Newton<'a, 'b, R: Scalar, const N: usize, const C: usize, const W: usize> {
    reduced: &'a Reduced<'b, R, N, C, W>,
    phases: Phases,
    level: &'a Level<R, W>,
    names: &'a [&'static str],
    /// The forces of the other slips.
    sliding: Sliding<R, W>,
    loaded: u64,
}

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Newton<'_, '_, R, N, C, W> {
    fn rows(&self) -> impl Iterator<Item = usize> + Clone + use<R, N, C, W> {
        rows(self.loaded)
    }

    /// The forces where those of the loaded slips are given.
    fn solve_with(&self, given: Forces<R, W>) -> Result<Forces<R, W>, SingularMass> {
        let mut sliding = self.sliding;
        self.rows().for_each(|k| sliding.known[k] = given[k]);
        self.reduced.solved(self.phases, &sliding, self.level, self.names).map(|shared| shared.forces)
    }

    /// A force of each loaded slip, against it, that changes each multiplier by much more than it has without such a force.
    fn large(&self, none: &Forces<R, W>) -> Result<Forces<R, W>, SingularMass> {
        let mut large = [R::ZERO; W];
        let without = self.reduced.multipliers_under(none);
        for k in self.rows() {
            let mut unit = [R::ZERO; W];
            unit[k] = R::ONE;
            let with = self.reduced.multipliers_under(&self.solve_with(unit)?);
            let size = (0..C).fold(0.0_f64, |size, i| {
                let (change, value) = ((with[i] - without[i]).to_f64().abs(), without[i].to_f64().abs());
                if change > 0.0 { size.max(value / change) } else { size }
            });
            let size = if size > 0.0 && size < 1e100 { size * LARGE } else { LARGE };
            large[k] = R::from_f64(-self.phases.direction(k) * size);
        }
        Ok(large)
    }

    /// The solution to which the iteration converges from these forces.
    fn from(&self, start: Forces<R, W>) -> Result<Option<Forces<R, W>>, SingularMass> {
        if let (forces, true) = self.iterate(start, true)? {
            return Ok(Some(forces));
        }
        let (near, _) = self.iterate(start, false)?;
        let (forces, converged) = self.iterate(near, true)?;
        Ok(converged.then_some(forces))
    }

    /// The forces after the last iteration, and whether it changed them by rounding alone. The bounds are replaced by their tangents,
    /// or, without `tangents`, by their values.
    fn iterate(&self, mut forces: Forces<R, W>, tangents: bool) -> Result<(Forces<R, W>, bool), SingularMass> {
        let mut last = f64::INFINITY;
        for _ in 0..if tangents { ITERATIONS } else { PLAIN_ITERATIONS } {
            let Some((sliding, terms)) = self.replaced(&forces, tangents) else { return Ok((forces, false)) };
            let next = self.reduced.solved(self.phases, &sliding, self.level, self.names)?.forces;
            if next.iter().any(|force| !force.to_f64().is_finite()) {
                return Ok((forces, false));
            }
            let change = self.rows().fold(0.0_f64, |change, k| {
                let difference = (next[k] - forces[k]).to_f64().abs();
                if difference > 0.0 { change.max(difference / terms[k]) } else { change }
            });
            forces = next;
            // Near a solution, tangents reduce each change at least by half, until rows that stick add their own rounding.
            let stagnates = tangents && change <= STAGNANT && change > 0.75 * last;
            if change <= ROUNDINGS * R::EPSILON || stagnates {
                return Ok((forces, true));
            }
            last = change;
        }
        Ok((forces, false))
    }

    /// The forces of the slips with the bounds of loaded ones replaced by their tangents at these forces, and the sums of the
    /// magnitudes of their terms. `None` where the tangents determine no forces.
    fn replaced(&self, forces: &Forces<R, W>, tangents: bool) -> Option<(Sliding<R, W>, [f64; W])> {
        let reduced = self.reduced;
        let multipliers = reduced.multipliers_under(forces);
        let bounds = reduced.bounds_under(&multipliers);
        let (mut sliding, mut terms) = (self.sliding, [0.0; W]);
        for k in self.rows() {
            let Law::Loaded { bound } = reduced.law(k) else { continue };
            let (bound, against) = (bounds[bound], R::from_f64(-self.phases.direction(k)));
            sliding.known[k] = against * bound.value;
            terms[k] = bound.value.to_f64().abs();
            if !tangents {
                continue;
            }
            for i in 0..C {
                terms[k] += bound.slope[i].to_f64().abs() * reduced.multiplier_terms(i, forces);
            }
            for (l, &force) in forces.iter().enumerate().take(reduced.count) {
                let slope =
                    (0..C).fold(R::ZERO, |sum, i| sum + against * bound.slope[i] * reduced.multipliers[(i, l + 1)]);
                sliding.slope[k][l] = slope;
                sliding.known[k] -= slope * force;
            }
        }
        if tangents {
            resolved(sliding, reduced.count, self.loaded).map(|sliding| (sliding, terms))
        } else {
            Some((sliding, terms))
        }
    }
}

/// The forces of slips as functions of those of the other rows alone. The slips `loaded` depend on each other. `None` where this
/// determines no forces.
fn resolved<R: Scalar, const W: usize>(mut sliding: Sliding<R, W>, count: usize, loaded: u64) -> Option<Sliding<R, W>> {
    let rows = || (0..count).filter(|k| loaded >> k & 1 == 1);
    // A loaded slip may depend on another slip that depends on the force of a contact. No loaded slip stands beside a contact, so
    // that the forces of other slips are known here.
    for k in rows() {
        for l in (0..count).filter(|l| loaded >> l & 1 == 0) {
            let known = sliding.known[l];
            if known != R::ZERO {
                sliding.known[k] += sliding.slope[k][l] * known;
                sliding.slope[k][l] = R::ZERO;
            }
        }
    }
    let mut matrix = [[R::ZERO; W]; W];
    for k in rows() {
        for l in rows() {
            matrix[k][l] = if k == l { R::ONE } else { R::ZERO } - sliding.slope[k][l];
            sliding.slope[k][l] = R::ZERO;
        }
    }
    let mut left = loaded;
    let mut order = [(0_usize, 0_usize); W];
    let mut done = 0;
    for column in rows() {
        let size = |row: usize| matrix[row][column].to_f64().abs();
        let open = rows().filter(|row| left >> row & 1 == 1);
        let row = open.reduce(|best, row| if size(row) > size(best) { row } else { best })?;
        let scale = rows().fold(1.0_f64, |scale, l| scale.max(matrix[row][l].to_f64().abs()));
        // An entry that is not a number must not pass.
        if size(row) <= pivot::<R>() * scale || size(row).is_nan() {
            return None;
        }
        left &= !(1 << row);
        (order[done], done) = ((row, column), done + 1);
        for other in rows().filter(|&other| other != row) {
            let factor = matrix[other][column] / matrix[row][column];
            let above = (matrix[row], sliding.slope[row], sliding.known[row]);
            matrix[other].iter_mut().zip(above.0).for_each(|(entry, above)| *entry -= factor * above);
            sliding.slope[other].iter_mut().zip(above.1).for_each(|(entry, above)| *entry -= factor * above);
            sliding.known[other] -= factor * above.2;
        }
    }
    let solved = sliding;
    for &(row, column) in &order[..done] {
        let own = matrix[row][column];
        sliding.known[column] = solved.known[row] / own;
        sliding.slope[column] = solved.slope[row].map(|entry| entry / own);
    }
    Some(sliding)
}
