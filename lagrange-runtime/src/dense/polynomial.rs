//! Interpolants that a method computes from its stages.

use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// The highest degree of an interpolant.
pub const MAX_DEGREE: usize = 8;

/// The polynomials q + h Σ uₖ θᵏ and v + h Σ wₖ θᵏ at time t + θ h, k = 1, 2, …
///
/// The polynomial for v is not the derivative of the polynomial for q. Both are solutions of the same order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polynomial<R: Real, const N: usize> {
    /// The state at the start of the step.
    pub start: State<R, N>,
    /// The length h of the step.
    pub length: R,
    /// The coefficients uₖ. Those above the degree are 0.
    pub q: [SVector<R, N>; MAX_DEGREE],
    /// The coefficients wₖ. Those above the degree are 0.
    pub v: [SVector<R, N>; MAX_DEGREE],
    /// The degree of both polynomials.
    pub degree: usize,
}

impl<R: Real, const N: usize> Polynomial<R, N> {
    /// Adds a multiple of 3θ² − 2θ³, so that the polynomials reach the state `end` at the end of the step.
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

    /// Returns the state at time `t`. Outside of the step the polynomials are extrapolated.
    pub fn interpolate(&self, t: R) -> State<R, N> {
        let h = self.length;
        let s = (t - self.start.t) / h;
        let increment = |coefficients: &[SVector<R, N>; MAX_DEGREE]| {
            let mut sum = SVector::repeat(R::ZERO);
            for coefficient in coefficients.iter().take(self.degree).rev() {
                sum = (sum + coefficient) * s;
            }
            sum * h
        };
        State { t, q: self.start.q + increment(&self.q), v: self.start.v + increment(&self.v) }
    }

    /// Returns the time derivatives of both polynomials at time `t`.
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
