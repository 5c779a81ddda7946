//! What is computed from motions: crossings, spectra, trends, and curves thinned for drawing.

pub mod crossings;
pub mod decimate;
pub mod spectrum;
pub mod trend;
