//! The counters of an integration.

use core::ops::AddAssign;

/// How much work an integration took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Statistics {
    /// Steps that were accepted.
    pub steps: u64,
    /// Steps that were tried and rejected.
    pub rejected: u64,
    /// Evaluations of the equations, of whatever form: `acceleration`, `balance` or `balance_jacobian`.
    /// Energies and velocity corrections, which only measure and report, are not counted.
    pub evaluations: u64,
    /// Those evaluations that gave a Jacobian too.
    pub jacobians: u64,
    /// Factorizations of a matrix by a method (those inside an acceleration are not counted).
    pub factorizations: u64,
    /// Iterations for implicit steps: linear systems solved by a method.
    pub iterations: u64,
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.steps += other.steps;
        self.rejected += other.rejected;
        self.evaluations += other.evaluations;
        self.jacobians += other.jacobians;
        self.factorizations += other.factorizations;
        self.iterations += other.iterations;
    }
}
