//! Riccati's and Lyapunov's equations, by structure-preserving doubling.

use super::AnalysisError;
use super::matrix::finite;
use core::cmp::Ordering;
use nalgebra::DMatrix;
use std::string::ToString;

/// The largest number of doublings. Each covers twice the time of the one before, so that this many reach any horizon.
const MAX_DOUBLINGS: u32 = 100;
/// The largest residual of an equation, relative to its terms.
const REMAINDER: f64 = 1e-9;

/// X = AᵀX (1 + G X)⁻¹ A + H, for symmetric positive semidefinite G and H, by structure-preserving doubling:
///
/// ```text
/// A' = A W A,    G' = G + A W G Aᵀ,    H' = H + Aᵀ H W A,    W = (1 + G H)⁻¹,    H → X quadratically.
/// ```
///
/// Source: E. K.-W. Chu, H.-Y. Fan, W.-W. Lin, C.-S. Wang, *Structure-preserving algorithms for periodic discrete-time algebraic
/// Riccati equations*, Int. J. Control 77, 2004.
pub(crate) fn discrete(a: &DMatrix<f64>, g: &DMatrix<f64>, h: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    let (mut a, mut g, mut h) = (a.clone(), g.clone(), h.clone());
    let identity = DMatrix::identity(a.nrows(), a.nrows());
    for _ in 0..MAX_DOUBLINGS {
        let factors = (&identity + &g * &h).lu();
        let (Some(by_a), Some(by_g)) = (factors.solve(&a), factors.solve(&g)) else { break };
        let increment = a.transpose() * &h * &by_a;
        let next_g = &g + &a * by_g * a.transpose();
        a = &a * by_a;
        g = symmetric(&next_g);
        h = symmetric(&(&h + &increment));
        if !h.iter().all(|entry| entry.is_finite()) || !a.iter().all(|entry| entry.is_finite()) {
            break;
        }
        if increment.amax() <= f64::EPSILON * h.amax() {
            return Ok(h);
        }
    }
    Err(failed(MAX_DOUBLINGS, h.amax()))
}

/// AᵀX + X A − X G X + H = 0 for its stabilising solution, by Cayley's transformation to [`discrete`] and one or two of Newton's
/// corrections.
///
/// Source: E. K.-W. Chu, H.-Y. Fan, W.-W. Lin, *A structure-preserving doubling algorithm for continuous-time algebraic Riccati
/// equations*, Linear Algebra Appl. 396, 2005.
pub(crate) fn continuous(a: &DMatrix<f64>, g: &DMatrix<f64>, h: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    let size = a.nrows();
    let identity = DMatrix::identity(size, size);
    // The shift is larger than all eigenvalues of A, so that A − γ is regular.
    let shift = 1.1 * (a.norm() + (g.norm() * h.norm()).sqrt()).max(f64::MIN_POSITIVE.sqrt());
    let shifted = (a - &identity * shift).lu();
    let regular = |solution: Option<DMatrix<f64>>| solution.ok_or_else(|| failed(0, f64::NAN));
    let by_g = regular(shifted.solve(g))?;
    let by_identity = regular(shifted.solve(&identity))?;
    // A_γᵀ + H A_γ⁻¹ G.
    let mixed = ((a - &identity * shift).transpose() + h * &by_g).lu();
    let inverse = regular(mixed.solve(&identity))?;
    let discrete_h = regular(mixed.solve(&(h * &by_identity)))? * (2.0 * shift);
    let discrete_a = &identity + inverse.transpose() * (2.0 * shift);
    let discrete_g = &by_g * inverse * (2.0 * shift);
    let mut solution = discrete(&discrete_a, &symmetric(&discrete_g), &symmetric(&discrete_h))?;
    let residual = |x: &DMatrix<f64>| a.transpose() * x + x * a - x * g * x + h;
    let terms = |x: &DMatrix<f64>| (x * a).amax() + (x * g * x).amax() + h.amax();
    let mut remainder = residual(&solution);
    for _ in 0..3 {
        let closed = a - g * &solution;
        let Ok(correction) = lyapunov(&closed.transpose(), &remainder) else { break };
        let next = symmetric(&(&solution + correction));
        let left = residual(&next);
        match left.amax().total_cmp(&remainder.amax()) {
            Ordering::Less => (solution, remainder) = (next, left),
            Ordering::Equal | Ordering::Greater => break,
        }
    }
    finite("the solution of Riccati's equation", &solution)?;
    match remainder.amax() <= REMAINDER * terms(&solution) {
        true => Ok(solution),
        false => Err(failed(MAX_DOUBLINGS, remainder.amax())),
    }
}

/// X = A X Aᵀ + Q for A with all eigenvalues inside the unit circle, by R. A. Smith's doubling: X' = X + A X Aᵀ, A' = A².
pub(crate) fn stein(a: &DMatrix<f64>, q: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    let (mut a, mut x) = (a.clone(), q.clone());
    for _ in 0..MAX_DOUBLINGS {
        let increment = &a * &x * a.transpose();
        x = symmetric(&(&x + &increment));
        a = &a * &a;
        if !x.iter().all(|entry| entry.is_finite()) {
            break;
        }
        if increment.amax() <= f64::EPSILON * x.amax() {
            return Ok(x);
        }
    }
    Err(failed(MAX_DOUBLINGS, x.amax()))
}

/// A X + X Aᵀ + Q = 0 for A with all eigenvalues left of the imaginary axis, by Cayley's transformation to [`stein`] and a correction.
///
/// Source: R. A. Smith, *Matrix equation XA + BX = C*, SIAM J. Appl. Math. 16, 1968.
pub(crate) fn lyapunov(a: &DMatrix<f64>, q: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    let size = a.nrows();
    let identity = DMatrix::identity(size, size);
    let shift = 1.1 * a.norm().max(f64::MIN_POSITIVE.sqrt());
    let factors = (&identity * shift - a).lu();
    let regular = |solution: Option<DMatrix<f64>>| solution.ok_or_else(|| failed(0, f64::NAN));
    let moved = regular(factors.solve(&(&identity * shift + a)))?;
    let solve = |q: &DMatrix<f64>| {
        let half = regular(factors.solve(q))?;
        let both = regular(factors.solve(&half.transpose()))?;
        stein(&moved, &symmetric(&(both * (2.0 * shift))))
    };
    let solution = solve(q)?;
    let remainder = a * &solution + &solution * a.transpose() + q;
    let corrected = &solution + solve(&symmetric(&remainder))?;
    Ok(symmetric(&corrected))
}

fn symmetric(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    (matrix + matrix.transpose()) * 0.5
}

fn failed(iterations: u32, residual: f64) -> AnalysisError {
    AnalysisError::NotConverged {
        sought: "solution of Riccati's equation",
        iterations,
        worst: "the equation".to_string(),
        residual,
        remedy: "scale the states and the weights so that their entries are of like size",
    }
}
