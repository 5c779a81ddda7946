//! Recordings, and what a mechanism computes for their samples.

use super::{Unknown, refused};
use crate::analysis::AnalysisError;
use crate::analysis::sensitivity::{Sensitivities, Variable, seeded, sensitivities, values_of};
use crate::method::OnDuals;
use crate::options::Options;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::{Mechanism, Sensors};
use nalgebra::{DMatrix, DVector, SVector};
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

/// A measurement: `value` at time `t` with the standard deviation `deviation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The time. Samples are in the order of time, and several may have one time.
    pub t: f64,
    /// The index of the measured component in (q, v), below 2N, or 2N plus the index of a component of the outputs.
    pub measured: usize,
    /// The value.
    pub value: f64,
    /// Its standard deviation, in the unit of the value; positive.
    pub deviation: f64,
}

impl Sample {
    /// A measurement of what has this name: a coordinate `x`, its velocity `dot(x)`, a state `z`, or a component of the outputs.
    ///
    /// # Errors
    /// [`AnalysisError::UnknownName`] with the names that exist. [`AnalysisError::Prepare`] for parameters without equations.
    pub fn named<M, const N: usize, const C: usize, const U: usize>(
        mechanism: &M,
        name: &str,
        t: f64,
        value: f64,
        deviation: f64,
    ) -> Result<Self, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let system = mechanism.prepare::<f64>()?;
        let outputs = system.output_names();
        let measured = match Variable::<N>::named(mechanism, name) {
            Ok(Variable::Coordinate(index)) => Some(index),
            Ok(Variable::Velocity(index)) => Some(N + index),
            _ => outputs.iter().position(|known| *known == name).map(|index| 2 * N + index),
        };
        let measured = measured.ok_or_else(|| AnalysisError::UnknownName {
            kind: "coordinate or output",
            name: name.to_string(),
            known: M::COORDINATES.iter().chain(outputs).map(ToString::to_string).collect(),
        })?;
        Ok(Self { t, measured, value, deviation })
    }
}

/// A motion that was measured: its initial state, and samples in the order of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recording<'a, const N: usize> {
    /// A name for messages and for the names of estimated initial values.
    pub name: &'a str,
    /// The initial state, or a guess of it where its components are estimated.
    pub initial: State<f64, N>,
    /// The samples.
    pub samples: &'a [Sample],
}

impl<'a, const N: usize> Recording<'a, N> {
    /// The recording of this name.
    #[must_use]
    pub fn new(name: &'a str, initial: State<f64, N>, samples: &'a [Sample]) -> Self {
        Self { name, initial, samples }
    }

    /// Where a sample is, for messages. The only recording needs no name.
    fn place(&self) -> String {
        if self.name.is_empty() { String::new() } else { std::format!(" of recording `{}`", self.name) }
    }

    fn check(&self, coordinates: usize, outputs: usize) -> Result<(), AnalysisError> {
        let place = self.place();
        for (index, sample) in self.samples.iter().enumerate() {
            if !(sample.deviation > 0.0 && sample.deviation.is_finite()) {
                return Err(refused(std::format!(
                    "positive deviations; that of sample {index}{place} is {}",
                    sample.deviation
                )));
            }
            if sample.measured >= 2 * coordinates + outputs {
                return Err(refused(std::format!(
                    "samples of (q, v) or of the {outputs} outputs; sample {index}{place} is of component {}",
                    sample.measured
                )));
            }
            if !(sample.value.is_finite() && sample.t.is_finite()) {
                return Err(refused(std::format!(
                    "finite samples; sample {index}{place} is {} at {}",
                    sample.value,
                    sample.t
                )));
            }
        }
        let start = self.initial.t;
        let backward = self.samples.last().is_some_and(|last| last.t < start);
        let is_after = |later: f64, earlier: f64| if backward { later <= earlier } else { later >= earlier };
        let mut before = (start, "that of the initial state".to_string());
        for (index, sample) in self.samples.iter().enumerate() {
            if !is_after(sample.t, before.0) {
                return Err(refused(std::format!(
                    "samples in the order of time from the initial state on; the time {} of sample {index}{place} follows {}, which is {}",
                    sample.t,
                    before.1,
                    before.0
                )));
            }
            before = (sample.t, std::format!("that of sample {index}"));
        }
        Ok(())
    }
}

/// Checks the recordings for an estimation of `values` values.
pub(super) fn check<M, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    recordings: &[Recording<'_, N>],
    values: usize,
) -> Result<(), AnalysisError>
where
    M: Mechanism<N, C, U>,
{
    if recordings.is_empty() {
        return Err(refused("at least one recording".to_string()));
    }
    let outputs = mechanism.prepare::<f64>()?.output_names().len();
    for (place, recording) in recordings.iter().enumerate() {
        if recordings.iter().take(place).any(|other| other.name == recording.name) {
            return Err(refused(std::format!("recordings of different names; two are named `{}`", recording.name)));
        }
        recording.check(N, outputs)?;
    }
    let samples: usize = recordings.iter().map(|recording| recording.samples.len()).sum();
    match samples < values || values == 0 {
        true => Err(refused(std::format!("at least as many samples as values; {samples} for {values}"))),
        false => Ok(()),
    }
}

/// The residuals of all samples over their deviations, and the derivatives of the computed values over the deviations: a row for each sample,
/// a column for each unknown.
pub(super) fn residuals<M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
    mechanism: &M,
    (recordings, initials): (&[Recording<'_, N>], &[State<f64, N>]),
    unknowns: &[Unknown<N>],
    method: &I,
    options: &Options<'_, Dual<f64, W>, N>,
) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError>
where
    M: Mechanism<N, C, U>,
    I: OnDuals<N, C, W>,
{
    let count = recordings.iter().map(|recording| recording.samples.len()).sum();
    let (mut residual, mut jacobian) = (DVector::zeros(count), DMatrix::zeros(count, unknowns.len()));
    let mut first = 0;
    for (place, (recording, initial)) in recordings.iter().zip(initials).enumerate() {
        let own = |unknown: &Unknown<N>| unknown.recording.is_none_or(|recording| recording == place);
        let columns: Vec<usize> = (0..unknowns.len()).filter(|&k| own(&unknowns[k])).collect();
        let variables: Vec<Variable<N>> = columns.iter().map(|&k| unknowns[k].variable).collect();
        // Several samples at one time use one state.
        let mut times: Vec<f64> = recording.samples.iter().map(|sample| sample.t).collect();
        times.dedup();
        let found = sensitivities(mechanism, initial, &times, method, options, &variables)?;
        let sensed = match recording.samples.iter().any(|sample| sample.measured >= 2 * N) {
            true => outputs::<M, N, C, U, W>(mechanism, &found, &variables)?,
            false => Vec::new(),
        };
        let mut time = 0;
        for (row, sample) in recording.samples.iter().enumerate() {
            while time + 1 < times.len() && times[time] != sample.t {
                time += 1;
            }
            let (Some(state), Some(by)) = (found.states.get(time), found.derivatives.get(time)) else { continue };
            let (computed, slopes) = match sample.measured {
                index if index < N => (state.q[index], by.row(index).into_owned()),
                index if index < 2 * N => (state.v[index - N], by.row(index).into_owned()),
                index => match sensed.get(time) {
                    Some((values, by)) => (values[index - 2 * N], by.row(index - 2 * N).into_owned()),
                    None => continue,
                },
            };
            residual[first + row] = (sample.value - computed) / sample.deviation;
            for (slope, &column) in slopes.iter().zip(&columns) {
                jacobian[(first + row, column)] = slope / sample.deviation;
            }
        }
        first += recording.samples.len();
    }
    Ok((residual, jacobian))
}

/// The outputs at a state, and their derivatives.
type Sensed = (DVector<f64>, DMatrix<f64>);

/// The outputs at each state, and their derivatives: a row for each component of the outputs, a column for each variable.
fn outputs<M, const N: usize, const C: usize, const U: usize, const W: usize>(
    mechanism: &M,
    found: &Sensitivities<N>,
    variables: &[Variable<N>],
) -> Result<Vec<Sensed>, AnalysisError>
where
    M: Mechanism<N, C, U>,
{
    let values = (values_of(mechanism, M::PARAMETERS)?, values_of(mechanism, &M::INPUTS)?);
    let count = mechanism.prepare::<f64>()?.output_names().len();
    let empty = (DVector::zeros(count), DMatrix::zeros(count, variables.len()));
    let mut sensed = vec![empty; found.states.len()];
    for (pass, chunk) in variables.chunks(W.max(1)).enumerate() {
        let (parameters, u) = seeded::<N, U, W>(&values, chunk);
        let system = M::prepare_from::<Dual<f64, W>>(&parameters, &u)?;
        let column = |k: usize| pass * W + k;
        for ((state, by), (values, slopes)) in found.states.iter().zip(&found.derivatives).zip(&mut sensed) {
            let lifted = |value: f64, row: usize| {
                let derivative = |k: usize| if k < chunk.len() { by[(row, column(k))] } else { 0.0 };
                Dual { value, derivatives: core::array::from_fn(derivative) }
            };
            let q = SVector::<Dual<f64, W>, N>::from_fn(|i, _| lifted(state.q[i], i));
            let v = SVector::<Dual<f64, W>, N>::from_fn(|i, _| lifted(state.v[i], N + i));
            let mut out = vec![Dual::<f64, W>::constant(0.0); count];
            system.outputs(Dual::constant(state.t), &q, &v, &u, &mut out);
            for (row, output) in out.iter().enumerate() {
                values[row] = output.value;
                for k in 0..chunk.len() {
                    slopes[(row, column(k))] = output.derivatives[k];
                }
            }
        }
    }
    Ok(sensed)
}
