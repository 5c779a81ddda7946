//! The counters of an integration, and the warnings that follow from them.

use crate::number::Number;
use core::fmt;
use core::ops::AddAssign;

/// How much work an integration took, and how well its states satisfied the constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Statistics {
    /// The number of accepted steps.
    pub steps: u64,
    /// The number of rejected attempts at a step.
    pub rejected: u64,
    /// The number of evaluations of the equations by `acceleration`, `balance` or `balance_jacobian`. Energies and velocity
    /// corrections are not counted, because they serve only measurement and output.
    pub evaluations: u64,
    /// The number of those evaluations that also computed a Jacobian.
    pub jacobians: u64,
    /// The number of matrices that a method factored. The factorizations inside an acceleration are not counted.
    pub factorizations: u64,
    /// The number of linear systems that a method solved in the iterations of implicit steps.
    pub iterations: u64,
    /// The number of accepted steps whose estimated error exceeds the tolerances, but not [`ROUNDINGS`] roundings of the state.
    /// In these steps the tolerances ask for more digits than the number type has.
    pub beyond_reach: u64,
    /// The number of times at which a contact opened, closed, or began to stick, to slip, or to slip the other way.
    pub phases: u64,
    /// The number of impacts at contacts that open and close: of contacts that were reached while they approached.
    #[cfg_attr(feature = "serde", serde(default))]
    pub impacts: u64,
    /// The number of searches of an event's function, or of the gap of a contact, over a step that were given up before the values told where
    /// the zeros are: the function changes too fast for 2000 parts of the step. Zeros may be missing there. A smaller `max_step`
    /// helps.
    #[cfg_attr(feature = "serde", serde(default))]
    pub coarse_searches: u64,
    /// The number of checks, one in the first 1000 attempts at a step and one in each 10 000 attempts, at which the stability of an explicit
    /// method limited its steps, and not the error: the equations are stiff there.
    #[cfg_attr(feature = "serde", serde(default))]
    pub stiff_checks: u64,
    /// The number of checks, after 256, 512, 1024, … steps, at which the fixed steps of an explicit method were longer than it is stable for, so that it amplifies the fastest decay or oscillation. Without the feature `std`, in the lanes of an ensemble and for methods without a [`stability`](crate::method::Method::stability) there are no such checks.
    #[cfg_attr(feature = "serde", serde(default))]
    pub unstable_checks: u64,
    /// The largest residuals of the constraints.
    pub residuals: Residuals,
}

/// The least tolerance that has an effect, in roundings of a component. In f64 it is 8.9e-16 of the component.
pub const ROUNDINGS: f64 = 4.0;

/// The largest residuals of the constraints among the measured states. States are measured at every 64th step, at stops, at
/// switches, at events that interrupt the motion, and at the end.
///
/// Each residual is relative to the largest magnitude that the terms of its row reach during the integration. For positions this
/// is Σᵢ|Gᵢ| max|q| plus the constraint's own [scale](crate::system::Constraint::scale). For velocities it is Σᵢ|Gᵢ| max|v| plus
/// the drift, but at least the magnitude for positions divided by the integration's span. A residual within a thousand roundings
/// counts as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Residuals {
    /// The largest residual of a holonomic constraint, g(q, t) = 0.
    pub position: f64,
    /// The largest residual of a hidden constraint, G v + g_t = 0.
    pub velocity: f64,
    /// The largest residual of a nonholonomic constraint, A v + b = 0.
    pub nonholonomic: f64,
}

impl Residuals {
    /// The integration warns if a residual exceeds this bound.
    pub const BOUND: f64 = 1e-6;

    /// Returns the larger residual of each kind. NaN counts as larger than every number.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
        Self {
            position: larger(self.position, other.position),
            velocity: larger(self.velocity, other.velocity),
            nonholonomic: larger(self.nonholonomic, other.nonholonomic),
        }
    }

    /// Returns the residual of each kind with the name of the kind.
    fn kinds(self) -> [(&'static str, f64); 3] {
        [
            ("positions", self.position),
            ("velocities under holonomic constraints", self.velocity),
            ("velocities under nonholonomic constraints", self.nonholonomic),
        ]
    }
}

/// A condition that is no error but that limits how far the result of an integration can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The motion left its constraints by more than [`Residuals::BOUND`]. An explicit method satisfies only the second
    /// derivatives of the constraints, so that the constraints drift.
    Drift(Residuals),
    /// Some steps could not meet the tolerances, because these are below the rounding of the state ([`ROUNDINGS`]).
    BeyondReach {
        /// The number of these steps.
        steps: u64,
    },
    /// Functions of events, or gaps, were not resolved in some steps, so that zeros may be missing.
    CoarseSearches {
        /// The number of searches.
        searches: u64,
    },
    /// The equations are stiff: something decays fast beside the motion, and the stability of the explicit method limited the steps.
    Stiff {
        /// The number of steps.
        steps: u64,
    },
    /// At a check, a fixed step of the explicit method was longer than the method is stable for. Its steps amplify the fastest decay or oscillation of the equations, however small it is at first.
    Unstable,
    /// The absolute tolerance is not small beside the motion: every coordinate and state stayed below 1000 `atol`.
    BelowTolerance,
}

/// The largest counter with which an integration can be resumed. Counting on from it does not overflow: at a billion a second this
/// takes 292 years more.
const MOST: u64 = u64::MAX / 2;

impl Statistics {
    /// Returns the first counter that is too large for an integration to have reached it, with its name. It checks counters that were
    /// read from outside.
    pub(crate) fn fault(&self) -> Option<(&'static str, u64)> {
        let Self {
            steps,
            rejected,
            evaluations,
            jacobians,
            factorizations,
            iterations,
            beyond_reach,
            phases,
            impacts,
            coarse_searches,
            stiff_checks,
            unstable_checks,
            residuals: _,
        } = *self;
        let counters = [
            ("number of steps", steps),
            ("number of rejected attempts", rejected),
            ("number of evaluations", evaluations),
            ("number of Jacobians", jacobians),
            ("number of factorizations", factorizations),
            ("number of iterations", iterations),
            ("number of steps beyond reach", beyond_reach),
            ("number of changes of phases", phases),
            ("number of impacts", impacts),
            ("number of coarse searches", coarse_searches),
            ("number of checks that found stiff equations", stiff_checks),
            ("number of checks that found fixed steps unstable", unstable_checks),
        ];
        counters.into_iter().find(|(_, count)| *count > MOST)
    }

    /// Returns the warnings that follow from the counters.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> + use<> {
        let drifts = self.residuals.kinds().iter().any(|(_, residual)| is_beyond(*residual));
        let drift = drifts.then_some(Warning::Drift(self.residuals));
        let beyond = (self.beyond_reach > 0).then_some(Warning::BeyondReach { steps: self.beyond_reach });
        let searches = self.coarse_searches;
        let coarse = (searches > 0).then_some(Warning::CoarseSearches { searches });
        let stiff = (self.stiff_checks > 0).then_some(Warning::Stiff { steps: self.steps });
        let unstable = (self.unstable_checks > 0).then_some(Warning::Unstable);
        drift.into_iter().chain(beyond).chain(coarse).chain(stiff).chain(unstable)
    }
}

/// Whether a residual exceeds the bound or is NaN.
fn is_beyond(residual: f64) -> bool {
    residual > Residuals::BOUND || residual.is_nan()
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drift(residuals) => {
                write!(f, "the motion left its constraints: ")?;
                let mut separator = "";
                for (kind, residual) in residuals.kinds() {
                    if is_beyond(residual) {
                        write!(f, "{separator}{kind} by {residual:.1e} of the largest terms")?;
                        separator = ", ";
                    }
                }
                write!(f, " (more than {:e}); `Projected` keeps a method on them", Residuals::BOUND)
            }
            Self::CoarseSearches { searches } => write!(
                f,
                "{} searches for events or contacts within a step were given up before the function was resolved, so that some may be \
                 missing; a smaller `max_step` resolves it",
                Number(*searches as f64)
            ),
            Self::Stiff { steps } => write!(
                f,
                "the equations are stiff: what decays fast limited the {} steps, and not the error; `Radau5` takes longer \
                 steps",
                Number(*steps as f64)
            ),
            Self::Unstable => f.write_str(
                "the fixed steps are longer than the explicit method is stable for, so that the fastest decay or oscillation grows in each step; take \
                 shorter steps, a method that chooses its steps, or an implicit one",
            ),
            Self::BelowTolerance => f.write_str(
                "every coordinate stayed below 1000 times `atol`, so that `atol` allowed errors of more than a thousandth of it; choose \
                 `atol` by the sizes of the coordinates",
            ),
            Self::BeyondReach { steps } => write!(
                f,
                "{} steps met the tolerances no further than to {ROUNDINGS} roundings of the state: smaller ones are out of reach",
                Number(*steps as f64)
            ),
        }
    }
}

impl AddAssign for Statistics {
    /// Adds the counters, and takes the larger residuals. Sums wrap around, which no integration reaches; to end at the largest number would
    /// cost three instructions a counter in each step.
    fn add_assign(&mut self, other: Self) {
        self.steps = self.steps.wrapping_add(other.steps);
        self.rejected = self.rejected.wrapping_add(other.rejected);
        self.evaluations = self.evaluations.wrapping_add(other.evaluations);
        self.jacobians = self.jacobians.wrapping_add(other.jacobians);
        self.factorizations = self.factorizations.wrapping_add(other.factorizations);
        self.iterations = self.iterations.wrapping_add(other.iterations);
        self.beyond_reach = self.beyond_reach.wrapping_add(other.beyond_reach);
        self.phases = self.phases.wrapping_add(other.phases);
        self.impacts = self.impacts.wrapping_add(other.impacts);
        self.coarse_searches = self.coarse_searches.wrapping_add(other.coarse_searches);
        self.stiff_checks = self.stiff_checks.wrapping_add(other.stiff_checks);
        self.unstable_checks = self.unstable_checks.wrapping_add(other.unstable_checks);
        self.residuals = self.residuals.max(other.residuals);
    }
}
