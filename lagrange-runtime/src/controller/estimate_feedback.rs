//! State feedback of an estimated state.

use super::Law;
use crate::error::Failure;
use crate::scalar::Real;
use nalgebra::{SMatrix, SVector};

/// The model x(k+1) = A x(k) + B u(k), y(k) = C x(k) + D u of an [`EstimateFeedback`], with S states, P outputs and U inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObservedModel<R: Real, const S: usize, const P: usize, const U: usize> {
    /// A.
    pub a: SMatrix<R, S, S>,
    /// B.
    pub b: SMatrix<R, S, U>,
    /// C.
    pub c: SMatrix<R, P, S>,
    /// D. The input that it multiplies is that before the sample, which acts while the outputs are measured.
    pub d: SMatrix<R, P, U>,
}

/// The law u = u₀ − K x̂ of a computer that measures outputs y and estimates the state:
///
/// ```text
/// x̂(k) = x̄(k) + L (y(k) − y₀ − C x̄(k) − D δu(k−1)),   δu(k) = −K x̂(k),   x̄(k+1) = A x̂(k) + B δu(k).
/// ```
///
/// `M` is a closure that measures, `FnMut(t, &q, &v) -> y`. The law stores S + U numbers and does not allocate. At first, the
/// estimate x̄ and the input δu are 0. A Kalman filter makes it by
/// [`KalmanFilter::feedback`](crate::analysis::KalmanFilter::feedback) (with `std`).
///
/// ```
/// use lagrange_runtime::controller::{Law, ObservedModel, EstimateFeedback};
/// use lagrange_runtime::prelude::*;
///
/// // A mass whose place is measured every 0.1 s. The estimate errs by nothing after two samples (deadbeat).
/// let h = 0.1;
/// let model = ObservedModel {
///     a: SMatrix::from([[1.0, 0.0], [h, 1.0]]),
///     b: SMatrix::from([[0.5 * h * h, h]]),
///     c: SMatrix::from([[1.0], [0.0]]),
///     d: SMatrix::from([[0.0]]),
/// };
/// let place = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| *q;
/// let mut law = EstimateFeedback::new(model, SMatrix::from([[1.0, 1.0 / h]]), SMatrix::from([[0.0], [0.0]]), place);
/// for k in 0..3 {
///     let t = f64::from(k) * h;
///     let _: SVector<f64, 1> = law.sample(t, &SVector::from([1.0 + 2.0 * t]), &SVector::from([2.0]));
/// }
/// assert!((law.estimate()[0] - 1.4).abs() < 1e-14 && (law.estimate()[1] - 2.0).abs() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EstimateFeedback<M, R: Real, const S: usize, const P: usize, const U: usize> {
    model: ObservedModel<R, S, P, U>,
    filter: SMatrix<R, S, P>,
    gain: SMatrix<R, U, S>,
    measure: M,
    outputs: SVector<R, P>,
    inputs: SVector<R, U>,
    /// x̄ and δu before the last sample, and after it.
    before: (SVector<R, S>, SVector<R, U>),
    after: (SVector<R, S>, SVector<R, U>),
    /// The time of the last sample, and the estimate at it.
    last: Option<R>,
    estimate: SVector<R, S>,
}

impl<M, R: Real, const S: usize, const P: usize, const U: usize> EstimateFeedback<M, R, S, P, U> {
    /// The law with L, a column for each output, and K, a row for each input, around y₀ = 0 and u₀ = 0.
    #[must_use]
    pub fn new(model: ObservedModel<R, S, P, U>, filter: SMatrix<R, S, P>, gain: SMatrix<R, U, S>, measure: M) -> Self {
        let (state, input) = (SVector::repeat(R::ZERO), SVector::repeat(R::ZERO));
        let (outputs, start) = (SVector::repeat(R::ZERO), (state, input));
        Self {
            model,
            filter,
            gain,
            measure,
            outputs,
            inputs: input,
            before: start,
            after: start,
            last: None,
            estimate: state,
        }
    }

    /// Sets y₀ and u₀, the outputs and inputs at the state from which the estimate counts.
    #[must_use]
    pub fn with_reference(self, outputs: SVector<R, P>, inputs: SVector<R, U>) -> Self {
        Self { outputs, inputs, ..self }
    }

    /// Sets the first x̄, which is 0 otherwise.
    #[must_use]
    pub fn with_estimate(self, estimate: SVector<R, S>) -> Self {
        let start = (estimate, SVector::repeat(R::ZERO));
        Self { before: start, after: start, last: None, estimate, ..self }
    }

    /// The estimate x̂ at the last sample.
    pub fn estimate(&self) -> &SVector<R, S> {
        &self.estimate
    }
}

/// The product of a matrix and a vector, in the order of the rows.
fn times<R: Real, const I: usize, const J: usize>(matrix: &SMatrix<R, I, J>, vector: &SVector<R, J>) -> SVector<R, I> {
    SVector::from_fn(|i, _| (0..J).fold(R::ZERO, |sum, j| sum + matrix[(i, j)] * vector[j]))
}

impl<M, R: Real, const N: usize, const S: usize, const P: usize, const U: usize> Law<R, N, U>
    for EstimateFeedback<M, R, S, P, U>
where
    M: FnMut(R, &SVector<R, N>, &SVector<R, N>) -> SVector<R, P>,
{
    fn sample(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        // A second sample at the same time replaces the first.
        if self.last != Some(t) {
            self.before = self.after;
        }
        let (expected, input) = self.before;
        let measured = (self.measure)(t, q, v) - self.outputs;
        let model = &self.model;
        let surprise = measured - times(&model.c, &expected) - times(&model.d, &input);
        let estimate = expected + times(&self.filter, &surprise);
        let input = -times(&self.gain, &estimate);
        self.after = (times(&model.a, &estimate) + times(&model.b, &input), input);
        (self.last, self.estimate) = (Some(t), estimate);
        self.inputs + input
    }

    fn check(&self) -> Result<(), Failure> {
        let ObservedModel { a, b, c, d } = &self.model;
        let model = a.iter().chain(b.iter()).chain(c.iter()).chain(d.iter());
        let gains = model.chain(self.filter.iter()).chain(self.gain.iter());
        let mut numbers = gains.chain(self.outputs.iter()).chain(self.inputs.iter()).map(|value| value.to_f64());
        match numbers.find(|value| !value.is_finite()) {
            None => Ok(()),
            Some(value) => Err(Failure::BadOption { option: "gain", value, allowed: "finite" }),
        }
    }
}
