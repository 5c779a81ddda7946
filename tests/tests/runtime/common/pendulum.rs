//! The plain pendulum, L = v²/2 + g cos q, with an input as torque.

use super::{ByHand, Hand};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{BalanceJacobian, Facts};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Pendulum {
    pub(crate) g: f64,
}

/// The pendulum with g = 1.
pub(crate) fn pendulum() -> Hand<Pendulum> {
    Hand(Pendulum { g: 1.0 })
}

impl<R: Real> ByHand<R, 1, 0> for Pendulum {
    const FACTS: Facts = Facts {
        autonomous: true,
        conservative: true,
        constant_mass: true,
        separable: true,
        velocity_free_acceleration: true,
        velocity_free_forcing: true,
        quadratic: true,
        positive_mass: true,
        regular_momentum: true,
        singular_mass: false,
        unconstrained: true,
        holonomic: true,
        cyclic: &[],
    };
    const COORDINATES: &'static [&'static str] = &["theta"];

    fn balance_jacobian(&self, _: R, q: &SVector<R, 1>, v: &SVector<R, 1>, _: &SVector<R, 0>) -> BalanceJacobian<R, 1> {
        let g = R::from_f64(self.g);
        let (sine, cosine) = q[0].sin_cos();
        let (zero, one) = (R::ZERO, R::ONE);
        BalanceJacobian {
            momentum: *v,
            balance: SVector::repeat(-g * sine),
            momentum_q: SMatrix::repeat(zero),
            mass_matrix: SMatrix::repeat(one),
            balance_q: SMatrix::repeat(-g * cosine),
            balance_v: SMatrix::repeat(zero),
        }
    }

    fn energy(&self, q: &SVector<R, 1>, v: &SVector<R, 1>) -> R {
        v[0] * v[0] / R::from_f64(2.0) - R::from_f64(self.g) * q[0].cos()
    }
}
