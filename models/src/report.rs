//! What the studies found, and the forms in which it is told: a table, JSON, CSV, and a page with figures.

pub(crate) mod csv;
pub(crate) mod figure;
pub(crate) mod json;
pub(crate) mod number;
pub(crate) mod page;
pub(crate) mod plot;
pub(crate) mod row;
pub(crate) mod table;

use csv::Series;
use figure::Section;
use row::Row;

/// Everything that the studies found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// One for each figure of a document and for each of ours beside it.
    pub(crate) rows: Vec<Row>,
    /// The page's sections, in order.
    pub(crate) sections: Vec<Section>,
    /// Curves for further use.
    pub(crate) series: Vec<Series>,
}
