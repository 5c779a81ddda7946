//! The published studies, experiment by experiment.

mod charts;
mod five;
mod four;
mod motion;
mod one;
mod three;
mod two;
mod work_precision;

use lagrange_cli::report::Report;
use std::error::Error;

/// What an experiment gives, or why it could not be carried out.
type Finding<T> = Result<T, Box<dyn Error>>;

/// An experiment: adds what it finds to the report.
type Experiment = fn(&mut Report) -> Finding<()>;

const EXPERIMENTS: [(&str, Experiment); 16] = [
    ("study 1, experiment 1: light rods", one::light_rods::run),
    ("study 1, experiment 2: motion and spectrum", one::spectrum::run),
    ("study 1, experiment 3: energy of Verlet and RK4", one::energy::run),
    ("study 1, experiment 4: adaptive steps from (45°, 0°)", one::step_size::from_45_degrees),
    ("study 1, experiment 5: adaptive steps from (180°, 179°)", one::step_size::from_the_top),
    ("study 1, experiment 6: air drag", one::drag::run),
    ("study 2: spherical pendulum by RATTLE", two::run),
    ("study 3: derived equations against finite differences", three::run),
    ("study 4: the plate without resistance", four::energy::run),
    ("study 4: the printed invariants", four::printed_invariants::run),
    ("study 4: the plate with resistance", four::balance::with_resistance),
    ("study 4: the plate with resistance and source", four::balance::with_source),
    ("study 5: constraint errors of the triple pendulum", five::constraint_error::run),
    ("study 5: 10⁵ steps", five::long::run),
    ("study 5: the same in angles", five::angles::run),
    ("work and precision of every method on six mechanisms", work_precision::run),
];

/// Carries out all experiments; `progress` is told each one's number, their count and its name before it starts.
pub(crate) fn reproduce(progress: &mut dyn FnMut(usize, usize, &str)) -> Finding<Report> {
    let mut report = Report::default();
    for (index, (name, run)) in EXPERIMENTS.iter().enumerate() {
        progress(index + 1, EXPERIMENTS.len(), name);
        run(&mut report).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(report)
}
