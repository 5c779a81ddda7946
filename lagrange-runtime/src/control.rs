//! Step control: whether a step is accepted, and how long the next should be.

mod first_step;
mod power;

pub(crate) use first_step::first_step;

use crate::controller::Controller;
use crate::evaluator::Evaluator;
use crate::method::{Difference, Estimate, Trial};
use crate::options::Options;
use crate::scalar::Real;
use crate::state::State;
use crate::statistics::ROUNDINGS;
use crate::system::{Fnv, System};

/// How the step size of a method with an embedded solution follows the error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepControl<R: Real> {
    /// By `rtol` and `atol`: a step is accepted if the root mean square of eᵢ/(atol + rtol max(|yᵢ|, |y'ᵢ|)) over
    /// coordinates and velocities is at most 1, e the difference of the two solutions.
    Tolerance(ToleranceLaw),
    /// By an absolute limit Δ₀ of one measure of the error, whatever the size of the state.
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
    /// (Δ₀/(2Δ))^(1/5), the law of Zhan Yangping's study of the compound double pendulum.
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

    /// Judges the attempt `trial` from `state`; `exponent` is the power of the step size in the embedded difference.
    #[inline]
    pub(crate) fn judge<S, K, M, const N: usize, const C: usize, const U: usize>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        options: &Options<'_, R, N>,
        history: &mut History,
        state: &State<R, N>,
        trial: &Trial<R, N, M>,
        exponent: u32,
    ) -> Verdict<R>
    where
        S: System<R, N, C, U> + ?Sized,
        K: Controller<R, N, U> + ?Sized,
    {
        match trial.estimate {
            Estimate::None => return Verdict { accepted: true, factor: R::ONE },
            Estimate::Judged { accepted, factor } => {
                history.rejected = !accepted;
                evaluator.count_beyond_reach(accepted);
                return Verdict { accepted, factor };
            }
            _ => {}
        }
        match *self {
            Self::Tolerance(law) => {
                let mut error = estimated_error(options, state, trial, R::ZERO);
                if options.asks_beyond_reach() {
                    let reached = within_reach(options, state, trial);
                    evaluator.statistics_mut().beyond_reach += u64::from(error > R::ONE && reached <= R::ONE);
                    error = reached;
                }
                let accepted = error <= R::ONE;
                let logarithm = power::log2(error.to_f64());
                let factor = law.factor(history, accepted, logarithm, exponent);
                if accepted {
                    history.before = history.error;
                    history.error = logarithm.max(LEAST_ERROR);
                }
                history.rejected = !accepted;
                Verdict { accepted, factor: R::from_f64(factor) }
            }
            Self::AbsoluteLimit { delta0, measure, law } => {
                let embedded = other_solution(trial);
                let delta = match measure {
                    ErrorMeasure::Energy => {
                        let mut energy = |at: &State<R, N>| evaluator.energies(at.t, at.q, at.v).energy;
                        (energy(&trial.state) - energy(&embedded)).abs()
                    }
                    ErrorMeasure::MaximumNorm => maximum_difference(&trial.state, &embedded),
                };
                absolute_verdict(law, delta0, delta)
            }
        }
    }
}

/// The solution that the trial's is compared with.
#[inline(always)]
fn other_solution<R: Real, const N: usize, M>(trial: &Trial<R, N, M>) -> State<R, N> {
    let State { t, q, v } = trial.state;
    match trial.estimate {
        Estimate::None | Estimate::Judged { .. } => trial.state,
        Estimate::Embedded(other) => other,
        Estimate::Difference(difference) | Estimate::Combined([difference, _]) => {
            State { t, q: q - difference.q, v: v - difference.v }
        }
    }
}

/// The estimate of the error over the tolerances, as far as these are within reach.
#[cold]
#[inline(never)]
fn within_reach<R: Real, const N: usize, M>(
    options: &Options<'_, R, N>,
    start: &State<R, N>,
    trial: &Trial<R, N, M>,
) -> R {
    estimated_error(options, start, trial, out_of_reach())
}

/// The part of a component below which no tolerance has an effect.
pub(crate) fn out_of_reach<R: Real>() -> R {
    R::from_f64(ROUNDINGS * R::EPSILON)
}

/// The estimate of the error over the tolerances, each of which is at least the part `least` of its component.
#[inline(always)]
fn estimated_error<R: Real, const N: usize, M>(
    options: &Options<'_, R, N>,
    start: &State<R, N>,
    trial: &Trial<R, N, M>,
    least: R,
) -> R {
    let end = &trial.state;
    let size = |difference: &Difference<R, N>| scaled_error(options, start, end, difference, least);
    match &trial.estimate {
        Estimate::None | Estimate::Judged { .. } => R::ZERO,
        Estimate::Embedded(other) => size(&Difference { q: end.q - other.q, v: end.v - other.v }),
        Estimate::Difference(difference) => size(difference),
        Estimate::Combined([first, second]) => {
            let (first, second) = (size(first), size(second));
            if first == R::ZERO {
                return R::ZERO;
            }
            first * (first / (first * first + R::from_f64(0.01) * second * second).sqrt())
        }
    }
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

fn absolute_verdict<R: Real>(law: StepLaw, delta0: R, delta: R) -> Verdict<R> {
    let ratio = delta0 / delta;
    let fifth = R::from_f64(0.2);
    let factor = match law {
        StepLaw::Halved => (ratio * R::from_f64(0.5)).powf(fifth),
        StepLaw::Safety => R::from_f64(0.9) * ratio.powf(fifth),
    };
    Verdict { accepted: delta <= delta0, factor: clamp(factor, R::from_f64(0.1), R::from_f64(4.0)) }
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
fn ratio_or_zero<R: Real>(error: R, scale: R) -> R {
    if error == R::ZERO { R::ZERO } else { error / scale }
}

fn maximum_difference<R: Real, const N: usize>(first: &State<R, N>, second: &State<R, N>) -> R {
    let mut largest = R::ZERO;
    for i in 0..N {
        largest = largest.max((first.q[i] - second.q[i]).abs()).max((first.v[i] - second.v[i]).abs());
    }
    largest
}
