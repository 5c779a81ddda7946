//! Functions of motions: the times at which a coordinate crosses zero, trends of a quantity, and fewer points of a curve for drawing.

pub(crate) mod cells;
pub mod crossings;
pub mod decimate;
pub mod trend;
