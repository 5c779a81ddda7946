//! Numbers with four independent infinitesimals: x = Σ x_S ε_S over the subsets S of {1, 2, 3, 4}, εᵢ² = 0.
//!
//! Three of them differentiate; the fourth runs along the motion, so that its part of an expression is the
//! expression's total time derivative.

use super::bounded::Bounded;
use std::ops::{Add, Mul, Neg, Sub};

/// How many subsets there are.
const PARTS: usize = 16;

/// The infinitesimal along the motion: q has v there, and t has 1.
pub(crate) const MOTION: usize = 8;

/// A number with infinitesimal parts; the bits of an index say which infinitesimals it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Jet(pub [Bounded; PARTS]);

impl Jet {
    /// A number without infinitesimal parts.
    pub(crate) fn constant(value: Bounded) -> Self {
        let mut parts = [Bounded::ZERO; PARTS];
        parts[0] = value;
        Self(parts)
    }

    /// The finite part.
    pub(crate) fn real(&self) -> f64 {
        self.0[0].value
    }

    /// The total time derivative: the part along the motion, as a number without such a part.
    pub(crate) fn rate(&self) -> Self {
        let mut parts = [Bounded::ZERO; PARTS];
        parts[..MOTION].copy_from_slice(&self.0[MOTION..]);
        Self(parts)
    }

    /// Multiplied by an exact number.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self(self.0.map(|part| part.scaled(factor)))
    }

    /// Σ cₖ (x − x₀)ᵏ, where x₀ is the finite part: a function of x from its Taylor coefficients at x₀.
    ///
    /// `coefficients` has one more than the four infinitesimals need; it moves with the bound of x₀. `terms` is the
    /// size of the terms that the derivatives are made of, where they cancel.
    pub(crate) fn composed(&self, coefficients: [f64; 6], terms: f64) -> Self {
        let bound = self.0[0].bound;
        let coefficient = |k: usize| Bounded {
            value: coefficients[k],
            bound: coefficients[k].abs().max(terms) + (k + 1) as f64 * coefficients[k + 1].abs() * bound,
        };
        let mut infinitesimal = *self;
        infinitesimal.0[0] = Bounded::ZERO;
        let mut result = Self::constant(coefficient(4));
        for k in (0..4).rev() {
            result = result * infinitesimal;
            result.0[0] = result.0[0] + coefficient(k);
        }
        result
    }

    /// Whether every part is finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.0.iter().all(|part| part.value.is_finite() && part.bound.is_finite())
    }
}

impl Add for Jet {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            *part = *part + other;
        }
        self
    }
}

impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.map(Neg::neg))
    }
}

impl Sub for Jet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Jet {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let mut product = [Bounded::ZERO; PARTS];
        for (i, &x) in self.0.iter().enumerate() {
            if x.is_zero() {
                continue;
            }
            for (j, &y) in other.0.iter().enumerate() {
                if i & j == 0 && !y.is_zero() {
                    product[i | j] = product[i | j] + x * y;
                }
            }
        }
        Self(product)
    }
}
