//! Six bodies of mass 1 on a line: in free fall, and free of force.

use super::{ByHand, Hand};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{BalanceJacobian, Facts};

/// Bodies with this acceleration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bodies {
    acceleration: f64,
}

/// Six bodies in free fall with g = 10.
pub(crate) const FALLING: Hand<Bodies> = Hand(Bodies { acceleration: -10.0 });

/// Six bodies free of force.
pub(crate) const COASTING: Hand<Bodies> = Hand(Bodies { acceleration: 0.0 });

impl<R: Real> ByHand<R, 6, 0> for Bodies {
    const FACTS: Facts = <super::Pendulum as ByHand<R, 1, 0>>::FACTS;
    const COORDINATES: &'static [&'static str] = &["a", "b", "c", "d", "e", "f"];

    fn balance_jacobian(&self, _: R, _: &SVector<R, 6>, v: &SVector<R, 6>, _: &SVector<R, 0>) -> BalanceJacobian<R, 6> {
        let zero = SMatrix::repeat(R::ZERO);
        BalanceJacobian {
            momentum: *v,
            balance: SVector::repeat(R::from_f64(self.acceleration)),
            momentum_q: zero,
            mass_matrix: SMatrix::from_fn(|i, k| if i == k { R::ONE } else { R::ZERO }),
            balance_q: zero,
            balance_v: zero,
        }
    }

    fn acceleration(&self, _: R, _: &SVector<R, 6>, _: &SVector<R, 6>, _: &SVector<R, 0>) -> Option<SVector<R, 6>> {
        Some(SVector::repeat(R::from_f64(self.acceleration)))
    }

    fn energy(&self, q: &SVector<R, 6>, v: &SVector<R, 6>) -> R {
        let weight = R::from_f64(-self.acceleration);
        q.iter().zip(v).fold(R::ZERO, |sum, (&q, &v)| sum + v * v / R::from_f64(2.0) + weight * q)
    }
}
