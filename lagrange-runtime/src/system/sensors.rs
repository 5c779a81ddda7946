//! The powers and the sensors of a system.

use crate::scalar::Scalar;
use nalgebra::SVector;

/// The powers and the sensors of a system. A system that has neither implements the trait without writing a function.
pub trait Sensors<R: Scalar, const N: usize, const U: usize> {
    /// The names of what [`Sensors::powers`] writes: one per `force`, then `dissipation`, then `time`, then one per
    /// constraint that does work.
    fn power_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Writes each term of dh/dt = Q·v − v·∂D/∂v − ∂L/∂t − λ·drift, in the order of [`Sensors::power_names`]. The term of a
    /// constraint is NaN where the equations cannot be solved for λ.
    fn powers(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        let _ = (t, q, v, u, out);
    }

    /// The names of what [`Sensors::outputs`] writes, one per component.
    fn output_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// The index of the output with this name, such as `hand[2]`; `None` where there is none.
    fn output_index(&self, name: &str) -> Option<usize> {
        self.output_names().iter().position(|known| *known == name)
    }

    /// The indices of the outputs that contain the force of a contact, by `friction(name)` or `contact(name)`.
    fn outputs_of_forces(&self) -> &'static [usize] {
        &[]
    }

    /// Writes the sensors, in the order of [`Sensors::output_names`]. A sensor of accelerations, multipliers, reactions
    /// or forces of contacts is NaN where the equations cannot be solved for them. The forces of contacts are those of
    /// [`contact::forces`](crate::contact::forces); in several lanes they are NaN.
    fn outputs(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        let _ = (t, q, v, u, out);
    }
}
