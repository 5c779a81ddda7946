//! The exponential of a matrix, and the integrals that follow from it, by doubling of a short time.

use super::AnalysisError;
use super::units::{balance, balanced_norm, rescaled};
use nalgebra::DMatrix;
use std::string::ToString;

/// The largest norm of A h over the short time h, in balanced states.
const SHORT: f64 = 0.5;
/// The number of terms of a series over the short time. With `SHORT`, the first omitted term is below the rounding.
const TERMS: u32 = 22;
/// The largest number of doublings of an infinite time. Doubles span 2100 powers of two.
const MAX_DOUBLINGS: u32 = 2200;

/// The number of doublings after which a short time becomes `time`. `None` where no number of them is enough.
fn doublings(a: &DMatrix<f64>, time: f64) -> Option<i32> {
    let ratio = (balanced_norm(a).log2() + time.log2() - SHORT.log2()).ceil();
    (ratio < f64::from(f64::MAX_EXP)).then_some((ratio as i32).max(0))
}

/// exp(A h) − 1 over a short time, by its series.
fn short_increment(a: &DMatrix<f64>, time: f64) -> DMatrix<f64> {
    let size = a.nrows();
    let step = a * time;
    let mut sum = DMatrix::identity(size, size);
    for k in (2..=TERMS).rev() {
        sum = DMatrix::identity(size, size) + (&step * sum) / f64::from(k);
    }
    step * sum
}

/// E = exp(A t) − 1.
///
/// The series over a short time is doubled by E(2h) = 2 E(h) + E(h)². Without the 1, slow modes beside fast ones keep their digits.
/// Products of matrices commute with a change of units by powers of two, so that the error of an entry has the scale of its units. Source:
/// N. J. Higham, *Functions of Matrices*, 10.
///
/// # Errors
/// `None` where an entry overflows.
pub(crate) fn increment(a: &DMatrix<f64>, time: f64) -> Option<DMatrix<f64>> {
    if a.is_empty() {
        return Some(a.clone());
    }
    let count = doublings(a, time)?;
    let mut increment = short_increment(a, time * 2.0_f64.powi(-count));
    for _ in 0..count {
        increment = doubled(&increment);
        if !increment.iter().all(|entry| entry.is_finite()) {
            return None;
        }
    }
    increment.iter().all(|entry| entry.is_finite()).then_some(increment)
}

/// (1 + E)² − 1.
fn doubled(increment: &DMatrix<f64>) -> DMatrix<f64> {
    increment * 2.0 + increment * increment
}

/// (1 + E) X (1 + E)ᵀ, symmetric.
fn carried(increment: &DMatrix<f64>, x: &DMatrix<f64>) -> DMatrix<f64> {
    let flow = DMatrix::identity(x.nrows(), x.nrows()) + increment;
    symmetric(&(&flow * x * flow.transpose()))
}

/// ∫₀^h exp(At) Q exp(Aᵀt) dt over a short time, by its series, for symmetric Q.
fn short_integral(a: &DMatrix<f64>, q: &DMatrix<f64>, time: f64) -> DMatrix<f64> {
    let mut term = q * time;
    let mut sum = term.clone();
    for k in 2..=TERMS {
        let half = a * &term * (time / f64::from(k));
        term = &half + half.transpose();
        sum += &term;
    }
    sum
}

/// ∫₀^T exp(At) Q exp(Aᵀt) dt for symmetric Q. The integral over a short time h is doubled by W(2h) = W(h) + exp(Ah) W(h) exp(Aᵀh). For a
/// positive semidefinite Q nothing cancels, whatever the eigenvalues of A are.
///
/// # Errors
/// `None` where an entry overflows.
pub(crate) fn integral(a: &DMatrix<f64>, q: &DMatrix<f64>, time: f64) -> Option<DMatrix<f64>> {
    let count = doublings(a, time)?;
    let short = time * 2.0_f64.powi(-count);
    let (mut sum, mut increment) = (short_integral(a, q, short), short_increment(a, short));
    for _ in 0..count {
        sum += carried(&increment, &sum);
        increment = doubled(&increment);
        if !sum.iter().all(|entry| entry.is_finite()) {
            return None;
        }
    }
    sum.iter().all(|entry| entry.is_finite()).then_some(sum)
}

/// A X + X Aᵀ + Q = 0 for A with all eigenvalues left of the imaginary axis: the [`integral`] over an infinite time.
///
/// Source: R. A. Smith, *Matrix equation XA + BX = C*, SIAM J. Appl. Math. 16, 1968.
pub(crate) fn lyapunov(a: &DMatrix<f64>, q: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    if a.is_empty() {
        return Ok(q.clone());
    }
    let short = SHORT / balanced_norm(a);
    let sum = |q: &DMatrix<f64>| series(&short_increment(a, short), short_integral(a, q, short));
    let solution = sum(q)?;
    let remainder = a * &solution + &solution * a.transpose() + q;
    let corrected = &solution + sum(&symmetric(&remainder))?;
    Ok(symmetric(&corrected))
}

/// The nodes and weights of Gauss's rule of eight points, for ∫₋₁¹.
const GAUSS: [[f64; 2]; 4] = [
    [0.183_434_642_495_649_8, 0.362_683_783_378_362],
    [0.525_532_409_916_329, 0.313_706_645_877_887_3],
    [0.796_666_477_413_626_7, 0.222_381_034_453_374_47],
    [0.960_289_856_497_536_2, 0.101_228_536_290_376_26],
];

/// The L with L Lᵀ = ∫₀^∞ exp(At) B Bᵀ exp(Aᵀt) dt, for A with all eigenvalues left of the imaginary axis.
///
/// L has twice the digits of the integral itself: singular values of products of such factors are right beside the largest one. The integral
/// over a short time is a sum of eight columns for each input by Gauss's rule, whose error is below the rounding.
pub(crate) fn lyapunov_factor(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    if a.is_empty() {
        return Ok(b.clone());
    }
    let short = SHORT / balanced_norm(a);
    let mut columns = DMatrix::zeros(a.nrows(), 0);
    for [node, weight] in GAUSS.into_iter().flat_map(|[node, weight]| [[node, weight], [-node, weight]]) {
        let at = b + short_increment(a, 0.5 * short * (1.0 + node)) * b;
        columns = beside(&columns, &(at * (0.5 * short * weight).sqrt()));
    }
    series_factor(&short_increment(a, short), &columns)
}

/// The L with L Lᵀ = Σ Aᵏ B Bᵀ (Aᵀ)ᵏ, for A with all eigenvalues inside the unit circle.
pub(crate) fn stein_factor(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    series_factor(&(a - DMatrix::identity(a.nrows(), a.nrows())), b)
}

/// The factor of Σ Fᵏ L Lᵀ (Fᵀ)ᵏ with F = 1 + E, as in [`series`].
fn series_factor(increment: &DMatrix<f64>, columns: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    let size = columns.nrows();
    let exponents = balance(&(DMatrix::identity(size, size) + increment));
    let (mut increment, mut factor) = (increment.clone(), triangular(columns));
    for _ in 0..MAX_DOUBLINGS {
        let flow = DMatrix::identity(size, size) + &increment;
        if rescaled(&flow, &exponents).norm() <= f64::EPSILON {
            return Ok(factor);
        }
        factor = triangular(&beside(&factor, &(&flow * &factor)));
        increment = doubled(&increment);
        if !factor.iter().all(|entry| entry.is_finite()) {
            break;
        }
    }
    Err(unsolved(&factor))
}

/// [X Y].
fn beside(x: &DMatrix<f64>, y: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(x.nrows(), x.ncols() + y.ncols(), |i, j| match j.checked_sub(x.ncols()) {
        None => x[(i, j)],
        Some(column) => y[(i, column)],
    })
}

/// A matrix L with L Lᵀ = X Xᵀ that has no more columns than rows.
fn triangular(x: &DMatrix<f64>) -> DMatrix<f64> {
    if x.is_empty() { x.clone() } else { x.transpose().qr().r().transpose() }
}

/// X = A X Aᵀ + Q for A with all eigenvalues inside the unit circle, by Smith's doubling.
pub(crate) fn stein(a: &DMatrix<f64>, q: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    series(&(a - DMatrix::identity(a.nrows(), a.nrows())), q.clone())
}

/// Σ Fᵏ X (Fᵀ)ᵏ with F = 1 + E, doubled until F^(2ᵏ) is below the rounding in balanced states.
fn series(increment: &DMatrix<f64>, mut sum: DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    let size = sum.nrows();
    let exponents = balance(&(DMatrix::identity(size, size) + increment));
    let mut increment = increment.clone();
    for _ in 0..MAX_DOUBLINGS {
        let flow = DMatrix::identity(size, size) + &increment;
        if rescaled(&flow, &exponents).norm() <= f64::EPSILON {
            return Ok(sum);
        }
        sum += carried(&increment, &sum);
        increment = doubled(&increment);
        if !sum.iter().all(|entry| entry.is_finite()) {
            break;
        }
    }
    Err(unsolved(&sum))
}

fn unsolved(sum: &DMatrix<f64>) -> AnalysisError {
    AnalysisError::NotConverged {
        sought: "solution of Lyapunov's equation",
        iterations: MAX_DOUBLINGS,
        worst: "the equation".to_string(),
        residual: sum.amax(),
        remedy: "stabilise the system first; a mode decays more slowly than rounding can tell",
    }
}

/// The symmetric part of a matrix.
pub(crate) fn symmetric(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    (matrix + matrix.transpose()) * 0.5
}
