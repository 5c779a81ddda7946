//! Figures 2 to 6: coordinates, velocities, angles and energies at a step of 1 ms.

use super::{DURATION, STUDY, pendulum, released};
use crate::statements::spherical_pendulum as stated;
use crate::study::Finding;
use crate::study::charts::BUCKETS;
use crate::study::motion::Motion;
use lagrange_cli::analysis::decimate::extremes;
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::SphericalPendulumCartesian;
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (2, "motion");

/// The document's step, s.
const STEP: f64 = 1e-3;

/// θ is shown with a sign, so that φ does not jump by half a turn at the lowest point. This is the azimuth of a positive θ, rad.
const AZIMUTH: f64 = std::f64::consts::FRAC_PI_4;

/// The allowed change of φ (rad) and φ̇ (rad/s): rounding, divided by the bob's distance from the axis.
const TOLERANCE: f64 = 1e-9;

/// The allowed difference of periods, s: that of a straight line between two steps.
const PERIOD_TOLERANCE: f64 = 1e-6;

/// The angles at a time, with their rates.
struct Angles {
    t: f64,
    theta: f64,
    phi: f64,
    theta_dot: f64,
    phi_dot: f64,
}

impl Angles {
    fn of(State { t, q, v }: &State<f64, 3>) -> Self {
        let direction = [AZIMUTH.cos(), AZIMUTH.sin()];
        let along = q[0] * direction[0] + q[1] * direction[1];
        let sign = if along < 0.0 { -1.0 } else { 1.0 };
        // The document's z points downward.
        let (side, down) = (sign * q[0].hypot(q[1]), -q[2]);
        let side_dot = (q[0] * v[0] + q[1] * v[1]) / side;
        Self {
            t: *t,
            theta: side.atan2(down),
            phi: (sign * q[1]).atan2(sign * q[0]),
            theta_dot: (side_dot * down + side * v[2]) / (side * side + down * down),
            phi_dot: (q[0] * v[1] - q[1] * v[0]) / (side * side),
        }
    }
}

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = pendulum().prepare::<f64>()?;
    let motion = Motion::<3>::integrate(&system, released(), DURATION, &Rattle::new(STEP))?;
    let angles: Vec<Angles> = motion.states.iter().map(Angles::of).collect();
    let largest = |value: &dyn Fn(&Angles) -> f64| angles.iter().map(value).map(f64::abs).fold(0.0, f64::max);
    let turned = largest(&|angle| angle.phi - AZIMUTH);
    let periods = periods(&angles);
    let longest = periods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shortest = periods.iter().copied().fold(f64::INFINITY, f64::min);
    report.rows.extend([
        Row::compared(
            PLACE,
            "longest less shortest period of θ in 20 s",
            "s",
            Published::within("0", PERIOD_TOLERANCE).of(&stated::PERIODIC),
            longest - shortest,
            "tolerance: a straight line between two steps",
        ),
        Row::compared(
            PLACE,
            "largest change of φ in 20 s",
            "rad",
            Published::within("0", TOLERANCE).of(&stated::PHI),
            turned,
            "tolerance: rounding, over the smallest distance from the axis",
        ),
        Row::compared(
            PLACE,
            "largest rate of φ in 20 s",
            "rad/s",
            Published::within("0", TOLERANCE).of(&stated::PHI_RATE),
            largest(&|angle| angle.phi_dot),
            "as above",
        ),
        Row::compared(
            PLACE,
            "range of the total energy in 20 s over the largest kinetic energy",
            "",
            Published::at_most("0.01").of(&stated::TOTAL_ENERGY),
            motion.largest_energy_error() / largest_kinetic(&system, &motion),
            "a hundredth is the width of a line in a figure",
        ),
        Row::ours(PLACE, "period of θ", "s", shortest, "the document shows curves"),
    ]);
    report.sections.push(section(&system, &motion, &angles, [turned, shortest]));
    Ok(())
}

/// The largest kinetic energy at the steps' ends, J.
fn largest_kinetic(system: &dyn System<f64, 3, 1, 0>, motion: &Motion<3>) -> f64 {
    let kinetic = |state: &State<f64, 3>| system.energies(state.t, &state.q, &state.v, &SVector::zeros()).kinetic;
    motion.states.iter().filter_map(kinetic).fold(0.0, f64::max)
}

/// The times between zero crossings of θ upward.
fn periods(angles: &[Angles]) -> Vec<f64> {
    let crossing = |pair: &[Angles]| {
        let [before, after] = pair else { return None };
        let rises = before.theta < 0.0 && after.theta >= 0.0;
        rises.then(|| before.t - before.theta * (after.t - before.t) / (after.theta - before.theta))
    };
    let times: Vec<f64> = angles.windows(2).filter_map(crossing).collect();
    times.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

fn section(
    system: &dyn System<f64, 3, 1, 0>,
    motion: &Motion<3>,
    angles: &[Angles],
    [turned, period]: [f64; 2],
) -> Section {
    let chart = |label: &'static str, curves: Vec<Curve>| {
        Chart::new(Axis::linear("time (s)").spanning(0.0, DURATION), Axis::linear(label), curves).with_aspect(0.55)
    };
    let thinned = |points: &mut dyn Iterator<Item = [f64; 2]>| extremes(points, [0.0, DURATION], BUCKETS / 2);
    let of_states = |name, style, value: &dyn Fn(&State<f64, 3>) -> f64| {
        Curve::new(name, style, thinned(&mut motion.states.iter().map(|state| [state.t, value(state)])))
    };
    let of_angles = |name, style, value: &dyn Fn(&Angles) -> f64| {
        Curve::new(name, style, thinned(&mut angles.iter().map(|angle| [angle.t, value(angle)])))
    };
    let energies = |state: &State<f64, 3>| system.energies(state.t, &state.q, &state.v, &SVector::zeros());
    let kinetic = |state: &State<f64, 3>| energies(state).kinetic.unwrap_or(f64::NAN);
    let potential = |state: &State<f64, 3>| energies(state).potential.unwrap_or(f64::NAN);
    let figure = |title: &str, charts, paper: &str, ours: String| Figure {
        title: title.to_owned(),
        charts,
        paper: paper.to_owned(),
        ours,
    };
    Section {
        id: "spherical-motion",
        study: STUDY,
        title: "Motion at a step of 1 ms".to_owned(),
        setup: "Point mass of 1 kg on a rod of 1 m, g = 9.8 m/s², at rest at (√2/4, √2/4), √3/2 below the hinge; Cartesian \
                coordinates under the rod's constraint, RATTLE. Here z points upward."
            .to_owned(),
        equations: Some(SphericalPendulumCartesian::EQUATIONS_TEXT),
        figures: vec![
            figure(
                "Coordinates and velocities",
                vec![
                    chart(
                        "position (m)",
                        vec![
                            of_states("x = y", Style::First, &|state| state.q[0]),
                            of_states("z", Style::Second, &|state| state.q[2]),
                        ],
                    ),
                    chart(
                        "velocity (m/s)",
                        vec![
                            of_states("ẋ = ẏ", Style::First, &|state| state.v[0]),
                            of_states("ż", Style::Second, &|state| state.v[2]),
                        ],
                    ),
                ],
                "the pendulum moves periodically (its figures 2 and 3).",
                format!("the period is {period:.5} s."),
            ),
            figure(
                "Angles and their rates",
                vec![
                    chart(
                        "angle (rad)",
                        vec![
                            of_angles("θ", Style::First, &|angle| angle.theta),
                            of_angles("φ", Style::Second, &|angle| angle.phi),
                        ],
                    ),
                    chart(
                        "angular velocity (rad/s)",
                        vec![
                            of_angles("rate of θ", Style::First, &|angle| angle.theta_dot),
                            of_angles("rate of φ", Style::Second, &|angle| angle.phi_dot),
                        ],
                    ),
                ],
                "θ is periodic, φ stays constant, and so does its rate to high precision (its figures 4 and 5).",
                format!("φ changes by {} rad at most; θ counts from the downward vertical, with its side as its sign.", shown(turned, 2)),
            ),
            figure(
                "Kinetic, potential and total energy",
                vec![
                    chart(
                        "energy (J)",
                        vec![
                            of_states("kinetic", Style::First, &kinetic),
                            of_states("potential", Style::Second, &potential),
                            of_states("total", Style::Third, &|state| energies(state).energy),
                        ],
                    ),
                    chart("E − E(0) (J)", vec![Curve::new("total", Style::Third, thinned(&mut motion.energy_error()))]),
                ],
                "kinetic and potential energy are periodic, and their sum stays constant (its figure 6).",
                format!("the sum changes by {} J at most.", shown(motion.largest_energy_error(), 2)),
            ),
        ],
        ..Section::default()
    }
}
