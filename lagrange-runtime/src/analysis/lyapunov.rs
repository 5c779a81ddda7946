//! Lyapunov's exponents of a motion.

use super::sensitivity::{Variable, sensitivities};
use super::tangent::{TangentBasis, inertial_units};
use super::{AnalysisError, without_kept_values};
use crate::method::OnDuals;
use crate::options::AnyOptions;
use crate::sampling::Random;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::{Mechanism, System};
use nalgebra::DMatrix;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

/// The least number of blocks of intervals whose means give a standard error.
const BLOCKS: usize = 16;
/// Neighbours part exponentially if they part by more than e to this power in the second half of the average.
const EXPONENTIAL: f64 = 7.0;
/// Neighbours part slowly if they part by less than e to this power in the second half of the average. In proportion to the time they part by
/// a factor of 2.
const SLOW: f64 = 3.0;
/// A growth counts if it is more than this many standard errors above 0.
const SIGNIFICANT: f64 = 3.0;

/// The part of a vector's length that the roundings of a QR decomposition make, as a pure number. If no more than this part is left of a vector across the
/// vectors that grow faster, the vector has vanished.
const VANISHED: f64 = 64.0 * f64::EPSILON;

/// How neighbours of a motion part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separation {
    /// They part exponentially: by more than e⁷ in the second half of the average, and by more than three standard errors. A bounded motion
    /// with such neighbours is chaotic.
    Exponential,
    /// They part by less than e³ in the second half of the average, as those of a regular motion do, which part in proportion to the time.
    /// A largest exponent below 6/(time of the average) cannot be told from 0.
    Slow,
    /// The average is too short to tell. Take more intervals.
    Undecided,
}

/// Lyapunov's exponents, with their standard errors.
#[derive(Clone, Debug, PartialEq)]
pub struct LyapunovEstimate {
    /// The exponents in 1/(unit of time), the largest first.
    pub exponents: Vec<f64>,
    /// The standard error of each exponent, from the scatter of the means of blocks of intervals (H. Flyvbjerg, H. G. Petersen, *Error
    /// estimates on averages of correlated data*, J. Chem. Phys. 91, 1989). It is infinite for a single interval. It does not contain what
    /// a longer motion would change: the exponents of a regular motion tend to 0 as ln(T)/T.
    pub errors: Vec<f64>,
    /// How neighbours part, by the growth of the first vector.
    pub separation: Separation,
}

impl LyapunovEstimate {
    /// The dimension D = j + (λ₁ + … + λⱼ)/|λⱼ₊₁| of the attractor, where j is the largest number of exponents whose sum is not negative. It
    /// is `None` if the sum of all exponents that are known is not negative. Source: J. L. Kaplan, J. A. Yorke, *Chaotic behavior of
    /// multidimensional difference equations*, Lect. Notes Math. 730, 1979.
    #[must_use]
    pub fn kaplan_yorke_dimension(&self) -> Option<f64> {
        let mut sum = 0.0;
        for (count, exponent) in self.exponents.iter().enumerate() {
            if sum + exponent < 0.0 {
                return Some(count as f64 + sum / exponent.abs());
            }
            sum += exponent;
        }
        None
    }
}

/// The number and the length of the intervals over which exponents are averaged. After each, the tangent vectors are made
/// orthogonal again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LyapunovSpectrum {
    interval: f64,
    intervals: usize,
    transient: usize,
    count: Option<usize>,
}

impl LyapunovSpectrum {
    /// Averages over `intervals` intervals of this length, in the unit of t. Within one interval, the fastest growing vector
    /// should not outgrow the slowest by more than a factor of some 10⁸.
    #[must_use]
    pub fn new(interval: f64, intervals: usize) -> Self {
        Self { interval, intervals, transient: 0, count: None }
    }

    /// Adds this many intervals before the average, in which the motion comes to its attractor and the vectors to their
    /// directions.
    #[must_use]
    pub fn with_transient(self, transient: usize) -> Self {
        Self { transient, ..self }
    }

    /// Computes the largest `count` exponents only, at the cost of as many derivatives. The transient brings their vectors to the directions
    /// that grow fastest.
    #[must_use]
    pub fn with_exponents(self, count: usize) -> Self {
        Self { count: Some(count), ..self }
    }

    /// The exponents of [`estimate`](Self::estimate), without their errors.
    ///
    /// # Errors
    /// Those of [`estimate`](Self::estimate).
    pub fn of<'o, M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
        &self,
        mechanism: &M,
        initial: &State<f64, N>,
        method: &I,
        options: &impl AnyOptions<'o, Dual<f64, W>, N>,
    ) -> Result<Vec<f64>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
        I: OnDuals<N, C, W>,
    {
        Ok(self.estimate(mechanism, initial, method, options)?.exponents)
    }

    /// The exponents in 1/(unit of time), the largest first, with their standard errors: as many as there are states, 2(N − C) under
    /// holonomic constraints, or the number of [`with_exponents`](Self::with_exponents).
    ///
    /// The tangent flow of the method carries a basis of the tangent space, and jumps where the motion does (see [`sensitivities`]). After each interval a QR decomposition makes the
    /// basis orthonormal, where a coordinate is measured in its unit of inertia 1/√Mᵢᵢ and in lengths of the interval, so that units do not
    /// matter. The exponents are the means of ln |R_kk| over the time. The sum of all is the mean rate at which volumes
    /// grow: 0 for a conservative mechanism, whose exponents come in pairs ±λ. Source: G. Benettin, L. Galgani, A. Giorgilli,
    /// J.-M. Strelcyn, *Lyapunov characteristic exponents*, Meccanica 15, 1980.
    ///
    /// # Errors
    /// [`AnalysisError::State`] with the failure of an integration. [`AnalysisError::NotApplicable`] for an interval that is
    /// not positive, for no intervals, for a mode that keeps a value that depends on the motion, or for a number of exponents that is 0 or above the number of states. [`AnalysisError::NotFinite`] where a vector vanishes or overflows.
    ///
    /// ```
    /// use lagrange_runtime::analysis::{LyapunovSpectrum, Separation};
    /// use lagrange_runtime::prelude::*;
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
    /// let method = Rk4::new(1e-2);
    /// let found = LyapunovSpectrum::new(1.0, 20)
    ///     .with_transient(10)
    ///     .estimate(&Hill { m: 1.0, k: 4.0 }, &top, &method, &Options::default())?;
    /// let exponents = found.exponents;
    /// assert!((exponents[0] - 2.0).abs() < 1e-6 && (exponents[1] + 2.0).abs() < 1e-6);
    /// assert_eq!(found.separation, Separation::Exponential);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate<'o, M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
        &self,
        mechanism: &M,
        initial: &State<f64, N>,
        method: &I,
        options: &impl AnyOptions<'o, Dual<f64, W>, N>,
    ) -> Result<LyapunovEstimate, AnalysisError>
    where
        M: Mechanism<N, C, U>,
        I: OnDuals<N, C, W>,
    {
        let refused = |needs: String| AnalysisError::NotApplicable { analysis: "a Lyapunov spectrum", needs };
        if !(self.interval > 0.0 && self.interval.is_finite()) || self.intervals == 0 {
            return Err(refused("a positive interval, and at least one of them".to_string()));
        }
        let options = &options.options();
        let system = mechanism.prepare::<f64>()?;
        let basis = TangentBasis::at(&system, initial)?;
        let count = self.count.unwrap_or(basis.len());
        if count > basis.len() || self.count == Some(0) {
            return Err(refused(std::format!(
                "a number of exponents from 1 to {}, the number of states; it is {count}",
                basis.len()
            )));
        }
        let units = inertial_units(&system, initial, &DMatrix::zeros(0, N));
        let scale = |row: usize| if row < N { units[row] * self.interval } else { units[row - N] };
        let scaled = |mut vectors: DMatrix<f64>, power: i32| {
            for (row, mut entries) in vectors.row_iter_mut().enumerate() {
                entries *= scale(row).powi(power);
            }
            vectors
        };
        let mut columns = scaled(basis.columns(), -1);
        if count < basis.len() {
            // Vectors in general directions have parts in those that grow fastest.
            let mut random = Random::new(0, count as u64);
            columns = columns.qr().q() * DMatrix::from_fn(basis.len(), count, |_, _| random.normal());
        }
        let mut vectors = scaled(columns.qr().q(), 1);
        let (mut state, mut growths) = (*initial, vec![Vec::with_capacity(self.intervals); count]);
        for interval in 0..self.transient.saturating_add(self.intervals) {
            let variables: Vec<Variable<N>> = Variable::directions(&vectors);
            let end = initial.t + (interval + 1) as f64 * self.interval;
            let mut found = sensitivities(mechanism, &state, &[end], method, options, &variables)?;
            let (Some(last), Some(mut carried)) = (found.states.pop(), found.derivatives.pop()) else { break };
            without_kept_values::<N>("a Lyapunov spectrum", system.mode_count(), &carried)?;
            // Without the hidden coordinates of the states, whose deviations do not decay with those of the states.
            for hidden in N.saturating_sub(M::STATES)..N {
                carried.row_mut(hidden).fill(0.0);
            }
            let factors = scaled(carried, -1).qr();
            let lengths = factors.r().diagonal();
            (state, vectors) = (last, scaled(factors.q(), 1));
            if interval < self.transient {
                continue;
            }
            for (k, (growth, length)) in growths.iter_mut().zip(lengths.iter()).enumerate() {
                // Where states merge, as where a constraint is switched on, rounding is left of a vector.
                let whole = factors.r().column(k).norm();
                if length.abs() <= VANISHED * whole || !length.is_finite() {
                    let quantity = "the growth of a tangent vector over an interval".to_string();
                    return Err(AnalysisError::NotFinite { quantity });
                }
                growth.push(length.abs().ln());
            }
        }
        let separation = growths.first().map_or(Separation::Slow, |growth| separation(growth));
        let of = |growth: &Vec<f64>| (mean(growth) / self.interval, standard_error(growth) / self.interval);
        let mut found: Vec<(f64, f64)> = growths.iter().map(of).collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (exponents, errors) = found.into_iter().unzip();
        Ok(LyapunovEstimate { exponents, errors, separation })
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard error of the mean of correlated values, from the means of [`BLOCKS`] blocks of equal length, the longest possible.
fn standard_error(values: &[f64]) -> f64 {
    let length = (values.len() / BLOCKS).max(1);
    let blocks: Vec<f64> = values.chunks_exact(length).map(mean).collect();
    if blocks.len() < 2 {
        return f64::INFINITY;
    }
    let middle = mean(&blocks);
    let squares: f64 = blocks.iter().map(|block| (block - middle).powi(2)).sum();
    (squares / (blocks.len() as f64 * (blocks.len() as f64 - 1.0))).sqrt()
}

/// How neighbours part, by the growth of the fastest vector in each interval.
fn separation(growth: &[f64]) -> Separation {
    let (_, second) = growth.split_at(growth.len() / 2);
    let whole: f64 = second.iter().sum();
    let error = standard_error(second) * second.len() as f64;
    if whole > EXPONENTIAL && whole > SIGNIFICANT * error {
        Separation::Exponential
    } else if whole < SLOW {
        Separation::Slow
    } else {
        Separation::Undecided
    }
}
