//! The largest Lyapunov exponent, computed beside a motion that any method integrates.

mod neighbour;

use super::tangent::TangentBasis;
use super::{AnalysisError, without_contacts, without_modes};
use crate::instant::Instant;
use crate::observer::{Observer, StepView};
use crate::state::State;
use crate::system::Linearise;
use core::ops::ControlFlow;
use nalgebra::SVector;
use neighbour::Neighbour;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

/// An observer that carries a small deviation along a motion, and averages the rate at which it grows.
///
/// The deviation (δq, δv) obeys the linear equations along the motion, which the derivation gives exactly:
///
/// ```text
/// δq' = δv,    δv' = ∂a/∂q δq + ∂a/∂v δv.
/// ```
///
/// They are integrated together with the motion from the start of each of its steps, by the method of order 8 of Dormand and Prince, with a
/// relative error of 10⁻¹⁰ of the deviation in a step, whatever the tolerances of the motion are. An error ε of the deviation in a unit of
/// time can make neighbours of a regular motion part at the rate √ε. So exponents down to some 10⁻⁶ of the rates of the motion are
/// resolved. The exponent is the mean of d/dt ln |(δq, δv)| over the time, in 1/(unit of time). A positive one means that neighbouring
/// motions part exponentially. Neighbours of a regular motion part in proportion to the time: over a finite time T, the exponent is
/// about ln(T)/T.
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
    neighbour: Neighbour<'a, N, C, U>,
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

impl<'a, const N: usize, const C: usize, const U: usize> LargestExponent<'a, N, C, U> {
    /// Makes an observer of a motion from `initial`. The average begins at the time `from`.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] for a mechanism with `friction` or modes, or one whose constraints leave nothing free;
    /// [`AnalysisError::State`] where the state breaks a constraint.
    pub fn new(
        system: &'a dyn Linearise<f64, N, C, U>,
        initial: &State<f64, N>,
        from: f64,
    ) -> Result<Self, AnalysisError> {
        without_contacts(system, "a Lyapunov exponent")?;
        without_modes(system)?;
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
            neighbour: Neighbour::new(system),
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
    /// [`AnalysisError::NotApplicable`] if the motion went through a switch of its equations, if an event mapped its state, or if it ended
    /// before the average began, [`AnalysisError::SingularMass`] where the equations cannot be solved, and [`AnalysisError::NotFinite`] where the
    /// deviation vanishes or overflows.
    pub fn exponent(&self) -> Result<f64, AnalysisError> {
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None if self.time > 0.0 => Ok(self.growth / self.time),
            None => Err(refused("a motion that goes on beyond the time from which growth is averaged".to_string())),
        }
    }

    /// Fails if a switching function has another sign than at the start.
    fn check_switches(&mut self, state: &State<f64, N>) -> Result<(), AnalysisError> {
        if self.values.is_empty() {
            return Ok(());
        }
        let State { t, q, v } = state;
        let Neighbour { system, inputs, .. } = &self.neighbour;
        system.switches(*t, q, v, inputs, &mut self.values);
        if self.signs.is_empty() {
            self.signs.extend(self.values.iter().map(|value| *value >= 0.0));
        }
        let crossed = self.values.iter().zip(&self.signs).position(|(value, sign)| (*value >= 0.0) != *sign);
        let Some(index) = crossed else { return Ok(()) };
        let name = system.switch_names().get(index).copied().unwrap_or("without a name");
        Err(refused(std::format!(
            "a motion without switches; at t = {t} this one goes through a zero of `{name}`, where accelerations may jump"
        )))
    }

    /// Carries the deviation along a part of a step of the motion, from a state of the motion to a time. Returns the state there, and ln of
    /// the growth of the deviation.
    fn carry(&mut self, from: &State<f64, N>, to: f64) -> Result<(State<f64, N>, f64), AnalysisError> {
        let (state, deviation) = self.neighbour.carry(from, self.deviation, to)?;
        self.deviation = deviation;
        Ok((state, self.normalise()?))
    }

    /// Gives the deviation the length 1, and returns ln of the length that it had.
    fn normalise(&mut self) -> Result<f64, AnalysisError> {
        let (q, v) = &mut self.deviation;
        // The deviation of a hidden coordinate has no meaning, and no acceleration depends on it.
        for hidden in N.saturating_sub(self.neighbour.system.state_count())..N {
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
    /// A failure does not end the integration. [`LargestExponent::exponent`] returns it.
    fn observe(&mut self, step: &StepView<f64, N>) -> ControlFlow<()> {
        let (start, end) = (step.start.t, step.end.t);
        let way = if start <= end { 1.0 } else { -1.0 };
        let middle = if way * start < way * self.from && way * self.from < way * end { self.from } else { end };
        if self.failure.is_none() {
            self.failure = self.check_switches(&step.start).and_then(|()| self.check_switches(&step.end)).err();
        }
        let mut state = step.start;
        for (from, to) in [(start, middle), (middle, end)] {
            if from == to || self.failure.is_some() {
                continue;
            }
            match self.carry(&state, to) {
                Ok((reached, growth)) => {
                    state = reached;
                    if way * from >= way * self.from {
                        self.growth += growth;
                        self.time += (to - from).abs();
                    }
                }
                Err(failure) => self.failure = Some(failure),
            }
        }
        ControlFlow::Continue(())
    }

    fn instant(&mut self, instant: &Instant<f64, N>) -> ControlFlow<()> {
        let Instant { before, after, .. } = instant;
        if self.failure.is_none() && (before.q, before.v) != (after.q, after.v) {
            let needs = std::format!("a motion whose state no event maps; one does at t = {}", after.t);
            self.failure = Some(refused(needs));
        }
        ControlFlow::Continue(())
    }
}

/// The error of a motion that has no exponent.
fn refused(needs: String) -> AnalysisError {
    AnalysisError::NotApplicable { analysis: "a Lyapunov exponent", needs }
}
