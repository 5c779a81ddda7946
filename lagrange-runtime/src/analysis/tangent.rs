//! The tangent space of the constraints, in named coordinates.

use super::AnalysisError;
use super::matrix::{dense, singular_values, solve_least_squares};
use crate::constraint::check;
use crate::state::State;
use crate::system::Linearise;
use nalgebra::{DMatrix, RowDVector};
use std::string::{String, ToString};
use std::vec::Vec;

/// A row of G depends on the others if less than this fraction of its length remains without its part in them. Lengths are measured by the
/// inertia of the coordinates.
const RANK_TOLERANCE: f64 = 1e-10;

/// A basis of the states near a given one that meet the constraints and the hidden constraints.
///
/// Some coordinates and some velocities are independent; the constraints determine the others. s are the independent
/// coordinates, and w the independent velocities:
///
/// ```text
/// δq = T_q δs,    δv = T_v δw + S δs,
/// G_h T_q = 0,    G T_v = 0,    G S + ∂(G v + drift)/∂q T_q = 0,
/// ```
///
/// where G_h are the holonomic rows of G. So the number of states is (N − C_h) + (N − C): twice the degrees of freedom where all
/// constraints are holonomic. Redundant rows do not count. Each δs and δw is the change of one named coordinate or velocity,
/// in its unit. Without constraints the basis is the identity. A quantity of a `state` statement is one of the velocities; its
/// hidden coordinate is left out.
///
/// Source: A. A. Shabana, *Dynamics of Multibody Systems*, 4th ed., 3.5 (coordinate partitioning).
///
/// ```
/// use lagrange_runtime::analysis::TangentBasis;
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates x, y;
///     kinetic = m*(dot(x)^2 + dot(y)^2)/2;
///     potential = m*g*y;
///     constraint rod: norm([x, y]) == l;
/// }]
/// struct Pendulum {
///     m: f64,
///     g: f64,
///     l: f64,
/// }
///
/// let system = Pendulum { m: 1.0, g: 9.81, l: 1.0 }.prepare::<f64>()?;
/// let hanging = State::new(0.0, [0.0, -1.0], [0.0, 0.0]);
/// let basis = TangentBasis::at(&system, &hanging)?;
/// assert_eq!(basis.names(), ["x", "dot(x)"]);
/// // y cannot stand for the position there: its change is of second order.
/// assert!(TangentBasis::of(&system, &hanging, &["y"]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TangentBasis {
    positions: Vec<usize>,
    velocities: Vec<usize>,
    names: Vec<String>,
    position_by_position: DMatrix<f64>,
    velocity_by_velocity: DMatrix<f64>,
    velocity_by_position: DMatrix<f64>,
}

impl TangentBasis {
    /// The basis at `state`. Complete pivoting on G chooses the independent coordinates. The columns of G are divided by the roots of the
    /// diagonal of M, so that the choice does not depend on the units of the coordinates: of the coordinates in one constraint, the one that
    /// moves with the most kinetic energy is independent.
    ///
    /// # Errors
    /// [`AnalysisError::State`] with [`Failure::InconsistentInitialState`](crate::error::Failure::InconsistentInitialState)
    /// where the state breaks a constraint.
    pub fn at<const N: usize, const C: usize, const U: usize>(
        system: &(impl Linearise<f64, N, C, U> + ?Sized),
        state: &State<f64, N>,
    ) -> Result<Self, AnalysisError> {
        Self::new(system, state, None)
    }

    /// The basis at `state` with the coordinates named in `independent` as the independent ones.
    ///
    /// # Errors
    /// Those of [`TangentBasis::at`]. [`AnalysisError::UnknownName`] for a coordinate that does not exist.
    /// [`AnalysisError::NotIndependent`] where the coordinates are too few, too many, or do not determine the others.
    pub fn of<const N: usize, const C: usize, const U: usize>(
        system: &(impl Linearise<f64, N, C, U> + ?Sized),
        state: &State<f64, N>,
        independent: &[&str],
    ) -> Result<Self, AnalysisError> {
        let own = N.saturating_sub(system.state_count());
        let coordinates = system.coordinates().get(..own).unwrap_or_default();
        let mut chosen = independent.iter().map(|&name| index_of(coordinates, name)).collect::<Result<Vec<_>, _>>()?;
        // No constraint determines the hidden coordinates of the states.
        chosen.extend(own..N);
        Self::new(system, state, Some(&chosen))
    }

    fn new<const N: usize, const C: usize, const U: usize>(
        system: &(impl Linearise<f64, N, C, U> + ?Sized),
        state: &State<f64, N>,
        chosen: Option<&[usize]>,
    ) -> Result<Self, AnalysisError> {
        let coordinates = system.coordinates();
        let own = N.saturating_sub(system.state_count());
        // Modes are constant, and no states of the linear system.
        let first_mode = N.saturating_sub(system.mode_count());
        if const { C == 0 } {
            let all: Vec<usize> = (0..N).collect();
            if let Some(chosen) = chosen
                && !all.iter().all(|index| chosen.contains(index))
            {
                return Err(not_independent(coordinates, chosen, N));
            }
            return Ok(Self {
                names: names(coordinates, (&all[..own], &all[..first_mode]), own),
                positions: all[..own].to_vec(),
                velocities: all[..first_mode].to_vec(),
                position_by_position: DMatrix::identity(N, own),
                velocity_by_velocity: DMatrix::identity(N, first_mode),
                velocity_by_position: DMatrix::zeros(N, own),
            });
        }
        check(system, state).map_err(|failure| AnalysisError::failure(failure, coordinates))?;
        let State { t, q, v } = state;
        // Columns are scaled by the inertia of their coordinates, and rows have length 1, so that neither the units of coordinates nor those
        // of constraints matter.
        let rows = dense(&system.constraint(*t, q).jacobian);
        let units = inertial_units(system, state, &rows);
        let rows = DMatrix::from_fn(C, N, |i, j| rows[(i, j)] * units[j]);
        let jacobian = normalised(&rows, &rows);
        let rate = normalised(&dense(&system.constraint_hidden(*t, q, v, &nalgebra::SVector::zeros()).rate_q), &rows);
        if !jacobian.iter().chain(rate.iter()).all(|entry| entry.is_finite()) {
            return Err(AnalysisError::NotFinite { quantity: "the Jacobian of the constraints".to_string() });
        }
        let tolerance = rank_tolerance(system);
        let holonomic = jacobian.rows(0, system.holonomic_count().min(C)).into_owned();
        let (mut dependent, mut rest) = split(&holonomic, chosen, tolerance);
        let position = null_space(&holonomic, &dependent, &rest, tolerance)?
            .ok_or_else(|| not_independent(coordinates, &rest, N - dependent.len()))?;
        if let Some(chosen) = chosen {
            let rank = rank(&holonomic, tolerance)?;
            if chosen.len() != rest.len() || rank != dependent.len() {
                return Err(not_independent(coordinates, chosen, N - rank));
            }
        }
        // Nonholonomic rows determine further velocities, among those of the independent coordinates.
        let reduced = &jacobian * &position;
        let (further, free) = split(&reduced, None, tolerance);
        dependent.extend(further.iter().map(|&column| rest[column]));
        let mut velocities: Vec<usize> = free.iter().map(|&column| rest[column]).collect();
        let velocity = null_space(&jacobian, &dependent, &velocities, tolerance)?
            .ok_or_else(|| not_independent(coordinates, &velocities, velocities.len()))?;
        let position = in_units(&units, &rest, &position);
        let velocity = in_units(&units, &velocities, &velocity);
        let shift = solve_least_squares(&jacobian.select_columns(&dependent), &(rate * &position), tolerance)?;
        let mut velocity_by_position = DMatrix::zeros(N, rest.len());
        for (row, &index) in dependent.iter().enumerate() {
            velocity_by_position.set_row(index, &(shift.row(row) * -units[index]));
        }
        // The hidden coordinates of the states are no states themselves. They are the last ones.
        rest.retain(|&index| index < own);
        velocities.retain(|&index| index < first_mode);
        Ok(Self {
            names: names(coordinates, (&rest, &velocities), own),
            position_by_position: position.columns(0, rest.len()).into_owned(),
            velocity_by_velocity: velocity.columns(0, velocities.len()).into_owned(),
            velocity_by_position: velocity_by_position.columns(0, rest.len()).into_owned(),
            positions: rest,
            velocities,
        })
    }

    /// The independent coordinates, as indices of q.
    #[must_use]
    pub fn positions(&self) -> &[usize] {
        &self.positions
    }

    /// The independent velocities, as indices of v.
    #[must_use]
    pub fn velocities(&self) -> &[usize] {
        &self.velocities
    }

    /// The names of the states: first `x` for each coordinate, then `dot(x)` for each velocity, then `z` for each `state`
    /// statement.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether the constraints leave no state free.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// T_q = ∂q/∂s: N rows, a column for each independent coordinate.
    #[must_use]
    pub fn position_by_position(&self) -> &DMatrix<f64> {
        &self.position_by_position
    }

    /// T_v = ∂v/∂w: N rows, a column for each independent velocity.
    #[must_use]
    pub fn velocity_by_velocity(&self) -> &DMatrix<f64> {
        &self.velocity_by_velocity
    }

    /// S = ∂v/∂s: N rows, a column for each independent coordinate. It is 0 at rest, if the constraints do not depend on time.
    #[must_use]
    pub fn velocity_by_position(&self) -> &DMatrix<f64> {
        &self.velocity_by_position
    }
}

impl TangentBasis {
    /// The tangent vectors (δq, δv): 2N rows, a column for each state.
    pub(crate) fn columns(&self) -> DMatrix<f64> {
        let (size, split) = (self.position_by_position.nrows(), self.positions.len());
        DMatrix::from_fn(2 * size, self.len(), |i, k| match (i.checked_sub(size), k.checked_sub(split)) {
            (None, None) => self.position_by_position[(i, k)],
            (None, Some(_)) => 0.0,
            (Some(i), None) => self.velocity_by_position[(i, k)],
            (Some(i), Some(k)) => self.velocity_by_velocity[(i, k)],
        })
    }

    /// The rows of the states in (q, v).
    pub(crate) fn rows(&self) -> Vec<usize> {
        let size = self.position_by_position.nrows();
        self.positions.iter().copied().chain(self.velocities.iter().map(|index| size + index)).collect()
    }
}

/// The fraction of a row's length below which it depends on the others.
pub(crate) fn rank_tolerance<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
) -> f64 {
    RANK_TOLERANCE.max(system.redundancy_tolerance())
}

/// The index of a coordinate.
pub(crate) fn index_of(coordinates: &[&str], name: &str) -> Result<usize, AnalysisError> {
    coordinates.iter().position(|known| *known == name).ok_or_else(|| AnalysisError::UnknownName {
        kind: "coordinate",
        name: name.to_string(),
        known: coordinates.iter().map(ToString::to_string).collect(),
    })
}

/// The names of independent coordinates and velocities. The velocities from `own` on are states, which have names of their own.
fn names(coordinates: &[&str], (positions, velocities): (&[usize], &[usize]), own: usize) -> Vec<String> {
    let name = |index: usize| coordinates.get(index).copied().unwrap_or("q");
    let mut names: Vec<String> = positions.iter().map(|&index| name(index).to_string()).collect();
    names.extend(velocities.iter().map(|&index| match index < own {
        true => std::format!("dot({})", name(index)),
        false => name(index).to_string(),
    }));
    names
}

fn not_independent(coordinates: &[&str], chosen: &[usize], needed: usize) -> AnalysisError {
    let chosen = chosen.iter().map(|&index| coordinates.get(index).copied().unwrap_or("q").to_string()).collect();
    AnalysisError::NotIndependent { chosen, needed }
}

/// The [`units`] of the coordinates at a state.
pub(crate) fn inertial_units<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    State { t, q, v }: &State<f64, N>,
    rows: &DMatrix<f64>,
) -> Vec<f64> {
    units(&dense(&system.equations(*t, q, v, &system.default_inputs()).mass_matrix), rows)
}

/// A unit for each coordinate: 1/√Mᵢᵢ, in which the kinetic energy of the coordinate alone is v²/2. Where Mᵢᵢ is 0, as in m ẋ ẏ, the largest
/// entry of the row of M replaces it. A coordinate without inertia has the unit in which its largest entry in the `rows` of G is as long as
/// the rest of the row.
fn units(mass_matrix: &DMatrix<f64>, rows: &DMatrix<f64>) -> Vec<f64> {
    let inertia = |j: usize| match mass_matrix[(j, j)].abs() {
        own if own > 0.0 => own,
        _ => mass_matrix.row(j).iter().fold(0.0, |most: f64, entry| most.max(entry.abs())),
    };
    let usable = |unit: f64| unit > 0.0 && unit.is_finite();
    let with_inertia: Vec<Option<f64>> =
        (0..rows.ncols()).map(|j| Some(inertia(j).sqrt().recip()).filter(|unit| usable(*unit))).collect();
    let length = |i: usize| {
        let entries = with_inertia.iter().enumerate().filter_map(|(j, unit)| unit.map(|unit| rows[(i, j)] * unit));
        entries.map(|entry| entry * entry).sum::<f64>().sqrt()
    };
    let beside = |j: usize| {
        let parts = (0..rows.nrows()).map(|i| length(i) / rows[(i, j)].abs());
        parts.filter(|part| usable(*part)).fold(f64::INFINITY, f64::min)
    };
    let unit = |(j, unit): (usize, &Option<f64>)| {
        unit.unwrap_or_else(|| Some(beside(j)).filter(|unit| usable(*unit)).unwrap_or(1.0))
    };
    with_inertia.iter().enumerate().map(unit).collect()
}

/// A basis in the coordinates' own units. Its rows, and the `independent` coordinates of its columns, are scaled by `units`.
fn in_units(units: &[f64], independent: &[usize], basis: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(basis.nrows(), basis.ncols(), |i, k| match i == independent[k] {
        true => basis[(i, k)],
        false => basis[(i, k)] * units[i] / units[independent[k]],
    })
}

/// `rows`, each divided by the length of the row of `scale`.
fn normalised(rows: &DMatrix<f64>, scale: &DMatrix<f64>) -> DMatrix<f64> {
    let lengths: Vec<f64> = scale.row_iter().map(|row| row.norm()).collect();
    DMatrix::from_fn(rows.nrows(), rows.ncols(), |i, j| if lengths[i] > 0.0 { rows[(i, j)] / lengths[i] } else { 0.0 })
}

/// The columns that complete pivoting, or the choice of the others, makes dependent; and the other columns in their order.
fn split(jacobian: &DMatrix<f64>, chosen: Option<&[usize]>, tolerance: f64) -> (Vec<usize>, Vec<usize>) {
    let columns = jacobian.ncols();
    let mut dependent: Vec<usize> = match chosen {
        Some(chosen) => (0..columns).filter(|index| !chosen.contains(index)).collect(),
        None if jacobian.nrows() == 0 || columns == 0 => Vec::new(),
        None => {
            let factors = jacobian.clone().full_piv_lu();
            let mut order = RowDVector::from_fn(columns, |_, column| column);
            factors.q().permute_columns(&mut order);
            let upper = factors.u();
            // The rows have length 1, so that a pivot is the part of a row that remains.
            let rank = (0..upper.nrows()).take_while(|&k| upper[(k, k)].abs() > tolerance).count();
            order.iter().take(rank).copied().collect()
        }
    };
    dependent.sort_unstable();
    let independent = (0..columns).filter(|column| !dependent.contains(column)).collect();
    (dependent, independent)
}

/// The T with `jacobian` T = 0 that is the identity in the `independent` rows; `None` where the dependent columns do not
/// determine it.
fn null_space(
    jacobian: &DMatrix<f64>,
    dependent: &[usize],
    independent: &[usize],
    tolerance: f64,
) -> Result<Option<DMatrix<f64>>, AnalysisError> {
    let mut basis = DMatrix::zeros(dependent.len() + independent.len(), independent.len());
    for (column, &index) in independent.iter().enumerate() {
        basis[(index, column)] = 1.0;
    }
    if dependent.is_empty() || independent.is_empty() {
        return Ok(Some(basis));
    }
    let matrix = jacobian.select_columns(dependent);
    if rank(&matrix, tolerance)? < dependent.len() {
        return Ok(None);
    }
    let solution = solve_least_squares(&matrix, &jacobian.select_columns(independent), tolerance)?;
    for (row, &index) in dependent.iter().enumerate() {
        basis.set_row(index, &(-solution.row(row)));
    }
    Ok(Some(basis))
}

/// The number of singular values of the matrix above the tolerance.
fn rank(matrix: &DMatrix<f64>, tolerance: f64) -> Result<usize, AnalysisError> {
    Ok(singular_values(matrix)?.iter().filter(|value| **value > tolerance).count())
}
