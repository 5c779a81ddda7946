//! Linear systems in continuous and in sampled time.

use super::AnalysisError;
use super::exponential::increment;
use super::matrix::{eigenvalues, shaped};
use nalgebra::{Complex, DMatrix};
use std::vec::Vec;

/// ẋ = A x + B u, y = C x + D u.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpace {
    /// A: n × n, in 1/(unit of time) times the units of the states.
    pub a: DMatrix<f64>,
    /// B: n × m, a column for each input.
    pub b: DMatrix<f64>,
    /// C: p × n, a row for each output.
    pub c: DMatrix<f64>,
    /// D: p × m.
    pub d: DMatrix<f64>,
}

/// x(k+1) = A x(k) + B u(k), y(k) = C x(k) + D u(k), with `period` between samples.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledSpace {
    /// A: n × n.
    pub a: DMatrix<f64>,
    /// B: n × m, a column for each input.
    pub b: DMatrix<f64>,
    /// C: p × n, a row for each output.
    pub c: DMatrix<f64>,
    /// D: p × m.
    pub d: DMatrix<f64>,
    /// The time between two samples, in the unit of t.
    pub period: f64,
}

/// Checks that four matrices have sizes that fit, and are finite.
fn check(a: &DMatrix<f64>, b: &DMatrix<f64>, c: &DMatrix<f64>, d: &DMatrix<f64>) -> Result<(), AnalysisError> {
    let (states, inputs, outputs) = (a.nrows(), b.ncols(), c.nrows());
    shaped("A", a, (states, states))?;
    shaped("B", b, (states, inputs))?;
    shaped("C", c, (outputs, states))?;
    shaped("D", d, (outputs, inputs))
}

impl StateSpace {
    /// A system without outputs from A (n × n) and B (n × m).
    ///
    /// # Errors
    /// [`AnalysisError::Shape`], [`AnalysisError::NotFinite`].
    pub fn new(a: DMatrix<f64>, b: DMatrix<f64>) -> Result<Self, AnalysisError> {
        let (states, inputs) = (a.nrows(), b.ncols());
        let space = Self { a, b, c: DMatrix::zeros(0, states), d: DMatrix::zeros(0, inputs) };
        space.check()?;
        Ok(space)
    }

    /// Sets the outputs y = C x + D u.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`], [`AnalysisError::NotFinite`].
    pub fn with_outputs(self, c: DMatrix<f64>, d: DMatrix<f64>) -> Result<Self, AnalysisError> {
        let space = Self { c, d, ..self };
        space.check()?;
        Ok(space)
    }

    /// Checks that the sizes of the matrices fit, and that all entries are finite.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`], [`AnalysisError::NotFinite`] with the matrix.
    pub fn check(&self) -> Result<(), AnalysisError> {
        check(&self.a, &self.b, &self.c, &self.d)
    }

    /// The eigenvalues of A, those of larger real part first, in 1/(unit of time).
    ///
    /// # Errors
    /// [`AnalysisError::NotFinite`], [`AnalysisError::NotConverged`].
    pub fn poles(&self) -> Result<Vec<Complex<f64>>, AnalysisError> {
        eigenvalues(&self.a)
    }

    /// The system under a zero-order hold: the inputs are constant between samples, which are `period` apart.
    ///
    /// ```text
    /// exp ⎛⎡ A  B ⎤ period⎞ = ⎡ A_d  B_d ⎤,   C_d = C, D_d = D.
    ///     ⎝⎣ 0  0 ⎦       ⎠   ⎣  0    1  ⎦
    /// ```
    ///
    /// The exponential of a short time is doubled without its 1, so that slow modes keep their digits beside fast ones, in any units.
    /// Source: G. F. Franklin, J. D. Powell, M. Workman, *Digital Control of Dynamic Systems*, 3rd ed., 4.3.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] for a period that is not positive, and for one over which the exponential overflows;
    /// [`AnalysisError::NotFinite`], [`AnalysisError::Shape`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // The double integrator: A_d = [1 h; 0 1], B_d = [h²/2; h].
    /// let integrator = StateSpace::new(DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]), DMatrix::from_column_slice(2, 1, &[0.0, 1.0]))?;
    /// let sampled = integrator.sampled(0.1)?;
    /// assert!((sampled.a - DMatrix::from_row_slice(2, 2, &[1.0, 0.1, 0.0, 1.0])).norm() < 1e-15);
    /// assert!((sampled.b - DMatrix::from_column_slice(2, 1, &[0.005, 0.1])).norm() < 1e-15);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn sampled(&self, period: f64) -> Result<SampledSpace, AnalysisError> {
        self.check()?;
        if !(period > 0.0 && period.is_finite()) {
            return Err(AnalysisError::NotApplicable {
                analysis: "a zero-order hold",
                needs: std::format!("a positive and finite period; it is {period}"),
            });
        }
        let (states, inputs) = self.b.shape();
        let mut generator = DMatrix::zeros(states + inputs, states + inputs);
        generator.view_mut((0, 0), (states, states)).copy_from(&self.a);
        generator.view_mut((0, states), (states, inputs)).copy_from(&self.b);
        let flow = increment(&generator, period).ok_or_else(|| AnalysisError::NotApplicable {
            analysis: "a zero-order hold",
            needs: std::format!("a shorter period; over {period:e} the fastest growing mode overflows"),
        })?;
        let a = DMatrix::identity(states, states) + flow.view((0, 0), (states, states));
        let b = flow.view((0, states), (states, inputs)).into_owned();
        Ok(SampledSpace { a, b, c: self.c.clone(), d: self.d.clone(), period })
    }
}

impl SampledSpace {
    /// Checks that the sizes of the matrices fit, and that all entries are finite.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`], [`AnalysisError::NotFinite`] with the matrix.
    pub fn check(&self) -> Result<(), AnalysisError> {
        check(&self.a, &self.b, &self.c, &self.d)
    }

    /// The eigenvalues of A, those of larger real part first. The system is stable if all are inside the unit circle.
    ///
    /// # Errors
    /// [`AnalysisError::NotFinite`], [`AnalysisError::NotConverged`].
    pub fn poles(&self) -> Result<Vec<Complex<f64>>, AnalysisError> {
        eigenvalues(&self.a)
    }
}
