//! The motion as rows of a table.

use super::table::{Csv, Table};
use crate::catalog::{Model, Output, Request, Sample, Summary};
use crate::command::Failure;
use crate::command::interrupt::Interrupt;
use crate::command::output::{NewFile, quoted};
use crate::command::progress::Progress;
use lagrange_runtime::error::Number;
use lagrange_runtime::prelude::Outcome;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// How many bytes of rows are collected before they are written.
const BATCH: usize = 1 << 16;

/// Writes the states to the standard output as CSV, as they come; those before a failure stay written.
pub(super) fn to_standard_output(model: &dyn Model, request: &Request) -> Result<Summary, Failure> {
    let (mut out, mut table) = (io::stdout().lock(), Csv);
    let mut rows =
        Rows::new(model, (Progress::to(request.t_end), None), &mut table, |bytes: &[u8]| out.write_all(bytes));
    let result = model.simulate(request, &mut rows);
    rows.finish();
    rows.written.and_then(|()| out.flush()).map_err(|error| Failure::output("the standard output", &error))?;
    Ok(result?)
}

/// Writes the states to a file, which is created with the first of them and gets its name after the last.
pub(super) fn to_file(
    model: &dyn Model,
    request: &Request,
    table: &mut dyn Table,
    (path, replace): (&Path, bool),
) -> Result<Summary, Failure> {
    let (mut file, mut refused) = (None, None);
    let write = |bytes: &[u8]| {
        if file.is_none() {
            match NewFile::create(path, replace) {
                Ok(new) => file = Some(new),
                Err(failure) => {
                    refused = Some(failure);
                    return Err(io::Error::other("not created"));
                }
            }
        }
        file.as_mut().map_or(Ok(()), |file| file.write(bytes))
    };
    let mut rows = Rows::new(model, (Progress::to(request.t_end), Some(Interrupt::listen())), table, write);
    let result = model.simulate(request, &mut rows);
    rows.finish();
    let (count, written) = (rows.count, rows.written);
    if let Some(failure) = refused {
        return Err(failure);
    }
    let failure = match (written, result) {
        (Err(error), _) => Failure::output(&quoted(path), &error),
        (Ok(()), Err(error)) => error.into(),
        (Ok(()), Ok(summary)) if summary.outcome == Outcome::Stopped => {
            Failure::Interrupted(format!("broken off at t = {} s, as asked", Number(summary.t)))
        }
        (Ok(()), Ok(summary)) => {
            // Without a state there is no file yet, as with an end before the first of the times.
            return match file {
                Some(file) => file.finish().map(|()| summary),
                None => Ok(summary),
            };
        }
    };
    Err(match file {
        // The initial state alone is no motion.
        Some(file) if count <= 1 => {
            file.discard();
            failure
        }
        Some(file) => match file.keep() {
            Some(sentence) => failure.with(&sentence),
            None => failure,
        },
        None => failure,
    })
}

/// States as rows; `write` is given whole rows only.
struct Rows<'t, W> {
    columns: Vec<String>,
    progress: Progress,
    interrupt: Option<Interrupt>,
    table: &'t mut dyn Table,
    write: W,
    bytes: Vec<u8>,
    row: Vec<f64>,
    /// How many states were received.
    count: u64,
    /// The first failure to write, after which nothing is received.
    written: io::Result<()>,
}

impl<'t, W: FnMut(&[u8]) -> io::Result<()>> Rows<'t, W> {
    fn new(
        model: &dyn Model,
        (progress, interrupt): (Progress, Option<Interrupt>),
        table: &'t mut dyn Table,
        write: W,
    ) -> Self {
        let names = model.coordinates();
        let mut columns = vec!["t".to_owned()];
        columns.extend(names.iter().map(|name| (*name).to_owned()));
        columns.extend(names.iter().map(|name| format!("{name}_dot")));
        columns.extend(["kinetic", "potential", "energy"].map(str::to_owned));
        columns.extend(model.outputs().iter().map(|name| (*name).to_owned()));
        columns.extend(model.constraints().iter().map(|name| format!("multiplier({name})")));
        let (bytes, row) = (Vec::new(), Vec::new());
        Self { columns, progress, interrupt, table, write, bytes, row, count: 0, written: Ok(()) }
    }

    /// Ends the table, if it has begun, and writes what is left of it.
    fn finish(&mut self) {
        if self.written.is_ok() && self.count > 0 {
            self.written = self.table.end(&mut self.bytes);
        }
        self.flush();
    }

    /// Writes what is collected.
    fn flush(&mut self) {
        if self.written.is_ok() && !self.bytes.is_empty() {
            self.written = (self.write)(&self.bytes);
        }
        self.bytes.clear();
    }
}

impl<W: FnMut(&[u8]) -> io::Result<()>> Output for Rows<'_, W> {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        let first = self.count == 0;
        if first {
            self.written = self.table.begin(&self.columns, &mut self.bytes);
        }
        self.count += 1;
        self.row.clear();
        self.row.push(sample.t);
        self.row.extend(sample.q.iter().chain(sample.v));
        self.row.extend([sample.energies.kinetic, sample.energies.potential].map(|part| part.unwrap_or(f64::NAN)));
        self.row.push(sample.energies.energy);
        self.row.extend(sample.outputs.iter().chain(sample.multipliers));
        if self.written.is_ok() {
            self.written = self.table.row(&self.row, &mut self.bytes);
        }
        // The first row shows at once whether the place can be written to.
        if first || self.bytes.len() >= BATCH {
            self.flush();
        }
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn is_interrupted(&self, t: f64) -> bool {
        self.progress.show(t);
        self.interrupt.as_ref().is_some_and(Interrupt::is_set)
    }
}
