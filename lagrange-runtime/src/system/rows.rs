//! The rows of the contacts of every system.

use super::System;
use crate::contact::{ContactRules, Rows};
use crate::quantities::{Bound, Constraint, ConstraintHidden, Equations, Gap, Latch, Law, Row};
use crate::scalar::Scalar;
use nalgebra::SVector;

impl<S, R, const N: usize, const C: usize, const U: usize> Rows<R, N, C, U> for S
where
    S: System<R, N, C, U> + ?Sized,
    R: Scalar,
{
    #[inline(always)]
    fn row_count(&self) -> usize {
        System::row_count(self)
    }

    #[inline(always)]
    fn contact_rules(&self, ask: &mut dyn FnMut(&dyn ContactRules<R, N, C, U>)) {
        System::contact_rules(self, ask);
    }

    #[inline(always)]
    fn row_names(&self) -> &'static [&'static str] {
        System::row_names(self)
    }

    #[inline(always)]
    fn row_laws(&self) -> &'static [Law] {
        System::row_laws(self)
    }

    #[inline(always)]
    fn row_switches(&self) -> &'static [usize] {
        System::row_switches(self)
    }

    fn switch_count(&self) -> usize {
        System::switch_count(self)
    }

    fn switches(&self, (t, q, v, u): (R, &SVector<R, N>, &SVector<R, N>, &SVector<R, U>), out: &mut [R]) {
        System::switches(self, t, q, v, u, out);
    }

    #[inline(always)]
    fn rows(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        out: &mut [Row<R, N>],
    ) -> Equations<R, N> {
        System::rows(self, t, q, v, u, out)
    }

    #[inline(always)]
    fn gap_count(&self) -> usize {
        System::gap_count(self)
    }

    #[inline(always)]
    fn gaps(&self, t: R, q: &SVector<R, N>, out: &mut [Gap<R>]) {
        System::gaps(self, t, q, out);
    }

    #[inline(always)]
    fn latch_count(&self) -> usize {
        System::latch_count(self)
    }

    #[inline(always)]
    fn latches(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, out: &mut [Latch<R>]) {
        System::latches(self, t, q, v, out);
    }

    #[inline(always)]
    fn restitutions(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        System::restitutions(self, t, q, v, u, out);
    }

    #[inline(always)]
    fn bound_count(&self) -> usize {
        System::bound_count(self)
    }

    #[inline(always)]
    fn bounds(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        multipliers: &SVector<R, C>,
        out: &mut [Bound<R, C>],
    ) {
        System::bounds(self, t, q, v, u, multipliers, out);
    }

    #[inline(always)]
    fn breakaway_rows(&self) -> &'static [usize] {
        System::breakaway_rows(self)
    }

    #[inline(always)]
    fn breakaways(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        multipliers: &SVector<R, C>,
        out: &mut [Bound<R, C>],
    ) {
        System::breakaways(self, t, q, v, u, multipliers, out);
    }

    #[inline(always)]
    fn constraints(&self) -> &'static [&'static str] {
        System::constraints(self)
    }

    #[inline(always)]
    fn constraint(&self, t: R, q: &SVector<R, N>) -> Constraint<R, N, C> {
        System::constraint(self, t, q)
    }

    #[inline(always)]
    fn constraint_hidden(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        multipliers: &SVector<R, C>,
    ) -> ConstraintHidden<R, N, C> {
        System::constraint_hidden(self, t, q, v, multipliers)
    }
}
