//! How the start of an orbit follows the constraints.

use super::super::Shooting;
use crate::analysis::AnalysisError;
use crate::analysis::matrix::{dense, solve_least_squares};
use crate::analysis::sensitivity::{Variable, seeded, values_of};
use crate::analysis::tangent::{TangentBasis, inertial_units, rank_tolerance};
use crate::constraint::Projection;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::{Linearise, Mechanism, System};
use nalgebra::{DMatrix, DVector, SVector};

/// The largest number of choices of the independent coordinates, which depend on the consistent state that they determine.
const ATTACHMENTS: u32 = 3;

/// The states near a start that meets the constraints: (δq, δv) = B e + ν δμ, where e are the changes of the independent coordinates and
/// velocities.
pub(super) struct Attachment {
    /// B, with 2N rows.
    pub(super) columns: DMatrix<f64>,
    /// The rows of the independent coordinates and velocities in (q, v).
    pub(super) independent: Vec<usize>,
    /// ν: how a start with fixed independent coordinates and velocities follows the constraints when the parameter varies; `None` where no
    /// constraint contains it.
    pub(super) shift: Option<DVector<f64>>,
}

impl Attachment {
    /// The states near `start`, and how they follow `variable`.
    pub(super) fn at<M, const N: usize, const C: usize, const U: usize>(
        mechanism: &M,
        system: &M::Prepared<f64>,
        start: &State<f64, N>,
        variable: Variable<N>,
    ) -> Result<Self, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let basis = TangentBasis::at(system, start)?;
        let independent = basis.rows();
        let shift = if const { C == 0 } { None } else { shift(mechanism, system, start, (variable, &independent))? };
        Ok(Self { columns: basis.columns(), independent, shift })
    }
}

/// The state that meets the constraints and has the independent coordinates and velocities of `state`. Near a singular point of a branch, where
/// small errors lead far, it must depend on `state` exactly as the equations say.
pub(super) fn attached<S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    state: &State<f64, N>,
    search: &Shooting<N>,
) -> Result<State<f64, N>, AnalysisError>
where
    S: Linearise<f64, N, C, U>,
{
    let mut start = search.consistent(system, state)?;
    let mut independent = TangentBasis::at(system, &start)?.rows();
    for _ in 0..ATTACHMENTS {
        let keep = |projection: Projection<f64, N>, row: &usize| match row.checked_sub(N) {
            None => projection.keep_position(*row),
            Some(row) => projection.keep_velocity(row),
        };
        let projection = independent.iter().fold(Projection::default(), keep);
        let projected = projection.state(system, state);
        start = projected.map_err(|failure| AnalysisError::failure(failure, system.coordinates()))?.0;
        let rows = TangentBasis::at(system, &start)?.rows();
        if rows == independent {
            break;
        }
        independent = rows;
    }
    Ok(start)
}

/// ν: G_h ν_q = −∂g/∂μ and G ν_v = −∂r/∂μ − ∂r/∂q ν_q with r = G v + drift, where independent components are 0. `None` where it is 0.
fn shift<M, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    system: &M::Prepared<f64>,
    start @ State { t, q, v }: &State<f64, N>,
    (variable, independent): (Variable<N>, &[usize]),
) -> Result<Option<DVector<f64>>, AnalysisError>
where
    M: Mechanism<N, C, U>,
{
    let values = (values_of(mechanism, M::PARAMETERS)?, values_of(mechanism, &M::INPUTS)?);
    let (parameters, u) = seeded::<N, U, 1>(&values, &[variable]);
    let varied = M::prepare_from::<Dual<f64, 1>>(&parameters, &u)?;
    let none = SVector::from([Dual::constant(0.0); C]);
    let (t_constant, q_constant, v_constant) = (Dual::constant(*t), q.map(Dual::constant), v.map(Dual::constant));
    let by_parameter = |values: &SVector<Dual<f64, 1>, C>| DVector::from_fn(C, |i, _| values[i].derivatives[0]);
    let holonomic = system.holonomic_count().min(C);
    let position = by_parameter(&varied.constraint(t_constant, &q_constant).value).rows(0, holonomic).into_owned();
    let rate = by_parameter(&varied.constraint_hidden(t_constant, &q_constant, &v_constant, &none).rate);
    if position.iter().chain(&rate).all(|entry| *entry == 0.0) {
        return Ok(None);
    }
    let jacobian = dense(&system.constraint(*t, q).jacobian);
    let by_q = dense(&system.constraint_hidden(*t, q, v, &SVector::zeros()).rate_q);
    let scales = (inertial_units(system, start, &jacobian), rank_tolerance(system));
    let follow = |rows: &DMatrix<f64>, right: &DVector<f64>, first: usize| {
        let dependent: Vec<usize> = (0..N).filter(|j| !independent.contains(&(first + j))).collect();
        least_change(rows, right, &dependent, &scales)
    };
    let of_q = follow(&jacobian.rows(0, holonomic).into_owned(), &-position, 0)?;
    let of_v = follow(&jacobian, &(-rate - by_q * &of_q), N)?;
    Ok(Some(DVector::from_iterator(2 * N, of_q.iter().chain(of_v.iter()).copied())))
}

/// The change of the coordinates `dependent` that makes `rows` times the change equal to `right`.
fn least_change(
    rows: &DMatrix<f64>,
    right: &DVector<f64>,
    dependent: &[usize],
    (units, tolerance): &(Vec<f64>, f64),
) -> Result<DVector<f64>, AnalysisError> {
    let mut scaled =
        DMatrix::from_fn(rows.nrows(), dependent.len(), |i, k| rows[(i, dependent[k])] * units[dependent[k]]);
    let mut right = DMatrix::from_column_slice(right.len(), 1, right.as_slice());
    for i in 0..rows.nrows() {
        let length = scaled.row(i).norm();
        if length > 0.0 {
            scaled.row_mut(i).unscale_mut(length);
            right[(i, 0)] /= length;
        }
    }
    let solution = solve_least_squares(&scaled, &right, *tolerance)?;
    let mut change = DVector::zeros(rows.ncols());
    for (k, &j) in dependent.iter().enumerate() {
        change[j] = solution[(k, 0)] * units[j];
    }
    Ok(change)
}
