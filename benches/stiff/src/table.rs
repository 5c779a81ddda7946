//! The table, and the ratios.

use crate::curve::{Curve, best_at};
use std::error::Error;
use std::fmt::Write as _;

/// The errors that are compared.
const ERRORS: [f64; 3] = [1e-4, 1e-6, 1e-8];

/// One problem with the curves of all contenders.
pub(crate) struct Timed {
    pub(crate) name: &'static str,
    /// The number of equations of first order that the others integrate.
    pub(crate) size: usize,
    pub(crate) ours: Vec<Curve>,
    pub(crate) peers: Vec<Curve>,
    pub(crate) rivals: Vec<Curve>,
}

/// Times of all problems, as rows of a table.
#[derive(Default)]
pub(crate) struct Table {
    rows: String,
    problems: Vec<Timed>,
}

/// Microseconds with three digits.
fn text(seconds: Option<f64>) -> String {
    match seconds.map(|seconds| seconds * 1e6) {
        None => "–".into(),
        Some(time) if time < 100.0 => format!("{time:.1}"),
        Some(time) => format!("{time:.0}"),
    }
}

/// The median, the least and the largest of some ratios.
fn spread(mut ratios: Vec<f64>) -> Option<[f64; 3]> {
    ratios.sort_by(f64::total_cmp);
    Some([ratios[ratios.len().checked_sub(1)? / 2], *ratios.first()?, *ratios.last()?])
}

impl Table {
    /// Adds a problem, and prints its rows.
    pub(crate) fn add(&mut self, timed: Timed) {
        let from = self.rows.len();
        for curve in timed.ours.iter().chain(&timed.peers).chain(&timed.rivals) {
            let times = ERRORS.map(|error| text(curve.time_at(error))).join(" | ");
            let row = format!("| {} ({}) | {} | {times} |", timed.name, timed.size, curve.name);
            _ = writeln!(self.rows, "{row}");
        }
        print!("{}", &self.rows[from..]);
        self.problems.push(timed);
    }

    /// The ratios of one of our methods, or of the best of them, to the best of others.
    fn ratios(&self, ours: Option<&str>, others: impl Fn(&Timed) -> &[Curve]) -> Option<[f64; 3]> {
        let mut ratios = Vec::new();
        for problem in &self.problems {
            for error in ERRORS {
                let time = match ours {
                    None => best_at(&problem.ours, error),
                    Some(name) => {
                        problem.ours.iter().find(|curve| curve.name == name).and_then(|curve| curve.time_at(error))
                    }
                };
                if let (Some(time), Some(other)) = (time, best_at(others(problem), error)) {
                    ratios.push(time / other);
                }
            }
        }
        spread(ratios)
    }

    /// The table of ratios.
    fn summary(&self) -> String {
        let mut text = String::from("| ours | of CVODE or IDA | of diffsol's best |\n|---|---|---|\n");
        let names = [None, Some("Radau5"), Some("Radau9"), Some("Radau13"), Some("VariableRadau"), Some("Rodas5P")];
        for name in names {
            let shown = |ratios: Option<[f64; 3]>| {
                ratios.map_or("–".into(), |[median, least, most]| format!("{median:.3} ({least:.3} to {most:.3})"))
            };
            let peers = shown(self.ratios(name, |problem| &problem.peers));
            let rivals = shown(self.ratios(name, |problem| &problem.rivals));
            _ = writeln!(text, "| {} | {peers} | {rivals} |", name.unwrap_or("the best"));
        }
        text
    }

    /// The ratio of the best of ours to the best of others for each problem and error.
    fn each(&self) -> String {
        let mut text = String::from("| problem | of CVODE or IDA | of diffsol's best |\n|---|---|---|\n");
        for problem in &self.problems {
            let shown = |others: &[Curve]| {
                ERRORS
                    .map(|error| match (best_at(&problem.ours, error), best_at(others, error)) {
                        (Some(ours), Some(other)) => format!("{:.3}", ours / other),
                        (Some(_), None) => "only ours".into(),
                        (None, Some(_)) => "only theirs".into(),
                        (None, None) => "–".into(),
                    })
                    .join(", ")
            };
            _ = writeln!(text, "| {} | {} | {} |", problem.name, shown(&problem.peers), shown(&problem.rivals));
        }
        text
    }

    pub(crate) fn summarise(&self) {
        println!("\n{}\n{}", self.each(), self.summary());
    }

    /// The document.
    pub(crate) fn document(&self, tolerances: &str) -> Result<String, Box<dyn Error>> {
        let processor = std::fs::read_to_string("/proc/cpuinfo")?;
        let name = processor.lines().find_map(|line| line.strip_prefix("model name\t: ")).unwrap_or("unknown");
        Ok(format!(
            "# Stiff problems beside SUNDIALS and diffsol\n\n\
             Made by `cargo run --release --manifest-path benches/stiff/Cargo.toml -- --record`; Rust and C were compiled for the processor of the machine ({name}). The \
             problems are those of `tests/src/stiff`, with their published solutions. CVODE and IDA have BDF methods, a dense solver and the exact Jacobian; \
             diffsol has nalgebra's matrices. All integrate the derived rates. Mechanisms with constraints are for the others equations of first order, whose \
             accelerations contain the constraints, and the amplifier is a system with three algebraic equations, for IDA.\n\n\
             Microseconds of one integration at an error of 1e-4, 1e-6 and 1e-8, by interpolation between tolerances. The error is the largest error of any component at \
             the end, relative to the component; for the car axis and the squeezer it is relative to 1 where the component is smaller than 1. The number behind a name is the number of equations of first order. \
             A dash stands where no tolerance down to 1e-13 reached the error, or an integration took longer than some seconds or failed.\n\n\
             | problem | method | 1e-4 | 1e-6 | 1e-8 |\n|---|---|---:|---:|---:|\n{}\n\
             Our time over theirs at these errors, with the best method of each:\n\n{}\n\
             The same over all problems and errors, median and range:\n\n{}\n\
             Robertson's reaction at the relative tolerance 1e-8:\n\n{tolerances}",
            self.rows,
            self.each(),
            self.summary()
        ))
    }
}
