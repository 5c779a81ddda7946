//! What is computed from motions: crossings, trends, and curves thinned for drawing.

pub mod crossings;
pub mod decimate;
pub mod trend;
