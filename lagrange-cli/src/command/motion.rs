//! The samples of a motion in memory.

use super::progress::Progress;
use super::simulate::rows::inputs;
use crate::analysis::decimate;
use crate::catalog::{InputSample, Instant, Model, Output, Sample, Summary, stem};
use crate::report::mechanism::InstantRow;
use std::ops::ControlFlow;

/// The samples of a motion, one series a quantity: those asked for, and between them so many that straight lines keep to the motion.
/// Where a quantity jumps, there are two samples at one time.
///
/// Of a motion that needs very many, only the first part is kept in this way: see [`Motion::whole`].
pub(super) struct Motion {
    progress: Progress,
    pub(super) t: Vec<f64>,
    /// Whether each sample is one of those that were asked for.
    asked: Vec<bool>,
    /// How many samples were asked for.
    asked_count: usize,
    /// How many samples there are from the start between which straight lines keep to the motion, if those are not all. Later ones are
    /// the extremes of each series in stretches of time, and what was asked for.
    whole: Option<usize>,
    pub(super) q: Vec<Vec<f64>>,
    pub(super) v: Vec<Vec<f64>>,
    pub(super) kinetic: Vec<f64>,
    pub(super) potential: Vec<f64>,
    pub(super) energy: Vec<f64>,
    pub(super) outputs: Vec<Vec<f64>>,
    pub(super) powers: Vec<Vec<f64>>,
    pub(super) violations: Vec<Vec<f64>>,
    pub(super) multipliers: Vec<Vec<f64>>,
    pub(super) inputs: Vec<Vec<f64>>,
    /// The values of each coordinate and of each velocity below which they are rounding.
    pub(super) rounding: [Vec<f64>; 2],
    /// The numbers of components of the outputs.
    vectors: Vec<usize>,
    /// What happened at instants, up to [`Motion::MOST_INSTANTS`].
    pub(super) instants: Vec<InstantRow>,
}

impl Motion {
    /// The largest number of instants that are kept.
    const MOST_INSTANTS: usize = 5000;
    /// The largest number of values that are kept besides those that were asked for: 32 MB.
    const MOST_VALUES: usize = 4_000_000;

    /// An empty motion of this mechanism from 0 to this time.
    pub(super) fn new(model: &dyn Model, t_end: f64) -> Self {
        let of_one_output = |a: &&str, b: &&str| stem(a) == stem(b);
        Self {
            progress: Progress::to(t_end, model.units().time),
            t: Vec::new(),
            asked: Vec::new(),
            asked_count: 0,
            whole: None,
            q: Vec::new(),
            v: Vec::new(),
            kinetic: Vec::new(),
            potential: Vec::new(),
            energy: Vec::new(),
            outputs: Vec::new(),
            powers: Vec::new(),
            violations: Vec::new(),
            multipliers: Vec::new(),
            inputs: Vec::new(),
            rounding: [Vec::new(), Vec::new()],
            vectors: model.outputs().chunk_by(of_one_output).map(<[_]>::len).collect(),
            instants: Vec::new(),
        }
    }
}

impl Output for Motion {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        // A sample at the end of a step has the time that was asked for, which may be a rounding beyond the jump there.
        let last = self.t.last().copied().filter(|last| sample.between && (*last - sample.t) * last.signum() > 0.0);
        self.t.push(last.unwrap_or(sample.t));
        self.asked.push(!sample.between);
        for (columns, values) in [
            (&mut self.q, sample.q),
            (&mut self.v, sample.v),
            (&mut self.outputs, sample.outputs),
            (&mut self.powers, sample.powers),
            (&mut self.violations, sample.violations),
            (&mut self.multipliers, sample.multipliers),
            (&mut self.inputs, sample.inputs),
        ] {
            columns.resize(values.len(), Vec::new());
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(*value);
            }
        }
        for (kept, values) in self.rounding.iter_mut().zip(sample.rounding) {
            values.clone_into(kept);
        }
        self.kinetic.extend(sample.energies.kinetic);
        self.potential.extend(sample.energies.potential);
        self.energy.push(sample.energies.energy);
        self.asked_count += usize::from(!sample.between);
        self.bound();
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

    fn takes_curves(&self) -> bool {
        true
    }

    fn is_interrupted(&self, t: f64) -> bool {
        self.progress.is_interrupted(t)
    }
}

impl Motion {
    /// How many samples there are from the start between which straight lines keep to the motion.
    pub(super) fn whole(&self) -> usize {
        self.whole.unwrap_or(self.t.len())
    }

    /// Which of the first [`Motion::whole`] samples straight lines need so that they keep to all coordinates, velocities, states and
    /// outputs and inputs, up to half a pixel.
    fn needed(&self) -> Vec<usize> {
        let end = self.whole();
        let backwards = self.t.first() > self.t.last();
        let times: Vec<f64> = self.t[..end].iter().map(|t| if backwards { -t } else { *t }).collect();
        let mut all: Vec<(&[f64], f64)> = Vec::new();
        for (kind, rounding) in [&self.q, &self.v].into_iter().zip(&self.rounding) {
            // States have no kinetic energy to be rounding beside.
            let rounding = rounding.iter().copied().chain(std::iter::repeat(0.0));
            all.extend(kind.iter().zip(rounding).map(|(series, rounding)| {
                let series = &series[..end];
                (series, decimate::allowed(&[series]).max(rounding))
            }));
        }
        let mut outputs = &self.outputs[..];
        for count in &self.vectors {
            let (components, rest) = outputs.split_at(*count);
            let components: Vec<&[f64]> = components.iter().map(|series| &series[..end]).collect();
            let allowed = decimate::allowed(&components);
            all.extend(components.into_iter().map(|series| (series, allowed)));
            outputs = rest;
        }
        all.extend(self.inputs.iter().map(|series| (&series[..end], decimate::allowed(&[&series[..end]]))));
        decimate::chords(&times, &all)
    }

    fn columns(&mut self) -> impl Iterator<Item = &mut Vec<f64>> {
        let groups = [
            &mut self.q,
            &mut self.v,
            &mut self.outputs,
            &mut self.powers,
            &mut self.violations,
            &mut self.multipliers,
            &mut self.inputs,
        ];
        let energies = [&mut self.t, &mut self.kinetic, &mut self.potential, &mut self.energy];
        groups.into_iter().flatten().chain(energies)
    }

    /// Drops samples where there are very many.
    fn bound(&mut self) {
        let first = self.whole.unwrap_or(0);
        // Most motions stay far below the bound.
        if self.t.len() - first < 1000 {
            return;
        }
        let most = (Self::MOST_VALUES / self.columns().count()).max(4 * self.asked_count);
        if self.t.len() - first < most {
            return;
        }
        if self.whole.is_none() {
            let needed = self.needed();
            self.keep(0, needed);
            if 2 * self.t.len() > most {
                self.whole = Some(self.t.len());
            }
            return;
        }
        let times = self.t[first..].to_vec();
        let all: Vec<Vec<f64>> =
            self.columns().filter(|column| column.len() > first).map(|column| column[first..].to_vec()).collect();
        let series: Vec<&[f64]> = all.iter().map(Vec::as_slice).collect();
        let kept = decimate::indices(&times, &series, most / 4);
        self.keep(first, kept);
    }

    /// Drops the samples from `first` on but those asked for and those of the given places from there.
    fn keep(&mut self, first: usize, kept: Vec<usize>) {
        let mut stays = vec![false; self.t.len() - first];
        for index in kept {
            stays[index] = true;
        }
        for (stays, asked) in stays.iter_mut().zip(&self.asked[first..]) {
            *stays |= asked;
        }
        let stays = |index: usize| index < first || stays[index - first];
        for column in self.columns() {
            let mut index = 0;
            column.retain(|_| {
                index += 1;
                stays(index - 1)
            });
        }
        let mut index = 0;
        self.asked.retain(|_| {
            index += 1;
            stays(index - 1)
        });
    }

    /// The samples of a series that were asked for, which are evenly spaced in time.
    pub(super) fn even(&self, series: &[f64]) -> Vec<f64> {
        series.iter().zip(&self.asked).filter(|(_, asked)| **asked).map(|(value, _)| *value).collect()
    }

    /// The names of all series: t, coordinates, velocities, states, energies, outputs, powers, multipliers and inputs.
    pub(super) fn names(model: &dyn Model) -> Vec<String> {
        let coordinates = model.coordinates();
        let mut names = vec!["t".to_owned()];
        names.extend(coordinates.iter().map(|name| (*name).to_owned()));
        names.extend(model.components().velocities());
        names.extend(["kinetic", "potential", "energy"].map(str::to_owned));
        names.extend(model.outputs().iter().map(|name| (*name).to_owned()));
        names.extend(model.powers().iter().map(|name| format!("power({name})")));
        names.extend(model.constraints().iter().map(|name| format!("multiplier({name})")));
        names.extend(inputs(model).map(str::to_owned));
        names
    }

    /// The series of this name, if the motion has it.
    pub(super) fn series(&self, model: &dyn Model, name: &str) -> Option<&[f64]> {
        let energies = [&self.kinetic, &self.potential, &self.energy];
        let groups = [&self.outputs, &self.powers, &self.multipliers, &self.inputs].into_iter().flatten();
        let all = std::iter::once(&self.t).chain(&self.q).chain(&self.v).chain(energies).chain(groups);
        let found = Self::names(model).iter().zip(all).find(|(known, _)| *known == name).map(|(_, series)| &series[..]);
        found.filter(|series| series.len() == self.t.len())
    }
}

/// Inputs that are sampled, as curves of straight lines: each keeps its value until the next sample, where it jumps. The times, and a
/// series for each input.
pub(super) fn stairs(samples: &[InputSample], end: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
    let inputs = samples.first().map_or(0, |(_, values)| values.len());
    let ends = samples.iter().skip(1).map(|(t, _)| *t).chain([end]);
    let steps = samples.iter().zip(ends);
    let t = steps.clone().flat_map(|((from, _), to)| [*from, to]).collect();
    let of = |input: usize| steps.clone().flat_map(|((_, values), _)| [values[input]; 2]).collect();
    (t, (0..inputs).map(of).collect())
}

/// The time at which the samples that are kept of a motion's inputs end, and a warning if the motion goes on.
pub(super) fn samples_end(summary: &Summary) -> (f64, Option<String>) {
    let kept = summary.input_samples.len();
    match summary.input_samples.last() {
        Some((last, _)) if kept as u64 != summary.input_sample_count => {
            let count = summary.input_sample_count;
            (*last, Some(format!("the picture of the inputs shows the first {kept} of {count} samples")))
        }
        _ => (summary.t, None),
    }
}
