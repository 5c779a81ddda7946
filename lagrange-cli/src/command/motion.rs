//! The samples of a motion in memory.

use super::progress::Progress;
use crate::catalog::{Model, Output, Sample};
use std::ops::ControlFlow;

/// The samples of a motion, one series a quantity.
pub(super) struct Motion {
    progress: Progress,
    pub(super) t: Vec<f64>,
    pub(super) q: Vec<Vec<f64>>,
    pub(super) v: Vec<Vec<f64>>,
    pub(super) kinetic: Vec<f64>,
    pub(super) potential: Vec<f64>,
    pub(super) energy: Vec<f64>,
    pub(super) outputs: Vec<Vec<f64>>,
    pub(super) powers: Vec<Vec<f64>>,
    pub(super) violations: Vec<Vec<f64>>,
    pub(super) multipliers: Vec<Vec<f64>>,
}

impl Motion {
    /// An empty motion from 0 to this time.
    pub(super) fn new(t_end: f64) -> Self {
        Self {
            progress: Progress::to(t_end),
            t: Vec::new(),
            q: Vec::new(),
            v: Vec::new(),
            kinetic: Vec::new(),
            potential: Vec::new(),
            energy: Vec::new(),
            outputs: Vec::new(),
            powers: Vec::new(),
            violations: Vec::new(),
            multipliers: Vec::new(),
        }
    }
}

impl Output for Motion {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        self.t.push(sample.t);
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

    fn is_interrupted(&self, t: f64) -> bool {
        self.progress.is_interrupted(t)
    }
}

impl Motion {
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
