//! What the studies found, and the forms in which it is told: a table, JSON, CSV, and a page with figures.

pub mod csv;
pub mod figure;
pub mod json;
pub mod number;
pub mod page;
pub mod plot;
pub mod row;
pub mod table;

use csv::Series;
use figure::Section;
use row::Row;

/// Everything that the studies found.
#[derive(Debug, Default)]
pub struct Report {
    /// One for each figure of a document and for each of ours beside it.
    pub rows: Vec<Row>,
    /// The page's sections, in order.
    pub sections: Vec<Section>,
    /// Curves for further use.
    pub series: Vec<Series>,
}
