//! What is computed from motions: crossings, spectra, trends, and curves thinned for drawing.

pub(crate) mod crossings;
pub(crate) mod decimate;
pub(crate) mod spectrum;
pub(crate) mod trend;
