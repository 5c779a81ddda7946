//! Polynomials from a method's stages.

use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// The highest degree of a method's interpolant.
pub const MAX_DEGREE: usize = 8;

/// q + h Σ uₖ θᵏ and v + h Σ wₖ θᵏ at t + θ h, k = 1, 2, …: a method's interpolant, of which v is not the derivative of q
/// but another solution of the same order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polynomial<R: Real, const N: usize> {
    /// The step's start.
    pub start: State<R, N>,
    /// h.
    pub length: R,
    /// uₖ; those beyond the method's degree are 0.
    pub q: [SVector<R, N>; MAX_DEGREE],
    /// wₖ; those beyond the method's degree are 0.
    pub v: [SVector<R, N>; MAX_DEGREE],
    /// The method's degree.
    pub degree: usize,
}

impl<R: Real, const N: usize> Polynomial<R, N> {
    /// Adds what is missing at `end`, by 3θ² − 2θ³.
    pub(super) fn join(&mut self, end: &State<R, N>) {
        let reached = self.interpolate(self.start.t + self.length);
        let (q, v) = ((end.q - reached.q) / self.length, (end.v - reached.v) / self.length);
        let (square, cube) = (R::from_f64(3.0), R::from_f64(-2.0));
        self.q[1] += q * square;
        self.q[2] += q * cube;
        self.v[1] += v * square;
        self.v[2] += v * cube;
        self.degree = self.degree.max(3);
    }

    /// The state at time `t`; beyond the ends the polynomials are continued.
    pub fn interpolate(&self, t: R) -> State<R, N> {
        let h = self.length;
        let s = (t - self.start.t) / h;
        let along = |coefficients: &[SVector<R, N>; MAX_DEGREE]| {
            let mut sum = SVector::repeat(R::ZERO);
            for coefficient in coefficients.iter().take(self.degree).rev() {
                sum = (sum + coefficient) * s;
            }
            sum * h
        };
        State { t, q: self.start.q + along(&self.q), v: self.start.v + along(&self.v) }
    }

    /// The derivatives of both polynomials by the time, at time `t`.
    pub(crate) fn derivative(&self, t: R) -> [SVector<R, N>; 2] {
        let s = (t - self.start.t) / self.length;
        [&self.q, &self.v].map(|coefficients| {
            let mut sum = SVector::repeat(R::ZERO);
            for (power, coefficient) in coefficients.iter().enumerate().take(self.degree).rev() {
                sum = sum * s + coefficient * R::from_f64((power + 1) as f64);
            }
            sum
        })
    }
}
