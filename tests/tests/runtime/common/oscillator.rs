//! A damped oscillator with an input, q̈ = −q − c q̇ + u.

use super::{ByHand, Hand};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{BalanceJacobian, Facts};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Oscillator {
    pub(crate) damping: f64,
}

/// The oscillator without damping.
pub(crate) fn oscillator() -> Hand<Oscillator> {
    Hand(Oscillator { damping: 0.0 })
}

impl<R: Real> ByHand<R, 1, 1> for Oscillator {
    const FACTS: Facts = Facts {
        autonomous: false,
        conservative: false,
        constant_mass: true,
        separable: true,
        velocity_free_acceleration: false,
        velocity_free_forcing: false,
        quadratic: true,
        positive_mass: true,
        regular_momentum: true,
        singular_mass: false,
        unconstrained: true,
        holonomic: true,
        cyclic: &[],
    };
    const COORDINATES: &'static [&'static str] = &["x"];

    fn balance_jacobian(&self, _: R, q: &SVector<R, 1>, v: &SVector<R, 1>, u: &SVector<R, 1>) -> BalanceJacobian<R, 1> {
        let damping = R::from_f64(self.damping);
        let (zero, one) = (R::ZERO, R::ONE);
        BalanceJacobian {
            momentum: *v,
            balance: SVector::repeat(u[0] - q[0] - damping * v[0]),
            momentum_q: SMatrix::repeat(zero),
            mass_matrix: SMatrix::repeat(one),
            balance_q: SMatrix::repeat(-one),
            balance_v: SMatrix::repeat(-damping),
        }
    }

    fn energy(&self, q: &SVector<R, 1>, v: &SVector<R, 1>) -> R {
        (v[0] * v[0] + q[0] * q[0]) / R::from_f64(2.0)
    }
}
