//! Transfer functions by their zeros, poles and gains.

use super::AnalysisError;
use super::eigenvalues::{Eigenvalue, eigenvalues_within};
use super::state_space::{SampledSpace, StateSpace};
use super::zeros::zeros_and_gain;
use nalgebra::{Complex, DMatrix};
use std::vec::Vec;

/// G(s) = gain · Π (s − zero) / Π (s − pole), of one input and one output; in sampled time the same in z.
#[derive(Clone, Debug, PartialEq)]
pub struct TransferFunction {
    /// The zeros, those of larger real part first. Complex zeros are in conjugate pairs.
    pub zeros: Vec<Complex<f64>>,
    /// The poles, those of larger real part first. Complex poles are in conjugate pairs.
    pub poles: Vec<Complex<f64>>,
    /// The factor before the products, in the unit of the output over that of the input, times 1/(unit of time) for each pole
    /// more than there are zeros.
    pub gain: f64,
}

impl StateSpace {
    /// The system of one input and one output, by their indices.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] for an index that does not exist; [`AnalysisError::Shape`], [`AnalysisError::NotFinite`].
    pub fn channel(&self, output: usize, input: usize) -> Result<Self, AnalysisError> {
        self.check()?;
        let [b, c, d] = part([&self.b, &self.c, &self.d], output, input)?;
        Ok(Self { a: self.a.clone(), b, c, d })
    }

    /// The transfer function from an input to an output.
    ///
    /// Its poles are all eigenvalues of A. Modes that the input does not reach, or the output does not see, are poles and
    /// zeros. To cancel them, take the transfer function of [`StateSpace::minimal`]. The zeros are those of
    /// [`StateSpace::zeros`]. Of a root that occurs k times, and of coefficients that are computed from it, about 16/k digits are right.
    ///
    /// # Errors
    /// Those of [`StateSpace::channel`] and [`StateSpace::zeros`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // 4 (s + 3)/(s² + 2 s).
    /// let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, -2.0]);
    /// let (b, c) = (DMatrix::from_column_slice(2, 1, &[0.0, 4.0]), DMatrix::from_row_slice(1, 2, &[3.0, 1.0]));
    /// let found = StateSpace::new(a, b)?.with_outputs(c, DMatrix::zeros(1, 1))?.transfer_function(0, 0)?;
    /// assert_eq!((found.numerator(), found.denominator()), (vec![4.0, 12.0], vec![1.0, 2.0, 0.0]));
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn transfer_function(&self, output: usize, input: usize) -> Result<TransferFunction, AnalysisError> {
        let Self { a, b, c, d } = self.channel(output, input)?;
        Ok(Roots::of([&a, &b, &c, &d], true)?.function())
    }
}

impl SampledSpace {
    /// The system of one input and one output, by their indices.
    ///
    /// # Errors
    /// Those of [`StateSpace::channel`].
    pub fn channel(&self, output: usize, input: usize) -> Result<Self, AnalysisError> {
        self.check()?;
        let [b, c, d] = part([&self.b, &self.c, &self.d], output, input)?;
        Ok(Self { a: self.a.clone(), b, c, d, period: self.period })
    }

    /// The transfer function from an input to an output, in z: as [`StateSpace::transfer_function`].
    ///
    /// # Errors
    /// Those of [`StateSpace::transfer_function`].
    pub fn transfer_function(&self, output: usize, input: usize) -> Result<TransferFunction, AnalysisError> {
        let Self { a, b, c, d, .. } = self.channel(output, input)?;
        Ok(Roots::of([&a, &b, &c, &d], false)?.function())
    }
}

/// The zeros and poles of a transfer function, each with a bound of its error, and the gain.
pub(crate) struct Roots {
    pub(crate) zeros: Vec<Eigenvalue>,
    pub(crate) poles: Vec<Eigenvalue>,
    pub(crate) gain: f64,
}

impl Roots {
    /// Those of A, B, C, D with one input and one output. `has_rate` says that time is continuous.
    pub(crate) fn of(matrices: [&DMatrix<f64>; 4], has_rate: bool) -> Result<Self, AnalysisError> {
        let (zeros, gain) = zeros_and_gain(matrices, has_rate)?;
        let poles = eigenvalues_within(matrices[0], &matrices[0].abs())?;
        Ok(Self { zeros, poles, gain })
    }

    fn function(&self) -> TransferFunction {
        let values = |roots: &[Eigenvalue]| roots.iter().map(|root| root.value).collect();
        TransferFunction { zeros: values(&self.zeros), poles: values(&self.poles), gain: self.gain }
    }
}

/// A column of B, a row of C and an entry of D.
fn part([b, c, d]: [&DMatrix<f64>; 3], output: usize, input: usize) -> Result<[DMatrix<f64>; 3], AnalysisError> {
    let exists = |kind: &str, index: usize, count: usize| match index < count {
        true => Ok(()),
        false => Err(AnalysisError::NotApplicable {
            analysis: "a channel",
            needs: std::format!("an {kind} that exists; {index} is not below their number, {count}"),
        }),
    };
    exists("output", output, c.nrows())?;
    exists("input", input, b.ncols())?;
    let entry = DMatrix::from_element(1, 1, d[(output, input)]);
    Ok([b.columns(input, 1).into_owned(), c.rows(output, 1).into_owned(), entry])
}

impl TransferFunction {
    /// G at a point of the plane of s or z. At a pole it is infinite or NaN.
    ///
    /// Zeros and poles are used in turn, so that the product does not overflow early.
    #[must_use]
    pub fn at(&self, s: Complex<f64>) -> Complex<f64> {
        let one = Complex::new(1.0, 0.0);
        let factor = |roots: &[Complex<f64>], k: usize| roots.get(k).map_or(one, |root| s - root);
        (0..self.zeros.len().max(self.poles.len()))
            .fold(Complex::new(self.gain, 0.0), |value, k| value * factor(&self.zeros, k) / factor(&self.poles, k))
    }

    /// The coefficients of the numerator, that of the highest power first: the gain times Π (s − zero).
    #[must_use]
    pub fn numerator(&self) -> Vec<f64> {
        polynomial(&self.zeros).into_iter().map(|coefficient| coefficient * self.gain).collect()
    }

    /// The coefficients of the denominator Π (s − pole), that of the highest power first, which is 1.
    #[must_use]
    pub fn denominator(&self) -> Vec<f64> {
        polynomial(&self.poles)
    }
}

/// The coefficients of Π (s − root), that of the highest power first. Complex roots are in conjugate pairs.
fn polynomial(roots: &[Complex<f64>]) -> Vec<f64> {
    let mut product = std::vec![1.0];
    for root in roots {
        let factor = match root.im {
            0.0 => std::vec![1.0, -root.re],
            im if im > 0.0 => std::vec![1.0, -2.0 * root.re, root.norm_sqr()],
            _ => continue,
        };
        let mut next = std::vec![0.0; product.len() + factor.len() - 1];
        for (i, a) in product.iter().enumerate() {
            for (j, b) in factor.iter().enumerate() {
                next[i + j] += a * b;
            }
        }
        product = next;
    }
    product
}
