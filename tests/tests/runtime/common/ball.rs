//! A body in free fall, L = v²/2 − g q.

use super::{ByHand, Hand};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{BalanceJacobian, Facts};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball;

/// A body in free fall with g = 10.
pub(crate) fn ball() -> Hand<Ball> {
    Hand(Ball)
}

impl<R: Real> ByHand<R, 1, 0> for Ball {
    const FACTS: Facts = <super::Pendulum as ByHand<R, 1, 0>>::FACTS;
    const COORDINATES: &'static [&'static str] = &["height"];

    fn balance_jacobian(&self, _: R, _: &SVector<R, 1>, v: &SVector<R, 1>, _: &SVector<R, 0>) -> BalanceJacobian<R, 1> {
        let (zero, one) = (R::ZERO, R::ONE);
        BalanceJacobian {
            momentum: *v,
            balance: SVector::repeat(R::from_f64(-10.0)),
            momentum_q: SMatrix::repeat(zero),
            mass_matrix: SMatrix::repeat(one),
            balance_q: SMatrix::repeat(zero),
            balance_v: SMatrix::repeat(zero),
        }
    }

    fn energy(&self, q: &SVector<R, 1>, v: &SVector<R, 1>) -> R {
        v[0] * v[0] / R::from_f64(2.0) + R::from_f64(10.0) * q[0]
    }
}
