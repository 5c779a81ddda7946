//! The motion as CSV.

use crate::catalog::{Model, Output, Request, Sample, Summary};
use crate::command::Failure;
use crate::command::interrupt::Interrupt;
use crate::command::output::{NewFile, quoted};
use crate::command::progress::Progress;
use crate::report::csv::write_row;
use lagrange_runtime::error::Number;
use lagrange_runtime::prelude::Outcome;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// How many bytes of rows are collected before they are written.
const BATCH: usize = 1 << 16;

/// Writes the states to the standard output as they come; those before a failure stay written.
pub(super) fn to_standard_output(model: &dyn Model, request: &Request) -> Result<Summary, Failure> {
    let mut out = io::stdout().lock();
    let mut rows = Rows::new(model, Progress::to(request.t_end), None, |bytes: &[u8]| out.write_all(bytes));
    let result = model.simulate(request, &mut rows);
    rows.flush();
    rows.written.and_then(|()| out.flush()).map_err(|error| Failure::output("the standard output", &error))?;
    Ok(result?)
}

/// Writes the states to a file, which is created with the first of them and gets its name after the last.
pub(super) fn to_file(model: &dyn Model, request: &Request, path: &Path, replace: bool) -> Result<Summary, Failure> {
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
    let mut rows = Rows::new(model, Progress::to(request.t_end), Some(Interrupt::listen()), write);
    let result = model.simulate(request, &mut rows);
    rows.flush();
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
struct Rows<W> {
    columns: String,
    progress: Progress,
    interrupt: Option<Interrupt>,
    write: W,
    text: Vec<u8>,
    row: Vec<f64>,
    /// How many states were received.
    count: u64,
    /// The first failure to write, after which nothing is received.
    written: io::Result<()>,
}

impl<W: FnMut(&[u8]) -> io::Result<()>> Rows<W> {
    fn new(model: &dyn Model, progress: Progress, interrupt: Option<Interrupt>, write: W) -> Self {
        let names = model.coordinates();
        let mut columns = vec!["t".to_owned()];
        columns.extend(names.iter().map(|name| (*name).to_owned()));
        columns.extend(names.iter().map(|name| format!("{name}_dot")));
        columns.extend(["kinetic", "potential", "energy"].map(str::to_owned));
        columns.extend(model.outputs().iter().map(|name| (*name).to_owned()));
        columns.extend(model.constraints().iter().map(|name| format!("multiplier({name})")));
        let columns = format!("{}\n", columns.join(","));
        Self { columns, progress, interrupt, write, text: Vec::new(), row: Vec::new(), count: 0, written: Ok(()) }
    }

    /// Writes what is collected.
    fn flush(&mut self) {
        if self.written.is_ok() && !self.text.is_empty() {
            self.written = (self.write)(&self.text);
        }
        self.text.clear();
    }
}

impl<W: FnMut(&[u8]) -> io::Result<()>> Output for Rows<W> {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        let first = self.count == 0;
        if first {
            self.text.extend_from_slice(self.columns.as_bytes());
        }
        self.count += 1;
        self.row.clear();
        self.row.push(sample.t);
        self.row.extend(sample.q.iter().chain(sample.v));
        self.row.extend([sample.energies.kinetic, sample.energies.potential].map(|part| part.unwrap_or(f64::NAN)));
        self.row.push(sample.energies.energy);
        self.row.extend(sample.outputs.iter().chain(sample.multipliers));
        // Writing to memory succeeds.
        _ = write_row(&mut self.text, &self.row);
        // The first row shows at once whether the place can be written to.
        if first || self.text.len() >= BATCH {
            self.flush();
        }
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn is_interrupted(&self, t: f64) -> bool {
        self.progress.show(t);
        self.interrupt.as_ref().is_some_and(Interrupt::is_set)
    }
}
