//! The motion as rows of a table.

use crate::catalog::{Model, Output, Request, Sample, Summary};
use crate::command::Failure;
use crate::command::interrupt::Interrupt;
use crate::command::progress::Progress;
use crate::command::sheet::{Columns, Sheet, Table};
use lagrange_runtime::error::Number;
use lagrange_runtime::prelude::Outcome;
use std::ops::ControlFlow;
use std::path::Path;

/// The initial state alone is no motion.
const LEAST: u64 = 2;

/// Writes the states to the standard output as CSV, as they come; those before a failure stay written.
pub(super) fn to_standard_output(model: &dyn Model, request: &Request) -> Result<Summary, Failure> {
    let mut rows = Rows::new(request, Sheet::standard_output(columns(model)), None);
    let result = model.simulate(request, &mut rows);
    rows.sheet.finish(result.map_err(Failure::from), LEAST)
}

/// Writes the states to a file, which is created with the first of them and gets its name after the last.
pub(super) fn to_file(
    model: &dyn Model,
    request: &Request,
    table: Box<dyn Table>,
    (path, replace): (&Path, bool),
) -> Result<Summary, Failure> {
    let sheet = Sheet::file(path, replace, table, columns(model));
    let mut rows = Rows::new(request, sheet, Some(Interrupt::listen()));
    let result = match model.simulate(request, &mut rows) {
        Ok(summary) if summary.outcome == Outcome::Stopped => {
            Err(Failure::Interrupted(format!("broken off at t = {} s, as asked", Number(summary.t))))
        }
        result => result.map_err(Failure::from),
    };
    rows.sheet.finish(result, LEAST)
}

/// The columns of the states of a mechanism.
fn columns(model: &dyn Model) -> Columns {
    let names = model.coordinates();
    let mut numbers = vec!["t".to_owned()];
    numbers.extend(names.iter().map(|name| (*name).to_owned()));
    numbers.extend(model.components().velocities());
    numbers.extend(["kinetic", "potential", "energy"].map(str::to_owned));
    numbers.extend(model.outputs().iter().map(|name| (*name).to_owned()));
    numbers.extend(model.constraints().iter().map(|name| format!("multiplier({name})")));
    Columns { numbers, texts: Vec::new() }
}

/// States as rows.
struct Rows {
    sheet: Sheet,
    progress: Progress,
    interrupt: Option<Interrupt>,
    row: Vec<f64>,
}

impl Rows {
    fn new(request: &Request, sheet: Sheet, interrupt: Option<Interrupt>) -> Self {
        Self { sheet, progress: Progress::to(request.t_end), interrupt, row: Vec::new() }
    }
}

impl Output for Rows {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        self.row.clear();
        self.row.push(sample.t);
        self.row.extend(sample.q.iter().chain(sample.v));
        self.row.extend([sample.energies.kinetic, sample.energies.potential].map(|part| part.unwrap_or(f64::NAN)));
        self.row.push(sample.energies.energy);
        self.row.extend(sample.outputs.iter().chain(sample.multipliers));
        self.sheet.add(&self.row, &[])
    }

    fn is_interrupted(&self, t: f64) -> bool {
        self.progress.show(t);
        self.interrupt.as_ref().is_some_and(Interrupt::is_set)
    }
}
