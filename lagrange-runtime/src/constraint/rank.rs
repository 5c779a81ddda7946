//! The number of independent constraints at a state, and the names of the dependent ones.

use super::name;
use crate::linalg::orthogonal::PivotedQr;
use crate::scalar::Real;
use crate::system::System;
use core::array::from_fn;
use nalgebra::{SMatrix, SVector};

/// The rank of the constraints at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rank<const C: usize> {
    /// The number of independent rows.
    pub rank: usize,
    /// The norm of the least dependent of the dependent rows after its projection onto the other rows is subtracted, divided by
    /// the norm of the row.
    pub remainder: f64,
    /// The rows' names. Those from index `rank` on are dependent, the least dependent first.
    names: [&'static str; C],
}

impl<const C: usize> Rank<C> {
    /// Returns the rank of G at (t, q). A row is dependent if at most `tolerance` times its norm remains after its projection
    /// onto the other rows is subtracted.
    ///
    /// At a state that meets the constraints to a precision ε, the rank is reliable for tolerances down to some ε. 1e-8 is a
    /// good choice for projected states.
    pub fn at<S, R, const N: usize, const U: usize>(system: &S, t: R, q: &SVector<R, N>, tolerance: f64) -> Self
    where
        S: System<R, N, C, U> + ?Sized,
        R: Real,
    {
        let jacobian = system.constraint(t, q).jacobian;
        let columns = SMatrix::<R, N, C>::from_fn(|i, row| jacobian[(row, i)]);
        let factors = PivotedQr::new(&columns, tolerance);
        let order: [usize; C] = factors.order();
        Self { rank: factors.rank(), remainder: factors.remainder(), names: from_fn(|k| name(system, order[k])) }
    }

    /// The constraints that the others make redundant, the least dependent first.
    #[must_use]
    pub fn redundant(&self) -> &[&'static str] {
        &self.names[self.rank..]
    }
}
