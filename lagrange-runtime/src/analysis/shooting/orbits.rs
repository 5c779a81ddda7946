//! Branches of periodic orbits as a parameter changes.

mod attachment;
mod family;

use super::{Given, PeriodicOrbit, Shooting};
use crate::analysis::AnalysisError;
use crate::analysis::continuation::{BranchEnd, Metric, Walk, Way, check_range};
use crate::analysis::demand;
use crate::analysis::sensitivity::Variable;
use crate::method::{Method, OnDuals};
use crate::options::AnyOptions;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::Mechanism;
use core::f64::consts::TAU;
use core::marker::PhantomData;
use family::Orbits;
use nalgebra::{Complex, DVector};
use std::string::{String, ToString};
use std::vec::Vec;

/// The number of states of an orbit that a point of a branch has.
const SAMPLES: u32 = 64;
/// A periodic orbit on a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct OrbitPoint<const N: usize> {
    /// The parameter's value.
    pub parameter: f64,
    /// The orbit, with its Floquet multipliers.
    pub orbit: PeriodicOrbit<N>,
    /// 64 states of the orbit at equal intervals of time, from its start on.
    pub states: Vec<State<f64, N>>,
    /// The number of multipliers outside the unit circle. An orbit without any is stable, if one multiplier at most is 1.
    pub unstable: usize,
}

impl<const N: usize> OrbitPoint<N> {
    /// The complex amplitude c_k = 2/T ∫ x e^(−ikωt) dt of harmonic k of coordinate `index` over the period T = 2π/ω, with the time from the
    /// start of the orbit. The coordinate contains Re(c_k e^(ikωt)); for k = 0 this is twice its mean. `None` for an index without a
    /// coordinate, and for harmonics from 32 on.
    #[must_use]
    pub fn harmonic(&self, index: usize, k: u32) -> Option<Complex<f64>> {
        if index >= N || k >= SAMPLES / 2 {
            return None;
        }
        let turn = |j: usize| Complex::from_polar(1.0, -TAU * f64::from(k) * j as f64 / f64::from(SAMPLES));
        let sum: Complex<f64> = self.states.iter().enumerate().map(|(j, state)| turn(j) * state.q[index]).sum();
        Some(sum * (2.0 / f64::from(SAMPLES)))
    }

    /// Half the difference between the largest and the smallest value of coordinate `index`, from cubic curves through the states. `None` for
    /// an index without a coordinate.
    #[must_use]
    pub fn amplitude(&self, index: usize) -> Option<f64> {
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        if index >= N {
            return None;
        }
        let h = self.orbit.period / f64::from(SAMPLES);
        for (a, b) in self.states.iter().zip(self.states.iter().cycle().skip(1)) {
            let (from, rise, to) = (a.q[index], b.q[index] - a.q[index], h * b.v[index]);
            let at = |part: f64| {
                let rest = 1.0 - part;
                from + part * rise + part * rest * (rest * (h * a.v[index] - rise) - part * (to - rise))
            };
            range = [range[0].min(from), range[1].max(from)];
            // The velocity of the cubic curve is 0 where the turning point is.
            let (first, second) = (h * a.v[index], to);
            if first * second < 0.0 {
                let (square, slope) = (3.0 * (first + second - 2.0 * rise), 2.0 * (3.0 * rise - 2.0 * first - second));
                let root = (slope * slope - 4.0 * square * first).max(0.0).sqrt();
                let part = -2.0 * first / (slope + if first < 0.0 { root } else { -root });
                let turning = at(part);
                range = [range[0].min(turning), range[1].max(turning)];
            }
        }
        Some((range[1] - range[0]) / 2.0)
    }
}

/// The kind of a special point of a branch of orbits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OrbitBifurcation {
    /// The branch turns back in the parameter: a stable and an unstable orbit meet, as at a jump of a frequency response.
    Fold,
    /// Another branch of orbits crosses, as where an orbit loses its symmetry.
    BranchPoint,
    /// A multiplier goes through −1: an orbit of twice the period begins.
    PeriodDoubling,
    /// A pair of multipliers exp(±iα) crosses the unit circle: motions on a torus begin (Neimark and Sacker).
    Torus {
        /// α in rad, from 0 to π.
        angle: f64,
    },
}

/// A special point of a branch of orbits.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecialOrbit<const N: usize> {
    /// The kind of the point.
    pub kind: OrbitBifurcation,
    /// The orbit there.
    pub point: OrbitPoint<N>,
    /// The way of the branch there: in the states of the start, the period where it is free, and the parameter.
    pub way: Way,
}

/// A connected curve of periodic orbits over a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct OrbitBranch<const N: usize> {
    /// The points in the order of the branch.
    pub points: Vec<OrbitPoint<N>>,
    /// The special points in the order of the branch.
    pub special: Vec<SpecialOrbit<N>>,
    /// The reason why the branch ends before its first point, and the reason why it ends after its last.
    pub ends: [BranchEnd; 2],
}

/// The continuation of a periodic orbit in a parameter or an input.
///
/// From the orbit that a [`Shooting`] search finds, it follows the solutions (x₀, T, μ) of x(T; x₀, μ) = x₀ + w in both directions, as
/// [`Continuation`](super::super::Continuation) follows equilibria: through folds, with steps by the tangent and exact derivatives. The period T is
///
/// - the period of the search, if the search has a fixed one, as under a drive whose frequency is not the parameter;
/// - 2πn/μ with [`with_drive`](Self::with_drive), where the parameter is the angular frequency of a drive: then the branch is the frequency
///   response of the mechanism, which may be nonlinear;
/// - free otherwise. Then the search fixes one coordinate or velocity of the start, such as the velocity 0 at a turning point, which tells
///   the orbits of one cycle apart.
///
/// Under constraints the start follows them, also where they contain the parameter, as a rod's length. Then the multipliers are those of the
/// independent coordinates and velocities at the start. Give a method that keeps the constraints, such as
/// `Projected::new(Dop853::new())`. Redundant constraints leave the branch points unfound.
///
/// A Floquet multiplier that leaves the unit circle is found as a bifurcation ([`OrbitBifurcation`]), and located by bisection. Orbits must be
/// isolated at each value of the parameter: a mechanism that keeps its energy has families of them, which a little damping makes single.
/// Source: R. Seydel, *Practical Bifurcation and Stability Analysis*, 3rd ed., 7.
///
/// ```
/// use lagrange_runtime::analysis::{OrbitBifurcation, OrbitContinuation, Shooting};
/// use lagrange_runtime::prelude::*;
///
/// // Duffing's oscillator under a drive.
/// #[lagrangian {
///     coordinates x;
///     kinetic = dot(x)^2/2;
///     potential = x^2/2 + b*x^4/4;
///     dissipation = c*dot(x)^2/2;
///     force x = f*cos(w*t);
/// }]
/// #[derive(Clone)]
/// struct Duffing {
///     b: f64,
///     c: f64,
///     f: f64,
///     w: f64,
/// }
///
/// let duffing = Duffing { b: 0.05, c: 0.2, f: 1.0, w: 0.5 };
/// let search = Shooting::new(State::new(0.0, [1.3], [0.0]), 12.6);
/// let options = SharedOptions { rtol: 1e-10, atol: 1e-10, ..SharedOptions::default() };
/// let response = OrbitContinuation::new("w", 0.5, 2.5)
///     .with_drive(1)
///     .run(&duffing, &search, &Dop853::new(), &options)?;
/// // The response jumps at two folds, and has three amplitudes between them.
/// let folds: Vec<f64> = response.special.iter().map(|special| special.point.parameter).collect();
/// assert_eq!(folds.len(), 2);
/// assert!(response.special.iter().all(|special| special.kind == OrbitBifurcation::Fold) && folds[0] > folds[1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OrbitContinuation {
    parameter: String,
    range: [f64; 2],
    max_step: f64,
    max_points: usize,
    drive: Option<u32>,
}

impl OrbitContinuation {
    /// A continuation in the parameter or input of this name, from `low` to `high`. The first orbit is sought at the mechanism's own value
    /// of the parameter, or at the nearer end if that value is outside the range.
    #[must_use]
    pub fn new(parameter: impl ToString, low: f64, high: f64) -> Self {
        Self { parameter: parameter.to_string(), range: [low, high], max_step: 0.02, max_points: 1000, drive: None }
    }

    /// Takes the parameter as the angular frequency ω of a drive, in rad/(unit of time). The period of the orbits is `periods` of the
    /// drive's, 2π·`periods`/ω.
    #[must_use]
    pub fn with_drive(self, periods: u32) -> Self {
        Self { drive: Some(periods), ..self }
    }

    /// Sets the largest step in the parameter, as a fraction of its range; the default is 0.02
    /// ([`Continuation::with_max_step`](super::super::Continuation::with_max_step)).
    #[must_use]
    pub fn with_max_step(self, max_step: f64) -> Self {
        Self { max_step, ..self }
    }

    /// Sets the largest number of points in each direction; the default is 1000.
    #[must_use]
    pub fn with_max_points(self, max_points: usize) -> Self {
        Self { max_points, ..self }
    }

    /// The branch through the orbit that `search` finds. `method` runs on dual numbers, as in [`sensitivities`](super::super::sensitivities),
    /// with tolerances of 1e-9 or less.
    ///
    /// # Errors
    /// [`AnalysisError::UnknownName`] for a parameter that does not exist. [`AnalysisError::NotApplicable`] for a range or a step that is
    /// not positive, and for a search that fixes too much or too little of the start. For the first
    /// orbit, those of [`Shooting::find`]. A failure at a later point ends the branch with a [`BranchEnd`].
    pub fn run<'o, M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
        &self,
        mechanism: &M,
        search: &Shooting<N>,
        method: &I,
        options: &impl AnyOptions<'o, Dual<f64, W>, N>,
    ) -> Result<OrbitBranch<N>, AnalysisError>
    where
        M: Mechanism<N, C, U> + Clone,
        I: OnDuals<N, C, W>,
    {
        let (duals, options) = (&method.on_duals(), &options.options());
        let family = self.family((mechanism, duals, options), search)?;
        let [low, high] = self.range;
        let value = mechanism.parameter(&self.parameter).unwrap_or(low).clamp(low, high);
        let mechanism = family.mechanism_at(value)?;
        let first = match self.drive {
            Some(_) => Shooting { period: family.period_of(value), ..search.clone() }.with_fixed_period(),
            None => search.clone(),
        };
        let found = first.find(&mechanism, method, options)?;
        let start = family.unknowns_of(&found, value);
        let (metric, tangent) = Metric::at(&family, &start, self.max_step)?;
        self.walk(&family, metric, (&start, &tangent))
    }

    /// The other branch that crosses this one at a branch point, such as the orbits without symmetry
    /// ([`Continuation::switch`](super::super::Continuation::switch)). `at` is a special point that [`run`](Self::run) found with the same
    /// arguments.
    ///
    /// # Errors
    /// Those of [`run`](Self::run). [`AnalysisError::NotApplicable`] where no other branch is found near the point.
    pub fn switch<'o, M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
        &self,
        mechanism: &M,
        search: &Shooting<N>,
        at: &SpecialOrbit<N>,
        (method, options): (&I, &impl AnyOptions<'o, Dual<f64, W>, N>),
    ) -> Result<OrbitBranch<N>, AnalysisError>
    where
        M: Mechanism<N, C, U> + Clone,
        I: OnDuals<N, C, W>,
    {
        let (duals, options) = (&method.on_duals(), &options.options());
        let family = self.family((mechanism, duals, options), search)?;
        let origin = family.unknowns_of(&at.point.orbit, at.point.parameter);
        demand(
            [&at.way.direction, &at.way.spans].iter().all(|own| own.len() == origin.len()),
            "a switch of branches",
            || "a special point that `run` found with this search".to_string(),
        )?;
        let (start, tangent, metric) = Metric::across(&family, &origin, &at.way, self.max_step)?;
        self.walk(&family, metric, (&start, &tangent))
    }

    /// The orbits for all values of the parameter, if the settings make sense.
    fn family<'a, M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
        &'a self,
        given: Given<'a, M, I, N, W>,
        search: &'a Shooting<N>,
    ) -> Result<Orbits<'a, M, I, N, C, U, W>, AnalysisError>
    where
        M: Mechanism<N, C, U> + Clone,
    {
        const ANALYSIS: &str = "a continuation of orbits";
        check_range(self.range, self.max_step)?;
        let variable = Variable::<N>::named(given.0, &self.parameter)?;
        demand(matches!(variable, Variable::Parameter(_) | Variable::Input(_)), ANALYSIS, || {
            std::format!("a parameter or an input; `{}` is a component of the state", self.parameter)
        })?;
        demand(self.drive.is_none_or(|periods| periods > 0 && self.range[0] > 0.0), ANALYSIS, || {
            std::format!("at least one period of the drive, and positive frequencies; the lowest is {}", self.range[0])
        })?;
        let is_free = self.drive.is_none() && !search.fixed_period;
        let own = N.saturating_sub(M::STATES);
        let rows = (0..own).chain(N..2 * N).collect::<Vec<_>>();
        let fixed: Vec<usize> = rows.iter().copied().filter(|&row| search.fixed[row / N][row % N]).collect();
        demand(fixed.len() == usize::from(is_free), ANALYSIS, || {
            std::format!(
                "{} fixed coordinate or velocity of the start{}; the search fixes {}",
                if is_free { "one" } else { "no" },
                if is_free {
                    ", which tells the orbits of one cycle apart"
                } else {
                    ", because a drive gives the period"
                },
                fixed.len()
            )
        })?;
        Ok(Orbits {
            given,
            search,
            variable,
            name: &self.parameter,
            range: self.range,
            drive: self.drive,
            is_free,
            rows,
            fixed,
            sizes: PhantomData,
        })
    }

    /// The branch through a point in both directions.
    fn walk<M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
        &self,
        family: &Orbits<'_, M, I, N, C, U, W>,
        metric: Metric,
        (start, tangent): (&DVector<f64>, &DVector<f64>),
    ) -> Result<OrbitBranch<N>, AnalysisError>
    where
        M: Mechanism<N, C, U> + Clone,
        I: Method<Dual<f64, W>, N, C>,
    {
        let mut walk = Walk { family, metric, max_step: self.max_step, max_points: self.max_points };
        let ((points, special), ends) = walk.both_ways(start, tangent)?;
        let special = special.into_iter().map(|(kind, point, way)| SpecialOrbit { kind, point, way }).collect();
        Ok(OrbitBranch { points, special, ends })
    }
}
