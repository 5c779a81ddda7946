//! §3.3 of the paper: the equations with drag, but with the coefficient μ = 0, compared with the
//! equations without drag.

use super::{DURATION, STEP, STUDY};
use crate::statements::compound_double_pendulum as stated;
use crate::study::Finding;
use crate::study::certain::side;
use crate::study::charts::BUCKETS;
use crate::study::motion::Motion;
use lagrange_cli::analysis::decimate::envelope;
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::{CompoundDoublePendulum, CompoundDoublePendulumWithDrag};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (1, "drag of zero");

/// The allowed difference of the angles, rad. Round-off grows with the time, so that this is 10⁶
/// times the round-off of one angle.
const TOLERANCE: f64 = 1e-9;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let pendulum = CompoundDoublePendulumWithDrag { mu: 0.0, ..CompoundDoublePendulumWithDrag::default() };
    let with_drag = pendulum.prepare::<f64>()?;
    let without = CompoundDoublePendulum::default().prepare::<f64>()?;
    let initial = CompoundDoublePendulum::released_at_45_degrees();
    let of_zero = Motion::integrate(&with_drag, initial, DURATION, &Rk4::new(STEP))?;
    let free = Motion::integrate(&without, initial, DURATION, &Rk4::new(STEP))?;

    let differences: Vec<[f64; 2]> =
        free.states.iter().zip(&of_zero.states).map(|(free, zero)| [free.t, (free.q - zero.q).amax()]).collect();
    let largest = differences.iter().map(|point| point[1]).fold(0.0, f64::max);
    let early =
        differences.iter().filter(|point| point[0] <= DURATION / 10.0).map(|point| point[1]).fold(0.0, f64::max);
    let inputs = with_drag.default_inputs();
    let power = |state: &State<f64, 2>| {
        // The three powers are those of the torque, of the drag, and of an explicit time in L.
        let mut terms = [0.0; 3];
        with_drag.powers(state.t, &state.q, &state.v, &inputs, &mut terms);
        terms[1].abs()
    };
    report.rows.extend([
        Row::compared(
            PLACE,
            "largest difference of the angles in 500 s, μ = 0 against the equations without drag",
            "rad",
            Published::within("0", TOLERANCE).of(&stated::NO_DRAG),
            largest,
            "the drag as −μ |v·n| (v·n)",
        ),
        Row::compared(
            PLACE,
            "largest difference of the angles in 500 s over that in the first 50 s",
            "",
            Published::at_most("1").of(&stated::NO_DRAG_ACCUMULATION),
            largest / early,
            "an error that does not accumulate is as large in 50 s as in 500 s",
        )
        .certain(side(largest / early, 2.0)),
        Row::compared(
            PLACE,
            "largest difference of the angles in 500 s",
            "rad",
            Published::within("0", TOLERANCE).of(&stated::NO_DRAG_ACCUMULATION),
            largest,
            "a serious effect would be seen in a figure",
        ),
        Row::compared(
            PLACE,
            "largest power of the drag along the motion, μ = 0",
            "W",
            Published::above("0").of(&stated::NO_DRAG_ROUNDING),
            of_zero.states.iter().map(power).fold(0.0, f64::max),
            "the product of 0 and a finite double is exactly 0",
        ),
    ]);
    report.sections.push(section(&differences, largest));
    Ok(())
}

fn section(differences: &[[f64; 2]], largest: f64) -> Section {
    let points = envelope(differences.iter().copied(), [0.0, DURATION], BUCKETS);
    let visible = points.into_iter().filter(|point| point[1] > 0.0).collect();
    Section {
        id: "drag-of-zero",
        study: STUDY,
        title: "Drag of zero".to_owned(),
        setup:
            "The equations with drag and μ = 0 against those without, from rest at (45°, 0°); RK4, step 1 ms, 500 s."
                .to_owned(),
        figures: vec![Figure {
            title: "Difference of the angles".to_owned(),
            charts: vec![Chart::new(
                Axis::linear("time (s)").spanning(0.0, DURATION),
                Axis::logarithmic("largest difference (rad)"),
                vec![Curve::new("μ = 0 against no drag", Style::First, visible)],
            )],
            paper: "μ = 0 leaves a small drag in double precision, whose error does not accumulate (§3.3).".to_owned(),
            ours: format!("the angles differ by {} rad at most.", shown(largest, 2)),
        }],
        ..Section::default()
    }
}
