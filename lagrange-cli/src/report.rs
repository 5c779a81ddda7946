//! The findings of experiments, and the forms in which they are written: a table, JSON, CSV, and a page with figures.

pub mod csv;
pub mod figure;
pub mod json;
pub mod live;
pub mod mechanism;
pub mod number;
pub mod page;
pub mod plot;
pub mod row;
pub mod statement;
pub mod table;
pub mod truth;

use csv::Series;
use figure::{Section, Study};
use row::Row;
use statement::Statement;

/// All findings of a run.
#[derive(Debug, Default)]
pub struct Report {
    /// The studies, in order.
    pub studies: Vec<Study>,
    /// The statements of the documents, in the order of their places.
    pub statements: Vec<&'static Statement>,
    /// One row for each figure that a document prints, and for each further figure of ours.
    pub rows: Vec<Row>,
    /// The sections, in the order of their studies.
    pub sections: Vec<Section>,
    /// Curves for further use.
    pub series: Vec<Series>,
}

impl Report {
    /// Returns the statements of one document, in their order.
    pub fn statements_of(&self, study: u32) -> Vec<&'static Statement> {
        self.statements.iter().copied().filter(|statement| statement.study == study).collect()
    }
}
