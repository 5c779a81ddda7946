//! Frictions whose slips are vectors, |f| ≤ b: the forces in known phases, and the rule that decides between sticking and slipping.
//!
//! Where such a friction slips, f = −b s/|s|. Just after it began to slip, s/|s| is not known to any accuracy. The slip rate then turns
//! towards its own acceleration at the rate b D/|s|, which is without bound as s → 0. So w = c + D f has the direction of s in
//! the limit, and f = −b w/|w| determines the force without s. It is the f that makes ½ fᵀD f + cᵀf least among all |f| ≤ b.
//!
//! The same least value, over the intervals |f| ≤ b of scalar slips and the discs |f| ≤ b of vectors, gives the forces of all frictions at
//! rest: Coulomb's law for w is the condition for it. Where D is positive definite, there is one. It is sought by exact minimization over
//! one friction after the other, and the number of rounds is bounded. Source: J. J. Moreau, *Unilateral contact and dry friction in
//! finite freedom dynamics*, CISM 302, 1988 (the principle of maximal dissipation); J. J. Moré, D. C. Sorensen, *Computing a trust region
//! step*, SIAM J. Sci. Stat. Comput. 4, 1983 (the minimum over one disc).

#[cfg(test)]
mod tests;

use super::phases::Phases;
use super::reduced::{BAND, Motion, PIVOT, Reduced, terms};
use crate::error::SingularMass;
use crate::limits::MAX_CONTACTS;
use crate::scalar::Scalar;
use crate::system::{Contact, Law};
use core::ops::Range;
use nalgebra::SVector;

/// The most rounds over all frictions at rest.
const ROUNDS: u32 = 20_000;

/// The most of Newton's iterations for one disc. They converge monotonically, and a few suffice.
const ITERATIONS: u32 = 200;

/// The most rounds of Jacobi's rotations for one disc.
const ROTATIONS: u32 = 30;

/// A change of the forces that a round does not reduce any more counts as rounding below this part of them.
const STAGNANT: f64 = 1e-10;

/// The slip rate, relative to 1 plus the magnitudes of its terms, below which a friction that began to slip has the force that does
/// not depend on its slip rate.
const START: f64 = 1e-6;

/// The force of a friction that begins to slip may be below its bound by this part of the bound before the friction counts as at rest
/// again.
const RESTS: f64 = 1e-9;

type Forces<R> = [R; MAX_CONTACTS];
type Square<R> = [Forces<R>; MAX_CONTACTS];

/// The frictions whose forces are sought between their bounds.
struct Bounded<R> {
    /// The rows, in order, and how many there are.
    rows: [usize; MAX_CONTACTS],
    count: usize,
    /// w of these rows without their forces, and its change by these.
    free: Forces<R>,
    compliance: Square<R>,
    /// The sum of the magnitudes of the terms of `free`.
    terms: [f64; MAX_CONTACTS],
}

/// The forces of all rows.
struct Found<R> {
    forces: Forces<R>,
    /// The first rows of the frictions whose forces are at their bounds, one bit each.
    at_bound: u8,
}

impl<R: Scalar, const N: usize, const C: usize> Reduced<'_, R, N, C> {
    /// Whether a slip is a vector.
    pub(crate) fn has_vectors(&self) -> bool {
        self.laws.iter().any(|law| matches!(law, Law::Vector { .. }))
    }

    /// The rows of the friction of row `k`.
    pub(crate) fn rows_of(&self, k: usize) -> Range<usize> {
        match self.law(k) {
            Law::Vector { first, size, .. } => first..first + size,
            _ => k..k + 1,
        }
    }

    /// The first row of the friction of row `k`. The friction has its phase there.
    pub(crate) fn first_of(&self, k: usize) -> usize {
        self.rows_of(k).start
    }

    /// The first rows of all frictions and contacts.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.count).filter(|&k| self.first_of(k) == k)
    }

    /// |x|, over the rows of the friction of row `k`; x itself for a scalar slip.
    pub(crate) fn length(&self, k: usize, x: impl Fn(usize) -> R) -> R {
        match self.law(k) {
            Law::Vector { .. } => {
                Scalar::sqrt(self.rows_of(k).fold(R::ZERO, |sum, row| sum + x(row) * x(row)))
            }
            _ => x(k),
        }
    }

    /// The slip rate of a scalar slip, and the magnitude of that of a vector.
    pub(crate) fn speed(&self, k: usize) -> f64 {
        self.length(k, |row| self.contacts[row].rate).to_f64()
    }

    /// The magnitudes of the terms of a slip rate.
    pub(crate) fn terms_of(&self, k: usize, v: &SVector<R, N>) -> f64 {
        self.rows_of(k).fold(0.0, |sum, row| sum + terms(&self.contacts[row], v))
    }

    /// The magnitude of the force of a friction, and its bound.
    pub(crate) fn force_and_bound(&self, k: usize, forces: &Forces<R>) -> (f64, f64) {
        (self.length(k, |row| forces[row]).to_f64().abs(), self.limit(k, forces).to_f64())
    }

    /// Whether the friction of row `k`, whose slip is a vector, still begins to slip: its slip rate is small, and these forces, in which
    /// its force is sought within its bound, have it at its bound.
    pub(crate) fn begins(&self, k: usize, forces: &Forces<R>, v: &SVector<R, N>) -> bool {
        let (force, bound) = self.force_and_bound(k, forces);
        self.speed(k) <= START * self.slip_scale(k, v) && force >= bound - RESTS * bound
    }

    /// Whether a friction whose beginning has ended slips, and is not at rest again. The slip rate at which this is decided is far from
    /// the one at which a beginning ends, so that rounding does not matter.
    pub(crate) fn is_under_way(&self, k: usize, v: &SVector<R, N>) -> bool {
        self.speed(k) > START / 2.0 * self.slip_scale(k, v)
    }

    /// The slip rate to which a small one is compared.
    fn slip_scale(&self, k: usize, v: &SVector<R, N>) -> f64 {
        1.0 + self.terms_of(k, v)
    }

    /// b D, at most: the rate at which the direction of a slip turns, times its slip rate.
    pub(crate) fn turning(&self, k: usize) -> f64 {
        let trace = self.rows_of(k).fold(0.0, |sum, row| sum + self.compliance[row][row].to_f64());
        trace * self.limit(k, &[R::ZERO; MAX_CONTACTS]).to_f64()
    }

    /// Each row.
    pub(crate) fn every_contact(&self) -> &[Contact<R, N>; MAX_CONTACTS] {
        &self.contacts
    }

    /// Whether the force of a friction at rest is within its bound.
    pub(super) fn is_within(&self, k: usize, forces: &Forces<R>) -> bool {
        let (force, bound) = self.force_and_bound(k, forces);
        force <= bound + BAND * bound
    }

    /// The forces in given phases.
    ///
    /// # Errors
    /// [`SingularMass`] names a sticking friction that the others make redundant.
    pub(super) fn with_vectors(&self, phases: Phases, names: &[&'static str]) -> Result<Forces<R>, SingularMass> {
        let begins = |k: &usize| matches!(self.law(*k), Law::Vector { .. }) && phases.begins(*k);
        let bounded = self.firsts().filter(begins).fold(0, |set, k| set | 1 << k);
        Ok(self.balanced(phases, bounded, names)?.forces)
    }

    /// The phases and the forces at a state at which the frictions `at_rest`, by first rows, have no slip rate.
    ///
    /// # Errors
    /// [`SingularMass`] names a friction that the others at rest make redundant.
    pub(super) fn decide_vectors(
        &self,
        mut phases: Phases,
        at_rest: u8,
        names: &[&'static str],
    ) -> Result<Motion<R>, SingularMass> {
        let candidates = || self.firsts().filter(|k| at_rest >> k & 1 == 1);
        candidates().for_each(|k| phases.stick(k));
        let forces = self.with_vectors(phases, names)?;
        if candidates().all(|k| self.is_within(k, &forces)) {
            return Ok(Motion { phases, forces });
        }
        let begins = |k: &usize| matches!(self.law(*k), Law::Vector { .. }) && phases.begins(*k);
        let bounded = self.firsts().filter(begins).fold(at_rest, |set, k| set | 1 << k);
        let Found { forces, at_bound } = self.balanced(phases, bounded, names)?;
        for k in candidates().filter(|k| at_bound >> k & 1 == 1) {
            match self.law(k) {
                Law::Vector { .. } => phases.begin(k),
                _ => phases.slide(k, forces[k].to_f64() > 0.0),
            }
        }
        Ok(Motion { phases, forces: self.with_vectors(phases, names)? })
    }

    /// The forces where those of the frictions `bounded`, by first rows, are between their bounds, those of other sticking frictions have
    /// none, and the rest slip.
    fn balanced(&self, phases: Phases, bounded: u8, names: &[&'static str]) -> Result<Found<R>, SingularMass> {
        let (known, held) = (self.slipping(phases, bounded), self.sticking(phases) & !self.all_rows(bounded));
        let level = self.motion_level();
        let driven = |free: R, k: usize, forces: &Forces<R>| {
            (0..self.count).fold(free, |sum, l| sum + self.compliance[k][l] * forces[l])
        };
        let holding = self.solve(held, &core::array::from_fn(|k| -driven(self.free[k], k, &known)), names)?;
        let base: Forces<R> = core::array::from_fn(|k| known[k] + holding[k]);
        if bounded == 0 {
            return Ok(Found { forces: base, at_bound: 0 });
        }
        let mut sought = Bounded {
            rows: [0; MAX_CONTACTS],
            count: 0,
            free: [R::ZERO; MAX_CONTACTS],
            compliance: [[R::ZERO; MAX_CONTACTS]; MAX_CONTACTS],
            terms: [0.0; MAX_CONTACTS],
        };
        let mut answers = [[R::ZERO; MAX_CONTACTS]; MAX_CONTACTS];
        for k in (0..self.count).filter(|&k| bounded >> self.first_of(k) & 1 == 1) {
            (sought.rows[sought.count], sought.count) = (k, sought.count + 1);
        }
        for (j, &l) in sought.rows[..sought.count].iter().enumerate() {
            answers[j] = self.solve(held, &core::array::from_fn(|k| -self.compliance[k][l]), names)?;
            answers[j][l] += R::ONE;
        }
        for (i, &k) in sought.rows[..sought.count].iter().enumerate() {
            sought.free[i] = driven(self.free[k], k, &base);
            sought.terms[i] = self.reach(k, &base, &level);
            for j in 0..sought.count {
                sought.compliance[i][j] = driven(R::ZERO, k, &answers[j]);
            }
        }
        let (found, at_bound) = self.least(&sought, &base, names)?;
        let forces = core::array::from_fn(|k| {
            (0..sought.count).fold(base[k], |sum, j| sum + answers[j][k] * found[j])
        });
        Ok(Found { forces, at_bound })
    }

    /// All rows of the frictions with these first rows.
    fn all_rows(&self, firsts: u8) -> u8 {
        (0..self.count).filter(|&k| firsts >> self.first_of(k) & 1 == 1).fold(0, |set, k| set | 1 << k)
    }

    /// The forces −b s/|s| of the frictions that slip.
    fn slipping(&self, phases: Phases, bounded: u8) -> Forces<R> {
        let mut known = [R::ZERO; MAX_CONTACTS];
        for k in self.firsts().filter(|&k| !phases.sticks(k) && bounded >> k & 1 == 0) {
            let bound = self.limit(k, &known);
            match self.law(k) {
                Law::Vector { .. } => {
                    let speed = self.length(k, |row| self.contacts[row].rate);
                    for row in self.rows_of(k) {
                        // Without a slip rate there is no direction, and none is made up.
                        let part = self.contacts[row].rate / speed;
                        known[row] = if speed.to_f64() > 0.0 { -(bound * part) } else { R::ZERO };
                    }
                }
                _ => known[k] = bound * R::from_f64(-phases.direction(k)),
            }
        }
        known
    }

    /// The f of least ½ fᵀD f + cᵀf between the bounds, and the frictions whose forces are at their bounds.
    fn least(
        &self,
        sought: &Bounded<R>,
        base: &Forces<R>,
        names: &[&'static str],
    ) -> Result<(Forces<R>, u8), SingularMass> {
        let Bounded { rows, count, free, compliance, terms } = sought;
        let mut found = [R::ZERO; MAX_CONTACTS];
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let (mut at_bound, mut change, mut first) = (0_u8, 0.0_f64, 0);
            while first < *count {
                let k = rows[first];
                let size = self.rows_of(k).len();
                let block = first..first + size;
                let mut disc = Disc {
                    size,
                    matrix: [[R::ZERO; MAX_CONTACTS]; MAX_CONTACTS],
                    slope: [R::ZERO; MAX_CONTACTS],
                    terms: block.clone().fold(0.0, |sum, row| sum + terms[row]),
                };
                for (i, row) in block.clone().enumerate() {
                    let others = (0..*count).filter(|j| !block.contains(j));
                    disc.slope[i] = others.fold(free[row], |sum, j| sum + compliance[row][j] * found[j]);
                    for (j, column) in block.clone().enumerate() {
                        disc.matrix[i][j] = compliance[row][column];
                    }
                }
                let bound = self.limit(k, base);
                let bound = if bound.to_f64() > 0.0 { bound } else { R::ZERO };
                let (force, is_at_bound) = disc.least(bound);
                at_bound |= u8::from(is_at_bound) << k;
                for (i, row) in block.clone().enumerate() {
                    let moved = (compliance[row][row] * (force[i] - found[row])).to_f64().abs();
                    let scale = (0..*count).fold(terms[row], |sum, j| {
                        sum + (compliance[row][j] * found[j]).to_f64().abs()
                    });
                    if moved > 0.0 {
                        change = change.max(moved / scale);
                    }
                    found[row] = force[i];
                }
                first += size;
            }
            let alone = self.rows_of(rows[0]).len() == *count;
            let stagnates = change <= STAGNANT && change >= last;
            if alone || change <= 4.0 * R::EPSILON || stagnates {
                return Ok((found, at_bound));
            }
            last = change;
        }
        Err(SingularMass::of_contact(rows[0], names, true))
    }
}

/// ½ xᵀA x + gᵀx over |x| ≤ b.
struct Disc<R> {
    size: usize,
    /// A, symmetric and positive semidefinite.
    matrix: Square<R>,
    /// g, and the sum of the magnitudes of the terms of its entries.
    slope: Forces<R>,
    terms: f64,
}

impl<R: Scalar> Disc<R> {
    /// The x of the least value, and whether |x| = b with a slope outward. Of several x the shortest is taken.
    fn least(&self, bound: R) -> (Forces<R>, bool) {
        let (values, axes) = self.axes();
        let largest = values.iter().take(self.size).fold(0.0_f64, |largest, value| largest.max(value.to_f64()));
        let along: Forces<R> = core::array::from_fn(|j| {
            (0..self.size).fold(R::ZERO, |sum, i| sum + axes[i][j] * self.slope[i])
        });
        // Along an axis on which A is 0 to rounding, so is g: other frictions already hold that motion.
        let is_stiff = |j: usize| {
            values[j].to_f64() > PIVOT * largest || along[j].to_f64().abs() > Scalar::sqrt(R::EPSILON) * self.terms
        };
        let at = |multiplier: R, power: u32| -> Forces<R> {
            core::array::from_fn(|j| match j < self.size && is_stiff(j) {
                true => (0..power).fold(-along[j], |x, _| x / (values[j] + multiplier)),
                false => R::ZERO,
            })
        };
        let back = |x: &Forces<R>| -> Forces<R> {
            core::array::from_fn(|i| (0..self.size).fold(R::ZERO, |sum, j| sum + axes[i][j] * x[j]))
        };
        let dot = |a: &Forces<R>, b: &Forces<R>| (0..self.size).fold(R::ZERO, |sum, i| sum + a[i] * b[i]);
        let length = |x: &Forces<R>| Scalar::sqrt(dot(x, x));
        let mut x = at(R::ZERO, 1);
        // A comparison that is false for NaN.
        if length(&x).to_f64() <= bound.to_f64() {
            return (back(&x), false);
        }
        if bound.to_f64() <= 0.0 {
            return ([R::ZERO; MAX_CONTACTS], true);
        }
        // Newton's iteration for 1/|x(μ)| = 1/b with x(μ) = −(A + μ)⁻¹ g rises to its solution.
        let steep = length(&along) / bound;
        let mut multiplier = if steep.to_f64() > largest { steep - R::from_f64(largest) } else { R::ZERO };
        for _ in 0..ITERATIONS {
            x = at(multiplier, 1);
            let excess = (length(&x) - bound) / bound;
            if excess.to_f64().abs() <= 4.0 * R::EPSILON {
                break;
            }
            multiplier += dot(&x, &x) / dot(&x, &at(multiplier, 2)) * excess;
        }
        let shorten = bound / length(&x);
        (back(&x).map(|entry| entry * shorten), true)
    }

    /// The eigenvalues of A, and its eigenvectors as columns, by Jacobi's rotations.
    fn axes(&self) -> (Forces<R>, Square<R>) {
        let (n, mut a) = (self.size, self.matrix);
        let mut axes: Square<R> =
            core::array::from_fn(|i| core::array::from_fn(|j| if i == j { R::ONE } else { R::ZERO }));
        for _ in 0..ROTATIONS {
            let mut rotated = false;
            for p in 0..n {
                for q in p + 1..n {
                    let size = (a[p][p] * a[q][q]).to_f64().abs();
                    let (entry, twice) = (a[p][q], a[p][q] + a[p][q]);
                    if (entry * entry).to_f64() <= R::EPSILON * R::EPSILON * size || entry == R::ZERO {
                        continue;
                    }
                    rotated = true;
                    let ratio = (a[q][q] - a[p][p]) / twice;
                    let root = Scalar::sqrt(ratio * ratio + R::ONE);
                    let tangent =
                        if ratio.to_f64() < 0.0 { -(R::ONE / (root - ratio)) } else { R::ONE / (root + ratio) };
                    let cosine = R::ONE / Scalar::sqrt(tangent * tangent + R::ONE);
                    let sine = tangent * cosine;
                    let turn = |first: R, second: R| (cosine * first - sine * second, sine * first + cosine * second);
                    for row in a.iter_mut().take(n).chain(axes.iter_mut().take(n)) {
                        (row[p], row[q]) = turn(row[p], row[q]);
                    }
                    for column in 0..n {
                        (a[p][column], a[q][column]) = turn(a[p][column], a[q][column]);
                    }
                }
            }
            if !rotated {
                break;
            }
        }
        (core::array::from_fn(|j| if a[j][j].to_f64() > 0.0 { a[j][j] } else { R::ZERO }), axes)
    }
}
