//! The motion, and what happens at its instants, as rows of tables.

use crate::catalog::{Feedback, Instant, Model, Output, Request, Sample, Summary, with_unit};
use crate::command::Failure;
use crate::command::interrupt::Interrupt;
use crate::command::progress::Progress;
use crate::command::sheet::{Columns, Sheet};
use lagrange_runtime::error::Number;
use lagrange_runtime::prelude::Outcome;
use std::ops::ControlFlow;

/// The initial state alone is no motion.
const LEAST: u64 = 2;

/// The tables of a simulation.
pub(super) struct Tables {
    /// The states.
    pub(super) states: Option<Sheet>,
    /// What happens at instants.
    pub(super) instants: Option<Sheet>,
    /// Whether Ctrl-C ends the motion, so that files keep their complete rows.
    pub(super) listens: bool,
}

/// Writes the tables as their rows come. A file is created with its first row and gets its name after the last one.
pub(super) fn write(model: &dyn Model, request: &Request, tables: Tables) -> Result<Summary, Failure> {
    let Tables { states, instants, listens } = tables;
    let unit = model.units().time;
    let interrupt = listens.then(Interrupt::listen);
    let (progress, feedback) = (Progress::to(request.t_end, unit), &request.feedback);
    let mut rows = Rows { states, instants, progress, interrupt, feedback, row: Vec::new() };
    let mut result = match model.simulate(request, &mut rows) {
        Ok(summary) if summary.outcome == Outcome::Stopped => {
            Err(Failure::Interrupted(format!("broken off at t = {}, as asked", with_unit(Number(summary.t), unit))))
        }
        result => result.map_err(Failure::from),
    };
    if let (Ok(_), Some(instants)) = (&result, &mut rows.instants) {
        instants.write_names();
    }
    let mut sheets = [(rows.states, LEAST), (rows.instants, 1)];
    // A failure to write is the reason for the end of the motion.
    if sheets[1].0.as_ref().is_some_and(Sheet::is_broken) {
        sheets.reverse();
    }
    for (sheet, least) in sheets {
        if let Some(sheet) = sheet {
            result = sheet.finish(result, least);
        }
    }
    result
}

/// The columns of what happens at instants: the state before and after each.
pub(super) fn instant_columns(model: &dyn Model) -> Columns {
    let coordinates = model.coordinates().iter().map(|name| (*name).to_owned());
    let components: Vec<String> = coordinates.chain(model.components().velocities()).collect();
    let side = |side: &'static str| components.iter().map(move |name| format!("{side}({name})"));
    let numbers = ["t", "impulse"].map(str::to_owned).into_iter().chain(side("before")).chain(side("after"));
    Columns::of(model, numbers.collect(), &["what", "name"])
}

/// The columns of the states of a mechanism. Inputs have columns where one of them follows a law.
pub(in crate::command) fn columns(model: &dyn Model, feedback: &Feedback) -> Columns {
    let names = model.coordinates();
    let mut numbers = vec!["t".to_owned()];
    numbers.extend(names.iter().map(|name| (*name).to_owned()));
    numbers.extend(model.components().velocities());
    numbers.extend(["kinetic", "potential", "energy"].map(str::to_owned));
    numbers.extend(model.outputs().iter().map(|name| (*name).to_owned()));
    numbers.extend(model.constraints().iter().map(|name| format!("multiplier({name})")));
    if !feedback.laws.is_empty() {
        numbers.extend(inputs(model).map(str::to_owned));
    }
    Columns::of(model, numbers, &[])
}

/// The names of the inputs.
pub(in crate::command) fn inputs(model: &dyn Model) -> impl Iterator<Item = &'static str> + use<> {
    model.parameters().into_iter().filter(|parameter| parameter.input).map(|parameter| parameter.name)
}

/// Writes the values of a state into `row`, in the order of [`columns`].
pub(in crate::command) fn row(sample: &Sample<'_>, feedback: &Feedback, row: &mut Vec<f64>) {
    row.clear();
    row.push(sample.t);
    row.extend(sample.q.iter().chain(sample.v));
    row.extend([sample.energies.kinetic, sample.energies.potential].map(|part| part.unwrap_or(f64::NAN)));
    row.push(sample.energies.energy);
    row.extend(sample.outputs.iter().chain(sample.multipliers));
    if !feedback.laws.is_empty() {
        row.extend(sample.inputs);
    }
}

/// States and instants as rows.
struct Rows<'r> {
    states: Option<Sheet>,
    instants: Option<Sheet>,
    progress: Progress,
    interrupt: Option<Interrupt>,
    feedback: &'r Feedback,
    row: Vec<f64>,
}

impl Output for Rows<'_> {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        let Some(sheet) = &mut self.states else { return ControlFlow::Continue(()) };
        row(sample, self.feedback, &mut self.row);
        sheet.add(&self.row, &[])
    }

    fn instant(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let Some(sheet) = &mut self.instants else { return ControlFlow::Continue(()) };
        self.row.clear();
        self.row.extend([instant.t, instant.impulse]);
        self.row.extend(instant.before.iter().chain(&instant.after).copied().flatten());
        sheet.add(&self.row, &[instant.what(), instant.name])
    }

    fn takes_states(&self) -> bool {
        self.states.is_some()
    }

    fn is_interrupted(&self, t: f64) -> bool {
        self.progress.show(t);
        self.interrupt.as_ref().is_some_and(Interrupt::is_set)
    }
}
