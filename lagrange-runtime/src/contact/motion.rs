//! The equations in the known phases of contacts.

use super::phases::Phases;
use super::reduced::{Place, ROUNDINGS, Reduced, terms};
use super::rows::Rows;
use super::rules::{At, Driven, Margins, Reached, Settled, Site};
use super::vector::has_vectors;
use crate::error::{Failure, SingularMass};
use crate::limits::MAX_SWITCHES;
use crate::linalg::bordered;
use crate::quantities::{Acceleration, Law, Row};
use crate::scalar::Scalar;
use crate::set::Set;
use crate::state::State;
use nalgebra::{SMatrix, SVector};

/// The velocity at which the sticking rows are at rest, and for each sticking row that velocity with a rounding of the row's rate added.
type AtRest<R, const N: usize, const W: usize> = (SVector<R, N>, [Option<SVector<R, N>>; W]);

/// The cosine of the largest angle by which a slip that is a vector may turn in a step. Its force turns with it.
const LEAST_COSINE: f64 = 0.8;

impl<S, R, const N: usize, const C: usize, const U: usize, const W: usize> Site<'_, S, R, N, C, U, W>
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    /// a and λ.
    pub(super) fn solved(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<Acceleration<R, N, C>, SingularMass> {
        let place = Place::new(self.system, t, q, v, u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        let forces = match self.phases.known {
            true => reduced.forces(self.phases, self.system.row_names())?,
            false => reduced.sliding_forces(),
        };
        Ok(reduced.acceleration(&forces))
    }

    /// F with the forces of the rows, and the derivatives of F with these forces in place of those without them.
    pub(super) fn forcing(
        &self,
        (t, q, v, u): At<'_, R, N, U>,
        slopes: &mut [&mut SMatrix<R, N, N>],
    ) -> Result<(SVector<R, N>, SVector<R, N>), SingularMass> {
        let place = Place::new(self.system, t, q, v, u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        let names = self.system.row_names();
        let forces = reduced.forces(self.phases, names)?;
        if !slopes.is_empty() {
            let mass_matrix = self.system.rows(t, q, v, u, &mut [Row::NONE; W]).mass_matrix;
            let border = if const { C > 0 } { self.system.constraint(t, q).jacobian } else { SMatrix::repeat(R::ZERO) };
            for slope in slopes {
                let still = SMatrix::<R, C, N>::repeat(R::ZERO);
                let (accelerations, multipliers) = bordered::solve(&mass_matrix, &border, slope, &still)
                    .map_err(|singular| singular.named(self.system.constraints()))?;
                for (j, mut column) in slope.column_iter_mut().enumerate() {
                    let change = (&accelerations.column(j).into(), &multipliers.column(j).into());
                    column += reduced.pushed(&reduced.response(self.phases, &forces, change, names)?);
                }
            }
        }
        Ok((reduced.forcing + reduced.pushed(&forces), reduced.given(&forces)))
    }

    /// The rows whose phases last, one bit each. `None` where the equations cannot be solved.
    pub(super) fn lasting(&self, (t, q, v, u): At<'_, R, N, U>) -> Option<u64> {
        if self.system.opens() {
            return self.gaps_lasting((t, q, v, u));
        }
        if self.has_vectors() {
            return self.vectors_lasting((t, q, v, u));
        }
        if !self.phases.any_sticks() {
            let mut rows = [Row::NONE; W];
            self.system.rows(t, q, v, u, &mut rows);
            let rows = rows.iter().enumerate().take(self.system.row_count());
            return Some(bits(rows.map(|(k, row)| self.slips_on(k, row, v))));
        }
        let place = Place::new(self.system, t, q, v, u);
        let Ok(reduced) = Reduced::<R, N, C, W>::at(&place) else { return None };
        let reduced = reduced.in_phases(self.phases);
        let Ok(forces) = reduced.forces(self.phases, self.system.row_names()) else { return None };
        Some(bits(reduced.rows().iter().enumerate().map(|(k, row)| match self.phases.sticks(k) {
            true => reduced.is_held(k, &forces),
            false => self.slips_on(k, row, v),
        })))
    }

    /// The switching functions of other statements that are 0 because rows stick.
    ///
    /// The slip rate of a row that sticks is 0 up to rounding, and the sign of this rounding means nothing. The same holds for a
    /// switching function of another statement that is this slip rate, or vanishes with it. Such a function has no sign: at the
    /// velocity at which the sticking rows are at rest, it is not larger than the change that a rounding of their rates makes.
    pub(super) fn unsigned(&self, at: At<'_, R, N, U>) -> Set {
        let (rows, count) = (self.system.row_switches(), self.system.switch_count().min(MAX_SWITCHES));
        let mut unsigned = Set::EMPTY;
        if !self.phases.any_sticks() || (0..count).all(|index| rows.contains(&index)) {
            return unsigned;
        }
        let Some((at_rest, moved)) = self.at_rest(at) else { return unsigned };
        let (t, q, _, u) = at;
        let values = |v: &SVector<R, N>| {
            let mut values = [R::ZERO; MAX_SWITCHES];
            self.system.switches((t, q, v, u), values.get_mut(..count).unwrap_or(&mut []));
            values
        };
        let (at_rest, mut changes) = (values(&at_rest), [0.0; MAX_SWITCHES]);
        for moved in moved.iter().flatten() {
            for ((change, moved), at_rest) in changes.iter_mut().zip(values(moved)).zip(at_rest) {
                *change += (moved - at_rest).to_f64().abs();
            }
        }
        for (index, (value, change)) in at_rest.iter().zip(changes).enumerate().take(count) {
            unsigned.put(index, !rows.contains(&index) && value.to_f64().abs() <= change);
        }
        unsigned
    }

    /// The velocity at which the sticking rows are at rest, and for each of these rows the velocity at which its rate is rounding.
    /// `None` where the equations cannot be solved.
    fn at_rest(&self, (t, q, v, u): At<'_, R, N, U>) -> Option<AtRest<R, N, W>> {
        let place = Place::new(self.system, t, q, v, u);
        let reduced = Reduced::<R, N, C, W>::at(&place).ok()?;
        let at_rest = reduced.stop(self.phases, v, self.system.row_names()).ok()?;
        let mut moved = [None; W];
        for (k, row) in reduced.rows().iter().enumerate() {
            if self.phases.sticks(reduced.first_of(k)) {
                moved[k] = Some(reduced.nudged(k, &at_rest, rounding(row, v)));
            }
        }
        Some((at_rest, moved))
    }

    /// Whether the slip of a friction is a vector.
    pub(super) fn has_vectors(&self) -> bool {
        has_vectors(self.system.row_laws())
    }

    /// The rows whose phases last, where the slip of a friction is a vector. All rows of a vector have the same bit.
    fn vectors_lasting(&self, (t, q, v, u): At<'_, R, N, U>) -> Option<u64> {
        let names = self.system.row_names();
        let place = Place::new(self.system, t, q, v, u);
        let Ok(reduced) = Reduced::<R, N, C, W>::at(&place) else { return None };
        let reduced = reduced.in_phases(self.phases);
        let Ok(forces) = reduced.forces(self.phases, names) else { return None };
        let before = self.rows_before((t, q, v, u));
        let mut lasting = 0;
        for k in reduced.firsts() {
            let all = reduced.rows_of(k).fold(0, |set, row| set | 1 << row);
            let lasts = if self.phases.sticks(k) {
                reduced.is_held(k, &forces)
            } else if reduced.rows_of(k).len() == 1 {
                self.slips_on(k, &reduced.rows()[k], v)
            } else {
                self.vector_slips_on(k, (&reduced, &forces), v, &before)
            };
            lasting |= if lasts { all } else { 0 };
        }
        Some(lasting)
    }

    /// Whether the slip of first row `k`, a vector that does not stick, goes on in its phase. `before` are the rows at the start of the attempt, from
    /// which no slip may have turned back.
    pub(super) fn vector_slips_on(
        &self,
        k: usize,
        (reduced, forces): (&Reduced<'_, R, N, C, W>, &[R; W]),
        v: &SVector<R, N>,
        before: &[Row<R, N>; W],
    ) -> bool {
        if self.phases.begins(k) {
            return reduced.begins(k, forces, self.unresolved(reduced, k, v));
        }
        let along = reduced.rows_of(k).map(|row| reduced.rows()[row].rate * before[row].rate);
        let is_ahead = along.fold(R::ZERO, |sum, part| sum + part).to_f64() > 0.0;
        is_ahead && !reduced.rests(k, v, self.tolerance.as_ref())
    }

    /// The rows at the start of the attempt.
    pub(super) fn rows_before(&self, (t, q, v, u): At<'_, R, N, U>) -> [Row<R, N>; W] {
        let mut before = [Row::NONE; W];
        let start = self.attempt.as_ref().map_or(State { t, q: *q, v: *v }, |attempt| attempt.start);
        self.system.rows(start.t, &start.q, &start.v, u, &mut before);
        before
    }

    /// The magnitude below which a slip rate has no direction.
    pub(super) fn unresolved(&self, reduced: &Reduced<'_, R, N, C, W>, k: usize, v: &SVector<R, N>) -> f64 {
        reduced.unresolved(k, v, self.tolerance.as_ref())
    }

    /// Whether row `k` still slips in the direction of its phase.
    pub(super) fn slips_on(&self, k: usize, row: &Row<R, N>, v: &SVector<R, N>) -> bool {
        row.rate.to_f64() * self.phases.direction(k) >= -rounding(row, v)
    }

    /// Whether row `k` is a slip whose rate has the other sign than in its known phase.
    fn has_turned(&self, k: usize, row: &Row<R, N>) -> bool {
        let slips = match self.law(k) {
            Law::Friction | Law::Loaded { .. } => true,
            Law::Slip { contact } => self.phases.sticks(contact),
            Law::Contact { .. } | Law::Vector { .. } | Law::VectorSlip { .. } | Law::Latch { .. } => false,
        };
        slips && !self.phases.sticks(k) && row.rate.to_f64() * self.phases.direction(k) < 0.0
    }

    /// Checks the bounds, static ones among them, and those that contain multipliers where the forces follow from `phases`.
    pub(super) fn check(&self, state: &State<R, N>, u: &SVector<R, U>, phases: Option<Phases>) -> Result<(), Failure> {
        let State { t, q, v } = state;
        let place = Place::new(self.system, *t, q, v, u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        let names = self.system.row_names();
        let is_loaded = (0..reduced.rows().len()).any(|k| reduced.is_loaded(k)) || reduced.has_vectors() && C > 0;
        let forces = match phases.filter(|_| is_loaded) {
            Some(phases) => reduced.forces(phases, names)?,
            None => [R::ZERO; W],
        };
        self.check_bounds(&reduced, phases.is_some().then_some(&forces), t.to_f64())
    }

    /// Checks the bounds at a place, and those that contain multipliers where the forces are given.
    pub(super) fn check_bounds(
        &self,
        reduced: &Reduced<'_, R, N, C, W>,
        forces: Option<&[R; W]>,
        t: f64,
    ) -> Result<(), Failure> {
        let names = self.system.row_names();
        for ((k, row), name) in reduced.rows().iter().enumerate().zip(names) {
            if reduced.first_of(k) != k {
                continue;
            }
            let is_vector = matches!(reduced.law(k), Law::Vector { .. });
            let bound = match forces {
                None if reduced.is_loaded(k) || is_vector && C > 0 => continue,
                _ if reduced.is_loaded(k) || is_vector => reduced.limit(k, forces.unwrap_or(&[R::ZERO; W])).to_f64(),
                _ => row.bound.to_f64(),
            };
            if bound < 0.0 || bound.is_nan() {
                return Err(Failure::NegativeBound { contact: name, bound, t });
            }
        }
        reduced.check_breakaways(forces, (names, t))
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize, const W: usize> Driven<'_, '_, '_, S, R, N, C, U, W>
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    /// Whether the direction of a slip that is a vector turns too far from `start` to `end` for one step. If the method does not estimate
    /// its errors (`blind`), the step must also not be longer than the time constant of the turning.
    pub(super) fn turns(&mut self, [start, end]: [&State<R, N>; 2], blind: bool) -> bool {
        if !self.has_vectors() {
            return false;
        }
        let u = (self.inputs)(start.t, &start.q, &start.v);
        let place = Place::new(self.system, start.t, &start.q, &start.v, &u);
        let Ok(before) = Reduced::<R, N, C, W>::at(&place) else { return false };
        let u = (self.inputs)(end.t, &end.q, &end.v);
        let place = Place::new(self.system, end.t, &end.q, &end.v, &u);
        let Ok(reduced) = Reduced::<R, N, C, W>::at(&place) else { return false };
        let h = (end.t - start.t).to_f64();
        let slips = |&k: &usize| !self.phases.sticks(k) && !self.phases.begins(k) && reduced.acts_in(self.phases, k);
        let forces = match blind {
            true => reduced.forces(self.phases, self.system.row_names()).unwrap_or([R::ZERO; W]),
            false => [R::ZERO; W],
        };
        reduced.firsts().filter(slips).any(|k| {
            let rows = reduced.rows_of(k);
            if rows.len() == 1 {
                return false;
            }
            let rate = |row: usize| reduced.rows()[row].rate.to_f64();
            let along = rows.fold(0.0, |sum, row| sum + rate(row) * before.rows()[row].rate.to_f64());
            let (length, speed) = (before.speed(k), reduced.speed(k));
            along < LEAST_COSINE * length * speed || blind && h.abs() * reduced.turning(k, &forces) > speed.max(length)
        })
    }

    /// Decides the phases at a state of a mechanism without gaps. Returns the state at which no sticking contact slips, and the contacts whose phase
    /// changed.
    pub(super) fn settle_slips(
        &mut self,
        state: &State<R, N>,
        Reached { crossed, fresh, .. }: Reached,
    ) -> Result<Settled<R, N>, Failure> {
        let State { t, q, v } = state;
        let u = (self.inputs)(*t, q, v);
        self.check(state, &u, None)?;
        let names = self.system.row_names();
        let place = Place::new(self.system, *t, q, v, &u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        let (before, mut phases, mut at_rest) = (self.phases, self.phases, 0_u64);
        let forces = if reduced.has_vectors() { reduced.forces(before, names)? } else { [R::ZERO; W] };
        for k in reduced.firsts() {
            let rate = reduced.speed(k);
            let is_vector = reduced.rows_of(k).len() > 1;
            let stops = crossed >> k & 1 == 1 || before.sticks(k) && !fresh;
            if stops
                && is_vector
                && before.begins(k)
                && reduced.is_under_way(k, &forces, self.unresolved(&reduced, k, v))
            {
                phases.slide(k, false);
            } else if stops || rate.abs() <= reduced.rounding_of(k, v) {
                at_rest |= 1 << k;
            } else if fresh {
                phases.slide(k, rate < 0.0);
            }
        }
        // The velocity is brought to rest first, because forces and bounds may depend on it.
        let mut stopping = phases;
        reduced.firsts().filter(|k| at_rest >> k & 1 == 1).for_each(|k| stopping.stick(k));
        let v = reduced.stop(stopping, v, names)?;
        if self.system.bound_count() != 0 {
            self.check(&State { t: *t, q: *q, v }, &u, Some(stopping))?;
        }
        let place = Place::new(self.system, *t, q, &v, &u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        self.site.known.phases = reduced.decide(phases, at_rest, names)?.phases;
        // That a vector no longer begins to slip, but slips, is no change.
        let goes_on = |k: &usize| {
            reduced.rows_of(*k).len() > 1 && before.begins(*k) && !self.phases.sticks(*k) && !self.phases.begins(*k)
        };
        let unchanged = reduced.firsts().filter(goes_on).fold(0, |set, k| set | 1 << k);
        let changed = before.differs(self.phases) & !unchanged;
        Ok(Settled { changed, ..Settled::unchanged(State { t: *t, q: *q, v }) })
    }

    /// How far the force of each sticking contact is below its bound, and the bound.
    pub(super) fn margins(&mut self, state: &State<R, N>, out: &mut Margins) {
        let State { t, q, v } = state;
        let u = (self.inputs)(*t, q, v);
        let place = Place::new(self.system, *t, q, v, &u);
        let Ok(reduced) = Reduced::<R, N, C, W>::at(&place) else { return };
        let reduced = reduced.in_phases(self.phases);
        let Ok(forces) = reduced.forces(self.phases, self.system.row_names()) else { return };
        if self.system.opens() {
            return self.gap_margins(&reduced, &forces, out);
        }
        for k in reduced.firsts().filter(|&k| self.phases.sticks(k)) {
            let (force, bound) = reduced.force_and_bound(k, &forces);
            let scale = if reduced.is_loaded(k) { bound.max(reduced.largest_force(k, &forces)) } else { bound };
            if let Some(out) = out.get_mut(k) {
                *out = Some((bound - force, scale));
            }
        }
    }

    /// The state at which no sticking contact slips. Where a section `ends`, no slip is beyond its rest there.
    ///
    /// Beside contacts that are closed, the rate of a slip may pass 0 by the rounding of a step. The motion has then reached its rest. An
    /// integration that ends there and one that begins there agree on that only if the rate is 0. Between the steps of a section the
    /// phase is known, and goes on.
    pub(super) fn hold(&mut self, state: &State<R, N>, ends: bool) -> Result<State<R, N>, Failure> {
        let State { t, q, v } = state;
        let u = (self.inputs)(*t, q, v);
        let q = if self.system.opens() { self.grounded(state, self.phases.closed())? } else { *q };
        let place = Place::new(self.system, *t, &q, v, &u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        let mut stopping = self.phases;
        let all = (0..reduced.rows().len()).filter(|_| ends);
        all.filter(|&k| self.has_turned(k, &reduced.rows()[k])).for_each(|k| stopping.stick(k));
        Ok(State { q, v: reduced.stop(stopping, v, self.system.row_names())?, ..*state })
    }
}

/// The magnitude of a slip rate that is rounding.
pub(super) fn rounding<R: Scalar, const N: usize>(row: &Row<R, N>, v: &SVector<R, N>) -> f64 {
    ROUNDINGS * R::EPSILON * terms(row, v)
}

/// A set of rows, one bit each.
pub(super) fn bits(rows: impl Iterator<Item = bool>) -> u64 {
    rows.enumerate().fold(0, |set, (k, is_member)| set | u64::from(is_member) << k)
}
