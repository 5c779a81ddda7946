//! Lyapunov's exponents of a motion.

use super::AnalysisError;
use super::sensitivity::{Variable, sensitivities};
use super::tangent::TangentBasis;
use crate::method::Method;
use crate::options::Options;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::Mechanism;
use std::string::ToString;
use std::vec;
use std::vec::Vec;

/// The number and the length of the intervals over which exponents are averaged. After each, the tangent vectors are made
/// orthogonal again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LyapunovSpectrum {
    interval: f64,
    intervals: usize,
    transient: usize,
}

impl LyapunovSpectrum {
    /// Averages over `intervals` intervals of this length, in the unit of t. Within one interval, the fastest growing vector
    /// should not outgrow the slowest by more than a factor of some 10⁸.
    #[must_use]
    pub fn new(interval: f64, intervals: usize) -> Self {
        Self { interval, intervals, transient: 0 }
    }

    /// Adds this many intervals before the average, in which the motion comes to its attractor and the vectors to their
    /// directions.
    #[must_use]
    pub fn with_transient(self, transient: usize) -> Self {
        Self { transient, ..self }
    }

    /// The exponents in 1/(unit of time), the largest first: as many as there are states, 2(N − C) under holonomic constraints.
    ///
    /// The tangent flow of the method carries a basis of the tangent space, and jumps where the motion does (see [`sensitivities`]). After each interval a QR decomposition makes the
    /// basis orthonormal. The exponents are the means of ln |R_kk| over the time. Their sum is the mean rate at which volumes
    /// grow: 0 for a conservative mechanism, whose exponents come in pairs ±λ. Source: G. Benettin, L. Galgani, A. Giorgilli,
    /// J.-M. Strelcyn, *Lyapunov characteristic exponents*, Meccanica 15, 1980.
    ///
    /// # Errors
    /// [`AnalysisError::State`] with the failure of an integration. [`AnalysisError::NotApplicable`] for an interval that is
    /// not positive, or for no intervals. [`AnalysisError::NotFinite`] where a vector vanishes or overflows.
    ///
    /// ```
    /// use lagrange_runtime::analysis::LyapunovSpectrum;
    /// use lagrange_runtime::prelude::*;
    /// use lagrange_runtime::scalar::Dual;
    ///
    /// #[lagrangian {
    ///     coordinates x;
    ///     kinetic = m*dot(x)^2/2;
    ///     potential = -k*x^2/2;
    /// }]
    /// struct Hill {
    ///     m: f64,
    ///     k: f64,
    /// }
    ///
    /// let top = State::new(0.0, [0.0], [0.0]);
    /// let method = Rk4::new(Dual::<f64, 2>::constant(1e-2));
    /// let found = LyapunovSpectrum::new(1.0, 20)
    ///     .with_transient(10)
    ///     .of(&Hill { m: 1.0, k: 4.0 }, &top, &method, &Options::default())?;
    /// assert!((found[0] - 2.0).abs() < 1e-6 && (found[1] + 2.0).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
        &self,
        mechanism: &M,
        initial: &State<f64, N>,
        method: &I,
        options: &Options<'_, Dual<f64, W>, N>,
    ) -> Result<Vec<f64>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
        I: Method<Dual<f64, W>, N, C>,
    {
        if !(self.interval > 0.0 && self.interval.is_finite()) || self.intervals == 0 {
            return Err(AnalysisError::NotApplicable {
                analysis: "a Lyapunov spectrum",
                needs: "a positive interval, and at least one of them".to_string(),
            });
        }
        let basis = TangentBasis::at(&mechanism.prepare::<f64>()?, initial)?;
        let mut vectors = basis.columns().qr().q();
        let (mut state, mut sums) = (*initial, vec![0.0; basis.len()]);
        for interval in 0..self.transient.saturating_add(self.intervals) {
            let variables: Vec<Variable<N>> = Variable::directions(&vectors);
            let end = initial.t + (interval + 1) as f64 * self.interval;
            let mut found = sensitivities(mechanism, &state, &[end], method, options, &variables)?;
            let (Some(last), Some(mut carried)) = (found.states.pop(), found.derivatives.pop()) else { break };
            // Without the hidden coordinates of the states, whose deviations do not decay with those of the states.
            for hidden in N.saturating_sub(M::STATES)..N {
                carried.row_mut(hidden).fill(0.0);
            }
            let factors = carried.qr();
            let lengths = factors.r().diagonal();
            (state, vectors) = (last, factors.q());
            if interval < self.transient {
                continue;
            }
            for (sum, length) in sums.iter_mut().zip(lengths.iter()) {
                if *length == 0.0 || !length.is_finite() {
                    let quantity = "the growth of a tangent vector over an interval".to_string();
                    return Err(AnalysisError::NotFinite { quantity });
                }
                *sum += length.abs().ln();
            }
        }
        let time = self.intervals as f64 * self.interval;
        let mut exponents: Vec<f64> = sums.into_iter().map(|sum| sum / time).collect();
        exponents.sort_by(|a, b| b.total_cmp(a));
        Ok(exponents)
    }
}
