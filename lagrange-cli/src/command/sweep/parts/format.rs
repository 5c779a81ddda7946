//! The formats of a part.

use crate::command::sheet::read::{self, Cells};
use crate::command::sheet::{Columns, Csv, Table};
use std::fs;
use std::path::Path;

/// The format of the parts of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::command::sweep) enum Format {
    /// Lines of cells between commas
    Csv,
    /// Columns of 64-bit numbers and of texts
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// The end of a file's name.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
        }
    }

    /// An empty table.
    pub(super) fn table(self) -> Box<dyn Table> {
        match self {
            Self::Csv => Box::new(Csv),
            #[cfg(feature = "parquet")]
            Self::Parquet => Box::<crate::command::sheet::Parquet>::default(),
        }
    }

    /// Reads a table with these columns.
    ///
    /// # Errors
    /// The text says why it cannot be read.
    pub(super) fn read(self, path: &Path, columns: &Columns) -> Result<Vec<Cells>, String> {
        match self {
            Self::Csv => {
                let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
                read::csv(&text, columns)
            }
            #[cfg(feature = "parquet")]
            Self::Parquet => {
                let file = fs::File::open(path).map_err(|error| error.to_string())?;
                read::parquet(file, columns)
            }
        }
    }
}
