//! Step control: whether a step is accepted, and how long the next should be.

mod power;

use crate::options::Options;
use crate::scalar::Real;
use crate::state::{Difference, State};
use crate::statistics::ROUNDINGS;
use crate::system::Fnv;

/// How the step size of a method with an embedded solution follows the error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepControl<R: Real> {
    /// By `rtol` and `atol`: a step is accepted if the root mean square of eᵢ/(atol + rtol max(|yᵢ|, |y'ᵢ|)) over
    /// coordinates and velocities is at most 1, e the difference of the two solutions.
    Tolerance(ToleranceLaw),
    /// By an absolute limit on the difference of the two solutions.
    AbsoluteLimit {
        /// Δ₀: a step is accepted if Δ ≤ Δ₀.
        delta0: R,
        /// How Δ is measured.
        measure: ErrorMeasure,
        /// The next step's size.
        law: StepLaw,
    },
}

/// The next step's size under `rtol` and `atol`, from the scaled error ε and those of the steps before, ε₋ and ε₋₋; k is the power
/// of the step size in the error, and s is 0.9, or 0.75 where k ≥ 8. Factors keep within [0.2, 5], and a step after a rejection
/// does not grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToleranceLaw {
    /// s ε^(−1/k).
    Elementary,
    /// s ε^(−0.7/k) ε₋^(0.4/k): K. Gustafsson, 1991; E. Hairer, G. Wanner, *Solving Ordinary Differential
    /// Equations II*, IV.2.
    ProportionalIntegral,
    /// s ε^(−0.49/k) ε₋^(0.34/k) ε₋₋^(−0.1/k): C. A. Kennedy, M. H. Carpenter, *Additive Runge–Kutta schemes for
    /// convection–diffusion–reaction equations*, Appl. Numer. Math. 44 (2003).
    ProportionalIntegralDerivative,
}

/// How the difference of the two solutions is measured under an absolute limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorMeasure {
    /// |E(first) − E(second)|, in the unit of energy.
    Energy,
    /// The largest absolute difference over coordinates and velocities, in SI numbers whatever their units.
    MaximumNorm,
}

/// The next step's size under an absolute limit, kept within [0.1, 4] times the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepLaw {
    /// (Δ₀/(2Δ))^(1/5): the law of the compound double pendulum's publication.
    Halved,
    /// 0.9 (Δ₀/Δ)^(1/5), the usual safety factor.
    Safety,
}

/// The power of the step size in the error from which a pair counts as one of high order.
const HIGH: u32 = 8;

/// log₂ of the scaled error below which a smaller one says no more for later steps: 10⁻⁴.
const LEAST_ERROR: f64 = -13.3;

/// What step control remembers from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct History {
    /// log₂ of the scaled error of the last accepted step.
    error: f64,
    /// That of the step before it.
    before: f64,
    /// Whether the last attempt was rejected.
    pub(crate) rejected: bool,
}

impl History {
    /// The first of its numbers that no step can have left.
    pub(crate) fn fault(&self) -> Option<f64> {
        [self.error, self.before].into_iter().find(|logarithm| !(*logarithm >= LEAST_ERROR && logarithm.is_finite()))
    }
}

impl Default for History {
    fn default() -> Self {
        Self { error: LEAST_ERROR, before: LEAST_ERROR, rejected: false }
    }
}

/// The judgement of one attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verdict<R> {
    pub(crate) accepted: bool,
    /// The next attempt's size relative to this one's.
    pub(crate) factor: R,
}

impl<R: Real> StepControl<R> {
    /// What makes a setting wrong, with its value.
    pub(crate) fn check(&self) -> Result<(), crate::error::Failure> {
        match *self {
            Self::AbsoluteLimit { delta0, .. } if !(delta0 > R::ZERO && delta0.is_finite()) => {
                Err(crate::error::Failure::bad_option("delta0", delta0, "positive and finite"))
            }
            _ => Ok(()),
        }
    }

    /// A number that tells this control from others.
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

    /// The factor after an attempt that gave no finite state.
    pub(crate) fn shrink() -> R {
        R::from_f64(0.1)
    }
}

/// The part of a component below which no tolerance has an effect.
pub(crate) fn out_of_reach<R: Real>() -> R {
    R::from_f64(ROUNDINGS * R::EPSILON)
}

impl ToleranceLaw {
    /// The law of a pair whose estimate goes with this power of the step size, unless another is asked for.
    ///
    /// Chosen by the evaluations that an error takes: over 16 motions of the compound double pendulum, 9 of the heavy top and
    /// 6 of Kepler's problem, pairs of order 8 and 9, which earn much by a step that follows at once, take 4 to 22 % fewer with
    /// [`ToleranceLaw::Elementary`] and s = 0.75 than with [`ToleranceLaw::ProportionalIntegral`] and 0.9; the pair of order 6
    /// takes up to a third more.
    pub(crate) const fn default_for(exponent: u32) -> Self {
        if exponent >= HIGH { Self::Elementary } else { Self::ProportionalIntegral }
    }

    /// The judgement of an attempt with this scaled error, which `history` remembers.
    #[inline(always)]
    pub(crate) fn judge<R: Real>(self, history: &mut History, error: R, exponent: u32) -> Verdict<R> {
        let accepted = error <= R::ONE;
        let logarithm = power::log2(error.to_f64());
        let factor = self.factor(history, accepted, logarithm, exponent);
        if accepted {
            history.before = history.error;
            history.error = logarithm.max(LEAST_ERROR);
        }
        history.rejected = !accepted;
        Verdict { accepted, factor: R::from_f64(factor) }
    }

    /// The next attempt's size relative to this one's.
    #[inline(always)]
    fn factor(self, history: &History, accepted: bool, logarithm: f64, exponent: u32) -> f64 {
        let [proportional, integral, derivative] = match self {
            Self::ProportionalIntegral if accepted => [-0.7, 0.4, 0.0],
            Self::ProportionalIntegralDerivative if accepted => [-0.49, 0.34, -0.1],
            _ => [-1.0, 0.0, 0.0],
        };
        let sum = proportional * logarithm + integral * history.error + derivative * history.before;
        let safety = if exponent >= HIGH { 0.75 } else { 0.9 };
        let most = if history.rejected || !accepted { 1.0 } else { 5.0 };
        clamp(safety * power::exp2(sum / f64::from(exponent)), 0.2, most)
    }
}

impl StepLaw {
    /// The judgement of an error `delta` under the limit `delta0`.
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

/// `value` within [`low`, `high`]; NaN gives `low`.
fn clamp<R: Real>(value: R, low: R, high: R) -> R {
    if value >= high {
        high
    } else if value > low {
        value
    } else {
        low
    }
}

/// The root mean square of a difference, each component over its tolerance, or over the part `least` of it if that is more.
#[inline(always)]
pub(crate) fn scaled_error<R: Real, const N: usize>(
    options: &Options<'_, R, N>,
    start: &State<R, N>,
    end: &State<R, N>,
    difference: &Difference<R, N>,
    least: R,
) -> R {
    let mut sum = R::ZERO;
    for i in 0..N {
        let (q, v) = (start.q[i].abs().max(end.q[i].abs()), start.v[i].abs().max(end.v[i].abs()));
        let mut q_scale = options.atol.of_coordinate(i) + options.rtol.of_coordinate(i) * q;
        let mut v_scale = options.atol.of_velocity(i) + options.rtol.of_velocity(i) * v;
        if least > R::ZERO {
            (q_scale, v_scale) = (q_scale.max(least * q), v_scale.max(least * v));
        }
        let q_error = ratio_or_zero(difference.q[i], q_scale);
        let v_error = ratio_or_zero(difference.v[i], v_scale);
        sum += q_error * q_error + v_error * v_error;
    }
    (sum / R::from_f64(2.0 * N.max(1) as f64)).sqrt()
}

/// `error / scale`, and 0 where there is no error, whatever the scale: a relative tolerance alone at rest.
#[inline(always)]
pub(crate) fn ratio_or_zero<R: Real>(error: R, scale: R) -> R {
    if error == R::ZERO { R::ZERO } else { error / scale }
}
