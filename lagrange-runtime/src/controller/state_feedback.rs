//! Linear state feedback.

use super::{Controller, Law};
use crate::error::Failure;
use crate::scalar::Scalar;
use nalgebra::{SMatrix, SVector};

/// u = u₀ − K_q (q − q₀) − K_v (v − v₀).
///
/// The feedback is a controller in continuous time, and a law of a sampled one. K_q and K_v have a row for each input and a
/// column for each coordinate, in the units of the input over those of the coordinate and the velocity. The gains of a
/// linear-quadratic regulator come from [`Regulator::feedback`](crate::analysis::Regulator::feedback) (with `std`).
///
/// ```
/// use lagrange_runtime::controller::StateFeedback;
/// use lagrange_runtime::prelude::*;
///
/// let mut feedback = StateFeedback::new(SMatrix::from([[2.0_f64]]), SMatrix::from([[0.5]]))
///     .with_reference(SVector::from([1.0]), SVector::from([0.0]));
/// assert_eq!(feedback.input(0.0, &SVector::from([1.25]), &SVector::from([1.0]))[0], -1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateFeedback<R: Scalar, const N: usize, const U: usize> {
    position_gain: SMatrix<R, U, N>,
    velocity_gain: SMatrix<R, U, N>,
    q: SVector<R, N>,
    v: SVector<R, N>,
    u: SVector<R, U>,
}

impl<R: Scalar, const N: usize, const U: usize> StateFeedback<R, N, U> {
    /// The feedback with the gains K_q and K_v, around q₀ = 0, v₀ = 0 and u₀ = 0.
    #[must_use]
    pub fn new(position_gain: SMatrix<R, U, N>, velocity_gain: SMatrix<R, U, N>) -> Self {
        let (zero, u) = (SVector::repeat(R::ZERO), SVector::repeat(R::ZERO));
        Self { position_gain, velocity_gain, q: zero, v: zero, u }
    }

    /// Sets the reference q₀ and v₀.
    #[must_use]
    pub fn with_reference(self, q: SVector<R, N>, v: SVector<R, N>) -> Self {
        Self { q, v, ..self }
    }

    /// Sets the inputs u₀ at the reference.
    #[must_use]
    pub fn with_inputs(self, u: SVector<R, U>) -> Self {
        Self { u, ..self }
    }

    /// Converts the feedback to another number type, such as `f32` for a computer without `f64`.
    #[must_use]
    pub fn convert<T: Scalar>(&self) -> StateFeedback<T, N, U> {
        let number = |value: R| T::from_f64(value.to_f64());
        StateFeedback {
            position_gain: self.position_gain.map(number),
            velocity_gain: self.velocity_gain.map(number),
            q: self.q.map(number),
            v: self.v.map(number),
            u: self.u.map(number),
        }
    }

    /// K_q.
    pub fn position_gain(&self) -> &SMatrix<R, U, N> {
        &self.position_gain
    }

    /// K_v.
    pub fn velocity_gain(&self) -> &SMatrix<R, U, N> {
        &self.velocity_gain
    }

    /// q₀ and v₀.
    pub fn reference(&self) -> (&SVector<R, N>, &SVector<R, N>) {
        (&self.q, &self.v)
    }

    #[inline(always)]
    fn at(&self, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        SVector::from_fn(|k, _| {
            (0..N).fold(self.u[k], |u, i| {
                let pull = self.position_gain[(k, i)] * (q[i] - self.q[i]);
                u - pull - self.velocity_gain[(k, i)] * (v[i] - self.v[i])
            })
        })
    }

    fn settings(&self) -> Result<(), Failure> {
        let gains = self.position_gain.iter().chain(self.velocity_gain.iter());
        match gains.chain(self.u.iter()).map(|value| value.to_f64()).find(|value| !value.is_finite()) {
            None => Ok(()),
            Some(value) => Err(Failure::BadOption { option: "gain", value, allowed: "finite" }),
        }
    }
}

impl<R: Scalar, const N: usize, const U: usize> Controller<R, N, U> for StateFeedback<R, N, U> {
    #[inline(always)]
    fn input(&mut self, _: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        self.at(q, v)
    }

    fn check(&self) -> Result<(), Failure> {
        self.settings()
    }
}

impl<R: Scalar, const N: usize, const U: usize> Law<R, N, U> for StateFeedback<R, N, U> {
    #[inline(always)]
    fn sample(&mut self, _: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        self.at(q, v)
    }

    fn check(&self) -> Result<(), Failure> {
        self.settings()
    }
}
