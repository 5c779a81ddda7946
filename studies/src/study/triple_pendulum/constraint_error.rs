//! The paper's example: constraint errors and energy at a step of 0.12 s.

use super::{COMPOSITION, DURATION, PARAMETERS, Pendulum, Run, STEP, STUDY};
use crate::statements::triple_pendulum as stated;
use crate::study::Finding;
use crate::study::charts::{self, BUCKETS};
use crate::study::motion::Motion;
use lagrange_cli::analysis::decimate::envelope;
use lagrange_cli::report::Report;
use lagrange_cli::report::csv::Series;
use lagrange_cli::report::figure::{Animation, Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::{TriplePendulum, TriplePendulumCartesian};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (5, "step of 0.12 s");

/// The allowed round-off in g (m) and G v (m/s): some units in the last place of coordinates up to 3 m.
const ROUND_OFF: f64 = 1e-14;

/// The time between two frames of the animation, s.
const FRAME: f64 = 0.04;

/// The gains α = β of the compared stabilisations, 1/s.
const GAINS: [f64; 2] = [1.0, 5.0];

/// The names of the stabilisations in legends.
const GAINED: [&str; 2] = ["Baumgarte, α = β = 1/s, RK4", "Baumgarte, α = β = 5/s, RK4"];

/// The compared runs: the paper's two methods, which are the composition and Baumgarte's
/// stabilisation at two gains, and RK4 with projection.
struct Runs {
    composition: Run,
    baumgarte: [Run; 2],
    projected: Run,
}

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = TriplePendulumCartesian::default().prepare::<f64>()?;
    let stabilised = |gain: f64| {
        let system = Baumgarte::new(&system, gain, gain);
        Run::integrate(&system as &Pendulum<'_>, DURATION, &Rk4::new(STEP))
    };
    let runs = Runs {
        composition: Run::integrate(&system, DURATION, &ImplicitMidpoint::new(STEP))?,
        baumgarte: [stabilised(GAINS[0])?, stabilised(GAINS[1])?],
        projected: Run::integrate(&system, DURATION, &Projected::new(Rk4::new(STEP)))?,
    };
    let rattle = Run::integrate(&system, DURATION, &Rattle::new(STEP))?;
    let pairs = runs.composition.motion.states.iter().zip(&rattle.motion.states);
    let rattle_difference = pairs.map(|(ours, rattle)| (ours.q - rattle.q).amax()).fold(0.0, f64::max);

    rows(report, &runs, rattle_difference);
    report.series.push(series(&runs));
    report.sections.push(section(&runs)?);
    Ok(())
}

/// Adds the rows of the table. `rattle_difference` is the largest difference between the
/// coordinates by the composition and by RATTLE.
fn rows(report: &mut Report, runs: &Runs, rattle_difference: f64) {
    let better_claim = "log₁₀ of the ratio at the better of two gains, as the paper prints none";
    let printed = "the paper shows curves; tolerance: round-off of coordinates up to 3 m";
    report.rows.extend([
        Row::compared(
            PLACE,
            "largest ‖g‖ in 60 s, composition",
            "m",
            Published::within("0", ROUND_OFF).of(&stated::POSITIONS),
            runs.composition.position_error(),
            &format!("{COMPOSITION}; {printed}"),
        ),
        Row::compared(
            PLACE,
            "largest ‖Gv‖ in 60 s, composition",
            "m/s",
            Published::within("0", ROUND_OFF).of(&stated::VELOCITIES),
            runs.composition.velocity_error(),
            "as above",
        ),
        Row::compared(
            PLACE,
            "largest ‖g‖ in 60 s, Baumgarte over composition",
            "orders",
            Published::above("0").of(&stated::BAUMGARTE),
            orders(runs, Run::position_error),
            better_claim,
        )
        .certain_digits(2),
        Row::compared(
            PLACE,
            "largest ‖Gv‖ in 60 s, Baumgarte over composition",
            "orders",
            Published::above("0").of(&stated::BAUMGARTE),
            orders(runs, Run::velocity_error),
            better_claim,
        )
        .certain_digits(2),
        Row::ours(
            PLACE,
            "composition against RATTLE: largest difference of the bobs in 60 s",
            "m",
            rattle_difference,
            "with uniform gravity and a constant mass matrix the midpoint step is exact: both are the same method",
        ),
        Row::compared(
            PLACE,
            "largest ‖g‖ in 60 s, Baumgarte over composition",
            "orders",
            Published::above("0").of(&stated::ACCURATE),
            orders(runs, Run::position_error),
            better_claim,
        )
        .certain_digits(2),
        Row::compared(
            PLACE,
            "largest |E − E(0)| in 60 s, Baumgarte over composition",
            "",
            Published::above("1").of(&stated::ACCURATE),
            better(runs, |run| run.motion.largest_energy_error()) / runs.composition.motion.largest_energy_error(),
            "at the better of two gains",
        ),
        Row::ours(
            PLACE,
            "largest |E − E(0)| in 60 s, composition",
            "J",
            runs.composition.motion.largest_energy_error(),
            "of order 2: it swings and does not grow",
        ),
    ]);
    for (run, gain) in runs.baumgarte.iter().zip(GAINS) {
        let mut row = |quantity: &str, unit, ours, note: &str| {
            let quantity = format!("{quantity}, Baumgarte with RK4, α = β = {gain}/s");
            report.rows.push(Row::ours(PLACE, quantity, unit, ours, note));
        };
        row(
            "largest ‖g‖ in 60 s",
            "m",
            run.position_error(),
            "g̈ + 2αġ + β²g = 0; the paper does not print its gains, and shows larger errors than the composition's",
        );
        row("largest ‖Gv‖ in 60 s", "m/s", run.velocity_error(), "as above");
        row("largest |E − E(0)| in 60 s", "J", run.motion.largest_energy_error(), "as above");
    }
    let note = "RK4 of the equations of index 1, each step projected onto g = 0 and G v = 0";
    let mut row = |quantity: &str, unit, ours| {
        report.rows.push(Row::ours(PLACE, format!("{quantity}, RK4 with projection"), unit, ours, note));
    };
    row("largest ‖g‖ in 60 s", "m", runs.projected.position_error());
    row("largest ‖Gv‖ in 60 s", "m/s", runs.projected.velocity_error());
    row("largest |E − E(0)| in 60 s", "J", runs.projected.motion.largest_energy_error());
}

fn series(runs: &Runs) -> Series {
    let row = |index: usize| {
        let of = |run: &Run| [run.errors[index][1], run.errors[index][2], run.motion.energy[index]];
        let state = &runs.composition.motion.states[index];
        let mut row = vec![state.t];
        row.extend(state.q.iter());
        row.extend(of(&runs.composition));
        row.extend(of(&runs.baumgarte[1]));
        row
    };
    Series {
        name: "triple-pendulum-constraint-errors".to_owned(),
        columns: vec![
            "t (s)",
            "x1 (m)",
            "y1 (m)",
            "x2 (m)",
            "y2 (m)",
            "x3 (m)",
            "y3 (m)",
            "|g| composition (m)",
            "|Gv| composition (m/s)",
            "E composition (J)",
            "|g| Baumgarte 5/s (m)",
            "|Gv| Baumgarte 5/s (m/s)",
            "E Baumgarte 5/s (J)",
        ],
        rows: (0..runs.composition.errors.len()).map(row).collect(),
    }
}

/// Returns the animation of the motion, which is integrated in angles with one step for each frame.
fn animation() -> Finding<Animation> {
    let pendulum = TriplePendulum::default();
    let system = pendulum.prepare::<f64>()?;
    let motion: Motion<3> =
        Motion::integrate(&system, TriplePendulum::released(), DURATION, &Gauss::<f64, 3>::new(FRAME))?;
    let frame = |state: &State<f64, 3>| {
        let q = pendulum.positions(state).q;
        vec![[q[0], q[1]], [q[2], q[3]], [q[4], q[5]]]
    };
    Ok(Animation {
        id: "animation-triple",
        caption: "60 s of the motion, with the path of the lowest bob in the last 6 s.".to_owned(),
        step: FRAME,
        reach: 1.75,
        low: -3.25,
        high: 0.25,
        frames: motion.states.iter().map(frame).collect(),
        trail: 6.0,
    })
}

fn section(runs: &Runs) -> Finding<Section> {
    let chart = |component: usize, label| {
        let curve = |name, style, run: &Run| {
            let points = envelope(run.errors.iter().map(|row| [row[0], row[component]]), [0.0, DURATION], BUCKETS);
            Curve::new(name, style, points.into_iter().filter(|point| point[1] > 0.0).collect())
        };
        let curves = vec![
            curve(GAINED[0], Style::Third, &runs.baumgarte[0]),
            curve(GAINED[1], Style::Second, &runs.baumgarte[1]),
            curve("composition", Style::First, &runs.composition),
        ];
        Chart::new(
            Axis::linear("time (s)").spanning(0.0, DURATION),
            Axis::logarithmic(label).spanning(1e-17, 1.0),
            curves,
        )
        .with_aspect(0.55)
    };
    let energies = [
        (GAINED[0], Style::Third, &runs.baumgarte[0].motion),
        (GAINED[1], Style::Second, &runs.baumgarte[1].motion),
        ("RK4 with projection", Style::Reference, &runs.projected.motion),
        ("composition", Style::First, &runs.composition.motion),
    ];
    Ok(Section {
        id: "constraint-errors",
        study: STUDY,
        title: "Constraint errors at a step of 0.12 s".to_owned(),
        setup: format!(
            "{PARAMETERS} Cartesian coordinates and three constraints on distances; the composition is {COMPOSITION}, against \
             RK4 on the equations that Baumgarte stabilises."
        ),
        equations: Some(TriplePendulumCartesian::EQUATIONS_TEXT),
        animation: Some(animation()?),
        figures: vec![
            Figure {
                title: "Errors of the constraints and of their derivatives".to_owned(),
                charts: vec![chart(1, "‖g‖ (m)"), chart(2, "‖Gv‖ (m/s)")],
                paper: "the composition keeps both, Baumgarte's stabilisation does not (its figures 2 to 5); the gains are \
                        not printed."
                    .to_owned(),
                ours: format!(
                    "the composition stays within {} m and {} m/s, at round-off; Baumgarte's within {} m and {} m/s at \
                     the better of the gains.",
                    shown(runs.composition.position_error(), 2),
                    shown(runs.composition.velocity_error(), 2),
                    shown(better(runs, Run::position_error), 2),
                    shown(better(runs, Run::velocity_error), 2),
                ),
            },
            Figure {
                title: "Energy error".to_owned(),
                charts: vec![charts::energy_error(&energies, DURATION)],
                paper: String::new(),
                ours: "the composition is of order 2: its error swings without growing. RK4 is of order 4, and more accurate \
                       in the first 60 s by projection and at the smaller gain; at the larger gain it loses energy steadily."
                    .to_owned(),
            },
        ],
    })
}

/// Returns log₁₀ of the ratio of two errors: that of Baumgarte's stabilisation at the better of its
/// two gains, and that of the composition.
fn orders(runs: &Runs, error: fn(&Run) -> f64) -> f64 {
    (better(runs, error) / error(&runs.composition)).log10()
}

/// Returns the error of Baumgarte's stabilisation at the better of its two gains.
fn better(runs: &Runs, error: fn(&Run) -> f64) -> f64 {
    runs.baumgarte.iter().map(error).fold(f64::INFINITY, f64::min)
}
