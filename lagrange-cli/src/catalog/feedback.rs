//! Inputs that follow laws: the closed loops of the command line.

use super::{Components, MethodName, RequestError};
use crate::parse::Expression;
use crate::suggest::explain_unknown;
use lagrange_runtime::controller::{Controller, Law, Sampled};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::Facts;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Laws of inputs, as texts.
///
/// An input without a law keeps its default value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feedback {
    /// The names of inputs, each with an expression of `t`, the coordinates, the velocities, the states and the parameters.
    pub laws: Vec<(String, String)>,
    /// The time between two samples, between which each input keeps its value. `None` lets inputs follow their laws at every time.
    pub period: Option<f64>,
}

impl Feedback {
    /// Of `facts`, which hold while inputs are constant, those that hold with the laws.
    pub(crate) fn facts(&self, facts: Facts) -> Facts {
        if self.laws.is_empty() { facts } else { in_closed_loop(facts) }
    }

    /// Refuses methods whose steps need derivatives of the laws, if laws act between samples.
    pub(super) fn check(&self, method: MethodName) -> Result<(), RequestError> {
        if self.laws.is_empty() || self.period.is_some() || method.kind().is_explicit() {
            return Ok(());
        }
        Err(RequestError::BadLaw(format!(
            "{} cannot be used with --input, because its steps need derivatives that a law of an input does not have; choose an explicit \
             method such as --method dop853, or sample the law by --period",
            method.label()
        )))
    }
}

/// The facts that hold whatever inputs depend on.
pub(super) const fn in_closed_loop(facts: Facts) -> Facts {
    Facts {
        autonomous: false,
        conservative: false,
        separable: false,
        velocity_free_acceleration: false,
        velocity_free_forcing: false,
        ..facts
    }
}

/// The largest number of samples that are kept for pictures.
const MOST_SAMPLES: usize = 50_000;

/// A sample of all inputs: the time at which it is taken, and the values until the next one.
pub type InputSample = (f64, Vec<f64>);

/// The inputs of a mechanism, some of which follow laws.
pub(super) struct Laws<const U: usize> {
    /// Indices of inputs with their laws.
    laws: Vec<(usize, Expression)>,
    defaults: SVector<f64, U>,
    /// The values of the parameters, which stand behind the quantities of the state.
    parameters: Vec<f64>,
    coordinates: usize,
    period: Option<f64>,
    memory: Mutex<Memory<U>>,
}

/// The memory of a sampled controller.
#[derive(Default)]
struct Memory<const U: usize> {
    /// The inputs until the next sample. There are none before the first sample.
    held: Option<[f64; U]>,
    samples: Vec<InputSample>,
    count: u64,
}

impl<const U: usize> Laws<U> {
    /// Reads the laws for a mechanism with these names. `parameters` are names and values, `given` the names that --set gives values to.
    ///
    /// # Errors
    /// [`RequestError::BadLaw`] for a name that is no input, an input with two values, and an expression that cannot be read.
    pub(super) fn new(
        feedback: &Feedback,
        components: Components<'_>,
        (inputs, defaults): (&[&str], SVector<f64, U>),
        parameters: &[(&str, f64)],
        given: &[(String, f64)],
    ) -> Result<Self, RequestError> {
        let bad = |text: String| RequestError::BadLaw(text);
        let state = components.coordinates().iter().map(|name| (*name).to_owned()).chain(components.velocities());
        let names: Vec<String> = std::iter::once("t".to_owned())
            .chain(state)
            .chain(parameters.iter().map(|(name, _)| (*name).to_owned()))
            .collect();
        let mut laws: Vec<(usize, Expression)> = Vec::new();
        for (name, text) in &feedback.laws {
            let Some(index) = inputs.iter().position(|input| input == name) else {
                let known: Vec<String> = inputs.iter().map(|input| (*input).to_owned()).collect();
                return Err(bad(format!("--input: {}", explain_unknown("input", name, &known))));
            };
            if laws.iter().any(|(other, _)| *other == index) {
                return Err(bad(format!("--input gives `{name}` two laws; give it one")));
            }
            if given.iter().any(|(other, _)| other == name) {
                return Err(bad(format!("`{name}` has a value by --set and a law by --input; give it one of them")));
            }
            let law = Expression::read(text, &names).map_err(|error| bad(format!("--input {name}: {error}")))?;
            laws.push((index, law));
        }
        Ok(Self {
            laws,
            defaults,
            parameters: parameters.iter().map(|(_, value)| *value).collect(),
            coordinates: components.coordinates().len(),
            period: feedback.period,
            memory: Mutex::default(),
        })
    }

    fn memory(&self) -> MutexGuard<'_, Memory<U>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The inputs that the laws demand at a state, of which `q` may contain hidden coordinates of states.
    fn demanded(&self, t: f64, q: &[f64], v: &[f64]) -> SVector<f64, U> {
        let count = self.coordinates;
        let quantity = |index: usize| match index {
            0 => t,
            index if index <= count => q[index - 1],
            index if index <= count + v.len() => v[index - 1 - count],
            index => self.parameters[index - 1 - count - v.len()],
        };
        let mut inputs = self.defaults;
        for (index, law) in &self.laws {
            inputs[*index] = law.value(&quantity);
        }
        inputs
    }

    /// The inputs at a state. With a period they are the inputs of the last sample, if there was one.
    pub(super) fn inputs(&self, t: f64, q: &[f64], v: &[f64]) -> SVector<f64, U> {
        let held = if self.period.is_some() { self.memory().held } else { None };
        held.map_or_else(|| self.demanded(t, q, v), SVector::from)
    }
}

/// The inputs, as an integration and its observers ask for them.
pub(super) trait Drive {
    /// The time between two samples, if the laws are sampled.
    fn period(&self) -> Option<f64>;
    /// Forgets all samples, at the start of an integration.
    fn restart(&self);
    /// Takes a sample at a state.
    fn sample(&self, t: f64, q: &[f64], v: &[f64]);
    /// Writes the inputs at a state behind the contents of a list.
    fn write(&self, t: f64, q: &[f64], v: &[f64], out: &mut Vec<f64>);
    /// The samples since the start, of which the first ones are kept, and how many there were.
    fn samples(&self) -> (Vec<InputSample>, u64);
}

impl<const U: usize> Drive for Laws<U> {
    fn period(&self) -> Option<f64> {
        self.period
    }

    fn restart(&self) {
        *self.memory() = Memory::default();
    }

    fn sample(&self, t: f64, q: &[f64], v: &[f64]) {
        let demanded = self.demanded(t, q, v);
        let mut memory = self.memory();
        memory.held = Some(demanded.into());
        memory.count += 1;
        if memory.samples.len() < MOST_SAMPLES {
            memory.samples.push((t, demanded.as_slice().to_vec()));
        }
    }

    fn write(&self, t: f64, q: &[f64], v: &[f64], out: &mut Vec<f64>) {
        out.extend(&self.inputs(t, q, v));
    }

    fn samples(&self) -> (Vec<InputSample>, u64) {
        let memory = self.memory();
        (memory.samples.clone(), memory.count)
    }
}

/// The times of the samples, as the controller of an integration without inputs: the inputs themselves are in the equations.
pub(super) struct Clock<'d>(Option<Sampled<f64, Sampler<'d>, 0>>);

/// Takes a sample.
struct Sampler<'d>(&'d dyn Drive);

impl<'d> Clock<'d> {
    /// The clock of an integration that starts.
    pub(super) fn start(drive: &'d dyn Drive) -> Self {
        drive.restart();
        Self(drive.period().map(|period| Sampled::of(period, Sampler(drive))))
    }
}

impl<const N: usize> Law<f64, N, 0> for Sampler<'_> {
    fn sample(&mut self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>) -> SVector<f64, 0> {
        self.0.sample(t, q.as_slice(), v.as_slice());
        SVector::zeros()
    }
}

impl<const N: usize> Controller<f64, N, 0> for Clock<'_> {
    fn input(&mut self, _: f64, _: &SVector<f64, N>, _: &SVector<f64, N>) -> SVector<f64, 0> {
        SVector::zeros()
    }

    fn next_discontinuity(&self, from: f64, to: f64) -> Option<f64> {
        Controller::<f64, N, 0>::next_discontinuity(self.0.as_ref()?, from, to)
    }

    fn arrive(&mut self, t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>) {
        if let Some(sampled) = &mut self.0 {
            sampled.arrive(t, q, v);
        }
    }

    fn holds(&self) -> bool {
        self.0.as_ref().is_some_and(Controller::<f64, N, 0>::holds)
    }

    fn check(&self) -> Result<(), Failure> {
        self.0.as_ref().map_or(Ok(()), Controller::<f64, N, 0>::check)
    }
}
