//! Integrals of outputs as states, so that a feedback leaves no constant error.

use super::AnalysisError;
use super::linearization::Linearization;
use super::matrix::shaped;
use super::regulator::{Regulator, feedback};
use super::state_space::{SampledSpace, StateSpace};
use crate::controller::IntegralFeedback;
use nalgebra::{DMatrix, SMatrix};
use std::string::ToString;

impl StateSpace {
    /// The system with the integrals of its outputs, ż = C x + D u, as further states (x, z). The outputs stay.
    ///
    /// A regulator of these states leaves no error of the outputs under constant loads, because an integral that is constant
    /// has an integrand of 0. It needs as many inputs as outputs, and no zero at s = 0. The integrals have the units of the
    /// outputs times time. Source: K. J. Åström, R. M. Murray, *Feedback Systems*, 2nd ed., 7.4.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`], [`AnalysisError::NotFinite`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::{StateSpace, lqr};
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // ẋ = u, ż = x under x² + z² + u²: K = [√3, 1].
    /// let one = DMatrix::<f64>::from_element(1, 1, 1.0);
    /// let integrator = StateSpace::new(&one * 0.0, one.clone())?.with_outputs(one.clone(), &one * 0.0)?;
    /// let found = lqr(&integrator.with_integrals()?, &DMatrix::identity(2, 2), &one)?;
    /// assert!((found.gain - DMatrix::from_row_slice(1, 2, &[3.0_f64.sqrt(), 1.0])).norm() < 1e-14);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn with_integrals(&self) -> Result<Self, AnalysisError> {
        self.check()?;
        let [a, b, c] = with_sums([&self.a, &self.b, &self.c, &self.d], 1.0, 0.0);
        Ok(Self { a, b, c, d: self.d.clone() })
    }
}

impl SampledSpace {
    /// The system with the sums z(k+1) = z(k) + h y(k) of its outputs as further states (x, z): as
    /// [`StateSpace::with_integrals`], and in the same units.
    ///
    /// # Errors
    /// Those of [`StateSpace::with_integrals`].
    pub fn with_integrals(&self) -> Result<Self, AnalysisError> {
        self.check()?;
        let [a, b, c] = with_sums([&self.a, &self.b, &self.c, &self.d], self.period, 1.0);
        Ok(Self { a, b, c, d: self.d.clone(), period: self.period })
    }
}

/// A, B and C with further states z whose rates or next values are `factor` · (C x + D u) + `kept` · z.
fn with_sums([a, b, c, d]: [&DMatrix<f64>; 4], factor: f64, kept: f64) -> [DMatrix<f64>; 3] {
    let (states, outputs, inputs) = (a.nrows(), c.nrows(), b.ncols());
    let size = states + outputs;
    let mut whole = DMatrix::zeros(size, size);
    whole.view_mut((0, 0), (states, states)).copy_from(a);
    whole.view_mut((states, 0), (outputs, states)).copy_from(&(c * factor));
    whole.view_mut((states, states), (outputs, outputs)).fill_diagonal(kept);
    let mut by_input = DMatrix::zeros(size, inputs);
    by_input.view_mut((0, 0), (states, inputs)).copy_from(b);
    by_input.view_mut((states, 0), (outputs, inputs)).copy_from(&(d * factor));
    let mut seen = DMatrix::zeros(outputs, size);
    seen.view_mut((0, 0), (outputs, states)).copy_from(c);
    [whole, by_input, seen]
}

impl Regulator {
    /// The law u = u₀ − K_x (x − x₀) − K_z z with the integrals z of the outputs of `near`, for a regulator of
    /// [`SampledSpace::with_integrals`] or [`StateSpace::with_integrals`]. `period` is the time between its samples.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`] where `near` has not P outputs, or the gain not a column for each state and output.
    /// [`AnalysisError::NotApplicable`] for outputs with feedthrough, and for a period that is not positive.
    ///
    /// ```
    /// use lagrange_runtime::analysis::{linearize, lqr_sampled};
    /// use lagrange_runtime::nalgebra::DMatrix;
    /// use lagrange_runtime::prelude::*;
    ///
    /// // A cart with an unknown load.
    /// #[lagrangian {
    ///     coordinates x;
    ///     kinetic = m*dot(x)^2/2;
    ///     force x = push + load;
    ///     output place = x;
    /// }]
    /// struct Cart {
    ///     m: f64,
    ///     load: f64,
    ///     #[input]
    ///     push: f64,
    /// }
    ///
    /// let rest = State::new(0.0, [0.0], [0.0]);
    /// let model = Cart { m: 1.0, load: 0.0, push: 0.0 };
    /// let near = linearize(&model.prepare::<f64>()?, &rest, &SVector::from([0.0]))?
    ///     .with_outputs(&model)?;
    /// let sampled = near.space().sampled(0.1)?.with_integrals()?;
    /// let regulator = lqr_sampled(&sampled, &DMatrix::identity(3, 3), &DMatrix::identity(1, 1))?;
    /// let law = regulator.integral_feedback::<1, 1, 1>(&near, 0.1)?;
    /// let plant = Cart { load: 0.5, ..model }.prepare::<f64>()?;
    /// let mut controller = Sampled::of(0.1, law);
    /// let end = solve_with(&plant, rest, 40.0, &Dop853::new(), &Options::default(), &mut controller)?;
    /// assert!(end.last().unwrap().q[0].abs() < 1e-6); // the load is balanced
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn integral_feedback<const N: usize, const U: usize, const P: usize>(
        &self,
        near: &Linearization<N, U>,
        period: f64,
    ) -> Result<IntegralFeedback<f64, N, U, P>, AnalysisError> {
        const LAW: &str = "an integral feedback";
        let states = near.basis().len();
        shaped("the gain", &self.gain, (U, states + P))?;
        shaped("C", near.c(), (P, states))?;
        let refused = |needs| AnalysisError::NotApplicable { analysis: LAW, needs };
        if near.d().iter().any(|entry| *entry != 0.0) {
            return Err(refused("outputs without feedthrough, D = 0".to_string()));
        }
        if !(period > 0.0 && period.is_finite()) {
            return Err(refused(std::format!("a positive and finite period; it is {period}")));
        }
        let positions = near.basis().positions();
        let column = |indices: &[usize], first: usize| {
            SMatrix::<f64, P, N>::from_fn(|k, i| {
                indices.iter().position(|&index| index == i).map_or(0.0, |place| near.c()[(k, first + place)])
            })
        };
        let seen = [column(positions, 0), column(near.basis().velocities(), positions.len())];
        let inner = feedback(&self.gain.columns(0, states).into_owned(), near)?;
        let gain = SMatrix::<f64, U, P>::from_fn(|k, i| self.gain[(k, states + i)]);
        Ok(IntegralFeedback::new(inner, seen, gain, period))
    }
}
