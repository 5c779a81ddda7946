//! The samples of a motion in memory.

use super::progress::Progress;
use crate::catalog::{Instant, Model, Output, Sample};
use crate::report::mechanism::InstantRow;
use std::ops::ControlFlow;

/// The samples of a motion, one series a quantity. Where a quantity jumps, there are two samples at one time.
pub(super) struct Motion {
    progress: Progress,
    pub(super) t: Vec<f64>,
    /// Whether each sample was added because of a jump, and is none of those that were asked for.
    at_jump: Vec<bool>,
    pub(super) q: Vec<Vec<f64>>,
    pub(super) v: Vec<Vec<f64>>,
    pub(super) kinetic: Vec<f64>,
    pub(super) potential: Vec<f64>,
    pub(super) energy: Vec<f64>,
    pub(super) outputs: Vec<Vec<f64>>,
    pub(super) powers: Vec<Vec<f64>>,
    pub(super) violations: Vec<Vec<f64>>,
    pub(super) multipliers: Vec<Vec<f64>>,
    /// What happened at instants, up to [`Motion::MOST_INSTANTS`].
    pub(super) instants: Vec<InstantRow>,
}

impl Motion {
    /// The largest number of instants that are kept.
    const MOST_INSTANTS: usize = 5000;

    /// An empty motion from 0 to this time.
    pub(super) fn new(t_end: f64) -> Self {
        Self {
            progress: Progress::to(t_end),
            t: Vec::new(),
            at_jump: Vec::new(),
            q: Vec::new(),
            v: Vec::new(),
            kinetic: Vec::new(),
            potential: Vec::new(),
            energy: Vec::new(),
            outputs: Vec::new(),
            powers: Vec::new(),
            violations: Vec::new(),
            multipliers: Vec::new(),
            instants: Vec::new(),
        }
    }
}

impl Output for Motion {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        // A sample at the end of a step has the time that was asked for, which may be a rounding beyond the jump there.
        let last = self.t.last().copied().filter(|last| sample.at_jump && (*last - sample.t) * last.signum() > 0.0);
        self.t.push(last.unwrap_or(sample.t));
        self.at_jump.push(sample.at_jump);
        for (columns, values) in [
            (&mut self.q, sample.q),
            (&mut self.v, sample.v),
            (&mut self.outputs, sample.outputs),
            (&mut self.powers, sample.powers),
            (&mut self.violations, sample.violations),
            (&mut self.multipliers, sample.multipliers),
        ] {
            columns.resize(values.len(), Vec::new());
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(*value);
            }
        }
        self.kinetic.extend(sample.energies.kinetic);
        self.potential.extend(sample.energies.potential);
        self.energy.push(sample.energies.energy);
        ControlFlow::Continue(())
    }

    fn instant(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        if self.instants.len() < Self::MOST_INSTANTS {
            self.instants.push(InstantRow {
                t: instant.t,
                what: instant.what().to_owned(),
                name: instant.name.to_owned(),
                impulse: instant.impulse,
                before: instant.before.concat(),
                after: instant.after.concat(),
            });
        }
        ControlFlow::Continue(())
    }

    fn takes_jumps(&self) -> bool {
        true
    }

    fn is_interrupted(&self, t: f64) -> bool {
        self.progress.is_interrupted(t)
    }
}

impl Motion {
    /// The samples of a series that were asked for, which are evenly spaced in time.
    pub(super) fn even(&self, series: &[f64]) -> Vec<f64> {
        series.iter().zip(&self.at_jump).filter(|(_, at_jump)| !**at_jump).map(|(value, _)| *value).collect()
    }

    /// The names of all series: t, coordinates, velocities, states, energies, outputs, powers and multipliers.
    pub(super) fn names(model: &dyn Model) -> Vec<String> {
        let coordinates = model.coordinates();
        let mut names = vec!["t".to_owned()];
        names.extend(coordinates.iter().map(|name| (*name).to_owned()));
        names.extend(model.components().velocities());
        names.extend(["kinetic", "potential", "energy"].map(str::to_owned));
        names.extend(model.outputs().iter().map(|name| (*name).to_owned()));
        names.extend(model.powers().iter().map(|name| format!("power({name})")));
        names.extend(model.constraints().iter().map(|name| format!("multiplier({name})")));
        names
    }

    /// The series of this name, if the motion has it.
    pub(super) fn series(&self, model: &dyn Model, name: &str) -> Option<&[f64]> {
        let energies = [&self.kinetic, &self.potential, &self.energy];
        let groups = [&self.outputs, &self.powers, &self.multipliers].into_iter().flatten();
        let all = std::iter::once(&self.t).chain(&self.q).chain(&self.v).chain(energies).chain(groups);
        let found = Self::names(model).iter().zip(all).find(|(known, _)| *known == name).map(|(_, series)| &series[..]);
        found.filter(|series| series.len() == self.t.len())
    }
}
