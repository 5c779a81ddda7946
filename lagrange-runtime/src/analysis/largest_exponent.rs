//! The largest Lyapunov exponent, computed beside a motion that any method integrates.

use super::tangent::TangentBasis;
use super::{AnalysisError, without_contacts};
use crate::observer::{Observer, StepView, Wants};
use crate::state::State;
use crate::system::Linearise;
use core::ops::ControlFlow;
use nalgebra::{SMatrix, SVector};
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

/// The largest product of a step of the deviation with the rate at which the deviation changes. An error of the deviation in a
/// step is then about (1/8)⁵/120 = 3·10⁻⁷ of its length.
const RESOLUTION: f64 = 0.125;

/// The most steps of the deviation in one step of the motion.
const MOST: f64 = 1e6;

/// An observer that carries a small deviation along a motion, and averages the rate at which it grows.
///
/// The deviation (δq, δv) obeys the linear equations along the motion, which the derivation gives exactly:
///
/// ```text
/// δq' = δv,    δv' = ∂a/∂q δq + ∂a/∂v δv.
/// ```
///
/// The classical Runge–Kutta method of order 4 integrates them on the interpolant of each step, in as many steps of its own as the
/// rates ∂a/∂q and ∂a/∂v demand: a constant exponent has a relative error of about 2·10⁻⁶. The exponent is the mean of d/dt ln |(δq, δv)| over the time, in 1/(unit of time). A positive one
/// means that neighbouring motions part exponentially. Over a finite time T, its error falls as 1/T.
///
/// [`LyapunovSpectrum`](super::LyapunovSpectrum) computes all exponents, from derivatives of the method's own steps. This observer
/// needs no numbers with derivatives, and works beside any method. Inputs keep their default values. Source: G. Benettin, L. Galgani,
/// A. Giorgilli, J.-M. Strelcyn, *Lyapunov characteristic exponents*, Meccanica 15, 1980.
///
/// ```
/// use lagrange_runtime::analysis::LargestExponent;
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
/// let system = Hill { m: 1.0, k: 4.0 }.prepare::<f64>()?;
/// let mut state = State::new(0.0, [0.0], [0.0]);
/// // Four seconds pass before the average begins.
/// let mut growth = LargestExponent::new(&system, &state, 4.0)?;
/// let mut inputs = DefaultInputs::of(&system);
/// integrate(&system, &mut state, 10.0, &Dop853::new(), &Options::default(), &mut inputs, &mut growth)?;
/// // The deviation grows as exp(2 t), because √(k/m) = 2/s.
/// assert!((growth.exponent()? - 2.0).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LargestExponent<'a, const N: usize, const C: usize, const U: usize> {
    system: &'a dyn Linearise<f64, N, C, U>,
    inputs: SVector<f64, U>,
    deviation: Deviation<N>,
    from: f64,
    /// The sum of the logarithms of the growth, and the time in which it grew.
    growth: f64,
    time: f64,
    /// The signs of the switching functions on the way so far.
    signs: Vec<bool>,
    values: Vec<f64>,
    failure: Option<AnalysisError>,
}

/// δq and δv.
type Deviation<const N: usize> = (SVector<f64, N>, SVector<f64, N>);

/// ∂a/∂q and ∂a/∂v.
type Derivatives<const N: usize> = (SMatrix<f64, N, N>, SMatrix<f64, N, N>);

impl<'a, const N: usize, const C: usize, const U: usize> LargestExponent<'a, N, C, U> {
    /// Makes an observer of a motion from `initial`. The average begins at the time `from`.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] for a mechanism with `friction`, or one whose constraints leave nothing free;
    /// [`AnalysisError::State`] where the state breaks a constraint.
    pub fn new(
        system: &'a dyn Linearise<f64, N, C, U>,
        initial: &State<f64, N>,
        from: f64,
    ) -> Result<Self, AnalysisError> {
        without_contacts(system, "a Lyapunov exponent")?;
        let basis = TangentBasis::at(system, initial)?;
        if basis.is_empty() {
            return Err(refused("a mechanism that can move".to_string()));
        }
        // A deviation in all directions has a part in the direction that grows fastest, but for a coincidence.
        let columns = basis.columns();
        let sum = |row: usize| columns.row(row).iter().enumerate().map(|(k, part)| part / (k as f64 + 1.0)).sum();
        let deviation = (SVector::from_fn(|i, _| sum(i)), SVector::from_fn(|i, _| sum(N + i)));
        let count = system.switch_count();
        let mut found = Self {
            system,
            inputs: system.default_inputs(),
            deviation,
            from,
            growth: 0.0,
            time: 0.0,
            signs: Vec::with_capacity(count),
            values: vec![0.0; count],
            failure: None,
        };
        found.normalise()?;
        Ok(found)
    }

    /// The exponent over the time since the average began, in 1/(unit of time).
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] if the motion went through a switch of its equations or if it ended before the average
    /// began, [`AnalysisError::SingularMass`] where the equations cannot be solved, and [`AnalysisError::NotFinite`] where the
    /// deviation vanishes or overflows.
    pub fn exponent(&self) -> Result<f64, AnalysisError> {
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None if self.time > 0.0 => Ok(self.growth / self.time),
            None => Err(refused("a motion that goes on beyond the time from which growth is averaged".to_string())),
        }
    }

    /// ∂a/∂q and ∂a/∂v at a state of the motion.
    fn derivatives(&mut self, state: &State<f64, N>) -> Result<Derivatives<N>, AnalysisError> {
        let State { t, q, v } = state;
        self.check_switches(state)?;
        let found = self.system.acceleration_jacobian(*t, q, v, &self.inputs);
        let found = found.map_err(|singular| AnalysisError::failure(singular.into(), self.system.coordinates()))?;
        Ok((found.acceleration_q, found.acceleration_v))
    }

    /// Fails if a switching function has another sign than at the start.
    fn check_switches(&mut self, state: &State<f64, N>) -> Result<(), AnalysisError> {
        if self.values.is_empty() {
            return Ok(());
        }
        let State { t, q, v } = state;
        self.system.switches(*t, q, v, &self.inputs, &mut self.values);
        if self.signs.is_empty() {
            self.signs.extend(self.values.iter().map(|value| *value >= 0.0));
        }
        let crossed = self.values.iter().zip(&self.signs).position(|(value, sign)| (*value >= 0.0) != *sign);
        let Some(index) = crossed else { return Ok(()) };
        let name = self.system.switch_names().get(index).copied().unwrap_or("without a name");
        Err(refused(std::format!(
            "a motion without switches; at t = {t} this one goes through a zero of `{name}`, where accelerations may jump"
        )))
    }

    /// Carries the deviation from one time to another within a step of the motion, and returns ln of its growth.
    fn carry(&mut self, step: &StepView<f64, N>, from: f64, to: f64) -> Result<f64, AnalysisError> {
        let span = to - from;
        let at = |t: f64| step.sample(t).unwrap_or(step.end);
        let mut now = self.derivatives(&at(from))?;
        let count = (rate(&now) * span.abs() / RESOLUTION).ceil().clamp(1.0, MOST);
        let h = span / count;
        for index in 0..count as u64 {
            let t = from + h * index as f64;
            let middle = self.derivatives(&at(t + h / 2.0))?;
            let end = self.derivatives(&at(t + h))?;
            let (q, v) = self.deviation;
            let first = change(&now, &(q, v));
            let second = change(&middle, &(q + first.0 * (h / 2.0), v + first.1 * (h / 2.0)));
            let third = change(&middle, &(q + second.0 * (h / 2.0), v + second.1 * (h / 2.0)));
            let fourth = change(&end, &(q + third.0 * h, v + third.1 * h));
            self.deviation = (
                q + (first.0 + (second.0 + third.0) * 2.0 + fourth.0) * (h / 6.0),
                v + (first.1 + (second.1 + third.1) * 2.0 + fourth.1) * (h / 6.0),
            );
            now = end;
        }
        self.normalise()
    }

    /// Gives the deviation the length 1, and returns ln of the length that it had.
    fn normalise(&mut self) -> Result<f64, AnalysisError> {
        let (q, v) = &mut self.deviation;
        // The deviation of a hidden coordinate has no meaning, and no acceleration depends on it.
        for hidden in N.saturating_sub(self.system.state_count())..N {
            q[hidden] = 0.0;
        }
        let length = q.norm().hypot(v.norm());
        if length == 0.0 || !length.is_finite() {
            let quantity = "the growth of a small deviation over a step".to_string();
            return Err(AnalysisError::NotFinite { quantity });
        }
        *q /= length;
        *v /= length;
        Ok(length.ln())
    }
}

impl<const N: usize, const C: usize, const U: usize> Observer<f64, N> for LargestExponent<'_, N, C, U> {
    fn wants(&self, _: u64, _: f64, _: f64) -> Wants {
        if self.failure.is_none() { Wants::Interpolation } else { Wants::Nothing }
    }

    /// A failure does not end the integration. [`LargestExponent::exponent`] returns it.
    fn observe(&mut self, step: &StepView<f64, N>) -> ControlFlow<()> {
        let (start, end) = (step.start.t, step.end.t);
        let way = if start <= end { 1.0 } else { -1.0 };
        let middle = if way * start < way * self.from && way * self.from < way * end { self.from } else { end };
        for (from, to) in [(start, middle), (middle, end)] {
            if from == to || self.failure.is_some() {
                continue;
            }
            match self.carry(step, from, to) {
                Ok(growth) if way * from >= way * self.from => {
                    self.growth += growth;
                    self.time += (to - from).abs();
                }
                Ok(_) => {}
                Err(failure) => self.failure = Some(failure),
            }
        }
        ControlFlow::Continue(())
    }
}

/// δ' = (δv, ∂a/∂q δq + ∂a/∂v δv).
fn change<const N: usize>((by_q, by_v): &Derivatives<N>, (q, v): &Deviation<N>) -> Deviation<N> {
    (*v, by_q * q + by_v * v)
}

/// A rate that is at least about that of the fastest deviation: √|∂a/∂q| + |∂a/∂v|.
fn rate<const N: usize>((by_q, by_v): &Derivatives<N>) -> f64 {
    by_q.norm().sqrt() + by_v.norm()
}

/// The error of a motion that has no exponent.
fn refused(needs: String) -> AnalysisError {
    AnalysisError::NotApplicable { analysis: "a Lyapunov exponent", needs }
}
