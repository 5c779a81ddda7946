//! Step control. It accepts or rejects a step and chooses the size of the next one.

mod derivatives;
mod following;
mod power;
#[cfg(test)]
mod tests;

pub(crate) use derivatives::{combined_derivative_square, derivative_square};
use following::Refused;
pub(crate) use following::{Noise, NoiseOfDerivatives, Sizes};

use crate::options::Options;
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};
use crate::system::Fnv;

/// The rule by which a method with an embedded solution chooses its step size from the error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepControl<R: Real> {
    /// The tolerances `rtol` and `atol` of the options limit the error. Let eᵢ be the difference between the two solutions. A
    /// step is accepted if the root mean square of eᵢ/(atol + rtol max(|yᵢ|, |y'ᵢ|)) over coordinates and velocities is at
    /// most 1. The default of `atol` follows the motion ([`Tolerance::Following`](crate::options::Tolerance::Following)).
    Tolerance(ToleranceLaw),
    /// An absolute limit applies to the difference between the two solutions.
    AbsoluteLimit {
        /// The limit Δ₀. A step is accepted if Δ ≤ Δ₀.
        delta0: R,
        /// The measure Δ of the difference.
        measure: ErrorMeasure,
        /// The law for the size of the next step.
        law: StepLaw,
    },
}

/// The law for the size of the next step under `rtol` and `atol`.
///
/// The factor follows from the scaled error ε of this step and from the errors ε₋ and ε₋₋ of the two accepted steps before it.
/// The number k is the power of the step size in the error. The safety factor s is 0.9 for k < 8 and 0.75 for k ≥ 8. The factor
/// is limited to [0.2, 5], and to at most 1 after a rejection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToleranceLaw {
    /// The factor is s ε^(−1/k).
    Elementary,
    /// The factor is s ε^(−0.7/k) ε₋^(0.4/k). Source: K. Gustafsson, 1991; E. Hairer, G. Wanner, *Solving Ordinary Differential
    /// Equations II*, IV.2.
    ProportionalIntegral,
    /// The factor is s ε^(−0.49/k) ε₋^(0.34/k) ε₋₋^(−0.1/k). Source: C. A. Kennedy, M. H. Carpenter, *Additive Runge–Kutta
    /// schemes for convection–diffusion–reaction equations*, Appl. Numer. Math. 44 (2003).
    ProportionalIntegralDerivative,
}

/// The measure Δ of the difference between the two solutions under an absolute limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorMeasure {
    /// Δ = |E(first) − E(second)|, in the unit of energy.
    Energy,
    /// Δ is the largest absolute difference over coordinates and velocities. It compares their numbers in SI units, whatever
    /// quantities they are.
    MaximumNorm,
}

/// The law for the size of the next step under an absolute limit. The factor is limited to [0.1, 4].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepLaw {
    /// The factor is (Δ₀/(2Δ))^(1/5), as in the publication on the compound double pendulum.
    Halved,
    /// The factor is 0.9 (Δ₀/Δ)^(1/5), with the usual safety factor.
    Safety,
}

/// A pair is of high order if the power of the step size in its error is at least this number.
const HIGH: u32 = 8;

/// The lower bound on log₂ of a remembered error. It corresponds to an error of 10⁻⁴. Smaller errors say nothing more about the
/// later steps.
const LEAST_ERROR: f64 = -13.3;

/// The errors that step control remembers from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct History {
    /// log₂ of the scaled error of the last accepted step.
    error: f64,
    /// log₂ of the scaled error of the accepted step before the last one.
    before: f64,
    /// Whether the last attempt was rejected.
    pub(crate) rejected: bool,
    /// The last attempt at this step that was rejected only because tolerances follow the motion. Between steps there is none.
    #[cfg_attr(feature = "serde", serde(skip))]
    refused: Option<Refused>,
}

impl History {
    /// Forgets the attempts at a step that is accepted.
    pub(crate) fn accept(&mut self) {
        self.refused = None;
    }

    /// Returns the first remembered number that no step can produce, or `None`. It checks a history that was read from outside.
    pub(crate) fn fault(&self) -> Option<f64> {
        [self.error, self.before].into_iter().find(|logarithm| !(*logarithm >= LEAST_ERROR && logarithm.is_finite()))
    }
}

impl Default for History {
    fn default() -> Self {
        Self { error: LEAST_ERROR, before: LEAST_ERROR, rejected: false, refused: None }
    }
}

/// The decision about one attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verdict<R> {
    pub(crate) accepted: bool,
    /// The size of the next attempt, relative to the size of this one.
    pub(crate) factor: R,
}

impl<R: Real> StepControl<R> {
    /// Returns this rule with its numbers converted to the type `S`.
    pub(crate) fn lift<S: Real>(&self) -> StepControl<S> {
        match *self {
            Self::Tolerance(law) => StepControl::Tolerance(law),
            Self::AbsoluteLimit { delta0, measure, law } => {
                StepControl::AbsoluteLimit { delta0: S::from_f64(delta0.to_f64()), measure, law }
            }
        }
    }

    /// Checks the settings. The error names the wrong setting and its value.
    pub(crate) fn check(&self) -> Result<(), crate::error::Failure> {
        match *self {
            Self::AbsoluteLimit { delta0, .. } if !(delta0 > R::ZERO && delta0.is_finite()) => {
                Err(crate::error::Failure::bad_option("delta0", delta0, "positive and finite"))
            }
            _ => Ok(()),
        }
    }

    /// Returns a hash that distinguishes this step control from others.
    pub(crate) fn hash(&self) -> u64 {
        let mut hash = Fnv::new();
        match *self {
            Self::Tolerance(law) => hash.write(&[0, law as u8]),
            Self::AbsoluteLimit { delta0, measure, law } => {
                hash.write(&[1, measure as u8, law as u8]);
                hash.write(&delta0.to_f64().to_bits().to_le_bytes());
            }
        }
        hash.0
    }

    /// Returns the factor for the step size after an attempt that gave no finite state.
    pub(crate) fn shrink() -> R {
        R::from_f64(0.1)
    }
}

impl ToleranceLaw {
    /// Returns the default law of a pair whose error estimate is O(hᵏ), with k = `exponent`.
    ///
    /// The choice follows from the number of evaluations for a given error, over 16 motions of the compound double pendulum, 9 of
    /// the heavy top and 6 of Kepler's problem. [`ToleranceLaw::Elementary`] with s = 0.75 is compared to
    /// [`ToleranceLaw::ProportionalIntegral`] with s = 0.9. With the former, pairs of order 8 and 9 take 4 to 22 % fewer
    /// evaluations, because they gain much from a step size that follows the error at once. The pair of order 6 takes up to a
    /// third more.
    pub(crate) const fn default_for(exponent: u32) -> Self {
        if exponent >= HIGH { Self::Elementary } else { Self::ProportionalIntegral }
    }

    /// Decides about an attempt, from the square of its scaled error, and records the error in `history`. It takes the square because
    /// the next step waits for the decision, and a root would take longer than the rest of it.
    #[inline(always)]
    pub(crate) fn judge<R: Real>(self, history: &mut History, square: R, exponent: u32) -> Verdict<R> {
        let accepted = square <= R::ONE;
        let logarithm = 0.5 * power::log2(square.to_f64());
        let factor = self.factor(history, accepted, logarithm, exponent);
        if accepted {
            history.before = history.error;
            history.error = logarithm.max(LEAST_ERROR);
            history.accept();
        }
        history.rejected = !accepted;
        Verdict { accepted, factor: R::from_f64(factor) }
    }

    /// Returns the size of the next attempt, relative to the size of this one.
    #[inline(always)]
    fn factor(self, history: &History, accepted: bool, logarithm: f64, exponent: u32) -> f64 {
        let [proportional, integral, derivative] = match self {
            Self::ProportionalIntegral if accepted => [-0.7, 0.4, 0.0],
            Self::ProportionalIntegralDerivative if accepted => [-0.49, 0.34, -0.1],
            _ => [-1.0, 0.0, 0.0],
        };
        let inverse = 1.0 / f64::from(exponent);
        let remembered = integral * history.error + derivative * history.before;
        let sum = proportional * inverse * logarithm + inverse * remembered;
        let safety = if exponent >= HIGH { 0.75 } else { 0.9 };
        let most = if history.rejected || !accepted { 1.0 } else { 5.0 };
        clamp(safety * power::exp2(sum), 0.2, most)
    }
}

impl StepLaw {
    /// Decides about an attempt with the error `delta` under the limit `delta0`.
    pub(crate) fn judge<R: Real>(self, delta0: R, delta: R) -> Verdict<R> {
        let ratio = delta0 / delta;
        let fifth = R::from_f64(0.2);
        let factor = match self {
            Self::Halved => (ratio * R::from_f64(0.5)).powf(fifth),
            Self::Safety => R::from_f64(0.9) * ratio.powf(fifth),
        };
        Verdict { accepted: delta <= delta0, factor: clamp(factor, R::from_f64(0.1), R::from_f64(4.0)) }
    }
}

/// Limits `value` to [`low`, `high`]. NaN gives `low`.
fn clamp<R: Real>(value: R, low: R, high: R) -> R {
    if value >= high {
        high
    } else if value > low {
        value
    } else {
        low
    }
}

/// Returns the mean square of a difference, each component divided by its tolerance. If the tolerance of a component is smaller
/// than `least` times that component, this product replaces the tolerance. The absolute tolerances are those of the options, or `absolute`.
/// The hidden coordinates of the last `states` velocities do not count.
///
/// If `R` has several lanes, each lane of the result is the mean square of that lane.
#[inline(always)]
pub(crate) fn scaled_square<R: Scalar, T: Real, const N: usize>(
    options: &Options<'_, T, N>,
    (start, end): (&State<R, N>, &State<R, N>),
    difference: &Difference<R, N>,
    absolute: Option<&Sizes<R, N>>,
    least: T,
    states: usize,
) -> R {
    let mut sum = R::ZERO;
    let Options { rtol, atol, .. } = options;
    for i in 0..N {
        let (q, v) = (start.q[i].abs().max(end.q[i].abs()), start.v[i].abs().max(end.v[i].abs()));
        let (q_rtol, v_rtol) = (rtol.of_coordinate(i), rtol.of_velocity(i));
        let (q_atol, v_atol) = match absolute {
            Some(absolute) => (absolute.q[i], absolute.v[i]),
            None => (lift::<R, T>(atol.of_coordinate(i)), lift::<R, T>(atol.of_velocity(i))),
        };
        let mut q_scale = q_atol + lift::<R, T>(q_rtol) * q;
        let mut v_scale = v_atol + lift::<R, T>(v_rtol) * v;
        if least > T::ZERO {
            (q_scale, v_scale) = (q_scale.max(lift::<R, T>(least) * q), v_scale.max(lift::<R, T>(least) * v));
        }
        let q_error = if i + states < N { ratio_or_zero(difference.q[i], q_scale) } else { R::ZERO };
        let v_error = ratio_or_zero(difference.v[i], v_scale);
        sum += q_error * q_error + v_error * v_error;
    }
    sum * R::from_f64(1.0 / (2 * N).saturating_sub(states).max(1) as f64)
}

/// Returns a tolerance as a scalar `R`. All lanes have the same tolerance.
#[inline(always)]
fn lift<R: Scalar, T: Real>(tolerance: T) -> R {
    R::from_f64(tolerance.to_f64())
}

/// Returns `error / scale`, or 0 if the error is 0. The scale is also 0 for a component at rest that has only a relative
/// tolerance.
#[inline(always)]
pub(crate) fn ratio_or_zero<R: Scalar>(error: R, scale: R) -> R {
    R::select(error.equals(R::ZERO), R::ZERO, error / scale)
}
