//! Interpolation within a step.

mod hermite;
mod polynomial;

pub use hermite::Hermite;
pub use polynomial::{MAX_DEGREE, Polynomial};

use crate::options::time_rounding;
use crate::scalar::Real;
use crate::state::State;

/// The interpolant of one step: the method's own, or Hermite's where it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "it lives on the stack, where nothing may be allocated")]
pub enum Interpolant<R: Real, const N: usize> {
    /// From the states and accelerations at both ends.
    Hermite(Hermite<R, N>),
    /// A polynomial from the method's stages.
    Polynomial(Polynomial<R, N>),
}

impl<R: Real, const N: usize> Interpolant<R, N> {
    /// The state at the step's start.
    pub fn start(&self) -> &State<R, N> {
        match self {
            Self::Hermite(hermite) => &hermite.start,
            Self::Polynomial(polynomial) => &polynomial.start,
        }
    }

    /// The state at the step's end.
    pub fn end(&self) -> &State<R, N> {
        match self {
            Self::Hermite(hermite) => &hermite.end,
            Self::Polynomial(polynomial) => &polynomial.end,
        }
    }

    /// The state at time `t`; beyond the ends the polynomials are continued. At an end, up to rounding, it is that
    /// end's state.
    pub fn sample(&self, t: R) -> State<R, N> {
        let (start, end) = (self.start(), self.end());
        let rounding = time_rounding(t, t);
        if (t - end.t).abs() <= rounding {
            return State { t, ..*end };
        }
        if (t - start.t).abs() <= rounding {
            return State { t, ..*start };
        }
        self.between(t)
    }

    /// The state at time `t`, by the polynomials alone.
    pub(crate) fn between(&self, t: R) -> State<R, N> {
        match self {
            Self::Hermite(hermite) => hermite.interpolate(t),
            Self::Polynomial(polynomial) => polynomial.interpolate(t),
        }
    }
}
