//! A system that counts the calls itself, to check the runtime's counters.

use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{Acceleration, Balance, BalanceJacobian, Energies, Equations, Facts, InertialBalance};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[derive(Debug)]
pub(crate) struct Counted<S> {
    system: S,
    evaluations: AtomicU64,
    jacobians: AtomicU64,
}

impl<S> Counted<S> {
    pub(crate) fn new(system: S) -> Self {
        Self { system, evaluations: AtomicU64::new(0), jacobians: AtomicU64::new(0) }
    }

    pub(crate) fn evaluations(&self) -> u64 {
        self.evaluations.load(Relaxed)
    }

    pub(crate) fn jacobians(&self) -> u64 {
        self.jacobians.load(Relaxed)
    }
}

impl<S: System<f64, N, C, U>, const N: usize, const C: usize, const U: usize> System<f64, N, C, U> for Counted<S> {
    fn facts(&self) -> &'static Facts {
        self.system.facts()
    }
    fn coordinates(&self) -> &'static [&'static str] {
        self.system.coordinates()
    }

    #[inline(always)]
    fn gap_count(&self) -> usize {
        self.system.gap_count()
    }
    fn state_count(&self) -> usize {
        self.system.state_count()
    }
    fn default_inputs(&self) -> SVector<f64, U> {
        self.system.default_inputs()
    }
    fn balance(&self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>, u: &SVector<f64, U>) -> Balance<f64, N> {
        self.evaluations.fetch_add(1, Relaxed);
        self.system.balance(t, q, v, u)
    }
    fn inertial_balance(
        &self,
        t: f64,
        q: &SVector<f64, N>,
        v: &SVector<f64, N>,
        u: &SVector<f64, U>,
    ) -> InertialBalance<f64, N> {
        self.evaluations.fetch_add(1, Relaxed);
        self.system.inertial_balance(t, q, v, u)
    }
    fn balance_jacobian(
        &self,
        t: f64,
        q: &SVector<f64, N>,
        v: &SVector<f64, N>,
        u: &SVector<f64, U>,
    ) -> BalanceJacobian<f64, N> {
        self.evaluations.fetch_add(1, Relaxed);
        self.jacobians.fetch_add(1, Relaxed);
        self.system.balance_jacobian(t, q, v, u)
    }
    fn equations(&self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>, u: &SVector<f64, U>) -> Equations<f64, N> {
        self.evaluations.fetch_add(1, Relaxed);
        self.system.equations(t, q, v, u)
    }
    fn acceleration(
        &self,
        t: f64,
        q: &SVector<f64, N>,
        v: &SVector<f64, N>,
        u: &SVector<f64, U>,
    ) -> Result<Acceleration<f64, N, C>, SingularMass> {
        self.evaluations.fetch_add(1, Relaxed);
        self.system.acceleration(t, q, v, u)
    }
    fn velocity_correction(
        &self,
        t: f64,
        q: &SVector<f64, N>,
        v: &SVector<f64, N>,
        p: &SVector<f64, N>,
    ) -> Result<SVector<f64, N>, SingularMass> {
        self.system.velocity_correction(t, q, v, p)
    }
    fn energies(&self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>, u: &SVector<f64, U>) -> Energies<f64> {
        self.system.energies(t, q, v, u)
    }
}

impl<S: Sensors<f64, N, U>, const N: usize, const U: usize> Sensors<f64, N, U> for Counted<S> {
    fn power_names(&self) -> &'static [&'static str] {
        self.system.power_names()
    }
    fn powers(&self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>, u: &SVector<f64, U>, out: &mut [f64]) {
        self.system.powers(t, q, v, u, out);
    }
}
