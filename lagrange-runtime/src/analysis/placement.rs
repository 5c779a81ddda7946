//! The placement of poles by state feedback.

use super::AnalysisError;
use super::eigenvalues::eigenvalues_within;
use super::error::complex;
use super::linearization::Linearization;
use super::reach::Pair;
use super::regulator::feedback;
use super::state_space::{SampledSpace, StateSpace};
use super::units::Fit;
use crate::controller::StateFeedback;
use nalgebra::{Complex, DMatrix, DVector, SVD};
use std::string::{String, ToString};
use std::vec::Vec;

/// The number of times that every eigenvector is turned away from the others.
const SWEEPS: usize = 30;
/// The largest number of iterations of a decomposition.
const MAX_ITERATIONS: usize = 20_000;
/// Vectors count as dependent where the smallest of their singular values is below this fraction of the largest.
const DEPENDENT: f64 = 1e-13;

/// The feedback u = −K x with chosen poles.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// K: a row for each input, a column for each state.
    pub gain: DMatrix<f64>,
    /// The eigenvalues of A − B K, those of larger real part first. They differ from the chosen ones by rounding.
    pub poles: Vec<Complex<f64>>,
}

/// The u = −K x for which A − B K has the eigenvalues `poles`.
///
/// `poles` has as many entries as there are states, and complex ones in conjugate pairs, in 1/(unit of time); for A and B of a
/// sampled system they are those in the plane of z. With one input, K is unique (Ackermann's formula, in a Hessenberg form),
/// and poles may be equal. With several inputs, K is the one whose eigenvectors are as nearly orthogonal as possible, so that
/// errors of A and B move the poles little; a pole may then be repeated as often as there are independent inputs. "Orthogonal"
/// is meant in units in which the entries of A and B are of like size, so that K transforms with the units. Sources: J.
/// Kautsky, N. K. Nichols, P. Van Dooren, *Robust pole assignment in linear state feedback*, Int. J. Control 41, 1985; A. L.
/// Tits, Y. Yang, *Globally convergent algorithms for robust pole assignment by state feedback*, IEEE Trans. Autom. Control 41,
/// 1996.
///
/// # Errors
/// [`AnalysisError::NotStabilisable`] with the eigenvalue of a mode that no input reaches: no feedback moves it.
/// [`AnalysisError::Shape`] for another number of poles. [`AnalysisError::NotApplicable`] for a complex pole without its
/// conjugate, and for a pole that is repeated too often. [`AnalysisError::NotFinite`], [`AnalysisError::NotConverged`].
///
/// ```
/// use lagrange_runtime::analysis::place_poles;
/// use lagrange_runtime::nalgebra::{Complex, DMatrix};
///
/// // ẍ = u with both poles at −2: u = −4 x − 4 ẋ.
/// let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]);
/// let b = DMatrix::from_column_slice(2, 1, &[0.0, 1.0]);
/// let found = place_poles(&a, &b, &[Complex::new(-2.0, 0.0); 2])?;
/// assert!((found.gain - DMatrix::from_row_slice(1, 2, &[4.0, 4.0])).norm() < 1e-14);
/// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
/// ```
pub fn place_poles(a: &DMatrix<f64>, b: &DMatrix<f64>, poles: &[Complex<f64>]) -> Result<Placement, AnalysisError> {
    StateSpace::new(a.clone(), b.clone())?;
    let wanted = sorted(a.nrows(), poles)?;
    if let Some(mode) = Pair::new(a, b).missed(|_| true)? {
        return Err(AnalysisError::NotStabilisable { eigenvalue: mode.value });
    }
    let natural = Natural::of(a, b);
    let gain = match b.ncols() {
        _ if a.is_empty() => DMatrix::zeros(b.ncols(), 0),
        1 => natural.single(&wanted),
        _ => natural.several(&wanted)?,
    };
    let gain = natural.gain(&gain);
    let terms = a.abs() + b.abs() * gain.abs();
    let poles = eigenvalues_within(&(a - b * &gain), &terms)?.into_iter().map(|found| found.value).collect();
    Ok(Placement { gain, poles })
}

impl StateSpace {
    /// The u = −K x for which A − B K has the eigenvalues `poles`: [`place_poles`] of A and B.
    ///
    /// # Errors
    /// Those of [`place_poles`].
    pub fn place_poles(&self, poles: &[Complex<f64>]) -> Result<Placement, AnalysisError> {
        place_poles(&self.a, &self.b, poles)
    }
}

impl SampledSpace {
    /// The u = −K x for which A − B K has the eigenvalues `poles` in the plane of z: [`place_poles`] of A and B.
    ///
    /// # Errors
    /// Those of [`place_poles`].
    pub fn place_poles(&self, poles: &[Complex<f64>]) -> Result<Placement, AnalysisError> {
        place_poles(&self.a, &self.b, poles)
    }
}

impl Placement {
    /// The controller u = u₀ − K (x − x₀) around the state and the inputs of `near`: as
    /// [`Regulator::feedback`](super::Regulator::feedback).
    ///
    /// # Errors
    /// [`AnalysisError::Shape`] where `near` does not have as many states as the gain has columns.
    pub fn feedback<const N: usize, const U: usize>(
        &self,
        near: &Linearization<N, U>,
    ) -> Result<StateFeedback<f64, N, U>, AnalysisError> {
        feedback(&self.gain, near)
    }
}

/// The poles, real ones first, each complex one before its conjugate.
fn sorted(states: usize, poles: &[Complex<f64>]) -> Result<Vec<Complex<f64>>, AnalysisError> {
    if poles.len() != states {
        return Err(AnalysisError::shape("the list of poles", (states, 1), (poles.len(), 1)));
    }
    if !poles.iter().all(|pole| pole.re.is_finite() && pole.im.is_finite()) {
        return Err(AnalysisError::NotFinite { quantity: "a pole".to_string() });
    }
    let mut sorted: Vec<Complex<f64>> = poles.iter().copied().filter(|pole| pole.im == 0.0).collect();
    let mut below: Vec<Complex<f64>> = poles.iter().copied().filter(|pole| pole.im < 0.0).collect();
    for pole in poles.iter().filter(|pole| pole.im > 0.0) {
        let place = below.iter().position(|other| *other == pole.conj()).ok_or_else(|| alone(*pole))?;
        below.swap_remove(place);
        sorted.extend([*pole, pole.conj()]);
    }
    match below.first() {
        Some(pole) => Err(alone(*pole)),
        None => Ok(sorted),
    }
}

fn refused(needs: String) -> AnalysisError {
    AnalysisError::NotApplicable { analysis: "pole placement", needs }
}

fn text(pole: Complex<f64>) -> String {
    let mut text = String::new();
    _ = complex(&mut text, pole);
    text
}

fn alone(pole: Complex<f64>) -> AnalysisError {
    refused(std::format!("complex poles in conjugate pairs; {} has no partner", text(pole)))
}

fn failed() -> AnalysisError {
    AnalysisError::NotConverged {
        sought: "set of independent eigenvectors",
        iterations: SWEEPS as u32,
        worst: "an eigenvector".to_string(),
        residual: f64::NAN,
        remedy: "choose poles that are further apart",
    }
}

/// A and B in units in which their entries are of like size. The units are not rounded to powers of two, so that other units of
/// the question give the same A and B here.
struct Natural {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    states: Vec<f64>,
    inputs: Vec<f64>,
    rate: f64,
}

impl Natural {
    fn of(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Self {
        let (size, inputs) = b.shape();
        let mut fit = Fit::new(size + inputs + 1);
        let rate = size + inputs;
        for i in 0..size {
            for j in 0..size {
                match i == j {
                    true => fit.entry(a[(i, i)], &[(rate, -1.0)]),
                    false => fit.entry(a[(i, j)], &[(j, 1.0), (i, -1.0), (rate, -1.0)]),
                }
            }
            for k in 0..inputs {
                fit.entry(b[(i, k)], &[(size + k, 1.0), (i, -1.0), (rate, -1.0)]);
            }
        }
        let scales: Vec<f64> = fit.solution().iter().map(|exponent| exponent.exp2()).collect();
        let (states, inputs, rate) = (scales[..size].to_vec(), scales[size..rate].to_vec(), scales[rate]);
        let scaled_a = DMatrix::from_fn(size, size, |i, j| a[(i, j)] * (states[j] / states[i]) / rate);
        let scaled_b = DMatrix::from_fn(size, inputs.len(), |i, k| b[(i, k)] * (inputs[k] / states[i]) / rate);
        Self { a: scaled_a, b: scaled_b, states, inputs, rate }
    }

    /// A gain in the units of the question.
    fn gain(&self, gain: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(gain.nrows(), gain.ncols(), |k, i| gain[(k, i)] * (self.inputs[k] / self.states[i]))
    }

    /// The gain of one input.
    ///
    /// In states whose first is b and whose A is a Hessenberg matrix H, it is β⁻¹ (h₂₁ h₃₂ …)⁻¹ eₙᵀ Π (H − λ). Each factor is
    /// divided by an entry below the diagonal at once.
    fn single(&self, poles: &[Complex<f64>]) -> DMatrix<f64> {
        let size = self.a.nrows();
        let (mut h, mut b, mut basis) = (self.a.clone(), self.b.column(0).into_owned(), DMatrix::identity(size, size));
        for k in 0..size {
            // A reflection of the states k and above, which moves b or the column k − 1 of A to the first of them.
            let column = if k == 0 { b.clone() } else { h.column(k - 1).into_owned() };
            let mut normal = DVector::from_fn(size, |i, _| if i < k { 0.0 } else { column[i] });
            let length = normal.norm();
            normal[k] += if normal[k] < 0.0 { -length } else { length };
            let square = normal.norm_squared();
            if square > 0.0 {
                let reflection = DMatrix::identity(size, size) - &normal * normal.transpose() * (2.0 / square);
                (h, b) = (&reflection * h * &reflection, &reflection * b);
                basis *= reflection;
            }
        }
        let divisors: Vec<f64> = core::iter::once(b[0]).chain((1..size).map(|k| h[(k, k - 1)])).collect();
        let mut row = DMatrix::from_fn(1, size, |_, j| f64::from(u8::from(j + 1 == size)));
        let mut poles = poles.iter().map(|pole| *pole / self.rate).peekable();
        let mut divisors = divisors.into_iter().rev();
        let mut divide = |row: DMatrix<f64>| row / divisors.next().unwrap_or(1.0);
        while let Some(pole) = poles.next() {
            let next = &row * &h;
            if pole.im == 0.0 {
                row = divide(next - &row * pole.re);
                continue;
            }
            poles.next();
            let square = &next * &h - next * (2.0 * pole.re) + &row * pole.norm_sqr();
            let half = divide(square);
            row = divide(half);
        }
        row * basis.transpose()
    }

    /// The gain of several inputs.
    fn several(&self, poles: &[Complex<f64>]) -> Result<DMatrix<f64>, AnalysisError> {
        let size = self.a.nrows();
        let poles: Vec<Complex<f64>> = poles.iter().map(|pole| *pole / self.rate).collect();
        let rank = self.input_rank()?;
        let repeated = poles.iter().find(|pole| poles.iter().filter(|other| other == pole).count() > rank);
        if let Some(pole) = repeated {
            let pole = text(*pole * self.rate);
            return Err(refused(std::format!(
                "poles that are repeated at most {rank} times, as often as there are independent inputs; {pole} \
                is repeated more often"
            )));
        }
        let spaces = poles.iter().map(|pole| self.eigenvectors(*pole)).collect::<Result<Vec<_>, _>>()?;
        let mut vectors = DMatrix::<Complex<f64>>::zeros(size, size);
        for (k, space) in spaces.iter().enumerate() {
            let seed = DVector::from_fn(size, |i, _| Complex::new(seed(i, k), seed(i + size, k)));
            set(&mut vectors, &poles, k, &project(space, &seed));
        }
        for _ in 0..SWEEPS {
            let mut k = 0;
            while k < size {
                let direction = orthogonal(&vectors, k)?;
                let found = project(&spaces[k], &direction);
                if found.norm() > DEPENDENT {
                    set(&mut vectors, &poles, k, &found);
                }
                k += if poles[k].im == 0.0 { 1 } else { 2 };
            }
        }
        // A − B K = X Λ X⁻¹.
        let spread = DMatrix::from_fn(size, size, |i, j| vectors[(i, j)] * poles[j]);
        let turned = vectors.transpose().full_piv_lu().solve(&spread.transpose()).ok_or_else(failed)?;
        let closed = turned.transpose().map(|entry| entry.re);
        if !closed.iter().all(|entry| entry.is_finite()) {
            return Err(failed());
        }
        let factors = SVD::try_new(self.b.clone(), true, true, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
        let largest = factors.singular_values.max();
        factors.solve(&(&self.a - closed), DEPENDENT * largest).map_err(|_| failed())
    }

    /// The number of independent inputs.
    fn input_rank(&self) -> Result<usize, AnalysisError> {
        let values = super::matrix::singular_values(&self.b)?;
        Ok(values.iter().filter(|value| **value > DEPENDENT * values.max()).count())
    }

    /// An orthonormal basis of the x for which (A − λ) x is in the range of B.
    fn eigenvectors(&self, pole: Complex<f64>) -> Result<DMatrix<Complex<f64>>, AnalysisError> {
        let size = self.a.nrows();
        // The rows of the padded B that are orthogonal to its range.
        let padded =
            DMatrix::from_fn(
                size,
                size.max(self.b.ncols()),
                |i, j| {
                    if j < self.b.ncols() { self.b[(i, j)] } else { 0.0 }
                },
            );
        let factors = SVD::try_new(padded, true, false, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
        let left = factors.u.ok_or_else(failed)?;
        let largest = factors.singular_values.max();
        let free: Vec<usize> = (0..size).filter(|&k| factors.singular_values[k] <= DEPENDENT * largest).collect();
        let outside = left.select_columns(&free).transpose().map(|entry| Complex::new(entry, 0.0));
        let pencil = DMatrix::from_fn(size, size, |i, j| {
            Complex::new(self.a[(i, j)], 0.0) - if i == j { pole } else { Complex::new(0.0, 0.0) }
        });
        let mut condition = DMatrix::<Complex<f64>>::zeros(size, size);
        condition.view_mut((0, 0), (free.len(), size)).copy_from(&(outside * pencil));
        let factors = SVD::try_new(condition, false, true, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
        let right = factors.v_t.ok_or_else(failed)?.adjoint();
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by(|&i, &j| factors.singular_values[i].total_cmp(&factors.singular_values[j]));
        Ok(right.select_columns(&order[..size - free.len()]))
    }
}

/// A number between −1 and 1 that has no pattern.
fn seed(i: usize, k: usize) -> f64 {
    (1.0 + 12.9898 * i as f64 + 78.233 * k as f64).sin()
}

/// The part of a vector in the space of an orthonormal basis.
fn project(basis: &DMatrix<Complex<f64>>, vector: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
    basis * (basis.adjoint() * vector)
}

/// Sets an eigenvector of length 1, and its conjugate where the pole is complex.
fn set(vectors: &mut DMatrix<Complex<f64>>, poles: &[Complex<f64>], k: usize, vector: &DVector<Complex<f64>>) {
    if poles[k].im < 0.0 {
        return;
    }
    let is_real = poles[k].im == 0.0;
    let vector = vector.map(|entry| if is_real { Complex::new(entry.re, 0.0) } else { entry });
    let vector = &vector / Complex::new(vector.norm().max(f64::MIN_POSITIVE), 0.0);
    if !is_real {
        vectors.set_column(k + 1, &vector.map(|entry| entry.conj()));
    }
    vectors.set_column(k, &vector);
}

/// The direction that is orthogonal to all columns but one.
fn orthogonal(vectors: &DMatrix<Complex<f64>>, k: usize) -> Result<DVector<Complex<f64>>, AnalysisError> {
    let mut others = vectors.clone();
    others.fill_column(k, Complex::new(0.0, 0.0));
    let factors = SVD::try_new(others, true, false, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
    let least = factors.singular_values.imin();
    Ok(factors.u.ok_or_else(failed)?.column(least).into_owned())
}
