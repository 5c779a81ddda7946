//! Newton's method with damped steps of least norm.

use super::Equations;
use super::rounding::{Measured, ROUND_OFF, scales};
use crate::analysis::AnalysisError;
use crate::analysis::matrix::{finite, solve_least_squares};
use nalgebra::{DMatrix, DVector};
use std::vec::Vec;

/// Singular values of the balanced Jacobian below this fraction of the largest count as 0.
const RANK_TOLERANCE: f64 = 1e-11;
/// The largest last step of a solution, relative to the magnitude of the unknown or to the distance over which it was sought.
///
/// At a double root the residual is rounding within √ε of the root.
const CLOSE: f64 = 1e-6;
/// The largest last step at a root of higher order, relative to the same. There each step is a fixed fraction of the
/// one before.
const CLOSE_OF_HIGHER_ORDER: f64 = 1e-10;
/// Steps decrease slowly if each exceeds this fraction of the one before.
const SLOWLY: f64 = 0.25;
/// Digits of a derivative are lost if its rounding exceeds this fraction of its largest value on the way.
const LOST: f64 = 1e-2;
/// The scaled change of the Jacobian over the distance that is the scale of an unknown near 0.
const BEND: f64 = 0.1;
/// An unknown runs away if at least so many of its last steps have the same direction and do not decrease.
const AWAY: u32 = 8;
/// Steps do not decrease if each is at least this fraction of the one before.
const UNDIMINISHED: f64 = 0.9;
/// The smallest damping factor of a step.
const LEAST_DAMPING: f64 = 1e-6;
/// The largest number of passes that balance a matrix. Each pass takes the square root of what is unbalanced.
const BALANCING: u32 = 40;

/// Returns the scales of rows and columns that make the largest entry of each nonzero row and column about 1.
///
/// Source: D. Ruiz, *A scaling algorithm to equilibrate both rows and columns norms in matrices*, RAL-TR-2001-034.
pub(crate) fn equilibrate(matrix: &DMatrix<f64>) -> (Vec<f64>, Vec<f64>) {
    let (mut rows, mut columns) = (std::vec![1.0; matrix.nrows()], std::vec![1.0; matrix.ncols()]);
    let safe = |largest: f64| if largest > 0.0 && largest.is_finite() { 1.0 / largest.sqrt() } else { 1.0 };
    for _ in 0..BALANCING {
        let entry = |i: usize, j: usize| f64::abs(matrix[(i, j)] * rows[i] * columns[j]);
        let by_row: Vec<f64> =
            (0..rows.len()).map(|i| safe((0..columns.len()).map(|j| entry(i, j)).fold(0.0, f64::max))).collect();
        let by_column: Vec<f64> =
            (0..columns.len()).map(|j| safe((0..rows.len()).map(|i| entry(i, j)).fold(0.0, f64::max))).collect();
        let balanced = by_row.iter().chain(&by_column).all(|factor| (0.9..1.1).contains(factor));
        rows.iter_mut().zip(by_row).for_each(|(scale, factor)| *scale *= factor);
        columns.iter_mut().zip(by_column).for_each(|(scale, factor)| *scale *= factor);
        if balanced {
            break;
        }
    }
    (rows, columns)
}

/// Returns the scaled correction −J⁺ F of least norm. The rows of J and F are scaled by `rows`, the
/// columns of J and the unknowns by `columns`. Singular values below `tolerance` times the largest count as 0.
pub(crate) fn correction(
    jacobian: &DMatrix<f64>,
    residual: &DVector<f64>,
    (rows, columns): (&[f64], &[f64]),
    tolerance: f64,
) -> Result<DVector<f64>, AnalysisError> {
    let scaled = DMatrix::from_fn(jacobian.nrows(), jacobian.ncols(), |i, j| jacobian[(i, j)] * rows[i] * columns[j]);
    let right = DMatrix::from_fn(residual.len(), 1, |i, _| -residual[i] * rows[i]);
    Ok(solve_least_squares(&scaled, &right, tolerance)?.column(0).into_owned())
}

/// Returns the solution that the iteration reaches from `x`, and the number of steps.
///
/// # Errors
/// [`AnalysisError::NotConverged`] names the equation whose residual is the largest beside its rounding.
/// [`AnalysisError::RunsAway`] names an unknown whose steps do not decrease. [`AnalysisError::NotFinite`] means that an
/// equation or a derivative is not finite.
pub(crate) fn solve(
    problem: &impl Equations,
    x: DVector<f64>,
    max_iterations: u32,
) -> Result<(DVector<f64>, u32), AnalysisError> {
    let mut search = Search::new(problem, x);
    loop {
        search.look()?;
        let step = search.step()?;
        if search.is_solved(&step)? {
            // This last step is known already, and reduces the error to rounding.
            return Ok((search.moved(&step, 1.0), search.iterations));
        }
        if search.is_still(&step) {
            return search.settle(&step, "start from another guess, or free a coordinate or an input");
        }
        if search.iterations == max_iterations {
            return search.settle(&step, "start nearer to it, or allow more iterations");
        }
        if !search.advance(&step)? {
            return search.settle(&step, "start from another guess");
        }
    }
}

/// A search on its way.
struct Search<'a, E> {
    problem: &'a E,
    /// Whether the start meets the conditions for every iterate. Then all iterates do.
    is_kept: bool,
    start: DVector<f64>,
    x: DVector<f64>,
    /// The largest distance of each unknown from the start.
    moved: Vec<f64>,
    /// The equations at x.
    at: Measured,
    /// The largest magnitude of each entry of the Jacobian that was not rounding.
    known: DMatrix<f64>,
    /// The largest sum of the magnitudes of terms of each equation.
    terms: DVector<f64>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    damping: f64,
    iterations: u32,
    /// The last step that was taken.
    last: DVector<f64>,
    /// How many of the last steps of each unknown had the same direction and did not decrease.
    away: Vec<u32>,
    /// The largest number of such steps.
    farthest: Vec<u32>,
}

impl<'a, E: Equations> Search<'a, E> {
    fn new(problem: &'a E, x: DVector<f64>) -> Self {
        let kept = problem.retract(&x);
        let is_kept = kept.is_some();
        let x = kept.unwrap_or(x);
        let count = x.len();
        let reach: Vec<f64> = x.iter().map(|x| x.abs()).collect();
        let at = Measured::at(problem, &x, &reach);
        let (known, terms) = (DMatrix::zeros(at.jacobian.nrows(), count), DVector::zeros(at.residual.len()));
        Self {
            problem,
            is_kept,
            start: x.clone(),
            x,
            moved: std::vec![0.0; count],
            rows: std::vec![1.0; at.residual.len()],
            columns: std::vec![1.0; count],
            at,
            known,
            terms,
            damping: 1.0,
            iterations: 0,
            last: DVector::zeros(count),
            away: std::vec![0; count],
            farthest: std::vec![0; count],
        }
    }

    /// Evaluates what the equations at x tell about their scales.
    fn look(&mut self) -> Result<(), AnalysisError> {
        finite("an equation of the equilibrium, or a derivative of it,", &self.at.jacobian)?;
        self.known.zip_apply(&self.at.known(), |known: &mut f64, now| *known = known.max(now));
        self.at.without_rounding(&self.known);
        let terms = self.at.jacobian.abs() * self.x.abs() + self.at.residual.abs();
        self.terms.zip_apply(&terms, |terms: &mut f64, now| *terms = terms.max(now));
        (self.rows, self.columns) = equilibrate(&self.at.jacobian);
        Ok(())
    }

    /// The scaled step of Newton's method.
    fn step(&self) -> Result<DVector<f64>, AnalysisError> {
        correction(&self.at.jacobian, &self.at.residual, (&self.rows, &self.columns), RANK_TOLERANCE)
    }

    /// The unknowns after the scaled `step` times `damping`.
    fn moved(&self, step: &DVector<f64>, damping: f64) -> DVector<f64> {
        DVector::from_fn(step.len(), |j, _| self.x[j] + damping * self.columns[j] * step[j])
    }

    /// Whether each unknown's step is at most the fraction of its scale, or the rounding of the linear equations.
    fn is_short(&self, step: &DVector<f64>, fraction: f64, scales: &[f64]) -> bool {
        let size = scales.iter().zip(&self.columns).fold(0.0_f64, |largest, (x, scale)| largest.max(x / scale));
        let rounding = ROUND_OFF * f64::EPSILON * size;
        step.iter().enumerate().all(|(j, step)| step.abs() <= rounding.max(fraction * scales[j] / self.columns[j]))
    }

    /// Whether each component of the residual is rounding. `terms` are the sums of the magnitudes of the terms.
    fn is_balanced(&self, terms: Option<&DVector<f64>>) -> bool {
        self.at.residual.iter().enumerate().all(|(i, residual)| {
            let terms = terms.map_or(0.0, |terms| f64::EPSILON * terms[i]);
            let rounding = ROUND_OFF * self.at.noise[i].max(terms);
            rounding.is_finite() && residual.abs() <= rounding
        })
    }

    /// Whether x is a solution but for rounding and the scaled `step`.
    fn is_solved(&self, step: &DVector<f64>) -> Result<bool, AnalysisError> {
        let scales = scales(&self.x, &self.moved);
        let is_slow = {
            let last = DVector::from_fn(step.len(), |j, _| self.last[j] / self.columns[j]);
            step.norm() > SLOWLY * last.norm()
        };
        let is_solved = self.is_balanced(None) && self.is_short(step, CLOSE, &scales)
            || is_slow && self.is_balanced(Some(&self.terms)) && self.is_short(step, CLOSE_OF_HIGHER_ORDER, &scales);
        if !is_solved {
            return Ok(false);
        }
        // Where an equation no longer contains an unknown of which it did contain a term, the last step tells the distance.
        let faded = |j: usize| {
            self.known.column(j).amax() > 0.0
                && self
                    .at
                    .jacobian
                    .column(j)
                    .iter()
                    .zip(&self.known.column(j))
                    .all(|(entry, known)| entry.abs() <= f64::EPSILON * known)
        };
        if let Some(j) = (0..scales.len()).find(|&j| faded(j) && self.last[j].abs() > CLOSE * scales[j]) {
            return Err(self.runs_away(j));
        }
        match self.lost() {
            Some(j) => Err(self.runs_away(j)),
            None => Ok(true),
        }
    }

    /// The first unknown that is so large that a derivative by it has lost its digits.
    fn lost(&self) -> Option<usize> {
        let reach: Vec<f64> = self.x.iter().map(|x| x.abs() / 64.0).collect();
        let scatter = Measured::at(self.problem, &self.x, &reach).scatter;
        let is_lost = |j: &usize| {
            scatter
                .column(*j)
                .iter()
                .zip(&self.known.column(*j))
                .any(|(scatter, known)| *known > 0.0 && (scatter.is_nan() || *scatter > LOST * known))
        };
        (0..self.x.len()).find(is_lost)
    }

    /// Whether the step is too short to change anything.
    fn is_still(&self, step: &DVector<f64>) -> bool {
        self.moved(step, 1.0) == self.x
    }

    /// Takes the longest part of the scaled `step` at which the level function decreases. Returns `false` where no part does.
    fn advance(&mut self, step: &DVector<f64>) -> Result<bool, AnalysisError> {
        self.damping = (2.0 * self.damping).min(1.0);
        while self.damping >= LEAST_DAMPING {
            let guess = self.moved(step, self.damping);
            let next = if self.is_kept { self.problem.retract(&guess) } else { Some(guess) };
            if let Some(next) = next {
                let (residual, _) = self.problem.evaluate(&next);
                let contracts = residual.iter().all(|entry| entry.is_finite())
                    && correction(&self.at.jacobian, &residual, (&self.rows, &self.columns), RANK_TOLERANCE)?.norm()
                        <= (1.0 - self.damping / 4.0) * step.norm();
                if contracts {
                    self.take(next);
                    return Ok(true);
                }
            }
            self.damping *= 0.5;
        }
        Ok(false)
    }

    /// Goes to `next`.
    fn take(&mut self, next: DVector<f64>) {
        let step = &next - &self.x;
        for j in 0..step.len() {
            let goes_on = step[j] * self.last[j] > 0.0 && step[j].abs() >= UNDIMINISHED * self.last[j].abs();
            self.away[j] = if goes_on { self.away[j] + 1 } else { 0 };
            self.farthest[j] = self.farthest[j].max(self.away[j]);
            self.moved[j] = self.moved[j].max((next[j] - self.start[j]).abs());
        }
        (self.x, self.last) = (next, step);
        self.iterations += 1;
        self.at = Measured::at(self.problem, &self.x, &scales(&self.x, &self.moved));
    }

    /// Ends a search whose steps do not go on. It is at a solution if the residual is the rounding of terms that vary over the
    /// distance in which the Jacobian changes: near 0, an unknown's own magnitude does not tell that distance.
    fn settle(mut self, step: &DVector<f64>, remedy: &'static str) -> Result<(DVector<f64>, u32), AnalysisError> {
        let own = scales(&self.x, &self.moved);
        let reach: Vec<f64> = (0..own.len())
            .map(|j| {
                let least = own[j].max((self.columns[j] * step[j]).abs());
                self.bend(j, least).map_or(own[j], |bend| bend.max(own[j]))
            })
            .collect();
        self.at.noise = Measured::at(self.problem, &self.x, &reach).noise;
        if self.is_balanced(None) && self.is_short(step, CLOSE, &reach) && self.lost().is_none() {
            return Ok((self.moved(step, 1.0), self.iterations));
        }
        if let Some(j) =
            (0..self.farthest.len()).filter(|&j| self.farthest[j] >= AWAY).max_by_key(|&j| self.farthest[j])
        {
            return Err(self.runs_away(j));
        }
        let beside = |i: usize| self.at.residual[i].abs() / self.at.noise[i].max(f64::MIN_POSITIVE);
        let row = (0..self.at.residual.len()).max_by(|&i, &j| beside(i).total_cmp(&beside(j))).unwrap_or(0);
        Err(AnalysisError::NotConverged {
            sought: self.problem.sought(),
            iterations: self.iterations,
            worst: self.problem.name(row),
            residual: self.at.residual.get(row).copied().unwrap_or(0.0),
            remedy,
        })
    }

    /// The distance of unknown j over which the Jacobian changes by a tenth; `None` where it does not change.
    fn bend(&self, j: usize, scale: f64) -> Option<f64> {
        let contains = |i: usize| self.at.jacobian.row(i).amax() > 0.0;
        let rows: Vec<usize> = (0..self.rows.len()).filter(|&i| contains(i)).collect();
        // Shorter distances than the rounding of the linear equations are of no use.
        let size = scales(&self.x, &self.moved)
            .iter()
            .zip(&self.columns)
            .fold(0.0_f64, |size, (x, scale)| size.max(x / scale));
        let mut distance = (f64::EPSILON * scale).max(f64::EPSILON * f64::EPSILON * self.columns[j] * size);
        while distance > 0.0 && distance.is_finite() {
            let mut x = self.x.clone();
            x[j] += distance;
            let (_, jacobian) = self.problem.evaluate(&x);
            let change =
                rows.iter().flat_map(|&i| (0..self.x.len()).map(move |k| (i, k))).fold(0.0_f64, |most, (i, k)| {
                    let change = (jacobian[(i, k)] - self.at.jacobian[(i, k)]) * self.rows[i] * self.columns[k];
                    // A comparison with NaN is false.
                    if change.abs() <= most { most } else { change.abs() }
                });
            if !change.is_finite() {
                return None;
            }
            if change > BEND {
                return Some(distance);
            }
            distance *= 16.0;
        }
        None
    }

    fn runs_away(&self, j: usize) -> AnalysisError {
        AnalysisError::RunsAway {
            sought: self.problem.sought(),
            iterations: self.iterations,
            unknown: self.problem.unknown(j),
            value: self.x[j],
        }
    }
}
