//! Eigenvalues, each with a bound of its error in its own scale.

use super::AnalysisError;
use super::matrix::{finite, schur_values};
use super::units::{balance, circles, rescaled};
use nalgebra::{Complex, DMatrix, SVD};
use std::vec::Vec;

/// The largest number of iterations of a decomposition.
const MAX_ITERATIONS: usize = 20_000;
/// The largest number of Rayleigh's quotients. The first reaches the rounding unless two eigenvalues are close.
const MAX_REFINEMENTS: usize = 3;

/// Shifts that make a singular matrix regular, as multiples of its rounding.
const SHIFTS: [f64; 3] = [0.0, 0.25, 2.0];

/// An eigenvalue and a bound of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Eigenvalue {
    pub(crate) value: Complex<f64>,
    /// The largest change of the value by rounding of the terms of which the matrix consists.
    pub(crate) error: f64,
}

impl Eigenvalue {
    /// Whether another eigenvalue is the same as this one, as far as the errors tell.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        (self.value - other.value).norm() <= self.error + other.error
    }
}

/// The eigenvalues of a square matrix, those of larger real part first. `terms` has the magnitudes of the terms that may cancel in each
/// entry, and is at least |matrix|.
///
/// States that do not act on each other in a circle are taken apart first, and the terms of each circle are balanced: an entry that is
/// what rounding left of its terms must not set the units. An eigenvalue λ with left and
/// right eigenvectors w and v is then improved by Rayleigh's quotient wᴴ A v/(wᴴ v). To first order, its error is at most
///
/// ```text
/// ε n |w|ᵀ (terms + |λ|) |v| / |wᴴ v|,
/// ```
///
/// which no unit of a state changes. Source: N. J. Higham, D. J. Higham, *Structured backward error and condition of generalized eigenvalue
/// problems*, SIAM J. Matrix Anal. Appl. 20, 1998; B. N. Parlett, *The Symmetric Eigenvalue Problem*, 4.
///
/// # Errors
/// [`AnalysisError::NotFinite`] for a matrix that is not finite. [`AnalysisError::NotConverged`] where a decomposition does not end.
pub(crate) fn eigenvalues_within(
    matrix: &DMatrix<f64>,
    terms: &DMatrix<f64>,
) -> Result<Vec<Eigenvalue>, AnalysisError> {
    finite("a matrix whose eigenvalues were asked for", matrix)?;
    finite("a term of a matrix whose eigenvalues were asked for", terms)?;
    let mut values = Vec::with_capacity(matrix.nrows());
    for circle in circles(matrix) {
        let part = |of: &DMatrix<f64>| of.select_rows(&circle).select_columns(&circle);
        values.extend(of_circle(&part(matrix), &part(terms))?);
    }
    values.sort_by(|a, b| b.value.re.total_cmp(&a.value.re).then(b.value.im.total_cmp(&a.value.im)));
    Ok(values)
}

/// The eigenvalues of states that act on each other in a circle.
fn of_circle(matrix: &DMatrix<f64>, terms: &DMatrix<f64>) -> Result<Vec<Eigenvalue>, AnalysisError> {
    if matrix.nrows() == 1 {
        let value = Complex::new(matrix[(0, 0)], 0.0);
        return Ok(std::vec![Eigenvalue { value, error: 4.0 * f64::EPSILON * terms[(0, 0)] }]);
    }
    let exponents = balance(terms);
    let (matrix, terms) = (rescaled(matrix, &exponents), rescaled(terms, &exponents));
    let raw = schur_values(&matrix)?;
    let mut values = Vec::with_capacity(raw.len());
    for (index, &value) in raw.iter().enumerate().filter(|(_, value)| value.im >= 0.0) {
        let gap = raw.iter().enumerate().filter(|(other, _)| *other != index);
        let gap = gap.fold(f64::INFINITY, |gap, (_, other)| gap.min((other - value).norm()));
        let found = refined(&matrix, &terms, value, gap)?;
        values.push(found);
        if value.im > 0.0 {
            values.push(Eigenvalue { value: found.value.conj(), ..found });
        }
    }
    Ok(values)
}

/// Improves an eigenvalue of a balanced matrix, and bounds its error. `gap` is the distance to the next one.
fn refined(
    matrix: &DMatrix<f64>,
    terms: &DMatrix<f64>,
    raw: Complex<f64>,
    gap: f64,
) -> Result<Eigenvalue, AnalysisError> {
    let size = matrix.nrows() as f64;
    let rounding = 4.0 * size * f64::EPSILON;
    let norm = matrix.norm().max(terms.norm());
    let mut found = Eigenvalue { value: raw, error: f64::INFINITY };
    for _ in 0..=MAX_REFINEMENTS {
        let [left, right] = null_vectors(matrix, found.value, rounding * norm)?;
        let product = left.adjoint() * &right;
        let cosine = least_singular_value(&product)?;
        // L. Elsner's bound holds for defective eigenvalues too: |δλ| ≤ (2 |A|)^(1 − 1/n) |δA|^(1/n).
        let largest = 2.0 * norm * rounding.powf(1.0 / size);
        let coarse = (rounding * norm / cosine).min(largest);
        found.error = found.error.min(coarse);
        if left.ncols() > 1 {
            break;
        }
        let magnitudes = terms + DMatrix::from_diagonal_element(terms.nrows(), terms.ncols(), found.value.norm());
        let fine = left.map(Complex::norm).transpose() * magnitudes * right.map(Complex::norm);
        let fine = rounding * fine[(0, 0)] / cosine + coarse * coarse / gap;
        let pencil = pencil(matrix, found.value);
        let change = (left.adjoint() * (pencil * &right))[(0, 0)] / product[(0, 0)];
        let change = if raw.im == 0.0 { Complex::new(change.re, 0.0) } else { change };
        // A change beyond the error belongs to another eigenvalue.
        let distance = (found.value + change - raw).norm();
        if distance.is_nan() || distance > 4.0 * coarse {
            break;
        }
        found.value += change;
        found.error = fine.min(coarse);
        if change.norm() <= fine {
            break;
        }
    }
    Ok(found)
}

/// A − λ.
fn pencil(matrix: &DMatrix<f64>, value: Complex<f64>) -> DMatrix<Complex<f64>> {
    DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| {
        Complex::new(matrix[(i, j)], 0.0) - if i == j { value } else { Complex::new(0.0, 0.0) }
    })
}

/// Orthonormal bases of the w with wᴴ (A − λ) = 0 and of the v with (A − λ) v = 0. Both have at least one column. Singular values up to
/// `tolerance` count as 0.
///
/// nalgebra's singular vectors of a nearly singular matrix may have errors of 1e-4, for example where rounding splits a double eigenvalue. So w
/// and v are put into the equations. Where they do not solve them, two inverse iterations from them do.
fn null_vectors(
    matrix: &DMatrix<f64>,
    value: Complex<f64>,
    tolerance: f64,
) -> Result<[DMatrix<Complex<f64>>; 2], AnalysisError> {
    let pencil = pencil(matrix, value);
    let factors = SVD::try_new(pencil.clone(), true, true, f64::EPSILON, MAX_ITERATIONS);
    let (Some(left), Some(right), values) = factors
        .map(|factors| (factors.u, factors.v_t, factors.singular_values))
        .ok_or_else(|| failed(matrix.norm()))?
    else {
        return Err(failed(matrix.norm()));
    };
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let dimension = order.iter().filter(|&&k| values[k] <= tolerance).count().max(1);
    let chosen = &order[..dimension];
    let found = [left.select_columns(chosen), right.select_rows(chosen).adjoint()];
    if dimension > 1 || remainder(&pencil, &found) <= 2.0 * tolerance.max(values[order[0]]) {
        return Ok(found);
    }
    let better = SHIFTS.iter().filter_map(|shift| inverse_iterations(&pencil, &found, shift * tolerance));
    Ok(better
        .chain([found.clone()])
        .min_by(|a, b| remainder(&pencil, a).total_cmp(&remainder(&pencil, b)))
        .unwrap_or(found))
}

/// The size of what w and v leave of wᴴ (A − λ) = 0 and (A − λ) v = 0.
fn remainder(pencil: &DMatrix<Complex<f64>>, [left, right]: &[DMatrix<Complex<f64>>; 2]) -> f64 {
    (pencil * right).norm().max((left.adjoint() * pencil).norm())
}

/// Better w and v of length 1, from a matrix that `shift` on the diagonal makes regular.
fn inverse_iterations(
    pencil: &DMatrix<Complex<f64>>,
    [left, right]: &[DMatrix<Complex<f64>>; 2],
    shift: f64,
) -> Option<[DMatrix<Complex<f64>>; 2]> {
    let size = pencil.nrows();
    let regular = pencil + DMatrix::identity(size, size) * Complex::new(shift, 0.0);
    let (factors, dual) = (regular.clone().full_piv_lu(), regular.adjoint().full_piv_lu());
    let unit = |vector: DMatrix<Complex<f64>>| {
        let length = vector.norm();
        (length > 0.0 && length.is_finite()).then(|| vector / Complex::new(length, 0.0))
    };
    let (mut left, mut right) = (left.clone(), right.clone());
    for _ in 0..2 {
        right = unit(factors.solve(&left)?)?;
        left = unit(dual.solve(&right)?)?;
    }
    Some([left, right])
}

/// The smallest singular value of a small square matrix.
fn least_singular_value(matrix: &DMatrix<Complex<f64>>) -> Result<f64, AnalysisError> {
    if matrix.nrows() == 1 {
        return Ok(matrix[(0, 0)].norm());
    }
    let factors = SVD::try_new(matrix.clone(), false, false, f64::EPSILON, MAX_ITERATIONS);
    factors.map(|factors| factors.singular_values.min()).ok_or_else(|| failed(f64::NAN))
}

fn failed(residual: f64) -> AnalysisError {
    AnalysisError::NotConverged {
        sought: "eigenvector",
        iterations: MAX_ITERATIONS as u32,
        worst: "an off-diagonal entry".into(),
        residual,
        remedy: "scale the states so that the entries of the matrix are of like size",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// λ² = 140 twice and λ² = −60, as of a top that stands upright: what rounding left of the terms that couple them is some
    /// power of ten below the terms.
    #[test]
    fn what_rounding_left_of_terms_does_not_set_the_units() {
        for left in [1e-17, 1e-40, 1e-80, 1e-144] {
            let mut matrix = DMatrix::zeros(6, 6);
            for state in 0..3 {
                matrix[(state, state + 3)] = 1.0;
            }
            for (row, column, value) in [(3, 0, -60.0), (4, 1, 140.0), (5, 2, 140.0)] {
                matrix[(row, column)] = value;
            }
            let mut terms = matrix.abs();
            for (row, column, factor) in [(3, 1, -1.4), (3, 2, 5.9), (4, 2, 0.02), (5, 1, 0.02), (5, 0, -left)] {
                matrix[(row, column)] = factor * left;
                terms[(row, column)] = 140.0;
            }
            let found = eigenvalues_within(&matrix, &terms).expect("it is finite");
            for (place, re) in [(0, 140.0_f64.sqrt()), (1, 140.0_f64.sqrt()), (4, -140.0_f64.sqrt())] {
                let Eigenvalue { value, error } = found[place];
                assert!((value.re - re).abs() <= error.min(1e-12) && value.im == 0.0, "{left:e}: {value} ± {error:e}");
            }
            for pole in &found[2..4] {
                assert!((pole.value.im.abs() - 60.0_f64.sqrt()).abs() <= pole.error.min(1e-12), "{left:e}: {pole:?}");
                assert!(pole.value.re.abs() <= pole.error && pole.error < 1e-11, "{left:e}: {pole:?}");
            }
        }
    }
}
