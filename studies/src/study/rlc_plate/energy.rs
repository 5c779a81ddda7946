//! Without resistance and source: plate, charge, and the energy, which is what is conserved.

use super::{Case, PARAMETERS, STEP, STUDY};
use crate::statements::rlc_plate as stated;
use crate::study::Finding;
use crate::study::charts;
use crate::study::motion::Motion;
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::Style;
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::LcPlate;
use lagrange_runtime::analysis::{Spectrum, Window};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (4, "without resistance");

/// A line counts from this fraction of the highest one's amplitude.
const STRONG: f64 = 0.1;

/// Lines nearer than this are one, Hz: the width of a line of Hann's window over 1 s.
const SEPARATION: f64 = 2.0;

/// How long the energy is watched, s: 10⁵ steps.
const DURATION: f64 = 100.0;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let parameters = LcPlate::default();
    let system = parameters.prepare::<f64>()?;
    let initial = LcPlate::released();
    let case = Case::integrate(&system, initial)?;
    let gauss_3 = Motion::integrate(&system, initial, DURATION, &Gauss::<f64, 3>::new(STEP))?;
    let gauss_2 = Motion::integrate(&system, initial, DURATION, &Gauss::<f64, 2>::new(STEP))?;
    let rk4 = Motion::integrate(&system, initial, DURATION, &Rk4::new(STEP))?;

    let farthest =
        |motion: &Motion| {
            let start = motion.energy[0];
            motion.energy.iter().copied().fold(start, |worst, energy| {
                if (energy - start).abs() > (worst - start).abs() { energy } else { worst }
            })
        };
    let plate: Vec<f64> = case.gauss.coordinate(0).map(|[_, x]| x).collect();
    let lines = Spectrum::new(&plate[..plate.len() - 1], STEP, Window::Hann)?.lines(STRONG, SEPARATION);
    let start = &case.gauss.states[0].q;
    let pull = start[1] * start[1] / (2.0 * parameters.eps * parameters.a) / (parameters.k * start[0]);
    let order_4 = "of order 4 as RK4: the error swings and does not grow";
    report.rows.extend([
        Row::compared(
            PLACE,
            "lines in the spectrum of the plate's motion",
            "",
            Published::printed("1").of(&stated::HARMONIC),
            lines.len() as f64,
            &format!(
                "counted from a tenth of the highest amplitude (1 s, Hann's window); the charge \
                 pulls the plate by e²/(2εA), which at the start is {pull:.2} times the force of the spring, and which swings"
            ),
        ),
        case.agreement(PLACE, 0),
        Row::compared(
            PLACE,
            "energy in 100 s, Gauss, 3 stages: farthest from the start",
            "J",
            Published::printed("1.045784").recomputed(),
            farthest(&gauss_3),
            "the paper prints no energy; the figure was recomputed from its equations and table, independently of this program; \
             10⁵ steps of 1 ms; `invariant total = energy` is proved when the mechanism is compiled",
        ),
        Row::ours(
            PLACE,
            "largest |E − E(0)| in 100 s, Gauss, 3 stages",
            "J",
            gauss_3.largest_energy_error(),
            "of order 6",
        ),
        Row::ours(PLACE, "largest |E − E(0)| in 100 s, Gauss, 2 stages", "J", gauss_2.largest_energy_error(), order_4),
        Row::ours(
            PLACE,
            "largest |E − E(0)| in 100 s, RK4",
            "J",
            rk4.largest_energy_error(),
            "the same step: RK4 loses energy all the time",
        ),
        Row::ours(
            PLACE,
            "slope of E(t), Gauss, 3 stages",
            "J/s",
            gauss_3.energy_drift(),
            "of the straight line through E(t) over 100 s",
        ),
        Row::ours(PLACE, "slope of E(t), RK4", "J/s", rk4.energy_drift(), "as above"),
        Row::ours(
            PLACE,
            "relative error of the charge in 1 s, Gauss, 3 stages",
            "",
            case.error(&case.gauss, 1),
            "against Gauss's method of 6 stages",
        ),
        Row::ours(PLACE, "relative error of the charge in 1 s, RK4", "", case.error(&case.rk4, 1), "as above"),
    ]);
    report.series.push(case.series("rlc-plate-without-resistance"));
    report.sections.push(section(&case, [&gauss_3, &gauss_2, &rk4]));
    Ok(())
}

fn section(case: &Case, [gauss_3, gauss_2, rk4]: [&Motion; 3]) -> Section {
    let curves = [
        ("RK4", Style::Second, rk4),
        ("Gauss, 2 stages", Style::Third, gauss_2),
        ("Gauss, 3 stages", Style::First, gauss_3),
    ];
    Section {
        id: "plate",
        study: STUDY,
        title: "Plate without resistance: motion and energy".to_owned(),
        setup: format!("The plate of a capacitor on a spring, in a circuit with an inductance. {PARAMETERS}"),
        equations: Some(LcPlate::EQUATIONS_TEXT),
        figures: vec![
            case.figure(
                "Plate and charge, without resistance and source",
                "the plate vibrates harmonically; the symplectic method and RK4 agree (its figure 2).",
                format!(
                    "the charge pulls the plate, and the plate changes the circuit's frequency, so that neither vibrates \
                     harmonically. In this second RK4's charge is off by {} of its largest value, that of Gauss by {}.",
                    shown(case.error(&case.rk4, 1), 2),
                    shown(case.error(&case.gauss, 1), 2)
                ),
            ),
            Figure {
                title: "Energy error".to_owned(),
                charts: vec![charts::energy_error(&curves, DURATION)],
                paper: String::new(),
                ours: format!(
                    "Gauss keeps the energy of 1.045784 J within {} J (3 stages) and {} J (2 stages) without drift; RK4 is off by {} J \
                     after 100 s, and goes on.",
                    shown(gauss_3.largest_energy_error(), 2),
                    shown(gauss_2.largest_energy_error(), 2),
                    shown(rk4.largest_energy_error(), 2)
                ),
            },
        ],
        ..Section::default()
    }
}
