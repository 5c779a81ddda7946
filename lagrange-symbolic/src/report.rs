//! What a phase finds wrong in a block: mistakes and warnings with their places, and the one table of their messages.

mod collected;
mod lint;
mod mistake;
mod place;
mod suggest;

pub use collected::Report;
pub use lint::Allowance;
pub use mistake::Mistake;
pub use place::Place;
pub(crate) use suggest::did_you_mean;
pub use suggest::nearest;
