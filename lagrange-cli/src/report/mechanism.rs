//! The page of one mechanism and one of its motions: a self-contained HTML file.

mod data;

pub use data::{MechanismReport, ModeRow, MovingPoint, ParameterRow, PowerRow, SeriesRow, SpectrumRow};

use super::page::escape;

/// The page. It asks for nothing outside itself.
pub fn render(report: &MechanismReport) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title></head>\
         <body><h1>{0}</h1><p>{1}</p></body></html>",
        escape(&report.name),
        escape(&report.summary)
    )
}
