//! The published studies, experiment by experiment.

mod charts;
mod compound_double_pendulum;
mod double_pendulum;
mod motion;
mod rigid_pendulum;
mod rlc_plate;
mod spherical_pendulum;
mod triple_pendulum;
mod work_precision;

use lagrange_cli::report::Report;
use std::error::Error;

/// What an experiment gives, or why it could not be carried out.
type Finding<T> = Result<T, Box<dyn Error>>;

/// An experiment: adds what it finds to the report.
type Experiment = fn(&mut Report) -> Finding<()>;

const EXPERIMENTS: [(&str, Experiment); 17] = [
    ("compound double pendulum: light rods", compound_double_pendulum::light_rods::run),
    ("compound double pendulum: motion and spectrum", compound_double_pendulum::spectrum::run),
    ("compound double pendulum: energy of Verlet and RK4", compound_double_pendulum::energy::run),
    ("compound double pendulum: adaptive steps from (45°, 0°)", compound_double_pendulum::step_size::from_45_degrees),
    ("compound double pendulum: adaptive steps from (180°, 179°)", compound_double_pendulum::step_size::from_the_top),
    ("compound double pendulum: air drag", compound_double_pendulum::drag::run),
    ("spherical pendulum: energy of RATTLE", spherical_pendulum::run),
    ("rigid pendulum: a unit quaternion by RATTLE", rigid_pendulum::run),
    ("double pendulum: derived equations against finite differences", double_pendulum::run),
    ("plate of a capacitor: without resistance", rlc_plate::energy::run),
    ("plate of a capacitor: the printed invariants", rlc_plate::printed_invariants::run),
    ("plate of a capacitor: with resistance", rlc_plate::balance::with_resistance),
    ("plate of a capacitor: with resistance and source", rlc_plate::balance::with_source),
    ("triple pendulum: constraint errors", triple_pendulum::constraint_error::run),
    ("triple pendulum: 10⁵ steps", triple_pendulum::long_motion::run),
    ("triple pendulum: the same motion in angles", triple_pendulum::angles::run),
    ("work and precision of every method on six mechanisms", work_precision::run),
];

/// Carries out all experiments; before each one starts, `progress` gets its number, their count and its name.
pub(crate) fn reproduce(progress: &mut dyn FnMut(usize, usize, &str)) -> Finding<Report> {
    let mut report = Report::default();
    for (index, (name, run)) in EXPERIMENTS.iter().enumerate() {
        progress(index + 1, EXPERIMENTS.len(), name);
        run(&mut report).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(report)
}
