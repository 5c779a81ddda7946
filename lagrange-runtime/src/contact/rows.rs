//! What contacts need of a system: their rows, and the equations in which their forces act.

use super::rules::ContactRules;
use crate::quantities::{Bound, Constraint, ConstraintHidden, Equations, Gap, Latch, Law, Row};
use crate::scalar::Scalar;
use nalgebra::SVector;

/// What contacts need of a system. Every [`System`](crate::system::System) has it, and describes its functions. The trait stands below `System`,
/// so that `System` can name the [rules](crate::contact::ContactRules) that are written for it.
pub trait Rows<R: Scalar, const N: usize, const C: usize, const U: usize> {
    /// The number of rows.
    fn row_count(&self) -> usize;

    /// Calls `ask` with the rules by which the rows are integrated.
    fn contact_rules(&self, ask: &mut dyn FnMut(&dyn ContactRules<R, N, C, U>));

    /// The names of the rows.
    fn row_names(&self) -> &'static [&'static str];

    /// The law of each row.
    fn row_laws(&self) -> &'static [Law];

    /// The index of the switching function of each row.
    fn row_switches(&self) -> &'static [usize];

    /// The number of switching functions, those of rows and of other statements.
    fn switch_count(&self) -> usize;

    /// Writes the switching functions at (t, q, v, u).
    fn switches(&self, at: (R, &SVector<R, N>, &SVector<R, N>, &SVector<R, U>), out: &mut [R]);

    /// Writes the rows, and returns M and F without the forces of friction.
    fn rows(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        out: &mut [Row<R, N>],
    ) -> Equations<R, N>;

    /// The number of gaps.
    fn gap_count(&self) -> usize;

    /// Writes the gaps.
    fn gaps(&self, t: R, q: &SVector<R, N>, out: &mut [Gap<R>]);

    /// The number of rows of constraints that modes switch.
    fn latch_count(&self) -> usize;

    /// Writes the rows of constraints that modes switch.
    fn latches(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, out: &mut [Latch<R>]);

    /// Whether rows open and close: those of contacts, and of constraints that modes switch.
    fn opens(&self) -> bool {
        self.gap_count() != 0 || self.latch_count() != 0
    }

    /// Writes the coefficients of restitution of the gaps, for an impact before which the velocities are v.
    fn restitutions(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]);

    /// The number of bounds that are in no other evaluation.
    fn bound_count(&self) -> usize;

    /// Writes these bounds.
    fn bounds(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        multipliers: &SVector<R, C>,
        out: &mut [Bound<R, C>],
    );

    /// The rows of the frictions that hold at rest up to a static bound.
    fn breakaway_rows(&self) -> &'static [usize];

    /// Writes the static bounds.
    fn breakaways(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        multipliers: &SVector<R, C>,
        out: &mut [Bound<R, C>],
    );

    /// The names of the constraints.
    fn constraints(&self) -> &'static [&'static str];

    /// The constraints.
    fn constraint(&self, t: R, q: &SVector<R, N>) -> Constraint<R, N, C>;

    /// The hidden constraints.
    fn constraint_hidden(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        multipliers: &SVector<R, C>,
    ) -> ConstraintHidden<R, N, C>;
}
