//! How many constraints are independent at a state, and which are not.

use super::name;
use crate::linalg::orthogonal::PivotedQr;
use crate::scalar::Real;
use crate::system::System;
use core::array::from_fn;
use nalgebra::{SMatrix, SVector};

/// The rank of the constraints at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rank<const C: usize> {
    /// How many rows are independent.
    pub rank: usize,
    /// What the others leave of the least dependent of the dependent rows, relative to its norm.
    pub remainder: f64,
    /// The rows' names; those of dependent rows stand from `rank` on, the least dependent first.
    names: [&'static str; C],
}

impl<const C: usize> Rank<C> {
    /// The rank of G at (t, q): a row of which the others leave at most `tolerance` times its norm depends on them.
    ///
    /// At a state that meets the constraints to a precision ε, dependent rows are told from independent ones down to
    /// a tolerance of some ε: 1e-8 is a good choice for states that were projected.
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
