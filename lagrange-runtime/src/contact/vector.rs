//! Frictions whose slips are vectors, |f| ≤ b: the forces in known phases, and the rule that decides between sticking and slipping.
//!
//! Where such a friction slips, f = −b s/|s|. Just after it began to slip, s/|s| is not known to any accuracy, and the force changes
//! with s at the rate b/|s|. So s turns into the direction of its own acceleration w = c + D f at once, and f = −b w/|w| determines the
//! force without s. It is the f that makes ½ fᵀD f + cᵀf least among all |f| ≤ b.
//!
//! The forces of several frictions at rest make the same function least, over the intervals |f| ≤ b of scalar slips and the discs |f| ≤ b
//! of vectors together: Coulomb's law for w is the condition for this minimum. Where D is positive definite, there is one minimum. Each
//! round minimizes exactly over one friction after the other, and the number of rounds is bounded. Source: J. J. Moreau, *Unilateral contact and dry friction in
//! finite freedom dynamics*, CISM 302, 1988 (the principle of maximal dissipation); J. J. Moré, D. C. Sorensen, *Computing a trust region
//! step*, SIAM J. Sci. Stat. Comput. 4, 1983 (the minimum over one disc).
//!
//! A constraint may prevent some motions of a slip, as those of a puck across its table. D is 0 along them, and no friction acts there.

mod beginning;
mod decide;
mod disc;

use super::laws::{Level, MAX_COMPONENTS};
use super::phases::Phases;
use super::reduced::{BAND, ROUNDINGS, Reduced, pivot, terms};
use crate::error::SingularMass;
use crate::quantities::Law;
use crate::scalar::Scalar;
use core::ops::Range;
use disc::{Axes, Disc};
use nalgebra::SVector;

/// The most rounds over all frictions at rest.
const ROUNDS: u32 = 20_000;

/// A change of the forces that a round does not reduce any more counts as rounding below this part of them.
const STAGNANT: f64 = 1e-10;

/// The most rounds that find bounds which contain multipliers.
const LOADS: u32 = 200;

/// The rounds behind the last change of a value, in which derivatives settle as well.
const SETTLING: u32 = 2;

/// The distance from which repetition must come back, relative to the terms of the bounds. It is far beyond rounding, and within the branch of a bound.
const NEARBY: f64 = 1e-4;

/// The rounds within which repetition must come nearer. So many let the growth of a few rounds end, which bounds that depend on each other may have.
const RETURNING: u32 = 16;

/// A slip rate has a direction where it is larger by this factor than its rounding, and than the error that step control accepts in it.
const KNOWN: f64 = 64.0;

/// Under step control, a slip comes to rest where its rate falls below this multiple of its rounding, or of the error that is accepted
/// in it.
const RESTING: f64 = 16.0;

/// D is symmetric up to so many roundings.
const SKEW: f64 = 64.0;

type Forces<R, const W: usize> = [R; W];
type Square<R, const W: usize> = [Forces<R, W>; W];

/// The frictions whose forces are sought between their bounds.
struct Bounded<R, const W: usize> {
    /// The rows, in order, and how many there are.
    rows: [usize; W],
    count: usize,
    /// w of these rows without their forces, and its change by these.
    free: Forces<R, W>,
    compliance: Square<R, W>,
    /// The sum of the magnitudes of the terms of `free`.
    terms: [f64; W],
}

/// The arguments of each search.
#[derive(Clone, Copy)]
struct Known<'n, R, const W: usize> {
    phases: Phases,
    /// The frictions whose forces stay within their bounds, by first rows, one bit each.
    bounded: u64,
    /// The motion of the rows without their forces.
    level: &'n Level<R, W>,
    /// The names of the rows.
    names: &'n [&'static str],
}

/// The end of a search for bounds that depend on the forces.
struct Search<R, const W: usize> {
    found: Found<R, W>,
    /// Whether some bound depends on the forces of frictions.
    is_coupled: bool,
}

/// The forces of all rows.
struct Found<R, const W: usize> {
    forces: Forces<R, W>,
    /// The first rows of the frictions whose forces are at their bounds, one bit each.
    at_bound: u64,
}

/// The directions of the forces that hold sticking frictions, and the factors L Δ Lᵀ of D restricted to these directions.
struct Held<R, const W: usize> {
    count: usize,
    directions: Square<R, W>,
    /// Δ on the diagonal, and L below it.
    factors: Square<R, W>,
}

/// The errors that step control accepts in velocities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VelocityTolerance<R: Scalar, const N: usize> {
    /// The absolute tolerance of each velocity.
    pub(crate) absolute: SVector<R, N>,
    /// The relative tolerance of each velocity.
    pub(crate) relative: SVector<R, N>,
}

/// Whether the slip of a friction with one of these laws is a vector.
pub(crate) fn has_vectors(laws: &[Law]) -> bool {
    laws.iter().any(|law| law.vector().is_some())
}

/// Whether a slip that is a vector goes on.
pub(crate) fn vector_slips(laws: &[Law], phases: Phases) -> bool {
    laws.iter().any(|law| law.vector().is_some_and(|(first, _)| !phases.sticks(first)))
}

/// The part of D that is not symmetric, (D − Dᵀ)/2. `None` where it is rounding.
pub(super) fn skew<R: Scalar, const W: usize>(compliance: &Square<R, W>, count: usize) -> Option<Square<R, W>> {
    let (mut skew, mut is_even) = ([[R::ZERO; W]; W], true);
    let half = R::from_f64(0.5);
    for k in 0..count {
        for l in 0..count {
            skew[k][l] = (compliance[k][l] - compliance[l][k]) * half;
            let own = (compliance[k][k] * compliance[l][l]).to_f64().abs();
            is_even &= skew[k][l].to_f64().abs() <= SKEW * R::EPSILON * own.sqrt();
        }
    }
    (!is_even).then_some(skew)
}

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'_, R, N, C, W> {
    /// Whether the slip of a friction is a vector.
    pub(crate) fn has_vectors(&self) -> bool {
        has_vectors(self.laws)
    }

    /// The rows of the friction of row `k`.
    pub(crate) fn rows_of(&self, k: usize) -> Range<usize> {
        let (first, size) = self.law(k).vector().unwrap_or((k, 1));
        first..first + size
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
        match self.law(k).vector() {
            Some(_) => Scalar::sqrt(self.rows_of(k).fold(R::ZERO, |sum, row| sum + x(row) * x(row))),
            None => x(k),
        }
    }

    /// The slip rate of a scalar slip, and the magnitude of that of a vector.
    pub(crate) fn speed(&self, k: usize) -> f64 {
        self.length(k, |row| self.rows[row].rate).to_f64()
    }

    /// The magnitudes of the terms of a slip rate.
    pub(crate) fn terms_of(&self, k: usize, v: &SVector<R, N>) -> f64 {
        self.rows_of(k).fold(0.0, |sum, row| sum + terms(&self.rows[row], v))
    }

    /// The magnitude of a slip rate that is rounding.
    pub(crate) fn rounding_of(&self, k: usize, v: &SVector<R, N>) -> f64 {
        ROUNDINGS * R::EPSILON * self.terms_of(k, v)
    }

    /// The magnitude below which a slip rate has no direction: its rounding, or the error that step control accepts in it.
    ///
    /// The force has the direction of the slip rate, and turns it with the time constant |s|/(b D). Explicit steps that are longer keep
    /// the rate within the tolerance, but give it a random direction, so that the slip neither comes to rest nor turns.
    pub(crate) fn unresolved(&self, k: usize, v: &SVector<R, N>, tolerance: Option<&VelocityTolerance<R, N>>) -> f64 {
        let accepted = tolerance.map_or(0.0, |VelocityTolerance { absolute, relative }| {
            let of = |row: usize, i: usize| {
                let part = absolute[i].to_f64() + relative[i].to_f64() * v[i].to_f64().abs();
                self.rows[row].direction[i].to_f64().abs() * part
            };
            self.rows_of(k).fold(0.0, |sum, row| (0..N).fold(sum, |sum, i| sum + of(row, i)))
        });
        accepted.max(self.rounding_of(k, v))
    }

    /// Whether a slip rate is so small that the friction comes to rest.
    pub(crate) fn rests(&self, k: usize, v: &SVector<R, N>, tolerance: Option<&VelocityTolerance<R, N>>) -> bool {
        let accepted = if tolerance.is_some() { RESTING * self.unresolved(k, v, tolerance) } else { 0.0 };
        self.speed(k) <= accepted.max(self.rounding_of(k, v))
    }

    /// The magnitude of the force of a friction, and its bound.
    pub(crate) fn force_and_bound(&self, k: usize, forces: &Forces<R, W>) -> (f64, f64) {
        (self.length(k, |row| forces[row]).to_f64().abs(), self.limit(k, forces).to_f64())
    }

    /// Removes the parts that constraints prevent from the slip rates that are vectors. Such a part is the error with which the velocity
    /// meets the constraints, and no friction brings it to rest.
    pub(super) fn drop_prevented_rates(&mut self) {
        for first in 0..self.count {
            let rows = self.rows_of(first);
            if rows.len() == 1 || rows.start != first {
                continue;
            }
            let axes = Axes::of(rows.len(), &self.block(rows.clone()));
            for j in (0..rows.len()).filter(|&j| !axes.is_free(j)) {
                let along = rows
                    .clone()
                    .enumerate()
                    .fold(R::ZERO, |sum, (i, row)| sum + axes.vectors[i][j] * self.rows[row].rate);
                for (i, row) in rows.clone().enumerate() {
                    self.rows[row].rate -= along * axes.vectors[i][j];
                }
            }
        }
    }

    /// Whether the force of a sticking row is allowed: by the bound of a friction at rest, and by the law of any other row.
    pub(super) fn is_within(&self, k: usize, forces: &Forces<R, W>, level: &Level<R, W>) -> bool {
        match self.law(k) {
            Law::Friction | Law::Loaded { .. } | Law::Vector { .. } => {
                let (force, bound) = self.force_and_bound(k, forces);
                force <= bound + BAND * bound
            }
            Law::Contact { .. } | Law::Slip { .. } | Law::VectorSlip { .. } | Law::Latch { .. } => {
                self.is_allowed(k, forces, level)
            }
        }
    }

    /// The frictions with vectors that begin to slip in these phases, by first rows.
    fn beginning(&self, phases: Phases) -> u64 {
        let begins = |k: &usize| self.law(*k).vector().is_some() && phases.begins(*k) && self.acts_in(phases, *k);
        self.firsts().filter(begins).fold(0, |set, k| set | 1 << k)
    }

    /// The forces in given phases.
    ///
    /// # Errors
    /// [`SingularMass`] names a sticking friction that the others make redundant.
    pub(super) fn forces_beside_vectors(
        &self,
        phases: Phases,
        level: &Level<R, W>,
        names: &[&'static str],
    ) -> Result<Forces<R, W>, SingularMass> {
        Ok(self.balanced(Known { phases, bounded: self.beginning(phases), level, names })?.forces)
    }

    /// The forces, where those of the frictions `bounded`, by first rows, stay within their bounds, other sticking rows are held
    /// by any force, and the rest slip.
    ///
    /// Bounds that contain multipliers or forces of contacts depend on the forces, and these on the bounds: b = Ψ(b). The search is first one with secants, and then, where this
    /// one fails, plain repetition. Bounds that the search finds are accepted if repetition from nearby values comes back to them. Otherwise other bounds obey the law as well.
    fn balanced(&self, known: Known<'_, R, W>) -> Result<Found<R, W>, SingularMass> {
        if const { C == 0 } && !self.has_contact_slips() {
            return self.balanced_under(&self.limits(&[R::ZERO; W], known.level), known);
        }
        let search = match self.search(known, true)? {
            Ok(search) => search,
            Err(_) => {
                self.search(known, false)?.map_err(|moving| SingularMass::of_contact(moving, known.names, false))?
            }
        };
        if search.is_coupled {
            self.check_contraction(&search.found.forces, known)?;
        }
        Ok(search.found)
    }

    /// Whether the bound of a friction is that of the force of a contact.
    fn has_contact_slips(&self) -> bool {
        self.laws.iter().any(|law| law.contact().is_some())
    }

    /// The bounds of all frictions under these forces, at their first rows. On a pressed level the forces are N + a already.
    fn limits(&self, forces: &Forces<R, W>, level: &Level<R, W>) -> Forces<R, W> {
        let mut limits = [R::ZERO; W];
        for k in self.firsts() {
            limits[k] = match self.law(k).contact().filter(|_| level.is_pressed) {
                Some(contact) => self.rows[k].bound * Scalar::max(forces[contact], R::ZERO),
                None => self.limit(k, forces),
            };
        }
        limits
    }

    /// Searches the b with b = Ψ(b), by b + ω (Ψ(b) − b). Where the frictions do not press on the constraints, Ψ is constant and the first round ends the search.
    /// Otherwise ω is 1 in a repetition, and with secants it follows from the last two residuals r = Ψ(b) − b, as ω' = −ω r₀·(r − r₀)/|r − r₀|², where each residual
    /// is divided by the first terms of its bound (B. Irons, R. Tuck, *A version of the Aitken accelerator for computer iteration*, Int. J. Numer. Methods Eng. 1, 1969).
    /// The inner error is the friction whose bound moved most when the rounds were spent.
    fn search(&self, known: Known<'_, R, W>, secants: bool) -> Result<Result<Search<R, W>, usize>, SingularMass> {
        let mut bounds = self.limits(&[R::ZERO; W], known.level);
        let mut found = self.balanced_under(&bounds, known)?;
        if self.has_contact_slips() {
            // The forces of contacts without friction. Where friction does not press on contacts, these are their forces with friction.
            bounds = self.limits(&found.forces, known.level);
            found = self.balanced_under(&bounds, known)?;
        }
        let scales: [f64; W] = core::array::from_fn(|k| {
            let terms = if k < self.count { self.limit_terms(k, &found.forces) } else { 0.0 };
            if terms > 0.0 { terms } else { 1.0 }
        });
        let (mut last, mut moving, mut settled) = (f64::INFINITY, 0, 0);
        let (mut factor, mut before): (f64, Option<[f64; W]>) = (1.0, None);
        for _ in 0..LOADS {
            let limits = self.limits(&found.forces, known.level);
            let (mut change, mut residual) = (0.0_f64, [0.0; W]);
            for k in self.firsts() {
                residual[k] = (limits[k] - bounds[k]).to_f64();
                if !residual[k].is_finite() {
                    return Ok(Err(k));
                }
                let part = residual[k].abs() / self.limit_terms(k, &found.forces);
                if residual[k] != 0.0 && part > change {
                    (change, moving) = (part, k);
                }
                residual[k] /= scales[k];
            }
            if change <= 4.0 * R::EPSILON || change <= STAGNANT && change >= last {
                // Derivatives are behind the values by a round.
                if before.is_none() || settled == SETTLING {
                    return Ok(Ok(Search { found, is_coupled: before.is_some() }));
                }
                settled += 1;
            }
            last = change;
            if let Some(before) = before.filter(|_| secants && settled == 0) {
                let turned = |k: usize| residual[k] - before[k];
                let square = (0..W).fold(0.0, |sum, k| sum + turned(k) * turned(k));
                let along = (0..W).fold(0.0, |sum, k| sum + before[k] * turned(k));
                if square > 0.0 {
                    factor *= -along / square;
                }
            }
            before = Some(residual);
            self.firsts().for_each(|k| bounds[k] += R::from_f64(factor) * (limits[k] - bounds[k]));
            found = self.balanced_under(&bounds, known)?;
        }
        Ok(Err(moving))
    }

    /// Fails where repetition from nearby does not come back to these forces: then other forces obey the law too, as with Painlevé's rod.
    fn check_contraction(&self, forces: &Forces<R, W>, known: Known<'_, R, W>) -> Result<(), SingularMass> {
        let limits = self.limits(forces, known.level);
        let mut bounds = limits;
        let (mut first, mut moving) = (0.0, 0);
        for k in self.firsts() {
            let terms = self.limit_terms(k, forces);
            bounds[k] += R::from_f64(NEARBY * terms);
            first += if terms > 0.0 { NEARBY } else { 0.0 };
        }
        for round in 0..RETURNING {
            let next = self.limits(&self.balanced_under(&bounds, known)?.forces, known.level);
            let (mut distance, mut most) = (0.0, 0.0);
            for k in self.firsts() {
                let away = (next[k] - limits[k]).to_f64().abs();
                let part = if away == 0.0 { 0.0 } else { away / self.limit_terms(k, forces) };
                distance += part;
                if part > most {
                    (most, moving) = (part, k);
                }
            }
            // NaN is no way back either; what is not finite is found elsewhere.
            if distance <= STAGNANT * NEARBY {
                return Ok(());
            }
            if round + 1 == RETURNING && distance >= first {
                return Err(SingularMass::of_contact(moving, known.names, true));
            }
            bounds = next;
        }
        Ok(())
    }

    /// The forces of [`Reduced::balanced`] with these bounds, at the first rows.
    fn balanced_under(
        &self,
        bounds: &Forces<R, W>,
        Known { phases, bounded, level, names }: Known<'_, R, W>,
    ) -> Result<Found<R, W>, SingularMass> {
        let known = self.slipping((phases, level), bounded, bounds);
        let held = match self.held(phases, bounded, names) {
            // Rows that depend on each other share their load, where contacts bear it.
            Err(dependent) if !self.has_contact_slips() => return Err(dependent),
            held => held.ok(),
        };
        let shared = self.sticking(phases) & !self.all_rows(bounded);
        let hold = |right: &Forces<R, W>, terms: &dyn Fn(usize) -> f64| match &held {
            Some(held) => Ok(held.forces(right)),
            None => {
                let all = (right, &core::array::from_fn(terms));
                self.solve_held(shared, &[[R::ZERO; W]; W], all, names).map(|shared| shared.forces)
            }
        };
        let driven = |free: R, k: usize, forces: &Forces<R, W>| {
            (0..self.count).fold(free, |sum, l| sum + self.compliance[k][l] * forces[l])
        };
        let reach = |k: usize| if k < self.count { self.reach(k, &known, level) } else { 0.0 };
        let right = core::array::from_fn(|k| if k < self.count { -driven(level.free[k], k, &known) } else { R::ZERO });
        let holding = hold(&right, &reach)?;
        let base: Forces<R, W> = core::array::from_fn(|k| known[k] + holding[k]);
        if bounded == 0 {
            return Ok(Found { forces: base, at_bound: 0 });
        }
        let mut sought =
            Bounded { rows: [0; W], count: 0, free: [R::ZERO; W], compliance: [[R::ZERO; W]; W], terms: [0.0; W] };
        let mut answers = [[R::ZERO; W]; W];
        for k in (0..self.count).filter(|&k| bounded >> self.first_of(k) & 1 == 1) {
            (sought.rows[sought.count], sought.count) = (k, sought.count + 1);
        }
        for (j, &l) in sought.rows[..sought.count].iter().enumerate() {
            let own = |k: usize| self.compliance[k][l].to_f64().abs();
            answers[j] = hold(&core::array::from_fn(|k| -self.compliance[k][l]), &own)?;
            answers[j][l] += R::ONE;
        }
        for (i, &k) in sought.rows[..sought.count].iter().enumerate() {
            sought.free[i] = driven(level.free[k], k, &base);
            sought.terms[i] = self.reach(k, &base, level);
            for (entry, answer) in sought.compliance[i].iter_mut().zip(&answers).take(sought.count) {
                *entry = driven(R::ZERO, k, answer);
            }
        }
        let (found, at_bound) = self.least(&sought, bounds, names)?;
        let forces = core::array::from_fn(|k| (0..sought.count).fold(base[k], |sum, j| sum + answers[j][k] * found[j]));
        Ok(Found { forces, at_bound })
    }

    /// The sticking frictions that are not among `bounded`. Along a motion of its slip that constraints prevent, a friction is not held.
    fn held(&self, phases: Phases, bounded: u64, names: &[&'static str]) -> Result<Held<R, W>, SingularMass> {
        let mut held = Held { count: 0, directions: [[R::ZERO; W]; W], factors: [[R::ZERO; W]; W] };
        for k in self.firsts().filter(|&k| phases.sticks(k) && bounded >> k & 1 == 0) {
            let rows = self.rows_of(k);
            let axes = Axes::of(rows.len(), &self.block(rows.clone()));
            for j in (0..rows.len()).filter(|&j| axes.is_free(j)) {
                let direction = &mut held.directions[held.count];
                rows.clone().enumerate().for_each(|(i, row)| direction[row] = axes.vectors[i][j]);
                held.count += 1;
                let (left, own) = held.extend(&self.compliance);
                if left.to_f64() <= pivot::<R>() * own.to_f64() {
                    return Err(SingularMass::of_dependent_contact(k, names, left.to_f64()));
                }
            }
        }
        Ok(held)
    }

    /// All rows of the frictions with these first rows, one bit each.
    fn all_rows(&self, firsts: u64) -> u64 {
        (0..self.count).filter(|&k| firsts >> self.first_of(k) & 1 == 1).fold(0, |set, k| set | 1 << k)
    }

    /// The block of D of these rows.
    fn block(&self, rows: Range<usize>) -> Square<R, MAX_COMPONENTS> {
        let mut block = [[R::ZERO; MAX_COMPONENTS]; MAX_COMPONENTS];
        for (i, row) in rows.clone().enumerate() {
            rows.clone().enumerate().for_each(|(j, column)| block[i][j] = self.compliance[row][column]);
        }
        block
    }

    /// The forces −b s/|s| of the frictions that slip, with these bounds. In an impact a bounded force has no impulse.
    fn slipping(&self, (phases, level): (Phases, &Level<R, W>), bounded: u64, bounds: &Forces<R, W>) -> Forces<R, W> {
        let mut known = [R::ZERO; W];
        let acts = |k: usize| match self.law(k) {
            Law::Friction | Law::Loaded { .. } | Law::Vector { .. } => !level.is_impact,
            Law::Slip { .. } | Law::VectorSlip { .. } => self.acts_in(phases, k),
            Law::Contact { .. } | Law::Latch { .. } => false,
        };
        for k in self.firsts().filter(|&k| !phases.sticks(k) && bounded >> k & 1 == 0 && acts(k)) {
            let bound = bounds[k];
            match self.law(k) {
                Law::Vector { .. } | Law::VectorSlip { .. } => {
                    let speed = self.length(k, |row| self.rows[row].rate);
                    for row in self.rows_of(k) {
                        // Without a slip rate there is no direction, and none is made up.
                        let part = self.rows[row].rate / speed;
                        known[row] = if speed.to_f64() == 0.0 { R::ZERO } else { -(bound * part) };
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
        sought: &Bounded<R, W>,
        bounds: &Forces<R, W>,
        names: &[&'static str],
    ) -> Result<(Forces<R, W>, u64), SingularMass> {
        let Bounded { rows, count, free, compliance, terms } = sought;
        let block_at = |first: usize| first..first + self.rows_of(rows[first]).len();
        let mut discs: [Option<Disc<R>>; W] = [const { None }; W];
        let mut first = 0;
        while first < *count {
            let block = block_at(first);
            let mut matrix = [[R::ZERO; MAX_COMPONENTS]; MAX_COMPONENTS];
            for (i, row) in block.clone().enumerate() {
                block.clone().enumerate().for_each(|(j, column)| matrix[i][j] = compliance[row][column]);
            }
            let bound = bounds[rows[first]];
            // A bound that is NaN gives forces that are NaN.
            let bound = if bound.to_f64() < 0.0 { R::ZERO } else { bound };
            discs[first] = Some(Disc::new(block.len(), matrix, bound));
            first = block.end;
        }
        let (mut found, mut last, mut moving) = ([R::ZERO; W], f64::INFINITY, rows[0]);
        for _ in 0..ROUNDS {
            let (mut at_bound, mut change) = (0_u64, 0.0_f64);
            for (first, disc) in discs.iter().enumerate() {
                let Some(disc) = disc else { continue };
                let (k, block) = (rows[first], block_at(first));
                let mut slope = [R::ZERO; MAX_COMPONENTS];
                for (i, row) in block.clone().enumerate() {
                    let others = (0..*count).filter(|j| !block.contains(j));
                    slope[i] = others.fold(free[row], |sum, j| sum + compliance[row][j] * found[j]);
                }
                let size = block.clone().fold(0.0, |sum, row| sum + terms[row]);
                let (force, is_at_bound) = disc.least(&slope, size);
                at_bound |= u64::from(is_at_bound) << k;
                for (i, row) in block.enumerate() {
                    let moved = (compliance[row][row] * (force[i] - found[row])).to_f64().abs();
                    let scale =
                        (0..*count).fold(terms[row], |sum, j| sum + (compliance[row][j] * found[j]).to_f64().abs());
                    if moved > 0.0 && moved / scale > change {
                        (change, moving) = (moved / scale, k);
                    }
                    found[row] = force[i];
                }
            }
            let alone = block_at(0).end == *count;
            let stagnates = change <= STAGNANT && change >= last;
            if alone || change <= 4.0 * R::EPSILON || stagnates {
                return Ok((found, at_bound));
            }
            last = change;
        }
        Err(SingularMass::of_dependent_contact(moving, names, 0.0))
    }
}

impl<R: Scalar, const W: usize> Held<R, W> {
    /// Adds the last direction to the factors. Returns its pivot, and the entry of D on the diagonal of which the pivot is left.
    fn extend(&mut self, compliance: &Square<R, W>) -> (R, R) {
        let n = self.count - 1;
        let along = |a: &Forces<R, W>, b: &Forces<R, W>| {
            let mut sum = R::ZERO;
            for (row, entries) in compliance.iter().enumerate() {
                for (column, &entry) in entries.iter().enumerate() {
                    if a[row] != R::ZERO && b[column] != R::ZERO {
                        sum += a[row] * entry * b[column];
                    }
                }
            }
            sum
        };
        let own = along(&self.directions[n], &self.directions[n]);
        let mut pivot = own;
        for k in 0..n {
            let entry = along(&self.directions[n], &self.directions[k]);
            let rest =
                (0..k).fold(entry, |rest, l| rest - self.factors[n][l] * self.factors[k][l] * self.factors[l][l]);
            self.factors[n][k] = rest / self.factors[k][k];
            pivot -= self.factors[n][k] * rest;
        }
        self.factors[n][n] = pivot;
        (pivot, own)
    }

    /// The forces on all rows that act along the directions, and change w by as much as `right` along each direction.
    fn forces(&self, right: &Forces<R, W>) -> Forces<R, W> {
        let mut y = [R::ZERO; W];
        for a in 0..self.count {
            let own = (0..W).fold(R::ZERO, |sum, row| sum + self.directions[a][row] * right[row]);
            y[a] = (0..a).fold(own, |rest, b| rest - self.factors[a][b] * y[b]);
        }
        for a in (0..self.count).rev() {
            let own = y[a] / self.factors[a][a];
            y[a] = (a + 1..self.count).fold(own, |rest, b| rest - self.factors[b][a] * y[b]);
        }
        core::array::from_fn(|row| (0..self.count).fold(R::ZERO, |sum, a| sum + self.directions[a][row] * y[a]))
    }
}
