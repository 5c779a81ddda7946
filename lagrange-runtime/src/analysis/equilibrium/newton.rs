//! Newton's method with damped steps of least norm.

use super::Equations;
use crate::analysis::AnalysisError;
use crate::analysis::matrix::{finite, solve_least_squares};
use nalgebra::{DMatrix, DVector};
use std::vec::Vec;

/// Singular values of the scaled Jacobian below this fraction of the largest count as 0.
const RANK_TOLERANCE: f64 = 1e-11;
/// The iteration ends if no scaled correction exceeds this fraction of the size of the unknowns.
const CORRECTION: f64 = 1e-9;
/// The equations count as solved if no scaled residual exceeds this fraction of the size of the
/// unknowns.
const REMAINDER: f64 = 1e-8;
/// The iteration fails if the unknowns become this many times larger than at the guess.
///
/// Functions such as the sine have no correct digits for arguments of that size. The test of
/// [`REMAINDER`] would also accept large residuals there.
const RUNAWAY: f64 = 1e8;
/// The smallest damping factor of a step.
const LEAST_DAMPING: f64 = 1e-6;

/// Returns the scales of rows and columns that make the largest entry of each about 1.
///
/// Source: D. Ruiz, *A scaling algorithm to equilibrate both rows and columns norms in matrices*, RAL-TR-2001-034.
pub(crate) fn equilibrate(matrix: &DMatrix<f64>) -> (Vec<f64>, Vec<f64>) {
    let (mut rows, mut columns) = (std::vec![1.0; matrix.nrows()], std::vec![1.0; matrix.ncols()]);
    let safe = |largest: f64| if largest > 0.0 && largest.is_finite() { 1.0 / largest.sqrt() } else { 1.0 };
    for _ in 0..5 {
        let entry = |i: usize, j: usize| f64::abs(matrix[(i, j)] * rows[i] * columns[j]);
        let by_row: Vec<f64> =
            (0..rows.len()).map(|i| safe((0..columns.len()).map(|j| entry(i, j)).fold(0.0, f64::max))).collect();
        let by_column: Vec<f64> =
            (0..columns.len()).map(|j| safe((0..rows.len()).map(|i| entry(i, j)).fold(0.0, f64::max))).collect();
        rows.iter_mut().zip(by_row).for_each(|(scale, factor)| *scale *= factor);
        columns.iter_mut().zip(by_column).for_each(|(scale, factor)| *scale *= factor);
    }
    (rows, columns)
}

/// Returns the scaled correction −J⁺ F of least norm. The rows of J and F are scaled by `rows`, the
/// columns of J and the unknowns by `columns`.
pub(crate) fn correction(
    jacobian: &DMatrix<f64>,
    residual: &DVector<f64>,
    (rows, columns): (&[f64], &[f64]),
) -> Result<DVector<f64>, AnalysisError> {
    let scaled = DMatrix::from_fn(jacobian.nrows(), jacobian.ncols(), |i, j| jacobian[(i, j)] * rows[i] * columns[j]);
    let right = DMatrix::from_fn(residual.len(), 1, |i, _| -residual[i] * rows[i]);
    Ok(solve_least_squares(&scaled, &right, RANK_TOLERANCE)?.column(0).into_owned())
}

/// Returns the solution that the iteration reaches from `x`, and the number of steps.
///
/// # Errors
/// [`AnalysisError::NotConverged`] names the equation with the largest scaled residual.
/// [`AnalysisError::NotFinite`] means that an equation or a derivative is not finite.
pub(crate) fn solve(
    problem: &impl Equations,
    x: DVector<f64>,
    max_iterations: u32,
) -> Result<(DVector<f64>, u32), AnalysisError> {
    let mut x = problem.retract(x);
    let (mut residual, mut jacobian) = problem.evaluate(&x);
    let mut damping = 1.0_f64;
    let mut largest = f64::INFINITY;
    for iteration in 0..=max_iterations {
        finite("an equation of the equilibrium, or a derivative of it,", &jacobian)?;
        let (rows, columns) = equilibrate(&jacobian);
        let scales = (rows.as_slice(), columns.as_slice());
        let step = correction(&jacobian, &residual, scales)?;
        let size = 1.0 + x.iter().zip(&columns).fold(0.0_f64, |largest, (x, scale)| largest.max((x / scale).abs()));
        if iteration == 0 {
            largest = RUNAWAY * size;
        }
        let (row, remainder) = worst(&residual, &rows);
        if size > largest {
            let remedy = "the search runs away; start from another guess";
            return Err(failed(problem, iteration, row, &residual, remedy));
        }
        let solved = remainder <= REMAINDER * size;
        if step.amax() <= CORRECTION * size {
            return match solved {
                // This last step is known already, and reduces the error to rounding.
                true => Ok((moved(&x, &step, &columns, 1.0), iteration)),
                false => Err(failed(
                    problem,
                    iteration,
                    row,
                    &residual,
                    "start from another guess, or free a coordinate or an input",
                )),
            };
        }
        if iteration == max_iterations {
            return Err(failed(problem, iteration, row, &residual, "start nearer to it, or allow more iterations"));
        }
        damping = (2.0 * damping).min(1.0);
        loop {
            let next = problem.retract(moved(&x, &step, &columns, damping));
            let (next_residual, next_jacobian) = problem.evaluate(&next);
            let contracts = next_residual.iter().all(|entry| entry.is_finite())
                && correction(&jacobian, &next_residual, scales)?.norm() <= (1.0 - damping / 4.0) * step.norm();
            if contracts {
                (x, residual, jacobian) = (next, next_residual, next_jacobian);
                break;
            }
            damping *= 0.5;
            if damping < LEAST_DAMPING {
                return Err(failed(problem, iteration, row, &residual, "start from another guess"));
            }
        }
    }
    Ok((x, max_iterations))
}

/// Returns the unknowns after the scaled `step` times `damping`.
fn moved(x: &DVector<f64>, step: &DVector<f64>, columns: &[f64], damping: f64) -> DVector<f64> {
    DVector::from_fn(x.len(), |i, _| x[i] + damping * columns[i] * step[i])
}

/// Returns the row of the largest scaled residual, and the magnitude of that residual.
fn worst(residual: &DVector<f64>, rows: &[f64]) -> (usize, f64) {
    residual
        .iter()
        .zip(rows)
        .map(|(entry, scale)| (entry * scale).abs())
        .enumerate()
        .fold((0, 0.0), |worst, (row, size)| if size > worst.1 { (row, size) } else { worst })
}

/// Returns the error of an iteration that does not converge. `row` is the equation that it names.
fn failed(
    problem: &impl Equations,
    iterations: u32,
    row: usize,
    residual: &DVector<f64>,
    remedy: &'static str,
) -> AnalysisError {
    let residual = residual.get(row).copied().unwrap_or(0.0);
    AnalysisError::NotConverged { sought: problem.sought(), iterations, worst: problem.name(row), residual, remedy }
}
