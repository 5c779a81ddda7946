//! The compound double pendulum: equations (19) to (21) of Zhan Yangping's study (`models/src/catalog.rs`), m1 = m2 = m3 = 1, l1 = l2 = 1, g = 9.8.

use super::{ByHand, Hand};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{BalanceJacobian, Facts};

/// The mass matrix [a, b c; b c, d] with c = cos(θ2 − θ1), and the weights of −cos θ1, −cos θ2 in V.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompoundPendulum {
    a: f64,
    b: f64,
    d: f64,
    weight: [f64; 2],
}

pub(crate) fn compound_pendulum() -> Hand<CompoundPendulum> {
    let (m1, m2, m3, l1, l2, g) = (1.0, 1.0, 1.0, 1.0, 1.0, 9.8);
    Hand(CompoundPendulum {
        a: (m1 + 3.0 * (m2 + m3)) * l1 * l1 / 3.0,
        b: (m2 + 2.0 * m3) * l1 * l2 / 2.0,
        d: (m2 + 3.0 * m3) * l2 * l2 / 3.0,
        weight: [(m1 / 2.0 + m2 + m3) * l1 * g, (m2 / 2.0 + m3) * l2 * g],
    })
}

impl<R: Real> ByHand<R, 2, 0> for CompoundPendulum {
    const FACTS: Facts = Facts {
        autonomous: true,
        conservative: true,
        constant_mass: false,
        separable: false,
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
    const COORDINATES: &'static [&'static str] = &["theta1", "theta2"];

    fn balance_jacobian(&self, _: R, q: &SVector<R, 2>, v: &SVector<R, 2>, _: &SVector<R, 0>) -> BalanceJacobian<R, 2> {
        let (a, b, d) = (R::from_f64(self.a), R::from_f64(self.b), R::from_f64(self.d));
        let [w1, w2] = self.weight.map(R::from_f64);
        let (sine1, cosine1) = q[0].sin_cos();
        let (sine2, cosine2) = q[1].sin_cos();
        let (s, c) = (q[1] - q[0]).sin_cos();
        let product = b * v[0] * v[1];
        BalanceJacobian {
            momentum: SVector::from([a * v[0] + b * c * v[1], b * c * v[0] + d * v[1]]),
            balance: SVector::from([product * s - w1 * sine1, -product * s - w2 * sine2]),
            momentum_q: SMatrix::<R, 2, 2>::new(b * s * v[1], -b * s * v[1], b * s * v[0], -b * s * v[0]),
            mass_matrix: SMatrix::<R, 2, 2>::new(a, b * c, b * c, d),
            balance_q: SMatrix::<R, 2, 2>::new(
                -product * c - w1 * cosine1,
                product * c,
                product * c,
                -product * c - w2 * cosine2,
            ),
            balance_v: SMatrix::<R, 2, 2>::new(b * v[1] * s, b * v[0] * s, -b * v[1] * s, -b * v[0] * s),
        }
    }

    #[inline(always)]
    fn acceleration(&self, _: R, q: &SVector<R, 2>, v: &SVector<R, 2>, _: &SVector<R, 0>) -> Option<SVector<R, 2>> {
        let (a, b, d) = (R::from_f64(self.a), R::from_f64(self.b), R::from_f64(self.d));
        let [w1, w2] = self.weight.map(R::from_f64);
        let (s, c) = (q[1] - q[0]).sin_cos();
        let off = b * c;
        let right1 = b * v[1] * v[1] * s - w1 * q[0].sin();
        let right2 = -b * v[0] * v[0] * s - w2 * q[1].sin();
        let shared = (a * d - off * off).recip();
        Some(SVector::from([(d * right1 - off * right2) * shared, (a * right2 - off * right1) * shared]))
    }

    fn energy(&self, q: &SVector<R, 2>, v: &SVector<R, 2>) -> R {
        let (a, b, d) = (R::from_f64(self.a), R::from_f64(self.b), R::from_f64(self.d));
        let [w1, w2] = self.weight.map(R::from_f64);
        let half = R::from_f64(0.5);
        half * (a * v[0] * v[0] + d * v[1] * v[1]) + b * (q[1] - q[0]).cos() * v[0] * v[1]
            - w1 * q[0].cos()
            - w2 * q[1].cos()
    }
}
