//! The equations of motion reduced to the forces of the rows.

use super::phases::Phases;
use super::rows::Rows;
use crate::error::SingularMass;
use crate::linalg::bordered;
use crate::quantities::{Acceleration, Bound, Equations, Law, Row};
use crate::scalar::Scalar;
use nalgebra::{SMatrix, SVector};

/// A force may exceed its bound by this part of the bound before a contact that sticks begins to slip: a few hundred roundings.
pub(super) const BAND: f64 = 1e-12;

/// The most exchanges of Murty's rule. Eight rows have 3⁸ = 6561 combinations of phases.
const EXCHANGES: usize = 10_000;

/// A system at a state with inputs u.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a, S: ?Sized, R: Scalar, const N: usize, const U: usize> {
    system: &'a S,
    t: R,
    q: &'a SVector<R, N>,
    v: &'a SVector<R, N>,
    u: &'a SVector<R, U>,
}

impl<'a, S: ?Sized, R: Scalar, const N: usize, const U: usize> Place<'a, S, R, N, U> {
    /// `system` at (t, q, v, u).
    pub(crate) fn new(system: &'a S, t: R, q: &'a SVector<R, N>, v: &'a SVector<R, N>, u: &'a SVector<R, U>) -> Self {
        Self { system, t, q, v, u }
    }
}

/// The bounds of friction forces at a state, as functions of the multipliers.
pub(super) trait Bounds<R: Scalar, const C: usize, const W: usize> {
    /// b(λ) and ∂b/∂λ of each bound.
    fn bounds(&self, multipliers: &SVector<R, C>) -> [Bound<R, C>; W];

    /// The first rows of the frictions that hold at rest up to a static bound.
    fn breakaway_rows(&self) -> &'static [usize];

    /// Each static bound, in the order of these rows.
    fn breakaways(&self, multipliers: &SVector<R, C>) -> [Bound<R, C>; W];
}

impl<S, R, const N: usize, const C: usize, const U: usize, const W: usize> Bounds<R, C, W> for Place<'_, S, R, N, U>
where
    S: Rows<R, N, C, U> + ?Sized,
    R: Scalar,
{
    fn bounds(&self, multipliers: &SVector<R, C>) -> [Bound<R, C>; W] {
        let mut bounds = [Bound::NONE; W];
        self.system.bounds(self.t, self.q, self.v, self.u, multipliers, &mut bounds);
        bounds
    }

    fn breakaway_rows(&self) -> &'static [usize] {
        self.system.breakaway_rows()
    }

    fn breakaways(&self, multipliers: &SVector<R, C>) -> [Bound<R, C>; W] {
        let mut bounds = [Bound::NONE; W];
        self.system.breakaways(self.t, self.q, self.v, self.u, multipliers, &mut bounds);
        bounds
    }
}

/// The equations at a state, solved for a and λ as functions of the forces f of the rows: a = a₀ + X f, with the slip
/// accelerations w = c + D f.
///
/// W is one more than the number of rows: one column is the motion without forces of rows, and each row has one for a unit force on it.
#[derive(Clone, Copy)]
pub(crate) struct Reduced<'a, R: Scalar, const N: usize, const C: usize, const W: usize> {
    pub(super) count: usize,
    pub(super) rows: [Row<R, N>; W],
    /// The law of each row; empty where each is a friction with a bound of its own.
    pub(super) laws: &'static [Law],
    /// F without the forces of the rows.
    pub(super) forcing: SVector<R, N>,
    pub(super) accelerations: SMatrix<R, N, W>,
    pub(super) multipliers: SMatrix<R, C, W>,
    /// The bounds that depend on the multipliers.
    pub(super) bounds: &'a dyn Bounds<R, C, W>,
    /// The frictions whose bounds are the static ones, by first rows, one bit each.
    pub(super) firm: u64,
    /// c.
    pub(super) free: [R; W],
    /// D = W X.
    pub(super) compliance: [[R; W]; W],
    /// Magnitudes of terms that cancel in the curvatures, where these contain rates.
    pub(super) cancelled: Option<&'a [f64; W]>,
}

/// The forces of the rows with the phases to which they belong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motion<R, const W: usize> {
    pub(crate) phases: Phases,
    pub(crate) forces: [R; W],
}

/// The magnitudes of the terms of a slip rate: Σ |Wᵢ vᵢ| + |∂slip/∂t|.
pub(crate) fn terms<R: Scalar, const N: usize>(row: &Row<R, N>, v: &SVector<R, N>) -> f64 {
    let parts = || (0..N).map(|i| row.direction[i].to_f64() * v[i].to_f64());
    let drift = parts().fold(row.rate.to_f64(), |rest, part| rest - part);
    parts().fold(drift.abs(), |sum, part| sum + part.abs())
}

impl<'a, R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'a, R, N, C, W> {
    /// The reduced equations of a system at a state.
    ///
    /// # Errors
    /// Those of [`System::acceleration`](crate::system::System::acceleration).
    pub(crate) fn at<S, const U: usize>(place: &'a Place<'_, S, R, N, U>) -> Result<Self, SingularMass>
    where
        S: Rows<R, N, C, U> + ?Sized,
    {
        let &Place { system, t, q, v, u } = place;
        let count = system.row_count().min(W - 1);
        let mut rows = [Row::NONE; W];
        let Equations { mass_matrix, forcing } = system.rows(t, q, v, u, &mut rows[..count]);
        let (mut border, mut curvature) = (SMatrix::<R, C, N>::repeat(R::ZERO), SVector::<R, C>::repeat(R::ZERO));
        if const { C > 0 } {
            border = system.constraint(t, q).jacobian;
            curvature = system.constraint_hidden(t, q, v, &SVector::repeat(R::ZERO)).curvature;
        }
        let right = SMatrix::<R, N, W>::from_fn(|i, column| match column.checked_sub(1) {
            None => forcing[i],
            Some(k) => rows[k].direction[i],
        });
        let prescribed = SMatrix::<R, C, W>::from_fn(|row, column| if column == 0 { -curvature[row] } else { R::ZERO });
        let (accelerations, multipliers) = bordered::solve(&mass_matrix, &border, &right, &prescribed)
            .map_err(|singular| singular.named(system.constraints()))?;
        Ok(Self::assembled(place, rows, forcing, (accelerations, multipliers)))
    }

    /// The reduced equations of a system without constraints at a state, with the solutions of another matrix in place of those of M.
    pub(super) fn solved_by<S, const U: usize>(
        place: &'a Place<'_, S, R, N, U>,
        solve: &dyn Fn(&SVector<R, N>) -> SVector<R, N>,
    ) -> Self
    where
        S: Rows<R, N, C, U> + ?Sized,
    {
        let &Place { system, t, q, v, u } = place;
        let count = system.row_count().min(W - 1);
        let mut rows = [Row::NONE; W];
        let Equations { forcing, .. } = system.rows(t, q, v, u, &mut rows[..count]);
        let mut accelerations = SMatrix::<R, N, W>::repeat(R::ZERO);
        accelerations.set_column(0, &solve(&forcing));
        for (k, row) in rows.iter().enumerate().take(count) {
            accelerations.set_column(k + 1, &solve(&row.direction));
        }
        Self::assembled(place, rows, forcing, (accelerations, SMatrix::repeat(R::ZERO)))
    }

    /// The reduced equations, from a and λ as functions of the forces of the rows.
    fn assembled<S, const U: usize>(
        place: &'a Place<'_, S, R, N, U>,
        rows: [Row<R, N>; W],
        forcing: SVector<R, N>,
        (accelerations, multipliers): (SMatrix<R, N, W>, SMatrix<R, C, W>),
    ) -> Self
    where
        S: Rows<R, N, C, U> + ?Sized,
    {
        let count = place.system.row_count().min(W - 1);
        let mut free = [R::ZERO; W];
        let mut compliance = [[R::ZERO; W]; W];
        let along = |k: usize, column: usize| {
            let row: &Row<R, N> = &rows[k];
            (0..N).fold(R::ZERO, |sum, i| sum + row.direction[i] * accelerations[(i, column)])
        };
        for k in 0..count {
            free[k] = along(k, 0) + rows[k].curvature;
            for (l, entry) in compliance[k].iter_mut().enumerate().take(count) {
                *entry = along(k, l + 1);
            }
        }
        let mut reduced = Self {
            count,
            rows,
            laws: place.system.row_laws(),
            forcing,
            accelerations,
            multipliers,
            bounds: place,
            firm: 0,
            free,
            compliance,
            cancelled: None,
        };
        if reduced.has_vectors() {
            reduced.drop_prevented_rates();
        }
        reduced
    }

    /// The rows.
    pub(crate) fn rows(&self) -> &[Row<R, N>] {
        &self.rows[..self.count]
    }

    /// The generalized force of the forces of the rows, Σ f W.
    pub(super) fn pushed(&self, forces: &[R; W]) -> SVector<R, N> {
        let mut sum = SVector::repeat(R::ZERO);
        self.rows().iter().zip(forces).for_each(|(row, &force)| sum += row.direction * force);
        sum
    }

    /// For each coordinate, the sum of the magnitudes of the accelerations that the forces of the rows give to it. They cancel what the other forces give. The forces of contacts are counted from their adhesion.
    pub(super) fn given(&self, forces: &[R; W]) -> SVector<R, N> {
        let given = |i: usize, k: usize| (self.accelerations[(i, k + 1)] * (forces[k].abs() + self.adhesion(k))).abs();
        SVector::from_fn(|i, _| (0..self.count).fold(R::ZERO, |sum, k| sum + given(i, k)))
    }

    /// How the forces of the rows in these phases change, where the accelerations and multipliers that the mechanism would have without these forces
    /// change by `acceleration` and `multipliers`. In a phase the forces are affine functions of both.
    pub(super) fn response(
        &self,
        phases: Phases,
        forces: &[R; W],
        (acceleration, multipliers): (&SVector<R, N>, &SVector<R, C>),
        names: &[&'static str],
    ) -> Result<[R; W], SingularMass> {
        let along = |row: &Row<R, N>| (0..N).fold(R::ZERO, |sum, i| sum + row.direction[i] * acceleration[i]);
        let largest =
            |numbers: &mut dyn Iterator<Item = R>| numbers.fold(0.0, |most: f64, x| most.max(x.to_f64().abs()));
        let ours = largest(&mut self.rows().iter().map(along)).max(largest(&mut multipliers.iter().copied()));
        if ours == 0.0 {
            return Ok([R::ZERO; W]);
        }
        // Changes of the size of what is there lose no digits in the difference. Rows of different units share this size: a row with far smaller
        // numbers loses digits of its response, which only an iteration uses.
        let there = largest(&mut self.free.iter().chain(&self.multipliers.column(0)).copied());
        let part = R::from_f64(if there > 0.0 { there / ours } else { 1.0 });
        let mut moved = *self;
        for (free, row) in moved.free.iter_mut().zip(self.rows()) {
            *free += along(row) * part;
        }
        for (entry, &change) in moved.multipliers.column_mut(0).iter_mut().zip(multipliers) {
            *entry += change * part;
        }
        let moved = moved.forces(phases, names)?;
        Ok(core::array::from_fn(|k| (moved[k] - forces[k]) / part))
    }

    /// a and λ under these forces.
    pub(crate) fn acceleration(&self, forces: &[R; W]) -> Acceleration<R, N, C> {
        let acceleration = SVector::from_fn(|i, _| {
            (0..self.count).fold(self.accelerations[(i, 0)], |sum, k| sum + self.accelerations[(i, k + 1)] * forces[k])
        });
        let multipliers = SVector::from_fn(|i, _| {
            (0..self.count).fold(self.multipliers[(i, 0)], |sum, k| sum + self.multipliers[(i, k + 1)] * forces[k])
        });
        Acceleration { acceleration, multipliers }
    }

    /// The velocity that is changed least, in the metric of M, such that the slip rate of each sticking contact vanishes.
    ///
    /// # Errors
    /// [`SingularMass`] names a sticking contact that the others make redundant.
    pub(crate) fn stop(
        &self,
        phases: Phases,
        v: &SVector<R, N>,
        names: &[&'static str],
    ) -> Result<SVector<R, N>, SingularMass> {
        Ok(self.stopped(phases, v, names)?.0)
    }

    /// The velocity of [`Reduced::stop`], and the impulses that change it.
    ///
    /// # Errors
    /// Those of [`Reduced::stop`].
    pub(super) fn stopped(
        &self,
        phases: Phases,
        v: &SVector<R, N>,
        names: &[&'static str],
    ) -> Result<(SVector<R, N>, [R; W]), SingularMass> {
        let rates = core::array::from_fn(|k| -self.rows[k].rate);
        let alone = if self.laws.is_empty() { self.solve(phases.closed(), &rates) } else { None };
        let impulses = match alone {
            Some(impulses) => impulses,
            None => self.stopping_impulses(phases, &rates, v, names)?,
        };
        let v = SVector::from_fn(|i, _| {
            (0..self.count).fold(v[i], |sum, k| sum + self.accelerations[(i, k + 1)] * impulses[k])
        });
        Ok((v, impulses))
    }

    /// The velocity that an impulse on row `k` alone changes such that the rate of this row changes by `by`.
    pub(crate) fn nudged(&self, k: usize, v: &SVector<R, N>, by: f64) -> SVector<R, N> {
        let own = self.compliance[k][k];
        if own.to_f64() <= 0.0 {
            return *v;
        }
        let impulse = R::from_f64(by) / own;
        SVector::from_fn(|i, _| v[i] + self.accelerations[(i, k + 1)] * impulse)
    }

    /// The forces in given phases.
    ///
    /// # Errors
    /// [`SingularMass`] names a sticking contact that the others make redundant.
    pub(crate) fn forces(&self, phases: Phases, names: &[&'static str]) -> Result<[R; W], SingularMass> {
        if !self.laws.is_empty() {
            return self.forces_adhering(phases, names);
        }
        let sliding: [R; W] = core::array::from_fn(|k| {
            if phases.sticks(k) { R::ZERO } else { self.rows[k].bound * R::from_f64(-phases.direction(k)) }
        });
        let missing = core::array::from_fn(|k| {
            (0..self.count).fold(-self.free[k], |rest, l| rest - self.compliance[k][l] * sliding[l])
        });
        let Some(holding) = self.solve(phases.closed(), &missing) else {
            return self.forces_adhering(phases, names);
        };
        Ok(core::array::from_fn(|k| if phases.sticks(k) { holding[k] } else { sliding[k] }))
    }

    /// The forces −b sign(s). Driven without known phases, only mechanisms with `friction` statements alone are integrated.
    pub(crate) fn sliding_forces(&self) -> [R; W] {
        core::array::from_fn(|k| -self.rows[k].bound * self.rows[k].rate.sign())
    }

    /// Whether the force on a sticking row is what its law allows.
    pub(crate) fn is_held(&self, k: usize, forces: &[R; W]) -> bool {
        if self.has_vectors() {
            return self.is_within(k, forces, &self.motion_level());
        }
        if !self.laws.is_empty() {
            return self.is_allowed(k, forces, &self.motion_level());
        }
        let bound = self.rows[k].bound.to_f64();
        forces[k].to_f64().abs() <= bound + BAND * bound
    }

    /// The phases and the forces at a state at which the rows `at_rest` have no slip rate, with the bounds of these equations. The others slip as
    /// in `phases`.
    ///
    /// # Errors
    /// [`SingularMass`] names a contact at which no motion obeys the laws, or several do, or none was found, or a vector that the others at rest make
    /// redundant.
    pub(super) fn decide_within(
        &self,
        mut phases: Phases,
        at_rest: u64,
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        // Murty's rule ends where D is positive definite, and takes few exchanges where the frictions are few.
        let (by_rule, none) = (self.laws.is_empty() && self.are_few(at_rest), [R::ZERO; W]);
        if !by_rule || self.solve(at_rest, &none).is_none() {
            return self.decide_adhering(phases, at_rest, names);
        }
        let candidates = || (0..self.count).filter(|k| at_rest >> k & 1 == 1);
        candidates().for_each(|k| phases.stick(k));
        let mut forces = self.forces(phases, names)?;
        for _ in 0..EXCHANGES {
            // Murty's rule changes the first contact that violates its condition, and no other.
            let violated = candidates().find(|&k| match phases.sticks(k) {
                true => !self.is_held(k, &forces),
                false => {
                    let w = (0..self.count).fold(self.free[k], |sum, l| sum + self.compliance[k][l] * forces[l]);
                    let terms = (0..self.count).fold(self.free[k].to_f64().abs(), |sum, l| {
                        sum + (self.compliance[k][l].to_f64() * forces[l].to_f64()).abs()
                    });
                    w.to_f64() * phases.direction(k) < -64.0 * R::EPSILON * terms
                }
            });
            let Some(k) = violated else { return Ok(Motion { phases, forces }) };
            if phases.sticks(k) {
                phases.slide(k, forces[k].to_f64() > 0.0);
            } else {
                phases.stick(k);
            }
            forces = self.forces(phases, names)?;
        }
        // The rule ends where D is positive definite. Where it does not, D is singular to rounding.
        let k = candidates().next_back().unwrap_or(0);
        Err(SingularMass::of_dependent_contact(k, names, self.compliance[k][k].to_f64()))
    }

    /// The f of the rows `held` with D f = `right`; 0 for the others. `None` where a row depends on others.
    fn solve(&self, held: u64, right: &[R; W]) -> Option<[R; W]> {
        let sticking = || (0..self.count).filter(|&k| held >> k & 1 == 1);
        let (mut matrix, mut x) = (self.compliance, [R::ZERO; W]);
        sticking().for_each(|k| x[k] = right[k]);
        // D is symmetric and positive definite, so that elimination needs no exchange of rows.
        for k in sticking() {
            let own = matrix[k][k];
            if own.to_f64() <= pivot::<R>() * self.compliance[k][k].to_f64() {
                return None;
            }
            for l in sticking().filter(|&l| l > k) {
                let factor = matrix[l][k] / own;
                for m in sticking().filter(|&m| m >= k) {
                    matrix[l][m] -= factor * matrix[k][m];
                }
                x[l] -= factor * x[k];
            }
        }
        for k in (0..self.count).rev().filter(|&k| held >> k & 1 == 1) {
            let rest = sticking().filter(|&l| l > k).fold(x[k], |rest, l| rest - matrix[k][l] * x[l]);
            x[k] = rest / matrix[k][k];
        }
        Some(x)
    }
}

/// A pivot of D below this part of its diagonal entry counts as 0.
pub(super) fn pivot<R: Scalar>() -> f64 {
    (64.0 * R::EPSILON).max(1e-11)
}

/// The slip rate that is rounding, in roundings of its terms.
pub(crate) const ROUNDINGS: f64 = 256.0;
