//! The response of linear systems to sinusoidal inputs.

use super::AnalysisError;
use super::equilibrium::equilibrate;
use super::matrix::singular_values;
use super::state_space::{SampledSpace, StateSpace};
use super::units::{balance, rescaled, shifted};
use nalgebra::{Complex, DMatrix};

/// The number of refinements of a solution. One is enough unless the pencil is nearly singular.
const REFINEMENTS: usize = 2;

impl StateSpace {
    /// The frequency response G(iω) = C (iω − A)⁻¹ B + D: a row for each output, a column for each input.
    ///
    /// The input u = Re(û exp(iωt)) has the steady output y = Re(G û exp(iωt)) where the system is stable. So |G| is the ratio of
    /// the amplitudes (`norm()`), and arg G the phase by which the output leads (`arg()`, in rad, negative for a lag). An entry
    /// has the unit of its output over that of its input. `omega` is in rad/(unit of t), and may be negative or 0. Source: K. J.
    /// Åström, R. M. Murray, *Feedback Systems*, 2nd ed., 6.3 and 9.2.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] where iω is an eigenvalue of A up to rounding, and for a frequency that is infinite or
    /// NaN. An eigenvalue counts even if no input reaches it, or no output sees it. [`AnalysisError::NotFinite`],
    /// [`AnalysisError::Shape`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::{Complex, DMatrix};
    ///
    /// // A low pass: ẋ = −x + u, y = x.
    /// let one = DMatrix::<f64>::from_element(1, 1, 1.0);
    /// let low_pass = StateSpace::new(-&one, one.clone())?.with_outputs(one.clone(), &one * 0.0)?;
    /// let response = low_pass.response(1.0)?[(0, 0)];
    /// assert!((response - Complex::new(0.5, -0.5)).norm() < 1e-15); // 1/(1 + i)
    /// assert!((20.0 * response.norm().log10() + 3.0103).abs() < 1e-4); // dB
    /// assert!((response.arg().to_degrees() + 45.0).abs() < 1e-12);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn response(&self, omega: f64) -> Result<DMatrix<Complex<f64>>, AnalysisError> {
        self.check()?;
        frequency(omega)?;
        transfer([&self.a, &self.b, &self.c, &self.d], Complex::new(0.0, omega))
    }
}

impl SampledSpace {
    /// The frequency response G(z) = C (z − A)⁻¹ B + D at z = exp(iω·`period`): a row for each output, a column for each input.
    ///
    /// The samples u(k) = Re(û zᵏ) have the steady outputs y(k) = Re(G û zᵏ) where the system is stable. `omega` is in rad/(unit
    /// of t). Frequencies that differ by 2π/`period` have the same response. Source: G. F. Franklin, J. D. Powell, M. Workman,
    /// *Digital Control of Dynamic Systems*, 3rd ed., 4.5.
    ///
    /// # Errors
    /// Those of [`StateSpace::response`], where z is an eigenvalue of A. [`AnalysisError::NotApplicable`] for a period that is not
    /// positive.
    pub fn response(&self, omega: f64) -> Result<DMatrix<Complex<f64>>, AnalysisError> {
        self.check()?;
        frequency(omega)?;
        if !(self.period > 0.0 && self.period.is_finite()) {
            return Err(refused(std::format!("a positive and finite period; it is {}", self.period)));
        }
        transfer([&self.a, &self.b, &self.c, &self.d], Complex::from_polar(1.0, omega * self.period))
    }
}

fn refused(needs: std::string::String) -> AnalysisError {
    AnalysisError::NotApplicable { analysis: "a frequency response", needs }
}

fn frequency(omega: f64) -> Result<(), AnalysisError> {
    match omega.is_finite() {
        true => Ok(()),
        false => Err(refused(std::format!("a finite frequency; it is {omega}"))),
    }
}

/// C (s − A)⁻¹ B + D.
fn transfer([a, b, c, d]: [&DMatrix<f64>; 4], s: Complex<f64>) -> Result<DMatrix<Complex<f64>>, AnalysisError> {
    let size = a.nrows();
    if size == 0 {
        return Ok(d.map(|entry| Complex::new(entry, 0.0)));
    }
    // The units of the states must not decide whether s is an eigenvalue.
    let exponents = balance(a);
    let a = &rescaled(a, &exponents);
    let b = DMatrix::from_fn(size, b.ncols(), |i, k| shifted(b[(i, k)], -exponents[i]));
    let c = DMatrix::from_fn(c.nrows(), size, |i, k| shifted(c[(i, k)], exponents[k]));
    let complex = |matrix: &DMatrix<f64>| matrix.map(|entry| Complex::new(entry, 0.0));
    let pencil = DMatrix::identity(size, size) * s - complex(a);
    // Nor must what cancels on the diagonal decide.
    let terms = DMatrix::from_fn(size, size, |i, j| a[(i, j)].abs() + if i == j { s.norm() } else { 0.0 });
    let (rows, columns) = equilibrate(&terms);
    let scaled = DMatrix::from_fn(size, size, |i, j| pencil[(i, j)] * rows[i] * columns[j]);
    let values = singular_values(&scaled)?;
    let least = values.iter().fold(f64::INFINITY, |least, value| least.min(*value));
    let pole = || refused(std::format!("a frequency that is no pole; {} + {}i is an eigenvalue of A", s.re, s.im));
    if least <= 8.0 * f64::EPSILON * size as f64 {
        return Err(pole());
    }
    let right = DMatrix::from_fn(size, b.ncols(), |i, j| Complex::new(b[(i, j)] * rows[i], 0.0));
    let factors = scaled.clone().full_piv_lu();
    let mut states = factors.solve(&right).ok_or_else(pole)?;
    // Refinement makes states exact that are small beside the others (R. D. Skeel, Math. Comp. 35, 1980).
    for _ in 0..REFINEMENTS {
        states += factors.solve(&(&right - &scaled * &states)).ok_or_else(pole)?;
    }
    let states = DMatrix::from_fn(size, b.ncols(), |i, j| states[(i, j)] * columns[i]);
    let response = complex(&c) * states + complex(d);
    match response.iter().all(|entry| entry.re.is_finite() && entry.im.is_finite()) {
        true => Ok(response),
        false => Err(AnalysisError::NotFinite { quantity: "the frequency response".into() }),
    }
}
