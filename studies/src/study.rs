//! The published studies, experiment by experiment.

mod certain;
mod charts;
mod compound_double_pendulum;
mod double_pendulum;
mod motion;
mod peak;
mod rlc_plate;
mod spherical_pendulum;
mod triple_pendulum;
mod work_precision;

use crate::statements;
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::Study;
use lagrange_models::documents::{COMPOUND_DOUBLE_PENDULUM, DOUBLE_PENDULUM, RLC_PLATE, TRIPLE_PENDULUM};
use std::error::Error;

/// What an experiment gives, or why it could not be carried out.
type Finding<T> = Result<T, Box<dyn Error>>;

/// An experiment: adds what it finds to the report.
type Experiment = fn(&mut Report) -> Finding<()>;

/// The documents, and what goes beyond them.
const STUDIES: [Study; 6] = [
    Study {
        number: 1,
        id: "compound-double-pendulum",
        name: "Compound double pendulum",
        document: COMPOUND_DOUBLE_PENDULUM,
        summary: "The paper derives the equations of two rods in series with a bob, without and with air drag, and compares three \
                  methods by the energy: predictor–corrector Verlet, RK4, and RKF45 with adaptive steps.",
    },
    Study {
        number: 2,
        id: "spherical-pendulum",
        name: "Spherical pendulum",
        document: "Bai Long, Ge Xinsheng, Discrete variational integrators based on the spherical pendulum, Beijing Information Science \
                   and Technology University",
        summary: "The paper integrates a bob on a rod in Cartesian coordinates by a discrete variational integrator with RATTLE's \
                  velocity constraint, and measures how well it keeps the energy.",
    },
    Study {
        number: 3,
        id: "double-pendulum",
        name: "Double pendulum",
        document: DOUBLE_PENDULUM,
        summary: "The page solves Lagrange's equation from a numeric Lagrangian. It takes every derivative by finite differences, which \
                  are the error that a symbolic derivation does not have. It prints a program and no result.",
    },
    Study {
        number: 4,
        id: "capacitor-plate",
        name: "Plate of a capacitor",
        document: RLC_PLATE,
        summary: "The paper integrates a circuit, one plate of whose capacitor swings on a spring, by a symplectic Runge–Kutta method, \
                  compares it with RK4, and prints two quantities as conserved.",
    },
    Study {
        number: 5,
        id: "triple-pendulum",
        name: "Triple pendulum",
        document: TRIPLE_PENDULUM,
        summary: "The paper composes impulses of the constraints with a symplectic method, and compares the errors of the constraints with \
                  those of Baumgarte's stabilisation.",
    },
    Study {
        number: 0,
        id: "beyond",
        name: "Beyond the studies",
        document: "",
        summary: "What an error costs: six mechanisms by every method that fits them.",
    },
];

/// Each with the number of its study and its name.
const EXPERIMENTS: [(u32, &str, Experiment); 27] = [
    (1, "compound double pendulum: printed equations and coefficients", compound_double_pendulum::equations::run),
    (1, "compound double pendulum: orders of the methods", compound_double_pendulum::orders::run),
    (1, "compound double pendulum: methods of low order", compound_double_pendulum::low_order::run),
    (1, "compound double pendulum: light rods", compound_double_pendulum::light_rods::run),
    (1, "compound double pendulum: motion and spectrum", compound_double_pendulum::spectrum::run),
    (1, "compound double pendulum: energy of Verlet and RK4", compound_double_pendulum::energy::run),
    (
        1,
        "compound double pendulum: adaptive steps from (45°, 0°)",
        compound_double_pendulum::step_size::from_45_degrees,
    ),
    (
        1,
        "compound double pendulum: adaptive steps from (180°, 179°)",
        compound_double_pendulum::step_size::from_the_top,
    ),
    (1, "compound double pendulum: air drag", compound_double_pendulum::drag::run),
    (1, "compound double pendulum: drag of zero", compound_double_pendulum::no_drag::run),
    (2, "spherical pendulum: what the discrete map conserves", spherical_pendulum::structure::run),
    (2, "spherical pendulum: the printed recursion", spherical_pendulum::recursion::run),
    (2, "spherical pendulum: motion at a step of 1 ms", spherical_pendulum::motion::run),
    (2, "spherical pendulum: energy of RATTLE", spherical_pendulum::energy::run),
    (2, "rigid pendulum: a unit quaternion by RATTLE", spherical_pendulum::rigid::run),
    (3, "double pendulum: derived equations against finite differences", double_pendulum::run),
    (4, "plate of a capacitor: printed equations and units", rlc_plate::equations::run),
    (4, "plate of a capacitor: without resistance", rlc_plate::energy::run),
    (4, "plate of a capacitor: with resistance", rlc_plate::balance::with_resistance),
    (4, "plate of a capacitor: the printed invariants", rlc_plate::printed_invariants::run),
    (4, "plate of a capacitor: with resistance and source", rlc_plate::balance::with_source),
    (5, "triple pendulum: methods and start", triple_pendulum::introduction::run),
    (5, "triple pendulum: constraint errors", triple_pendulum::constraint_error::run),
    (5, "triple pendulum: 10⁵ steps", triple_pendulum::long_motion::run),
    (5, "triple pendulum: the same motion in angles", triple_pendulum::angles::run),
    (5, "stiff problems by the implicit midpoint rule", triple_pendulum::stiff::run),
    (0, "work and precision of every method on six mechanisms", work_precision::run),
];

/// Carries out the experiments of these studies, or all of them if none is named; before each one starts, `progress` gets its number,
/// their count and its name.
pub(crate) fn reproduce(studies: &[u32], progress: &mut dyn FnMut(usize, usize, &str)) -> Finding<Report> {
    let is_wanted = |number: u32| studies.is_empty() || studies.contains(&number);
    let wanted: Vec<_> = EXPERIMENTS.iter().filter(|(number, ..)| is_wanted(*number)).collect();
    let mut report = Report::default();
    report.statements.extend(statements::all().filter(|statement| is_wanted(statement.study)));
    report.studies.extend(STUDIES.iter().filter(|study| is_wanted(study.number)));
    for (index, (_, name, run)) in wanted.iter().enumerate() {
        progress(index + 1, wanted.len(), name);
        run(&mut report).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(report)
}
