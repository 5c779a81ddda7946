//! 10⁵ of the paper's steps.

use super::{PARAMETERS, Run, STEP, STUDY};
use crate::statements::triple_pendulum as stated;
use crate::study::Finding;
use crate::study::charts::{self, BUCKETS};
use lagrange_cli::analysis::decimate::envelope;
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::TriplePendulumCartesian;
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (5, "10⁵ steps of 0.12 s");

/// 10⁵ steps, s.
const DURATION: f64 = 1e5 * STEP;

/// The allowed round-off in g (m) and G v (m/s): it must not add up over the steps.
const ROUND_OFF: f64 = 1e-14;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = TriplePendulumCartesian::default().prepare::<f64>()?;
    let run = Run::integrate(&system, DURATION, &ImplicitMidpoint::new(STEP))?;
    let note = "the constraints are solved for at each step, so that round-off does not add up; tolerance: round-off of \
                coordinates up to 3 m";
    let (error, slope) = (run.motion.largest_energy_error(), run.motion.energy_drift());
    let first = run.motion.energy_error().take_while(|[t, _]| *t <= super::DURATION);
    let early = first.map(|[_, error]| error.abs()).fold(0.0, f64::max);
    report.rows.extend([
        Row::compared(
            PLACE,
            "largest ‖g‖, composition",
            "m",
            Published::within("0", ROUND_OFF).expected(),
            run.position_error(),
            note,
        ),
        Row::compared(
            PLACE,
            "largest ‖Gv‖, composition",
            "m/s",
            Published::within("0", ROUND_OFF).expected(),
            run.velocity_error(),
            "as above",
        ),
        Row::compared(
            PLACE,
            "largest |E − E(0)| in 12 000 s over that in 60 s, composition",
            "",
            Published::at_most("2").of(&stated::STABLE),
            error / early,
            "stable is read as: no more than twice the error of the paper's 60 s",
        ),
        Row::compared(
            PLACE,
            "largest ‖g‖ in 12 000 s, composition",
            "m",
            Published::within("0", ROUND_OFF).of(&stated::STABLE),
            run.position_error(),
            "as above",
        ),
        Row::ours(PLACE, "largest |E − E(0)|, composition", "J", error, "12 000 s; the paper shows 60 s"),
        Row::ours(
            PLACE,
            "slope of E(t), composition",
            "J/s",
            slope,
            "of the straight line through E(t) over 12 000 s: times these, a tenth of the largest error",
        ),
    ]);
    report.sections.push(section(&run));
    Ok(())
}

fn section(run: &Run) -> Section {
    let curve = |name, style, component: usize| {
        let points = envelope(run.errors.iter().map(|row| [row[0], row[component]]), [0.0, DURATION], BUCKETS);
        Curve::new(name, style, points.into_iter().filter(|point| point[1] > 0.0).collect())
    };
    let curves = vec![curve("‖Gv‖ (m/s)", Style::Second, 2), curve("‖g‖ (m)", Style::First, 1)];
    let (x, y) = (Axis::linear("time (s)").spanning(0.0, DURATION), Axis::logarithmic("largest error"));
    Section {
        id: "long",
        study: STUDY,
        title: "Long motion: 10⁵ steps".to_owned(),
        setup: format!("{PARAMETERS} The composition with a step of 0.12 s, 12 000 s."),
        figures: vec![
            Figure {
                title: "Errors of the constraints and of their derivatives".to_owned(),
                charts: vec![Chart::new(x, y.spanning(1e-17, 1e-13), curves)],
                paper: String::new(),
                ours: format!(
                    "they stay within {} m and {} m/s.",
                    shown(run.position_error(), 2),
                    shown(run.velocity_error(), 2)
                ),
            },
            Figure {
                title: "Energy error".to_owned(),
                charts: vec![charts::energy_error(&[("composition", Style::First, &run.motion)], DURATION)],
                paper: String::new(),
                ours: format!(
                    "it stays within {} J; the straight line through E(t) falls or rises by {} J in the 12 000 s.",
                    shown(run.motion.largest_energy_error(), 2),
                    shown((run.motion.energy_drift() * DURATION).abs(), 2)
                ),
            },
        ],
        ..Section::default()
    }
}
