//! Riccati's equations, by structure-preserving doubling.

use super::AnalysisError;
use super::exponential::{lyapunov, stein, symmetric};
use super::matrix::finite;
use super::units::{Fit, rescaled, shifted};
use core::cmp::Ordering;
use nalgebra::{DMatrix, SymmetricEigen};
use std::string::ToString;
use std::vec::Vec;

/// The largest number of doublings. Each covers twice the time of the one before, so that this many reach any horizon.
const MAX_DOUBLINGS: u32 = 200;
/// The largest number of Newton's corrections.
const MAX_CORRECTIONS: usize = 60;
/// The largest number of iterations of a decomposition.
const MAX_ITERATIONS: usize = 20_000;
/// The largest residual of an equation, relative to its terms.
const REMAINDER: f64 = 1e-9;

/// A Riccati equation in units in which its matrices have entries of like size.
struct Scaled {
    a: DMatrix<f64>,
    g: DMatrix<f64>,
    h: DMatrix<f64>,
    states: Vec<i32>,
    cost: i32,
}

impl Scaled {
    /// Scales the states, the cost and, if there is a `rate` in the equation, the time.
    fn new(a: &DMatrix<f64>, g: &DMatrix<f64>, h: &DMatrix<f64>, has_rate: bool) -> Self {
        let size = a.nrows();
        let (cost, rate) = (size, size + 1);
        let mut fit = Fit::new(size + 2);
        let unit = if has_rate { -1.0 } else { 0.0 };
        for i in 0..size {
            for j in 0..size {
                match i == j {
                    true => fit.entry(a[(i, i)], &[(rate, unit)]),
                    false => fit.entry(a[(i, j)], &[(j, 1.0), (i, -1.0), (rate, unit)]),
                }
                // The entry on the diagonal has the unit of one state twice.
                let both = |sign: f64| match i == j {
                    true => [(i, 2.0 * sign), (i, 0.0), (rate, unit), (cost, -sign)],
                    false => [(i, sign), (j, sign), (rate, unit), (cost, -sign)],
                };
                fit.entry(g[(i, j)], &both(-1.0));
                fit.entry(h[(i, j)], &both(1.0));
            }
        }
        let exponents = fit.exponents();
        let (states, cost, rate) = (exponents[..size].to_vec(), exponents[cost], exponents[rate]);
        let at = |matrix: &DMatrix<f64>, sign: i32| {
            DMatrix::from_fn(size, size, |i, j| shifted(matrix[(i, j)], sign * (states[i] + states[j] - cost) - rate))
        };
        let (g, h) = (at(g, -1), at(h, 1));
        let a = rescaled(a, &states).map(|entry| shifted(entry, -rate));
        Self { a, g, h, states, cost }
    }

    /// The solution in the units of the question.
    fn solution(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let Self { states, cost, .. } = self;
        DMatrix::from_fn(x.nrows(), x.ncols(), |i, j| shifted(x[(i, j)], cost - states[i] - states[j]))
    }
}

/// X = AᵀX (1 + G X)⁻¹ A + H with G = B R⁻¹ Bᵀ and H = Q, and the gain K = (R + BᵀXB)⁻¹ BᵀXA: by doubling, and then by Newton's
/// method.
///
/// Where inputs are so cheap that doubling loses all digits, Newton's method starts from the gain of dearer inputs.
pub(crate) fn discrete(
    [a, b, q, r]: [&DMatrix<f64>; 4],
    g: &DMatrix<f64>,
) -> Result<(DMatrix<f64>, DMatrix<f64>), AnalysisError> {
    let scaled = Scaled::new(a, g, q, false);
    let increment = &scaled.a - DMatrix::identity(a.nrows(), a.nrows());
    let dearer = 1.0 / (scaled.g.norm() * scaled.h.norm()).max(1.0);
    let solve = |factor: f64| {
        let first = scaled.solution(&doubled(&increment, &(&scaled.g * factor), &scaled.h)?);
        corrected([a, b, q, r], first)
    };
    let (gain, solution) = solve(1.0).or_else(|_| solve(dearer))?;
    finite("the solution of Riccati's equation", &solution)?;
    Ok((gain, solution))
}

/// The solution of [`discrete`] for A = 1 + E:
///
/// ```text
/// A' = A W A,    G' = G + A W G Aᵀ,    H' = H + Aᵀ H W A,    W = (1 + G H)⁻¹,    H → X quadratically.
/// ```
///
/// E' = 2 E + E² − A W G H A has the digits of slow modes, which A' itself loses beside the 1. W G and H W are computed as positive
/// semidefinite matrices ([`within`]). Source: E. K.-W. Chu, H.-Y. Fan, W.-W. Lin, C.-S. Wang, *Structure-preserving algorithms for periodic
/// discrete-time algebraic Riccati equations*, Int. J. Control 77, 2004.
fn doubled(increment: &DMatrix<f64>, g: &DMatrix<f64>, h: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    let (mut e, mut g, mut h) = (increment.clone(), g.clone(), h.clone());
    let identity = DMatrix::identity(e.nrows(), e.nrows());
    for _ in 0..MAX_DOUBLINGS {
        let a = &identity + &e;
        let (Some(w_g), Some(h_w)) = (within(&g, &h), within(&h, &g)) else { break };
        let added = symmetric(&(a.transpose() * h_w * &a));
        e = &e * 2.0 + &e * &e - &a * &w_g * &h * &a;
        g += symmetric(&(&a * w_g * a.transpose()));
        h += &added;
        if !h.iter().chain(e.iter()).all(|entry| entry.is_finite()) {
            break;
        }
        if relative(&added, &h) <= f64::EPSILON {
            return Ok(h);
        }
    }
    Err(failed(MAX_DOUBLINGS, h.amax()))
}

/// (1 + X Y)⁻¹ X = L (1 + Lᵀ Y L)⁻¹ Lᵀ for positive semidefinite X = L Lᵀ and Y. It is symmetric, and nothing cancels.
fn within(x: &DMatrix<f64>, y: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let size = x.nrows();
    // Rows and columns of diagonal 1, so that units do not matter.
    let scale = |i: usize| if x[(i, i)] > 0.0 { x[(i, i)].sqrt() } else { 1.0 };
    let unit = DMatrix::from_fn(size, size, |i, j| x[(i, j)] / (scale(i) * scale(j)));
    let eigen = SymmetricEigen::try_new(unit, f64::EPSILON, MAX_ITERATIONS)?;
    let root = DMatrix::from_fn(size, size, |i, k| {
        scale(i) * eigen.eigenvectors[(i, k)] * eigen.eigenvalues[k].max(0.0).sqrt()
    });
    let inner = DMatrix::identity(size, size) + symmetric(&(root.transpose() * y * &root));
    Some(symmetric(&(&root * inner.cholesky()?.solve(&root.transpose()))))
}

/// The gain K = (R + BᵀXB)⁻¹ BᵀXA and the X of a sampled system, from a first X, by Newton's method:
///
/// ```text
/// X' = (A − B K)ᵀ X' (A − B K) + Q + KᵀRK.
/// ```
///
/// Each X' is a sum of positive semidefinite terms, so that it is exact where [`doubled`] loses digits, as under cheap inputs. Source: G. A.
/// Hewer, *An iterative technique for the computation of the steady state gains for the discrete optimal regulator*, IEEE Trans. Autom.
/// Control 16, 1971.
fn corrected(
    [a, b, q, r]: [&DMatrix<f64>; 4],
    first: DMatrix<f64>,
) -> Result<(DMatrix<f64>, DMatrix<f64>), AnalysisError> {
    let gain = |x: &DMatrix<f64>| {
        let inner = symmetric(&(r + b.transpose() * x * b));
        let factors = inner.cholesky().ok_or_else(|| failed(MAX_DOUBLINGS, f64::NAN))?;
        Ok::<_, AnalysisError>(factors.solve(&(b.transpose() * x * a)))
    };
    let (mut k, mut x) = (gain(&first)?, first);
    let mut change = f64::INFINITY;
    for _ in 0..MAX_CORRECTIONS {
        let closed = (a - b * &k).transpose();
        let Ok(next) = stein(&closed, &symmetric(&(q + k.transpose() * r * &k))) else { break };
        let moved = relative(&(&next - &x), &next);
        if moved >= change {
            break;
        }
        (k, x, change) = (gain(&next)?, next, moved);
    }
    match change <= REMAINDER {
        true => Ok((k, x)),
        false => Err(failed(MAX_DOUBLINGS, change)),
    }
}

/// The largest entry of a part of a positive semidefinite matrix, beside the geometric mean of the two diagonal entries of the whole.
fn relative(part: &DMatrix<f64>, whole: &DMatrix<f64>) -> f64 {
    let size = |i: usize| whole[(i, i)].abs().sqrt();
    let entry = |i: usize, j: usize| if part[(i, j)] == 0.0 { 0.0 } else { part[(i, j)].abs() / (size(i) * size(j)) };
    let entries = (0..part.nrows()).flat_map(|i| (0..part.ncols()).map(move |j| (i, j)));
    entries.fold(0.0, |largest, (i, j)| if entry(i, j).is_nan() { f64::INFINITY } else { largest.max(entry(i, j)) })
}

/// AᵀX + X A − X G X + H = 0 for its stabilising solution, by Cayley's transformation to [`discrete`] and some of Newton's
/// corrections.
///
/// Source: E. K.-W. Chu, H.-Y. Fan, W.-W. Lin, *A structure-preserving doubling algorithm for continuous-time algebraic Riccati
/// equations*, Linear Algebra Appl. 396, 2005.
pub(crate) fn continuous(a: &DMatrix<f64>, g: &DMatrix<f64>, h: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    if a.is_empty() {
        return Ok(h.clone());
    }
    let scaled = Scaled::new(a, g, h, true);
    let Scaled { a, g, h, .. } = &scaled;
    let mut solution = by_cayley(a, g, h)?;
    let mut found = Remainder::of(a, g, h, &solution);
    for _ in 0..MAX_CORRECTIONS {
        let closed = a - g * &solution;
        let Ok(correction) = lyapunov(&closed.transpose(), &found.value) else { break };
        let next = symmetric(&(&solution + correction));
        let left = Remainder::of(a, g, h, &next);
        match left.relative.total_cmp(&found.relative) {
            Ordering::Less => (solution, found) = (next, left),
            Ordering::Equal | Ordering::Greater => break,
        }
    }
    if found.relative > REMAINDER {
        return Err(failed(MAX_DOUBLINGS, found.relative));
    }
    let solution = scaled.solution(&solution);
    finite("the solution of Riccati's equation", &solution)?;
    Ok(solution)
}

/// The solution by Cayley's transformation with a shift above all rates, in scaled units.
fn by_cayley(a: &DMatrix<f64>, g: &DMatrix<f64>, h: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    let size = a.nrows();
    let identity = DMatrix::identity(size, size);
    // The shift is larger than all eigenvalues of A, so that A − γ is regular.
    let shift = 1.1 * (a.norm() + (g.norm() * h.norm()).sqrt()).max(f64::MIN_POSITIVE.sqrt());
    let shifted = (a - &identity * shift).lu();
    let regular = |solution: Option<DMatrix<f64>>| solution.ok_or_else(|| failed(0, f64::NAN));
    let by_g = regular(shifted.solve(g))?;
    let by_identity = regular(shifted.solve(&identity))?;
    // A_γᵀ + H A_γ⁻¹ G. Without the shift, it is what −A_d differs by from 1.
    let change = a.transpose() + h * &by_g;
    let mixed = (&change - &identity * shift).lu();
    let increment = regular(mixed.solve(&change))?.transpose() * -2.0;
    let inverse = regular(mixed.solve(&identity))?;
    let discrete_h = regular(mixed.solve(&(h * &by_identity)))? * (2.0 * shift);
    let discrete_g = &by_g * inverse * (2.0 * shift);
    doubled(&increment, &symmetric(&discrete_g), &symmetric(&discrete_h))
}

/// The residual of a Riccati equation.
struct Remainder {
    value: DMatrix<f64>,
    /// The largest entry beside the terms that cancel in it.
    relative: f64,
}

impl Remainder {
    fn of(a: &DMatrix<f64>, g: &DMatrix<f64>, h: &DMatrix<f64>, x: &DMatrix<f64>) -> Self {
        let value = a.transpose() * x + x * a - x * g * x + h;
        let (by_a, size) = (x.abs() * a.abs(), x.abs());
        let terms = &by_a + by_a.transpose() + &size * g.abs() * &size + h.abs();
        let scale = |i: usize, j: usize| terms[(i, j)].max((terms[(i, i)] * terms[(j, j)]).sqrt());
        let mut relative = 0.0_f64;
        for i in 0..a.nrows() {
            for j in 0..a.nrows() {
                match (value[(i, j)].abs() / scale(i, j), value[(i, j)] == 0.0) {
                    (_, true) => {}
                    (part, _) if part.is_nan() => relative = f64::INFINITY,
                    (part, _) => relative = relative.max(part),
                }
            }
        }
        Self { value: symmetric(&value), relative }
    }
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

#[cfg(test)]
mod tests {
    use super::Remainder;
    use nalgebra::DMatrix;

    /// Of −4 x² + 1 = 0 with x = (1 + δ)/2, the remainder −2 δ beside the terms 1 + 1 is −δ, in any unit of the cost.
    #[test]
    fn a_remainder_is_judged_by_the_terms_that_cancel() {
        for unit in [1.0, 2.0_f64.powi(-30), 2.0_f64.powi(40)] {
            let number = |value: f64| DMatrix::from_element(1, 1, value);
            let (a, g, h) = (number(0.0), number(4.0 / unit), number(unit));
            let found = Remainder::of(&a, &g, &h, &number(0.5 * unit * (1.0 + 1e-6)));
            assert!((found.relative - 1e-6).abs() < 1e-11, "{}", found.relative);
            assert_eq!(Remainder::of(&a, &g, &h, &number(0.5 * unit)).relative, 0.0);
        }
    }
}
