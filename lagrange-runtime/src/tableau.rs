//! Coefficients of methods: numbers only.

pub mod classical;
pub mod composition;
pub mod fehlberg;
pub mod gauss;

use crate::scalar::{Real, Scalar};

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

/// An irrational coefficient, as the unevaluated sum of its correctly rounded double and the rounded remainder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    /// The nearest double.
    pub high: f64,
    /// What the rounding left.
    pub low: f64,
}

impl Coefficient {
    /// The nearest scalar.
    #[inline(always)]
    pub fn value<R: Scalar>(self) -> R {
        R::from_parts(self.high, self.low)
    }

    /// The coefficient as a multiple of 1/1024, exact in every scalar, and the small rest.
    ///
    /// A sum of products by the first parts, and then by the rests, errs by rounding alone, which is random, and
    /// not by the rounding of the coefficients, which would be the same in every step (E. Hairer, R. I. McLachlan,
    /// A. Razakarivony, *Achieving Brouwer's law with implicit Runge–Kutta methods*, BIT 48, 2008). The magnitude must
    /// be below 2.
    #[inline(always)]
    pub fn split<R: Scalar>(self) -> [R; 2] {
        let scaled = self.high * 1024.0;
        let nearest = (if scaled < 0.0 { scaled - 0.5 } else { scaled + 0.5 }) as i32;
        let coarse = f64::from(nearest) / 1024.0;
        // The difference is exact; being small, it has room for digits of the remainder.
        let exact = self.high - coarse;
        let fine = exact + self.low;
        [R::from_f64(coarse), R::from_parts(fine, (exact - fine) + self.low)]
    }
}

/// A collocation method of `S` stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collocation<const S: usize> {
    /// cᵢ: stage i is at t + cᵢ h.
    pub nodes: [Coefficient; S],
    /// aᵢⱼ, row i for stage i.
    pub coefficients: [[Coefficient; S]; S],
    /// bⱼ of the step.
    pub weights: [Coefficient; S],
}
