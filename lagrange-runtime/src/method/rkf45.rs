//! Fehlberg's embedded Runge–Kutta pair of orders 4 and 5.

use super::embedded_pair::{EmbeddedPair, EstimateRule, PairTableau};
use crate::control::{ErrorMeasure, StepControl, StepLaw};
use crate::scalar::Real;
use crate::tableau::{ExplicitPair, fehlberg::RKF45};

/// Runge–Kutta–Fehlberg 4(5) with an adaptive step.
///
/// The six stages give two solutions. The solution of order 4 is propagated, and that of order 5 serves as the error estimate.
/// The cost is 6 accelerations for an accepted step and 5 for a rejected one. The coefficients and their source are in
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
    /// Returns the method under an absolute limit on the energy. The error Δ is the difference between the energies of the two
    /// solutions. A step is accepted if Δ ≤ `delta0`, in the unit of energy. The next step is (Δ₀/(2Δ))^(1/5) times as long, with
    /// this factor limited to [0.1, 4]. The first step is 1e-3 unless the options give another. This is the step control of the
    /// publication on the compound double pendulum.
    #[must_use]
    pub fn with_energy_limit(self, delta0: R) -> Self {
        self.with_absolute_limit(delta0, ErrorMeasure::Energy, StepLaw::Halved)
    }

    /// Returns the method under the absolute limit `delta0` on the error. The error is measured by `measure`, in its unit. The
    /// size of the next step follows from `law`.
    #[must_use]
    pub fn with_absolute_limit(self, delta0: R, measure: ErrorMeasure, law: StepLaw) -> Self {
        self.with_control(StepControl::AbsoluteLimit { delta0, measure, law })
    }
}
