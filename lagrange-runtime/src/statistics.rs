//! The counters of an integration, and what it should be warned of.

use crate::error::Number;
use core::fmt;
use core::ops::AddAssign;

/// How much work an integration took, and how well it kept what no error estimate sees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
    /// Accepted steps whose estimated error is above the tolerances, which are below [`ROUNDINGS`] roundings of the state there,
    /// but not above these roundings.
    pub beyond_reach: u64,
    /// The largest residuals of the constraints.
    pub residuals: Residuals,
}

/// Below how many roundings of a component no tolerance has an effect: 8.9e-16 of the component in f64.
pub const ROUNDINGS: f64 = 4.0;

/// The largest residuals of the constraints among the measured states: at every 64th step, at stops, at switches, at events that
/// interrupt the motion, and at the end.
///
/// Each is relative to the largest magnitude that the terms of its row reach: Σᵢ|Gᵢ| max|q| and the constraint's own
/// [scale](crate::system::Constraint::scale), or Σᵢ|Gᵢ| max|v| and the drift. Velocities count at least as much as moves the
/// positions by their own magnitude within the span. A residual within a thousand roundings counts as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Residuals {
    /// That of a holonomic constraint, g(q, t) = 0.
    pub position: f64,
    /// That of a hidden constraint, G v + g_t = 0.
    pub velocity: f64,
    /// That of a nonholonomic constraint, A v + b = 0.
    pub nonholonomic: f64,
}

impl Residuals {
    /// Past this residual an integration warns.
    pub const BOUND: f64 = 1e-6;

    /// The larger of each kind.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
        Self {
            position: larger(self.position, other.position),
            velocity: larger(self.velocity, other.velocity),
            nonholonomic: larger(self.nonholonomic, other.nonholonomic),
        }
    }

    /// Each kind with its name.
    fn kinds(self) -> [(&'static str, f64); 3] {
        [
            ("positions", self.position),
            ("velocities under holonomic constraints", self.velocity),
            ("velocities under nonholonomic constraints", self.nonholonomic),
        ]
    }
}

/// What an integration met that is no error, but that its result should be judged by.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The motion left its constraints by more than [`Residuals::BOUND`]: explicit methods keep their second derivatives alone.
    Drift(Residuals),
    /// So many steps could not meet the tolerances, which are below the rounding of the state ([`ROUNDINGS`]).
    BeyondReach {
        /// How many steps.
        steps: u64,
    },
}

impl Statistics {
    /// What the result should be judged by.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> + use<> {
        let drifts = self.residuals.kinds().iter().any(|(_, residual)| is_beyond(*residual));
        let drift = drifts.then_some(Warning::Drift(self.residuals));
        let beyond = (self.beyond_reach > 0).then_some(Warning::BeyondReach { steps: self.beyond_reach });
        drift.into_iter().chain(beyond)
    }
}

/// Whether a residual is past the bound, or no number.
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
            Self::BeyondReach { steps } => write!(
                f,
                "{} steps met the tolerances no further than to {ROUNDINGS} roundings of the state: smaller ones are out of reach",
                Number(*steps as f64)
            ),
        }
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.steps += other.steps;
        self.rejected += other.rejected;
        self.evaluations += other.evaluations;
        self.jacobians += other.jacobians;
        self.factorizations += other.factorizations;
        self.iterations += other.iterations;
        self.beyond_reach += other.beyond_reach;
        self.residuals = self.residuals.max(other.residuals);
    }
}
