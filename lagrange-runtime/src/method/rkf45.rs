//! Fehlberg's embedded Runge–Kutta pair of orders 4 and 5.

use super::embedded_pair::{EmbeddedPair, EstimateRule, PairTableau};
use crate::control::{ErrorMeasure, StepControl, StepLaw};
use crate::scalar::Real;
use crate::tableau::{ExplicitPair, fehlberg::RKF45};

/// Runge–Kutta–Fehlberg 4(5) with a step that adapts.
///
/// Its six stages give two solutions; that of order 4 is propagated, that of order 5 serves as the error estimate. Cost: 6
/// accelerations an accepted step, 5 a rejected one. The coefficients and their source are in
/// [`crate::tableau::fehlberg`].
pub type Rkf45<R> = EmbeddedPair<R, Rkf45Tableau, 6, 6, 1>;

/// The tableau of [`Rkf45`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rkf45Tableau;

impl PairTableau<6, 6, 1> for Rkf45Tableau {
    const NAME: &'static str = "RKF45";
    const ORDER: u32 = 4;
    const ERROR_POWER: u32 = 5;
    const PAIR: &'static ExplicitPair<6, 6, 1> = &RKF45;
    const FIRST_SAME_AS_LAST: bool = false;
    const ESTIMATE: EstimateRule = EstimateRule::OtherSolution;
    const INTERPOLATES: bool = false;
    const FROM_DIFFERENCES: bool = false;
}

impl<R: Real> Rkf45<R> {
    /// The method under an absolute limit on the energy: the error Δ is the difference of the two solutions' energies; a step is
    /// accepted if Δ ≤ `delta0` (in the unit of energy), and the next is (Δ₀/(2Δ))^(1/5) times as long, this factor being kept
    /// within [0.1, 4]. The first step is 1e-3 unless the options say otherwise. This is the step control of the compound double
    /// pendulum's publication.
    #[must_use]
    pub fn with_energy_limit(self, delta0: R) -> Self {
        self.with_absolute_limit(delta0, ErrorMeasure::Energy, StepLaw::Halved)
    }

    /// The method under an absolute limit `delta0` on the error by `measure`, in its unit, with this `law` for the next step.
    #[must_use]
    pub fn with_absolute_limit(self, delta0: R, measure: ErrorMeasure, law: StepLaw) -> Self {
        self.with_control(StepControl::AbsoluteLimit { delta0, measure, law })
    }
}
