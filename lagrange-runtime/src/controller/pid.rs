//! A sampled controller of one coordinate by proportion, integral and derivative.

use super::Law;
use crate::error::Failure;
use crate::scalar::Real;
use nalgebra::SVector;

/// A sampled PID controller in parallel form, of one coordinate by one input. The other inputs are 0.
///
/// e = r − q is the error of the coordinate at a sample, h the time since the last sample, and T the filter's time constant.
///
/// ```text
/// u = kp e + I + D,
/// I' = I + ki h e,                                 not where u is at a bound and e would drive it further,
/// D' = (T D − kd (q − q_last))/(T + h),            of the measurement, so that a step of r gives no kick.
/// ```
///
/// At the first sample I = D = 0. The controller measures q alone, as an encoder does. It is a law of a
/// [`Sampled`](super::Sampled) controller. Source: K. J. Åström, R. M. Murray, *Feedback Systems*, 2nd ed., 11.5.
///
/// ```
/// use lagrange_runtime::controller::{Law, Pid};
/// use lagrange_runtime::prelude::*;
///
/// let mut pid = Pid::new(0, 0).with_gains(2.0, 0.5, 0.0).with_setpoint(1.0);
/// let (q, v) = (SVector::from([0.0]), SVector::from([0.0]));
/// let first: SVector<f64, 1> = pid.sample(0.0, &q, &v);
/// let second: SVector<f64, 1> = pid.sample(0.1, &q, &v);
/// assert_eq!((first[0], second[0]), (2.0, 2.05));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pid<R: Real> {
    coordinate: usize,
    input: usize,
    proportional: R,
    integral: R,
    derivative: R,
    filter: R,
    setpoint: R,
    lower: R,
    upper: R,
    state: Option<Memory<R>>,
}

/// The values after the last sample.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Memory<R> {
    t: R,
    measured: R,
    integrated: R,
    slope: R,
    /// The values after the sample before it, in case a second sample at the same time replaces the last.
    before: Option<(R, R, R, R)>,
}

impl<R: Real> Pid<R> {
    /// A controller of coordinate `coordinate` by input `input`, with all gains 0, the setpoint 0 and no bounds.
    #[must_use]
    pub fn new(coordinate: usize, input: usize) -> Self {
        let infinite = R::from_f64(f64::INFINITY);
        Self {
            coordinate,
            input,
            proportional: R::ZERO,
            integral: R::ZERO,
            derivative: R::ZERO,
            filter: R::ZERO,
            setpoint: R::ZERO,
            lower: -infinite,
            upper: infinite,
            state: None,
        }
    }

    /// Sets the gains kp, ki and kd. kp has the unit of the input over that of the coordinate, ki that unit over time, and kd
    /// that unit times time.
    #[must_use]
    pub fn with_gains(self, proportional: R, integral: R, derivative: R) -> Self {
        Self { proportional, integral, derivative, ..self }
    }

    /// Sets the time constant of the derivative's filter, in the unit of t; a few samples are usual.
    #[must_use]
    pub fn with_filter(self, filter: R) -> Self {
        Self { filter, ..self }
    }

    /// Sets the setpoint r, the value that the coordinate is to have.
    #[must_use]
    pub fn with_setpoint(self, setpoint: R) -> Self {
        Self { setpoint, ..self }
    }

    /// Sets bounds of the input. The integral stops where the input is at a bound.
    #[must_use]
    pub fn with_bounds(self, lower: R, upper: R) -> Self {
        Self { lower, upper, ..self }
    }

    /// The integral's share of the input; 0 before the first sample.
    pub fn integrated(&self) -> R {
        self.state.map_or(R::ZERO, |state| state.integrated)
    }

    fn next(&mut self, t: R, measured: R) -> R {
        let error = self.setpoint - measured;
        let last = match self.state {
            Some(state) if state.t == t => state.before,
            Some(state) => Some((state.t, state.measured, state.integrated, state.slope)),
            None => None,
        };
        let (h, change, integrated, slope) = match last {
            None => (R::ZERO, R::ZERO, R::ZERO, R::ZERO),
            Some((time, value, integrated, slope)) => (t - time, measured - value, integrated, slope),
        };
        let slope = match self.filter + h > R::ZERO {
            true => (self.filter * slope - self.derivative * change) / (self.filter + h),
            false => slope,
        };
        let wanted = self.proportional * error + slope;
        let further = integrated + self.integral * h * error;
        let stuck = (wanted + further > self.upper && further > integrated)
            || (wanted + further < self.lower && further < integrated);
        let integrated = if stuck { integrated } else { further };
        self.state = Some(Memory { t, measured, integrated, slope, before: last });
        let u = wanted + integrated;
        let above = if u < self.lower { self.lower } else { u };
        if above > self.upper { self.upper } else { above }
    }
}

impl<R: Real, const N: usize, const U: usize> Law<R, N, U> for Pid<R> {
    #[inline]
    fn sample(&mut self, t: R, q: &SVector<R, N>, _: &SVector<R, N>) -> SVector<R, U> {
        let measured = q.get(self.coordinate).copied().unwrap_or(R::ZERO);
        let u = self.next(t, measured);
        SVector::from_fn(|k, _| if k == self.input { u } else { R::ZERO })
    }

    fn check(&self) -> Result<(), Failure> {
        let outside = |index: usize, count: usize| index >= count;
        if outside(self.coordinate, N) {
            return Err(Failure::bad_option(
                "coordinate",
                R::from_f64(self.coordinate as f64),
                "the index of a coordinate",
            ));
        }
        if outside(self.input, U) {
            return Err(Failure::bad_option("input", R::from_f64(self.input as f64), "the index of an input"));
        }
        if !(self.filter >= R::ZERO && self.filter.is_finite()) {
            return Err(Failure::bad_option("filter", self.filter, "finite, and positive or 0"));
        }
        if self.lower > self.upper || self.lower.to_f64().is_nan() || self.upper.to_f64().is_nan() {
            return Err(Failure::bad_option("lower", self.lower, "a number that is not above `upper`"));
        }
        for gain in [self.proportional, self.integral, self.derivative, self.setpoint] {
            if !gain.is_finite() {
                return Err(Failure::bad_option("gain", gain, "finite"));
            }
        }
        Ok(())
    }
}
