//! What a simulation gives, as it is computed without the interpreter.

use crate::signals::Signals;
use lagrange_cli::catalog::{Instant, Output, Sample};
use lagrange_cli::lagrange_runtime::instant::Cause;
use std::ops::ControlFlow;

/// The states of a motion, sample by sample, and the crossings of its events.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) t: Vec<f64>,
    /// Coordinates, velocities and states.
    pub(crate) y: Vec<f64>,
    /// T and V, NaN where the block does not state them, and h.
    pub(crate) energies: Vec<f64>,
    pub(crate) outputs: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
    pub(crate) inputs: Vec<f64>,
    /// For each event the times of its crossings, and the states.
    pub(crate) crossings: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Record {
    /// The record of a motion with so many events.
    pub(crate) fn new(events: usize) -> Self {
        Self { crossings: vec![Default::default(); events], ..Self::default() }
    }

    fn receive(&mut self, sample: &Sample<'_>) {
        self.t.push(sample.t);
        self.y.extend(sample.q.iter().chain(sample.v));
        let energies = &sample.energies;
        let stated = [energies.kinetic, energies.potential].map(|energy| energy.unwrap_or(f64::NAN));
        self.energies.extend(stated.into_iter().chain([energies.energy]));
        self.outputs.extend(sample.outputs);
        self.multipliers.extend(sample.multipliers);
        self.inputs.extend(sample.inputs);
    }

    fn instant(&mut self, instant: &Instant<'_>) {
        if let Cause::Event(index) = instant.cause
            && let Some((times, states)) = self.crossings.get_mut(index)
        {
            times.push(instant.t);
            states.extend(instant.before.iter().copied().flatten());
        }
    }
}

/// Writes a record, and ends the motion where a handler of signals raises.
pub(crate) struct Recorder {
    pub(crate) record: Record,
    pub(crate) signals: Signals,
}

impl Output for Recorder {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        self.record.receive(sample);
        ControlFlow::Continue(())
    }

    fn instant(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        self.record.instant(instant);
        ControlFlow::Continue(())
    }

    fn is_interrupted(&self, _: f64) -> bool {
        self.signals.have_raised()
    }
}
