//! Study 3: the MATLAB demo's double pendulum, with derived equations and with the demo's finite differences.

use super::Finding;
use super::certain::more_than;
use super::charts;
use super::motion::states_at;
use crate::statements::double_pendulum as stated;
use lagrange_cli::analysis::decimate::extremes;
use lagrange_cli::report::Report;
use lagrange_cli::report::csv::Series;
use lagrange_cli::report::figure::{Animation, Figure, Section};
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::{DoublePendulum, FiniteDifferences};
use lagrange_runtime::prelude::*;

/// The document's number.
const STUDY: u32 = 3;

const PLACE: (u32, &str) = (STUDY, "demo");
const T_END: f64 = 10.0;
const OUTPUT_POINTS: usize = 200;
const RELATIVE_TOLERANCE: f64 = 1e-6;

/// Until when the errors are compared before the motion's own sensitivity has multiplied all of them, s.
const EARLY: f64 = 4.0;

/// MATLAB's default where only RelTol is given.
const ABSOLUTE_TOLERANCE: f64 = 1e-6;

/// The step of the fixed-step comparison, s.
const STEP: f64 = 1e-3;

type Curves = Vec<State<f64, 2>>;

/// The demo's motion, each at the 200 output times.
struct Motions {
    times: Vec<f64>,
    /// To the rounding of the arithmetic.
    reference: Curves,
    /// Derived equations at the demo's tolerance.
    derived: Curves,
    /// Finite differences at the demo's tolerance.
    differences: Curves,
    /// Derived equations and finite differences by RK4 at 1 ms.
    fixed: [Curves; 2],
}

pub(super) fn run(report: &mut Report) -> Finding<()> {
    let system = DoublePendulum::default().prepare::<f64>()?;
    let differences = FiniteDifferences::new(&system);
    let times: Vec<f64> = (0..OUTPUT_POINTS).map(|index| T_END * index as f64 / (OUTPUT_POINTS - 1) as f64).collect();
    let loose = tolerances(RELATIVE_TOLERANCE, ABSOLUTE_TOLERANCE);
    let tight = tolerances(1e-13, 1e-13);
    let start = DoublePendulum::demo();
    // ode45 is this pair.
    let adaptive = DormandPrince5::new();
    let fixed = Rk4::new(STEP);
    let motions = Motions {
        reference: states_at(&system, start, &times, &Verner9::new(), &tight)?,
        derived: states_at(&system, start, &times, &adaptive, &loose)?,
        differences: states_at(&differences, start, &times, &adaptive, &loose)?,
        fixed: [
            states_at(&system, start, &times, &fixed, &loose)?,
            states_at(&differences, start, &times, &fixed, &loose)?,
        ],
        times,
    };
    let accelerations = acceleration_errors(&system, &differences, &motions.reference)?;
    let none = SVector::zeros();
    let size = |state: &State<f64, 2>| system.acceleration(state.t, &state.q, &state.v, &none);
    let sizes: Result<Vec<f64>, _> =
        motions.reference.iter().map(|state| Ok::<f64, SingularMass>(size(state)?.acceleration.amax())).collect();
    rows(report, &motions, &accelerations, largest(&sizes?));
    report.series.push(series(&motions, &accelerations));
    report.sections.push(section(&system, &motions, &accelerations)?);
    Ok(())
}

fn tolerances(rtol: f64, atol: f64) -> Options<'static, f64, 2> {
    Options { rtol: rtol.into(), atol: atol.into(), ..Options::default() }
}

/// The largest component of the difference of the accelerations, at each state.
fn acceleration_errors(
    derived: &dyn System<f64, 2, 0, 0>,
    differences: &dyn System<f64, 2, 0, 0>,
    states: &Curves,
) -> Finding<Vec<f64>> {
    let none = SVector::zeros();
    let error = |state: &State<f64, 2>| {
        let exact = derived.acceleration(state.t, &state.q, &state.v, &none)?.acceleration;
        let approximate = differences.acceleration(state.t, &state.q, &state.v, &none)?.acceleration;
        Ok((approximate - exact).amax())
    };
    states.iter().map(error).collect()
}

/// The larger of both angles' differences, at each time.
fn deviation(curves: &Curves, reference: &Curves) -> Vec<f64> {
    curves.iter().zip(reference).map(|(state, exact)| (state.q - exact.q).amax()).collect()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn rows(report: &mut Report, motions: &Motions, accelerations: &[f64], largest_acceleration: f64) {
    let deviations = |curves: &Curves| deviation(curves, &motions.reference);
    let of = |curves: &Curves| largest(&deviations(curves));
    let early = |curves: &Curves| {
        let until = motions.times.iter().take_while(|time| **time <= EARLY).count();
        largest(&deviations(curves)[..until])
    };
    let mut sorted = accelerations.to_vec();
    sorted.sort_by(f64::total_cmp);
    let claim = |quantity: &str, ours, note: &str| {
        let published = Published::above("1").of(&stated::DIFFERENCES);
        Row::compared(PLACE, quantity, "", published, ours, note).certain(more_than(ours))
    };
    report.rows.extend([
        claim(
            "error of the angles by differences over derived equations, RK4 at 1 ms",
            of(&motions.fixed[1]) / of(&motions.fixed[0]),
            "the largest errors in 10 s by the same method and step",
        ),
        claim(
            "error of the angles by differences over derived equations, Dormand–Prince 5(4) at rtol 1e-6, first 4 s",
            early(&motions.differences) / early(&motions.derived),
            "the demo's method and tolerance; later the motion multiplies the method's own error to the same size",
        ),
    ]);
    report.rows.push(Row::compared(
        PLACE,
        "accelerations of equation 3 by differences: largest error over the largest acceleration",
        "",
        Published::within("0", 0.01).of(&stated::EQUATION),
        largest(accelerations) / largest_acceleration,
        "central differences of L with the step 1e-5 of the document, at the 200 states; tolerance: their own error, ε |L|/h² over the inertia",
    ));
    let mut row =
        |quantity: &str, unit, ours, note: &str| report.rows.push(Row::ours(PLACE, quantity, unit, ours, note));
    row(
        "output points",
        "",
        motions.derived.len() as f64,
        "as the demo: 200 times from 0 to 10 s from (π, π, −4 rad/s, 6 rad/s); the document prints no figure of the motion",
    );
    row(
        "acceleration: largest error of finite differences",
        "rad/s²",
        largest(accelerations),
        "central differences of L with the step 1e-5 of the document, against the derived accelerations at the 200 states",
    );
    row("acceleration: median error of finite differences", "rad/s²", sorted[sorted.len() / 2], "as above");
    let reference = "against Verner's 9(8) at rtol = atol = 1e-13";
    row("angles by RK4 at 1 ms: largest error, derived equations", "rad", of(&motions.fixed[0]), reference);
    row("angles by RK4 at 1 ms: largest error, finite differences", "rad", of(&motions.fixed[1]), reference);
    row(
        "angles by Dormand–Prince 5(4) at rtol 1e-6: largest error, derived equations",
        "rad",
        of(&motions.derived),
        "the document's ode45 is this pair; RelTol 1e-6 as printed, AbsTol 1e-6, MATLAB's default",
    );
    row(
        "angles by Dormand–Prince 5(4) at rtol 1e-6: largest error, finite differences",
        "rad",
        of(&motions.differences),
        "as above",
    );
}

fn series(motions: &Motions, accelerations: &[f64]) -> Series {
    let row = |index: usize| {
        let angles = |curves: &Curves| [curves[index].q[0], curves[index].q[1]];
        let mut row = vec![motions.times[index]];
        row.extend(angles(&motions.reference));
        row.extend(angles(&motions.derived));
        row.extend(angles(&motions.differences));
        row.push(accelerations[index]);
        row
    };
    Series {
        name: "double-pendulum-demo".to_owned(),
        columns: vec![
            "t (s)",
            "theta1 reference (rad)",
            "theta2 reference (rad)",
            "theta1 derived (rad)",
            "theta2 derived (rad)",
            "theta1 finite differences (rad)",
            "theta2 finite differences (rad)",
            "acceleration error of finite differences (rad/s^2)",
        ],
        rows: (0..motions.times.len()).map(row).collect(),
    }
}

fn section(system: &dyn System<f64, 2, 0, 0>, motions: &Motions, accelerations: &[f64]) -> Finding<Section> {
    let step = 1.0 / 60.0;
    let frame_times: Vec<f64> =
        (0..=(T_END / step).round() as usize).map(|index| (index as f64 * step).min(T_END)).collect();
    let frames =
        states_at(system, DoublePendulum::demo(), &frame_times, &DormandPrince5::new(), &tolerances(1e-10, 1e-10))?;
    let pendulum = DoublePendulum::default();
    let positions = |state: &State<f64, 2>| pendulum.positions(state.q[0], state.q[1]).to_vec();
    let time = || Axis::linear("time (s)").spanning(0.0, T_END);
    let pairs = |values: &[f64]| -> Vec<[f64; 2]> {
        let points = motions.times.iter().zip(values).map(|(t, value)| [*t, *value]);
        points.filter(|point| point[1] > 0.0).collect()
    };
    let curve = |name, style, curves| Curve::new(name, style, pairs(&deviation(curves, &motions.reference)));
    let angle =
        |index: usize| extremes(frames.iter().map(|state| [state.t, state.q[index]]), [0.0, T_END], charts::BUCKETS);
    Ok(Section {
        id: "demo",
        study: STUDY,
        title: "MATLAB demo: derived equations against finite differences".to_owned(),
        setup: "Double pendulum of point masses, 1 kg on rods of 1 m, g = 9.8 m/s², from (π, π) with −4 and 6 rad/s; 10 s, 200 \
                output points. The document evaluates the equations by finite differences of a numeric Lagrangian; here \
                they are derived."
            .to_owned(),
        equations: Some(DoublePendulum::EQUATIONS_TEXT),
        animation: Some(Animation {
            id: "animation-demo",
            caption: "The demo's animation: 10 s, with the whole path of the lower mass.".to_owned(),
            step,
            reach: 2.2,
            low: -2.2,
            high: 2.2,
            frames: frames.iter().map(positions).collect(),
            trail: T_END,
        }),
        figures: vec![
            Figure {
                title: "Motion".to_owned(),
                charts: vec![Chart::new(
                    time(),
                    Axis::linear("angle (rad)"),
                    vec![
                        Curve::new("θ₁", Style::First, angle(0)),
                        Curve::new("θ₂", Style::Second, angle(1)),
                    ],
                )],
                paper: "draws the motion as an animation, and prints no figure of it.".to_owned(),
                ours: "derived equations at rtol = atol = 10⁻¹⁰.".to_owned(),
            },
            Figure {
                title: "Error of the angles".to_owned(),
                charts: vec![Chart::new(
                    time(),
                    Axis::logarithmic("largest error (rad)"),
                    vec![
                        curve("Dormand–Prince 5(4) at 10⁻⁶, finite differences", Style::Third, &motions.differences),
                        curve("Dormand–Prince 5(4) at 10⁻⁶, derived", Style::Reference, &motions.derived),
                        curve("RK4 at 1 ms, finite differences", Style::Second, &motions.fixed[1]),
                        curve("RK4 at 1 ms, derived", Style::First, &motions.fixed[0]),
                    ],
                )],
                paper: "warns that finite differences bring in numerical error.".to_owned(),
                ours: "against a reference at tolerances of 10⁻¹³; with the same method and step, finite differences cost four to six \
                       orders of magnitude.".to_owned(),
            },
            Figure {
                title: "Error of the accelerations by finite differences".to_owned(),
                charts: vec![Chart::new(
                    time(),
                    Axis::logarithmic("largest error (rad/s²)").spanning(1e-6, 1.0),
                    vec![Curve::new("finite differences, step 10⁻⁵", Style::Second, pairs(accelerations))],
                )],
                paper: "takes all derivatives of L by differences over 10⁻⁵.".to_owned(),
                ours: "what the derivation removes: second differences of L lose ten digits to rounding.".to_owned(),
            },
        ],
    })
}
