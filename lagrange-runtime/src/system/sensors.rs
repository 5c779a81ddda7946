//! What sensors need of the contract.

use crate::scalar::Scalar;
use nalgebra::SVector;

/// Powers and outputs of a system. A system without either implements the trait without a function.
pub trait Sensors<R: Scalar, const N: usize, const U: usize> {
    /// The names of what [`Sensors::powers`] writes: one per `force`, then `dissipation`, then `time`, then one per
    /// constraint that does work.
    fn power_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Writes each term of dh/dt = Q·v − v·∂D/∂v − ∂L/∂t − λ·drift, in the order of [`Sensors::power_names`]; NaN for a
    /// constraint's where the equations cannot be solved for λ.
    fn powers(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        let _ = (t, q, v, u, out);
    }

    /// The names of what [`Sensors::outputs`] writes, one per component.
    fn output_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Writes the sensors, in the order of [`Sensors::output_names`]; NaN for one of accelerations, multipliers or
    /// reactions where the equations cannot be solved for them.
    fn outputs(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        let _ = (t, q, v, u, out);
    }
}
