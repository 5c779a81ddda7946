//! Branches of equilibria as a parameter changes, with their folds, branch points and Hopf points.

mod curve;
mod family;
mod flutter;
mod metric;
mod special;
mod walk;

pub(super) use curve::Curve;
pub(super) use metric::Metric;
pub(super) use special::{Flank, Special};
pub(super) use walk::Walk;

use super::AnalysisError;
use super::equilibrium::{Equilibrium, EquilibriumSearch};
use crate::system::Mechanism;
use family::Family;
use nalgebra::{Complex, DVector};
use std::string::{String, ToString};
use std::vec::Vec;

/// An equilibrium on a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchPoint<const N: usize, const C: usize, const U: usize> {
    /// The parameter's value.
    pub parameter: f64,
    /// The equilibrium.
    pub equilibrium: Equilibrium<N, C, U>,
    /// The eigenvalues of the linearisation, those of larger real part first. There are none where it fails, as at a singular
    /// mass matrix.
    pub eigenvalues: Vec<Complex<f64>>,
    /// The number of eigenvalues with positive real parts.
    pub unstable: usize,
}

/// The kind of a special point of a branch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bifurcation {
    /// The branch turns back in the parameter, and no other branch crosses. On one side of the point there are two equilibria, and on the
    /// other none.
    Fold,
    /// Another branch crosses at the point. This branch may turn back in the parameter there, as at a pitchfork.
    BranchPoint,
    /// A pair of complex eigenvalues reaches or leaves the imaginary axis at ±iω, and an oscillation starts (flutter).
    Hopf {
        /// ω in rad/(unit of time).
        frequency: f64,
    },
}

/// A special point of a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecialPoint<const N: usize, const C: usize, const U: usize> {
    /// The kind of the point.
    pub kind: Bifurcation,
    /// The equilibrium at the point.
    pub point: BranchPoint<N, C, U>,
    /// The way of the branch there, from which [`Continuation::switch`] finds what crosses.
    pub way: Way,
}

/// The way of a branch at a special point. The vectors have a component for each unknown of the search, and the parameter as the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The direction of the branch. Its length has no meaning.
    pub direction: DVector<f64>,
    /// What the branch had spanned when it reached the point, or a small part of that where a component does not move.
    pub spans: DVector<f64>,
}

/// The reason why a branch ends.
#[derive(Clone, Debug, PartialEq)]
pub enum BranchEnd {
    /// The parameter reached the end of its range.
    Range,
    /// The branch returned to its start.
    Closed,
    /// The allowed number of points was reached.
    MaxPoints,
    /// No further point was found.
    Failed(AnalysisError),
}

/// A connected curve of equilibria over a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch<const N: usize, const C: usize, const U: usize> {
    /// The points in the order of the branch.
    pub points: Vec<BranchPoint<N, C, U>>,
    /// The special points in the order of the branch.
    pub special: Vec<SpecialPoint<N, C, U>>,
    /// The reason why the branch ends before its first point, and the reason why it ends after its last.
    pub ends: [BranchEnd; 2],
}

/// The continuation of an equilibrium in a parameter or an input.
///
/// From a first equilibrium it follows the curve (x(s), μ(s)) of the solutions of F(x, μ) = 0 in both directions. x are the
/// unknowns of an [`EquilibriumSearch`], and μ is the parameter. Each step goes along the tangent; then corrections −[F_x F_μ]⁺
/// F lead back to the curve. So the continuation passes folds, where μ turns back. F_x and F_μ are exact. Lengths and angles are measured
/// with each unknown, and μ, relative to what the branch has spanned in it. A step is halved where the corrections fail, where the tangent
/// turns by more than 0.3 rad, where the branch is farther from the tangent than 0.3 of the step, or where the step ends on another branch.
/// The branch ends where it returns to its start.
///
/// At a fold dμ/ds changes its sign. At a branch point the determinant of F_x, F_μ and the tangent changes its sign; dμ/ds may do so too, as
/// on the branch of a pitchfork that turns back. At a Hopf point the number of complex eigenvalues with positive real part changes. Each is
/// located by bisection along the branch. Where the points on both sides of the place differ, the step has gone to another branch. Two
/// special points within one step may be missed: a smaller [`with_max_step`](Self::with_max_step) separates them.
///
/// Source: E. L. Allgower, K. Georg, *Introduction to Numerical Continuation Methods*, 2, 6 and 8; Yu. A. Kuznetsov, *Elements of
/// Applied Bifurcation Theory*, 4th ed., 10.2.
///
/// ```
/// use lagrange_runtime::analysis::{Bifurcation, Continuation, EquilibriumSearch};
/// use lagrange_runtime::prelude::*;
///
/// // A hinged bar of length l with a torsion spring carries a load from above: it buckles at load = k/l.
/// #[lagrangian {
///     coordinates theta;
///     kinetic = i*dot(theta)^2/2;
///     potential = k*theta^2/2 + load*l*cos(theta);
/// }]
/// struct Column {
///     i: f64,
///     k: f64,
///     l: f64,
///     load: f64,
/// }
///
/// let column = Column { i: 1.0, k: 3.0, l: 2.0, load: 0.1 };
/// let straight = EquilibriumSearch::new([0.0], []);
/// let branch = Continuation::new("load", 0.0, 4.0).run(&column, &straight)?;
/// assert_eq!(branch.special.len(), 1);
/// assert_eq!(branch.special[0].kind, Bifurcation::BranchPoint);
/// assert!((branch.special[0].point.parameter - 1.5).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Continuation {
    parameter: String,
    low: f64,
    high: f64,
    max_step: f64,
    max_points: usize,
}

impl Continuation {
    /// A continuation in the parameter or input of this name, from `low` to `high`. The first equilibrium is sought at the
    /// mechanism's own value of the parameter, or at the nearer end if that value is outside the range.
    #[must_use]
    pub fn new(parameter: impl ToString, low: f64, high: f64) -> Self {
        Self { parameter: parameter.to_string(), low, high, max_step: 0.02, max_points: 1000 }
    }

    /// Sets the largest step in the parameter, as a fraction of its range; the default is 0.02. An unknown changes in a step at most by ten
    /// times this fraction of what the branch has spanned in it, and never by more than half of it.
    #[must_use]
    pub fn with_max_step(mut self, max_step: f64) -> Self {
        self.max_step = max_step;
        self
    }

    /// Sets the largest number of points in each direction; the default is 1000.
    #[must_use]
    pub fn with_max_points(mut self, max_points: usize) -> Self {
        self.max_points = max_points;
        self
    }

    /// The branch through the equilibrium that `search` finds.
    ///
    /// # Errors
    /// [`AnalysisError::UnknownName`] for a parameter that does not exist. [`AnalysisError::NotApplicable`] for a range or a
    /// step that is not positive. [`AnalysisError::Prepare`] for parameters without equations. For the first point, those of
    /// [`EquilibriumSearch::find`]. A failure at a later point ends the branch with a [`BranchEnd`].
    pub fn run<M, const N: usize, const C: usize, const U: usize>(
        &self,
        mechanism: &M,
        search: &EquilibriumSearch<N, U>,
    ) -> Result<Branch<N, C, U>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let family = self.family(mechanism, search)?;
        let start = family.first()?;
        let (metric, tangent) = Metric::at(&family, &start, self.max_step)?;
        self.walk(&family, metric, (&start, &tangent))
    }

    /// The other branch that crosses this one at a branch point, such as the bent shapes of a column that buckles.
    ///
    /// `at` is a special point of the kind [`Bifurcation::BranchPoint`] that [`run`](Self::run) found with the same `search`. At such a point [F_x F_μ] has two null directions: the tangent of the known branch, and another one, across it. A step
    /// along the latter, with corrections, leads to the other branch. The result is that branch in both directions; the branch point is one
    /// of its special points.
    ///
    /// # Errors
    /// Those of [`run`](Self::run). [`AnalysisError::NotApplicable`] where no other branch is found near the point. Source: E. L. Allgower, K.
    /// Georg, *Introduction to Numerical Continuation Methods*, 8.3.
    ///
    /// ```
    /// use lagrange_runtime::analysis::{Bifurcation, Continuation, EquilibriumSearch};
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates theta;
    ///     kinetic = i*dot(theta)^2/2;
    ///     potential = k*theta^2/2 + load*l*cos(theta);
    /// }]
    /// struct Column {
    ///     i: f64,
    ///     k: f64,
    ///     l: f64,
    ///     load: f64,
    /// }
    ///
    /// let column = Column { i: 1.0, k: 3.0, l: 2.0, load: 0.1 };
    /// let (straight, loads) = (EquilibriumSearch::new([0.0], []), Continuation::new("load", 0.0, 4.0));
    /// let buckling = &loads.run(&column, &straight)?.special[0];
    /// let bent = loads.switch(&column, &straight, buckling)?;
    /// // In equilibrium k θ = load l sin θ.
    /// for point in &bent.points {
    ///     let theta = point.equilibrium.state.q[0];
    ///     assert!((3.0 * theta - point.parameter * 2.0 * theta.sin()).abs() < 1e-9);
    /// }
    /// assert!(bent.points.iter().any(|point| point.equilibrium.state.q[0] > 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn switch<M, const N: usize, const C: usize, const U: usize>(
        &self,
        mechanism: &M,
        search: &EquilibriumSearch<N, U>,
        at: &SpecialPoint<N, C, U>,
    ) -> Result<Branch<N, C, U>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let family = self.family(mechanism, search)?;
        let origin = family.unknowns_of(&at.point.equilibrium, at.point.parameter)?;
        if at.way.direction.len() != origin.len() || at.way.spans.len() != origin.len() {
            let needs = "a special point that `run` found with this search".to_string();
            return Err(AnalysisError::NotApplicable { analysis: "a switch of branches", needs });
        }
        let (start, tangent, metric) = Metric::across(&family, &origin, &at.way, self.max_step)?;
        self.walk(&family, metric, (&start, &tangent))
    }

    /// The equilibria for all values of the parameter, if the settings make sense.
    fn family<M, const N: usize, const C: usize, const U: usize>(
        &self,
        mechanism: &M,
        search: &EquilibriumSearch<N, U>,
    ) -> Result<Family<M, N, C, U>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        check_range([self.low, self.high], self.max_step)?;
        Family::new(mechanism, &self.parameter, search, [self.low, self.high])
    }

    /// The branch through a point in both directions.
    fn walk<M, const N: usize, const C: usize, const U: usize>(
        &self,
        family: &Family<M, N, C, U>,
        metric: Metric,
        (start, tangent): (&DVector<f64>, &DVector<f64>),
    ) -> Result<Branch<N, C, U>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let mut walk = Walk { family, metric, max_step: self.max_step, max_points: self.max_points };
        let ((points, special), ends) = walk.both_ways(start, tangent)?;
        let special = special.into_iter().map(|(kind, point, way)| SpecialPoint { kind, point, way }).collect();
        Ok(Branch { points, special, ends })
    }
}

/// Checks the range of a parameter and the largest step in it.
pub(super) fn check_range([low, high]: [f64; 2], max_step: f64) -> Result<(), AnalysisError> {
    let refused = |needs: String| Err(AnalysisError::NotApplicable { analysis: "a continuation", needs });
    let width = high - low;
    if !(width > 0.0 && width.is_finite()) {
        return refused(std::format!("a range from a lower to a higher value; it is {low} to {high}"));
    }
    if !(max_step > 0.0 && max_step.is_finite()) {
        return refused(std::format!("a positive `max_step`; it is {max_step}"));
    }
    Ok(())
}
