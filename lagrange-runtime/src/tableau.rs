//! Coefficients of methods: numbers only.

pub mod classical;
pub mod fehlberg;

use crate::scalar::Real;

/// An exact rational coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// The numerator.
    pub numerator: i64,
    /// The denominator, positive.
    pub denominator: i64,
}

impl Ratio {
    /// 0.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// `numerator` / `denominator`.
    pub const fn new(numerator: i64, denominator: i64) -> Self {
        Self { numerator, denominator }
    }

    /// The nearest scalar: one rounding, as both integers are exact.
    #[inline(always)]
    pub fn value<R: Real>(self) -> R {
        R::from_f64(self.numerator as f64) / R::from_f64(self.denominator as f64)
    }
}

/// An explicit Runge–Kutta pair of `STAGES` stages: two solutions from the same evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplicitPair<const STAGES: usize> {
    /// cᵢ: stage i is evaluated at t + cᵢ h.
    pub nodes: [Ratio; STAGES],
    /// aᵢⱼ, row i for stage i; 0 for j ≥ i.
    pub coefficients: [[Ratio; STAGES]; STAGES],
    /// bᵢ of the solution that is propagated.
    pub weights: [Ratio; STAGES],
    /// bᵢ of the solution that it is compared with.
    pub embedded: [Ratio; STAGES],
}
