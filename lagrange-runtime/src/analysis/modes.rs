//! Small oscillations about an equilibrium at rest.

use super::AnalysisError;
use super::eigenvalues::{Eigenvalue, eigenvalues_within};
use super::equilibrium::{Equilibrium, equilibrate};
use super::matrix::{dense, finite};
use super::tangent::TangentBasis;
use super::{without_contacts, without_states};
use crate::system::Linearise;
use nalgebra::{Complex, DMatrix, DVector, SVD, SymmetricEigen};
use std::string::ToString;
use std::vec::Vec;

/// A difference counts as 0 if it is below this many roundings of its terms.
const ROUNDINGS: f64 = 64.0;
/// The largest part of the terms of λ² M + λ D + K by which the error of λ may hide that a direction is a shape.
const LARGEST_SLACK: f64 = 1e-6;
/// The largest number of iterations of a decomposition.
const MAX_ITERATIONS: usize = 20_000;

/// The small oscillations M ẍ + D ẋ + K x = 0 about an equilibrium, where x are the deviations of the independent coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// M: the mass matrix on the tangent space.
    pub mass: DMatrix<f64>,
    /// D: its symmetric part is damping, and the rest are gyroscopic terms.
    pub damping: DMatrix<f64>,
    /// K: the stiffness, including the part λ·g_qq of the constraints.
    pub stiffness: DMatrix<f64>,
    /// The modes of M and K alone, the slowest first. There are none where K is not symmetric, as under follower forces.
    pub undamped: Vec<Mode>,
    /// The modes of M, D and K, those that decay least first. A pair of conjugate eigenvalues gives one mode.
    pub damped: Vec<DampedMode>,
    /// The basis: it says which coordinates x are, and how the others follow from them.
    pub basis: TangentBasis,
}

/// A solution x = φ cos(ωt + α) of M ẍ + K x = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// ω², in rad²/(unit of time)²; negative where the equilibrium is unstable.
    pub square: f64,
    /// The shape in all N coordinates, with φᵀ M φ = 1 and its largest component positive.
    pub shape: DVector<f64>,
}

impl Mode {
    /// ω in rad/(unit of time): 0 for a motion without stiffness, `None` where ω² is negative.
    #[must_use]
    pub fn frequency(&self) -> Option<f64> {
        (self.square >= 0.0).then(|| self.square.sqrt())
    }
}

/// A solution x = Re(φ exp(λt)) of M ẍ + D ẋ + K x = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct DampedMode {
    /// λ in 1/(unit of time), its imaginary part not negative.
    pub eigenvalue: Complex<f64>,
    /// The shape in all N coordinates, its largest component 1. The shapes of an eigenvalue of several modes are linearly independent.
    pub shape: DVector<Complex<f64>>,
    /// Whether the eigenvalue is defective: it has fewer shapes than modes, as at critical damping. Then motions with t exp(λt) exist
    /// too, and modes beyond the number of shapes repeat the last one.
    pub defective: bool,
}

impl DampedMode {
    /// |λ|: the natural frequency in rad/(unit of time).
    #[must_use]
    pub fn frequency(&self) -> f64 {
        self.eigenvalue.norm()
    }

    /// ζ = −Re λ/|λ|: 0 without damping, 1 for decay without oscillation, negative for growth. It is 0 where λ = 0.
    #[must_use]
    pub fn damping_ratio(&self) -> f64 {
        match self.frequency() {
            0.0 => 0.0,
            frequency => -self.eigenvalue.re / frequency,
        }
    }
}

/// The small oscillations of `system` about `equilibrium`, which must be at rest.
///
/// T is the basis of the tangent space:
///
/// ```text
/// M = Tᵀ ∂p/∂v T,    D = Tᵀ (∂p/∂q − ∂f/∂v) T,    K = −Tᵀ ∂(f + Gᵀλ)/∂q T.
/// ```
///
/// So the constraints contribute through T and through λ. For example, the stiffness of a pendulum in Cartesian coordinates is
/// due to the force of its rod.
/// Source: L. Meirovitch, *Fundamentals of Vibrations*, 7; L. D. Landau, E. M. Lifshitz, *Mechanics*, §23.
///
/// # Errors
/// [`AnalysisError::NotApplicable`] for an equilibrium with steady velocities, with states, and under nonholonomic constraints;
/// [`AnalysisError::NotPositive`] where M is not positive definite on the tangent space.
///
/// ```
/// use lagrange_runtime::analysis::{EquilibriumSearch, modes};
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
///     potential = k*x^2/2;
///     dissipation = c*dot(x)^2/2;
/// }]
/// struct Damper {
///     m: f64,
///     k: f64,
///     c: f64,
/// }
///
/// let system = Damper { m: 2.0, k: 50.0, c: 4.0 }.prepare::<f64>()?;
/// let rest = EquilibriumSearch::new([0.1], []).find(&system)?;
/// let found = modes(&system, &rest)?;
/// assert!((found.damped[0].frequency() - 5.0).abs() < 1e-14); // √(k/m)
/// assert!((found.damped[0].damping_ratio() - 0.2).abs() < 1e-15); // c/(2 √(k m))
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn modes<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    equilibrium: &Equilibrium<N, C, U>,
) -> Result<Modes, AnalysisError> {
    let Equilibrium { state, inputs, multipliers, .. } = equilibrium;
    let refused = |needs: &str| AnalysisError::NotApplicable { analysis: "a mode", needs: needs.to_string() };
    without_contacts(system, "a mode")?;
    without_states(system, "a mode", "`stability` and `linearize` give the eigenvalues")?;
    if state.v.amax() != 0.0 {
        return Err(refused("an equilibrium at rest; `linearize` gives the eigenvalues of a steady motion"));
    }
    if system.holonomic_count() < C {
        return Err(refused("holonomic constraints; `linearize` gives the eigenvalues under others"));
    }
    let basis = TangentBasis::at(system, state)?;
    let at = system.balance_jacobian(state.t, &state.q, &state.v, inputs);
    let mut by_q = dense(&at.balance_q);
    let mut terms = by_q.abs();
    if const { C > 0 } {
        let by_reaction = dense(&system.constraint_hidden(state.t, &state.q, &state.v, multipliers).reaction_q);
        terms += by_reaction.abs();
        by_q += by_reaction;
    }
    let tangent = basis.position_by_position();
    let project = |matrix: DMatrix<f64>| tangent.transpose() * matrix * tangent;
    let mass = project(dense(&at.mass_matrix));
    let damping = project(dense(&at.momentum_q) - dense(&at.balance_v));
    let stiffness = project(-by_q);
    for (name, matrix) in
        [("the mass matrix", &mass), ("the damping matrix", &damping), ("the stiffness matrix", &stiffness)]
    {
        finite(name, matrix)?;
    }
    let terms = tangent.abs().transpose() * terms * tangent.abs();
    let undamped = undamped(&mass, (&stiffness, &terms), tangent)?;
    let damped = damped(&mass, &damping, (&stiffness, &terms), tangent)?;
    Ok(Modes { mass, damping, stiffness, undamped, damped, basis })
}

/// The Cholesky factor of M.
fn factor(mass: &DMatrix<f64>) -> Result<nalgebra::Cholesky<f64, nalgebra::Dyn>, AnalysisError> {
    mass.clone().cholesky().ok_or_else(|| {
        let eigen = SymmetricEigen::try_new(mass.clone(), f64::EPSILON, MAX_ITERATIONS);
        AnalysisError::NotPositive {
            matrix: "the mass matrix on the tangent space of the constraints".to_string(),
            smallest: eigen.map_or(f64::NAN, |eigen| eigen.eigenvalues.min()),
            allowed: "positive definite; give every free motion inertia",
        }
    })
}

/// With M = L Lᵀ, the eigenvectors of L⁻¹ K L⁻ᵀ are Lᵀ φ.
fn undamped(
    mass: &DMatrix<f64>,
    (stiffness, terms): (&DMatrix<f64>, &DMatrix<f64>),
    tangent: &DMatrix<f64>,
) -> Result<Vec<Mode>, AnalysisError> {
    let lower = factor(mass)?.l();
    if mass.is_empty() || !is_symmetric(stiffness, terms) {
        return Ok(Vec::new());
    }
    let half = lower.solve_lower_triangular(stiffness).unwrap_or_else(|| stiffness.clone());
    let scaled = lower.solve_lower_triangular(&half.transpose()).unwrap_or(half);
    let symmetric = (&scaled + scaled.transpose()) * 0.5;
    let eigen = SymmetricEigen::try_new(symmetric, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
    let mut modes: Vec<Mode> = (0..mass.nrows())
        .map(|k| {
            let reduced = lower
                .tr_solve_lower_triangular(&eigen.eigenvectors.column(k))
                .unwrap_or_else(|| eigen.eigenvectors.column(k).into_owned());
            let shape = tangent * reduced;
            let sign = if shape[shape.icamax()] < 0.0 { -1.0 } else { 1.0 };
            Mode { square: eigen.eigenvalues[k], shape: shape * sign }
        })
        .collect();
    modes.sort_by(|a, b| a.square.total_cmp(&b.square));
    Ok(modes)
}

/// Whether each entry of K − Kᵀ is rounding beside the terms of the stiffnesses of its two coordinates.
fn is_symmetric(stiffness: &DMatrix<f64>, terms: &DMatrix<f64>) -> bool {
    let size = stiffness.nrows();
    let rounding = ROUNDINGS * size as f64 * f64::EPSILON;
    let is_rounding = |i: usize, j: usize| {
        let scale = terms[(i, j)] + terms[(j, i)] + (terms[(i, i)] * terms[(j, j)]).sqrt();
        (stiffness[(i, j)] - stiffness[(j, i)]).abs() <= rounding * scale
    };
    (0..size).all(|i| (0..i).all(|j| is_rounding(i, j)))
}

/// The eigenvalues of ẍ = −M⁻¹ (K x + D ẋ), and the null vectors of λ² M + λ D + K.
fn damped(
    mass: &DMatrix<f64>,
    damping: &DMatrix<f64>,
    (stiffness, terms): (&DMatrix<f64>, &DMatrix<f64>),
    tangent: &DMatrix<f64>,
) -> Result<Vec<DampedMode>, AnalysisError> {
    let size = mass.nrows();
    if size == 0 {
        return Ok(Vec::new());
    }
    let factors = factor(mass)?;
    let inverse = factors.inverse().abs();
    let stacked = |by_position: DMatrix<f64>, by_velocity: DMatrix<f64>| {
        let mut a = DMatrix::zeros(2 * size, 2 * size);
        a.view_mut((0, size), (size, size)).fill_with_identity();
        a.view_mut((size, 0), (size, size)).copy_from(&by_position);
        a.view_mut((size, size), (size, size)).copy_from(&by_velocity);
        a
    };
    let a = stacked(-factors.solve(stiffness), -factors.solve(damping));
    let magnitudes = stacked(&inverse * terms, inverse * damping.abs());
    let found = eigenvalues_within(&a, &magnitudes.sup(&a.abs()))?;
    // Rounding makes a conjugate pair of a double real eigenvalue, and a slow mode of a free motion.
    let exact = |mode: Eigenvalue| match mode.value {
        value if value.norm() <= mode.error => Eigenvalue { value: Complex::new(0.0, 0.0), ..mode },
        value if value.im.abs() <= mode.error => Eigenvalue { value: Complex::new(value.re, 0.0), ..mode },
        _ => mode,
    };
    let mut left: Vec<Eigenvalue> = found.into_iter().map(exact).filter(|mode| mode.value.im >= 0.0).collect();
    let mut modes = Vec::with_capacity(left.len());
    while let Some(&first) = left.first() {
        let (equal, others): (Vec<Eigenvalue>, Vec<Eigenvalue>) =
            left.into_iter().partition(|mode| mode.equals(&first));
        left = others;
        let count = equal.len();
        // The mean of the eigenvalues of a group is as exact as a simple eigenvalue.
        let mean = equal.iter().map(|mode| mode.value).sum::<Complex<f64>>() / count as f64;
        let group = Eigenvalue { value: mean, error: first.error };
        let shapes = shapes([mass, damping, stiffness, terms], group, count)?;
        let defective = shapes.len() < count;
        for (k, mode) in equal.iter().enumerate() {
            let Some(shape) = shapes.get(k).or(shapes.last()) else { continue };
            let eigenvalue = if defective { mean } else { mode.value };
            let shape = normalised(&(tangent.map(|entry| Complex::new(entry, 0.0)) * shape));
            modes.push(DampedMode { eigenvalue, shape, defective });
        }
    }
    Ok(modes)
}

/// At least one and at most `count` linearly independent x with (λ² M + λ D + K) x = 0. `terms` has the magnitudes of the terms of K.
fn shapes(
    [mass, damping, stiffness, terms]: [&DMatrix<f64>; 4],
    mode: Eigenvalue,
    count: usize,
) -> Result<Vec<DVector<Complex<f64>>>, AnalysisError> {
    let size = mass.nrows();
    let (value, rate) = (mode.value, mode.value.norm());
    let magnitudes = mass.abs() * (rate * rate) + damping.abs() * rate + terms;
    let (rows, columns) = equilibrate(&magnitudes);
    let entry = |matrix: &DMatrix<f64>, i: usize, j: usize| Complex::new(matrix[(i, j)] * rows[i] * columns[j], 0.0);
    let pencil = DMatrix::from_fn(size, size, |i, j| {
        entry(mass, i, j) * (value * value) + entry(damping, i, j) * value + entry(stiffness, i, j)
    });
    let slope = DMatrix::from_fn(size, size, |i, j| entry(mass, i, j) * (value * 2.0) + entry(damping, i, j));
    let tolerance = ROUNDINGS * size as f64 * f64::EPSILON + (slope.norm() * mode.error).min(LARGEST_SLACK);
    let factors = SVD::try_new(pencil, false, true, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
    let (values, right) = (factors.singular_values, factors.v_t.ok_or_else(failed)?);
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let found = order.iter().take(count).filter(|&&k| values[k] <= tolerance).count().max(1);
    let basis = echelon(right.select_rows(&order[..found]).adjoint());
    let unscaled = |k: usize| DVector::from_fn(size, |i, _| basis[(i, k)] * columns[i]);
    Ok((0..found).map(unscaled).collect())
}

/// The basis of the same space in which each vector has a component 1 where the others have 0. It is real if the space has a real basis.
fn echelon(mut basis: DMatrix<Complex<f64>>) -> DMatrix<Complex<f64>> {
    for column in 0..basis.ncols() {
        let candidates = (0..basis.nrows()).flat_map(|i| (column..basis.ncols()).map(move |j| (i, j)));
        let Some((row, other)) = candidates.max_by(|a, b| basis[*a].norm().total_cmp(&basis[*b].norm())) else { break };
        basis.swap_columns(column, other);
        let pivot = basis[(row, column)];
        if pivot.norm() == 0.0 {
            break;
        }
        let unit = basis.column(column) / pivot;
        basis.set_column(column, &unit);
        for rest in (0..basis.ncols()).filter(|&rest| rest != column) {
            let reduced = basis.column(rest) - &unit * basis[(row, rest)];
            basis.set_column(rest, &reduced);
        }
    }
    basis
}

/// The shape with its largest component 1.
fn normalised(shape: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
    let largest =
        shape.iter().fold(
            Complex::new(0.0, 0.0),
            |largest: Complex<f64>, entry| {
                if entry.norm() > largest.norm() { *entry } else { largest }
            },
        );
    if largest.norm() > 0.0 { shape / largest } else { shape.clone() }
}

fn failed() -> AnalysisError {
    AnalysisError::NotConverged {
        sought: "mode",
        iterations: MAX_ITERATIONS as u32,
        worst: "an off-diagonal entry".to_string(),
        residual: f64::NAN,
        remedy: "scale the coordinates so that their stiffnesses are of like size",
    }
}
