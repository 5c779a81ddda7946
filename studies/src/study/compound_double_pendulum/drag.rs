//! Experiment 6 (§6): quadratic air drag on the rods.

use super::{DURATION, STEP, STUDY};
use crate::statements::compound_double_pendulum as stated;
use crate::study::Finding;
use crate::study::charts;
use crate::study::motion::Motion;
use lagrange_cli::analysis::decimate::extremes;
use lagrange_cli::analysis::trend::{largest_rise, slope};
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::CompoundDoublePendulumWithDrag;
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (1, "6");

/// The energy losses of stretches of this length are compared, s: they contain many swings, so that phases do not matter.
const STRETCH: f64 = 50.0;

/// One motion with its drag.
struct Damped {
    mu: f64,
    motion: Motion,
    rest: f64,
}

impl Damped {
    /// The energy above rest at the end, J.
    fn above_rest(&self) -> f64 {
        self.motion.energy.last().copied().unwrap_or(f64::NAN) - self.rest
    }
}

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let damped = [damped(0.01)?, damped(0.1)?];
    comparisons(report, &damped);
    for damped in &damped {
        let Damped { mu, motion, rest } = damped;
        let losses: Vec<f64> = marks(damped).windows(2).map(|pair| pair[0] - pair[1]).collect();
        let rises = losses.windows(2).filter(|pair| pair[1] >= pair[0]).count();
        report.rows.extend([
            Row::compared(
                PLACE,
                format!("largest rise of the energy, μ = {mu}"),
                "J",
                Published::within("0", 1e-9).of(&stated::ENERGY_FALLS),
                largest_rise(&motion.energy),
                "tolerance: RK4's own error in one swing",
            ),
            Row::compared(
                PLACE,
                format!("stretches of 50 s that lose more than the one before, μ = {mu}"),
                "",
                Published::within("0", 0.0).of(&stated::TENDS_TO_REST),
                rises as f64,
                "",
            ),
            Row::compared(
                PLACE,
                format!("power of time with which the energy above rest falls from 250 s to 500 s, μ = {mu}"),
                "",
                Published::at_most("-1").of(&stated::TENDS_TO_REST),
                decay_power(damped),
                "slope of the straight line through log E against log t, at the ends of the stretches",
            ),
            Row::compared(
                PLACE,
                format!("energy lost in the last 50 s over that in the first 50 s, μ = {mu}"),
                "",
                Published::at_most("0.1").of(&stated::TENDS_TO_REST),
                losses[losses.len() - 1] / losses[0],
                "the rate tends to 0: it is read as a tenth or less",
            ),
            Row::compared(
                PLACE,
                format!("stretches of 50 s whose largest angle exceeds that of the one before, μ = {mu}"),
                "",
                Published::within("0", 0.0).of(&stated::ENVELOPE),
                envelope(motion).windows(2).filter(|pair| pair[1] >= pair[0]).count() as f64,
                "",
            ),
            Row::ours(
                PLACE,
                format!("energy above rest after 500 s, μ = {mu}"),
                "J",
                damped.above_rest(),
                &format!(
                    "{:.4} J at the start; the paper shows a curve that tends to the energy of rest",
                    motion.energy[0] - rest
                ),
            ),
        ]);
        report.series.push(motion.series(&format!("compound-double-pendulum-drag-mu-{mu}"), 20));
    }
    report.sections.push(section(&damped));
    Ok(())
}

/// What the paper compares: both drags, and fast with slow motion.
fn comparisons(report: &mut Report, [weak, strong]: &[Damped; 2]) {
    let envelopes = [weak, strong].map(|damped| envelope(&damped.motion));
    let last = |values: &[f64]| values.last().copied().unwrap_or(f64::NAN);
    // The share of the energy above rest that a stretch of time loses.
    let share = |marks: &[f64], index: usize| 1.0 - marks[index + 1] / marks[index];
    let marks = marks(strong);
    report.rows.extend([
        Row::compared(
            PLACE,
            "energy above rest after 500 s, μ = 0.01 over μ = 0.1",
            "",
            Published::above("1").of(&stated::LARGER_DRAG),
            weak.above_rest() / strong.above_rest(),
            "",
        ),
        Row::compared(
            PLACE,
            "largest angle in the last 50 s, μ = 0.01 over μ = 0.1",
            "",
            Published::above("1").of(&stated::LARGER_DRAG),
            last(&envelopes[0]) / last(&envelopes[1]),
            "",
        ),
        Row::compared(
            PLACE,
            "share of the energy lost in the last 50 s over that in the first 50 s, μ = 0.1",
            "",
            Published::at_most("0.5").of(&stated::SLOW_MOTION),
            share(&marks, marks.len() - 2) / share(&marks, 0),
            "hardly is read as half or less",
        ),
    ]);
}

/// The largest magnitude of both angles in each stretch of time, rad.
fn envelope(motion: &Motion) -> Vec<f64> {
    let samples = (STRETCH / STEP).round() as usize;
    let largest = |states: &[State<f64, 2>]| states.iter().map(|state| state.q.amax()).fold(0.0, f64::max);
    motion.states[1..].chunks(samples).filter(|states| states.len() == samples).map(largest).collect()
}

/// The energy above rest between the stretches of time.
fn marks(damped: &Damped) -> Vec<f64> {
    let samples = (STRETCH / STEP).round() as usize;
    damped.motion.energy.iter().step_by(samples).map(|energy| energy - damped.rest).collect()
}

/// The power of time with which the energy above rest falls in the second half of the motion.
fn decay_power(damped: &Damped) -> f64 {
    let marks = marks(damped);
    let late = marks.iter().enumerate().skip(marks.len() / 2);
    slope(late.map(|(index, energy)| [(STRETCH * index as f64).ln(), energy.ln()]))
}

fn damped(mu: f64) -> Finding<Damped> {
    let pendulum = CompoundDoublePendulumWithDrag { mu, ..CompoundDoublePendulumWithDrag::default() };
    let system = pendulum.prepare::<f64>()?;
    let initial = CompoundDoublePendulumWithDrag::released_at_45_degrees();
    let motion = Motion::integrate(&system, initial, DURATION, &Rk4::new(STEP))?;
    Ok(Damped { mu, motion, rest: pendulum.rest_energy() })
}

fn section(damped: &[Damped; 2]) -> Section {
    let [weak, strong] = damped;
    let angles = |damped: &Damped| {
        let mut chart = charts::angles(&damped.motion, [0.0, DURATION]).with_aspect(0.55);
        chart.y = chart.y.spanning(-60.0, 60.0);
        chart
    };
    let remaining = |damped: &Damped| 100.0 * damped.above_rest() / (damped.motion.energy[0] - damped.rest);
    Section {
        id: "drag",
        study: STUDY,
        title: "Experiment 6: air drag".to_owned(),
        setup: "The same pendulum with quadratic drag on both rods, integrated over their lengths in closed form when \
                the equations were derived; at rest at (45°, 0°), RK4, step 1 ms, 500 s, μ = 0.01 and 0.1 N·s²/m³."
            .to_owned(),
        equations: Some(CompoundDoublePendulumWithDrag::EQUATIONS_TEXT),
        animation: None,
        figures: vec![
            Figure {
                title: "Energy".to_owned(),
                charts: vec![energy(damped)],
                paper: "the energy falls ever more slowly towards the energy at rest, and faster with the larger drag (its \
                        figures 20 and 22)."
                    .to_owned(),
                ours: format!(
                    "after 500 s {:.2} % of the energy above rest is left with μ = 0.01, {:.3} % with μ = 0.1.",
                    remaining(weak),
                    remaining(strong)
                ),
            },
            Figure {
                title: "Motion at μ = 0.01 and at μ = 0.1".to_owned(),
                charts: vec![angles(weak), angles(strong)],
                paper:
                    "the envelopes shrink, faster with the larger drag; slow motion is hardly damped (its figures 21 \
                        and 23)."
                        .to_owned(),
                ours: "quadratic drag leaves an envelope that falls like 1/t, not exponentially.".to_owned(),
            },
        ],
    }
}

fn energy(damped: &[Damped; 2]) -> Chart {
    let above_rest = |Damped { motion, rest, .. }: &Damped| {
        extremes(motion.energies().map(|[t, energy]| [t, energy - rest]), [0.0, DURATION], charts::BUCKETS)
    };
    let curves = vec![
        Curve::new("μ = 0.01", Style::First, above_rest(&damped[0])),
        Curve::new("μ = 0.1", Style::Second, above_rest(&damped[1])),
    ];
    let (x, y) = (Axis::linear("time (s)").spanning(0.0, DURATION), Axis::logarithmic("energy above rest (J)"));
    Chart::new(x, y, curves)
}
