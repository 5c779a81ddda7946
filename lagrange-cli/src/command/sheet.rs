//! A table that is written while its rows are computed.

pub(super) mod read;
mod table;

#[cfg(feature = "parquet")]
pub(super) use table::Parquet;
pub(super) use table::{Columns, Csv, Table, TimedCsv};

use super::Failure;
use super::output::{NewFile, quoted};
use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The file of `--parquet`. A program without the feature `parquet` has none.
#[cfg(feature = "parquet")]
pub(super) type ParquetFile = PathBuf;
/// The file of `--parquet`. A program without the feature `parquet` has none.
#[cfg(not(feature = "parquet"))]
pub(super) type ParquetFile = std::convert::Infallible;

/// Reads the value of `--parquet`.
///
/// # Errors
/// Says how the program is built with it, if it is built without.
pub(super) fn parquet_file(name: OsString) -> Result<ParquetFile, &'static str> {
    #[cfg(feature = "parquet")]
    return Ok(name.into());
    #[cfg(not(feature = "parquet"))]
    {
        drop(name);
        Err(
            "this program is built without Parquet; write --csv FILE, or build it with `--features lagrange-cli/parquet`",
        )
    }
}

/// The path of a Parquet file, and its format.
pub(super) fn parquet(file: &ParquetFile) -> (&Path, Box<dyn Table>) {
    #[cfg(feature = "parquet")]
    return (file, Box::<Parquet>::default());
    #[cfg(not(feature = "parquet"))]
    match *file {}
}

/// How many bytes of rows are collected before they are written.
const BATCH: usize = 1 << 16;

/// A table in a file or on the standard output, which gets whole rows only.
pub(super) struct Sheet {
    table: Box<dyn Table>,
    columns: Columns,
    place: Place,
    bytes: Vec<u8>,
    /// How many rows the table has.
    count: u64,
    /// The first failure to write, after which no row is taken.
    written: Result<(), Failure>,
}

/// The place to which a table is written.
enum Place {
    StandardOutput,
    /// A file, which is created with the first row.
    File {
        path: PathBuf,
        replace: bool,
        file: Option<NewFile>,
    },
}

impl Sheet {
    /// A table for a file, which gets its name when the table is complete.
    pub(super) fn file(path: &Path, replace: bool, table: Box<dyn Table>, columns: Columns) -> Self {
        Self::new(table, columns, Place::File { path: path.to_owned(), replace, file: None })
    }

    /// A table on the standard output.
    pub(super) fn standard_output(table: Box<dyn Table>, columns: Columns) -> Self {
        Self::new(table, columns, Place::StandardOutput)
    }

    fn new(table: Box<dyn Table>, columns: Columns, place: Place) -> Self {
        Self { table, columns, place, bytes: Vec::new(), count: 0, written: Ok(()) }
    }

    /// Adds a row. Returns `Break` after a failure to write.
    pub(super) fn add(&mut self, numbers: &[f64], texts: &[&str]) -> ControlFlow<()> {
        let first = self.count == 0;
        let mut added = Ok(());
        if first {
            added = self.table.begin(&self.columns, &mut self.bytes);
        }
        self.count += 1;
        added = added.and_then(|()| self.table.row(numbers, texts, &mut self.bytes));
        self.note(added);
        // The first row shows at once whether the place can be written to.
        if first || self.bytes.len() >= BATCH {
            self.flush();
        }
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Returns whether writing has failed.
    pub(super) fn is_broken(&self) -> bool {
        self.written.is_err()
    }

    /// Writes the names of the columns, also if the table gets no row.
    pub(super) fn write_names(&mut self) {
        if self.count == 0 {
            let begun = self.table.begin(&self.columns, &mut self.bytes);
            self.note(begun);
            self.flush();
        }
    }

    /// Ends the table. If `result` is a failure and the table has at least `least` rows, its file keeps the name that says that it is
    /// not complete, and the failure names that file.
    ///
    /// # Errors
    /// The first failure to write, or that of `result`.
    pub(super) fn finish<T>(mut self, result: Result<T, Failure>, least: u64) -> Result<T, Failure> {
        if self.written.is_ok() && self.count > 0 {
            let ended = self.table.end(&mut self.bytes);
            self.note(ended);
        }
        self.flush();
        let result = self.written.and(result);
        match (self.place, result) {
            (Place::StandardOutput, result) => {
                let flushed = io::stdout().flush().map_err(|error| Failure::output(STANDARD_OUTPUT, &error));
                result.and_then(|value| flushed.map(|()| value))
            }
            // Without a row there is no file.
            (Place::File { file: None, .. }, result) => result,
            (Place::File { file: Some(file), .. }, Ok(value)) => file.finish().map(|()| value),
            (Place::File { file: Some(file), .. }, Err(failure)) if self.count < least => {
                file.discard();
                Err(failure)
            }
            (Place::File { file: Some(file), .. }, Err(failure)) => Err(match file.keep() {
                Some(sentence) => failure.with(&sentence),
                None => failure,
            }),
        }
    }

    /// Keeps a failure to write, if it is the first.
    fn note(&mut self, result: io::Result<()>) {
        if let (Ok(()), Err(error)) = (&self.written, result) {
            self.written = Err(Failure::output(&self.place.name(), &error));
        }
    }

    /// Writes what is collected.
    fn flush(&mut self) {
        if self.written.is_ok() && !self.bytes.is_empty() {
            self.written = self.place.write(&self.bytes);
        }
        self.bytes.clear();
    }
}

/// The standard output as messages name it.
const STANDARD_OUTPUT: &str = "the standard output";

impl Place {
    /// The place as messages name it.
    fn name(&self) -> String {
        match self {
            Self::StandardOutput => STANDARD_OUTPUT.to_owned(),
            Self::File { path, .. } => quoted(path),
        }
    }

    /// Appends these bytes.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = match self {
            Self::StandardOutput => io::stdout().write_all(bytes),
            Self::File { file: Some(file), .. } => file.write(bytes),
            Self::File { path, replace, file } => file.insert(NewFile::create(path, *replace)?).write(bytes),
        };
        written.map_err(|error| Failure::output(&self.name(), &error))
    }
}
