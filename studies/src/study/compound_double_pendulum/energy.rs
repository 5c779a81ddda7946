//! Experiment 3 (§5.3): the energy error of Verlet and of RK4.

use super::{DURATION, STEP, STUDY};
use crate::statements::compound_double_pendulum as stated;
use crate::study::Finding;
use crate::study::certain::side;
use crate::study::charts;
use crate::study::motion::Motion;
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::Style;
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (1, "3");

const CHECKED: &str =
    "the paper shows a curve; the figure was recomputed from its equations, independently of this program";

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    let initial = CompoundDoublePendulum::released_at_45_degrees();
    let rk4 = Motion::integrate(&system, initial, DURATION, &Rk4::new(STEP))?;
    let verlet = Motion::integrate(&system, initial, DURATION, &Verlet::new(STEP))?;

    let (of_rk4, of_verlet) = (rk4.largest_energy_error(), verlet.largest_energy_error());
    let rattle = Motion::integrate(&system, initial, DURATION, &Rattle::new(STEP))?;
    let drift_ratio = (verlet.energy_drift() / rk4.energy_drift()).abs().log10();
    report.rows.extend([
        Row::compared(
            PLACE,
            "largest |E − E(0)| in 500 s, RK4",
            "J",
            Published::within_percent("5.24e-8", 1.0).recomputed(),
            of_rk4,
            CHECKED,
        ),
        Row::compared(
            PLACE,
            "largest |E − E(0)| in 500 s, Verlet",
            "J",
            Published::within_percent("2.55e-3", 1.0).recomputed(),
            of_verlet,
            CHECKED,
        ),
        Row::compared(
            PLACE,
            "Verlet's error over RK4's",
            "orders",
            Published::within("4.5", 0.5).of(&stated::FOUR_TO_FIVE),
            (of_verlet / of_rk4).log10(),
            "log₁₀ of the ratio of the largest errors",
        ),
        Row::compared(
            PLACE,
            "Verlet's accumulated error over RK4's",
            "orders",
            Published::within("4.5", 0.5).of(&stated::DRIFTS),
            drift_ratio,
            "log₁₀ of the ratio of the slopes of the straight lines through E(t)",
        ),
    ]);
    let moved = "how far E moves from the first to the last tenth of 500 s, over its range in the first";
    report.rows.extend([
        Row::compared(
            PLACE,
            format!("Verlet: {moved}"),
            "",
            Published::above("1").of(&stated::VERLET_ACCUMULATES),
            verlet.accumulation(),
            "above 1 the error accumulates",
        ),
        Row::ours(
            PLACE,
            format!("RATTLE: {moved}"),
            "",
            rattle.accumulation(),
            "for comparison: a symplectic method at the same step",
        )
        .beside(&stated::VERLET_ACCUMULATES)
        .certain(side(rattle.accumulation(), 0.1)),
    ]);
    report.series.push(rk4.series("compound-double-pendulum-energy-rk4", 20));
    report.series.push(verlet.series("compound-double-pendulum-energy-verlet", 20));
    report.sections.push(section(&rk4, &verlet));
    Ok(())
}

fn section(rk4: &Motion, verlet: &Motion) -> Section {
    let both = [("Verlet", Style::Second, verlet), ("RK4", Style::First, rk4)];
    Section {
        id: "energy",
        study: STUDY,
        title: "Experiment 3: energy of Verlet and RK4".to_owned(),
        setup: "Compound double pendulum; masses of 1 kg, rods of 1 m, g = 9.8 m/s², at rest at (45°, 0°). Verlet and \
                RK4, step 1 ms, 500 s."
            .to_owned(),
        figures: vec![
            Figure {
                title: "Energy error".to_owned(),
                charts: vec![charts::energy_error(&both, DURATION)],
                paper: "Verlet's error exceeds RK4's by 4 to 5 orders of magnitude (its figures 12 and 13).".to_owned(),
                ours: format!(
                    "the largest error in each half second; over 500 s {} J for Verlet and {} J for RK4.",
                    shown(verlet.largest_energy_error(), 3),
                    shown(rk4.largest_energy_error(), 3)
                ),
            },
            Figure {
                title: "Energy error with its sign".to_owned(),
                charts: vec![
                    charts::signed_energy_error("Verlet", Style::Second, verlet, DURATION),
                    charts::signed_energy_error("RK4", Style::First, rk4, DURATION),
                ],
                paper: "Verlet accumulates error visibly, RK4 4 to 5 orders less (its figures 12 and 13).".to_owned(),
                ours: format!(
                    "the straight lines through the curves have slopes of {} J/s (Verlet) and {} J/s (RK4).",
                    shown(verlet.energy_drift(), 2),
                    shown(rk4.energy_drift(), 2)
                ),
            },
        ],
        ..Section::default()
    }
}
