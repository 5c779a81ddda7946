//! The two quantities that the paper calls Noether invariants, evaluated along the motion of its
//! own equations with and without resistance. Neither is conserved.

use super::{PARAMETERS, Plate, SHOWN, STEP, STUDY};
use crate::statements::rlc_plate as stated;
use crate::study::Finding;
use crate::study::charts::BUCKETS;
use crate::study::motion::Motion;
use lagrange_cli::analysis::decimate::extremes;
use lagrange_cli::report::Report;
use lagrange_cli::report::csv::Series;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::{LcPlate, RlcPlate};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (4, "printed invariants");

/// The names of the printed quantities.
const NAMES: [&str; 2] = ["I₁", "I₂"];

/// The largest departure of a quantity from its initial value, relative to the magnitude of that
/// value, at which it still looks constant in a figure.
const CONSTANT: f64 = 0.01;

/// The number of steps in the paper's "1000 time units", if a unit is a step. They last as long as
/// the motion in the figures.
const STEPS: usize = 1000;

/// t, I₁, I₂ and E at each step.
type Values = Vec<[f64; 4]>;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let values = |system: &Plate<'_>| -> Finding<Values> {
        let motion = Motion::integrate(system, LcPlate::released(), SHOWN, &Gauss::<f64, 3>::new(STEP))?;
        Ok(invariants_and_energy(system, &motion))
    };
    let free = values(&LcPlate::default().prepare::<f64>()?)?;
    let damped = values(&RlcPlate::default().prepare::<f64>()?)?;
    claims(report, &free, &damped);
    ranges(report, &free);
    for (name, values) in
        [("rlc-plate-printed-invariants", &free), ("rlc-plate-printed-invariants-with-resistance", &damped)]
    {
        report.series.push(Series {
            name: name.to_owned(),
            columns: vec!["t (s)", "I1", "I2", "E (J)"],
            rows: values.iter().map(|row| row.to_vec()).collect(),
        });
    }
    report.sections.push(section(&free, &damped));
    Ok(())
}

/// Returns the printed quantities and the energy at each step of a motion.
fn invariants_and_energy(system: &Plate<'_>, motion: &Motion) -> Values {
    let value = |(state, energy): (&State<f64, 2>, &f64)| {
        let mut out = [f64::NAN; 2];
        system.outputs(state.t, &state.q, &state.v, &SVector::zeros(), &mut out);
        [state.t, out[0], out[1], *energy]
    };
    motion.states.iter().zip(&motion.energy).map(value).collect()
}

/// Adds rows that test the paper's statement that both quantities are constants of the motion.
fn claims(report: &mut Report, free: &Values, damped: &Values) {
    let without =
        "the paper's own equations of motion change it, and `invariant` refutes it when the mechanism is compiled";
    let with = [
        "the paper's I₁ contains the resistance, so that its figure may show this case; I₁ decays with the charge to a small part of its \
         start, beside which the rest looks constant in a figure",
        "as for I₁: the charge's e²/(2A) decays, and the plate's mẋ²/2 − kx²/2 that remains swings about zero by a small part of the start, \
         which looks constant in a figure",
    ];
    for (values, case, reasons) in [(free, "R = 0", [without; 2]), (damped, "R = 0.05 Ω", with)] {
        for (index, name) in NAMES.into_iter().enumerate() {
            let statement = [&stated::FIRST_INVARIANT, &stated::SECOND_INVARIANT][index];
            report.rows.push(Row::compared(
                PLACE,
                format!("largest departure of {name} from its start over its magnitude there, {STEPS} steps, {case}"),
                "",
                Published::within("0", CONSTANT).of(statement),
                departure(values, index + 1),
                reasons[index],
            ));
        }
    }
    for (index, name) in NAMES.into_iter().enumerate() {
        report.rows.push(Row::compared(
            PLACE,
            format!("largest departure of {name} from its mean in the second half of {STEPS} steps over its magnitude at the start, R = 0.05 Ω"),
            "",
            Published::within("0", 2.0 * CONSTANT).of(&stated::KEPT),
            late_swing(damped, index + 1),
            "tolerance: two lines' width in a figure; beside the start, what is left of it hardly moves",
        )
        .certain_digits(2));
        report.rows.push(
            Row::compared(
                PLACE,
                format!("the same for {name} with R = 0"),
                "",
                Published::within("0", 2.0 * CONSTANT).of(&stated::KEPT),
                late_swing(free, index + 1),
                "as above",
            )
            .certain_digits(2),
        );
    }
}

/// Adds rows that compare the ranges of the quantities without resistance with recomputed ones.
fn ranges(report: &mut Report, free: &Values) {
    let note = "the end of its range over 1 s with R = 0 was recomputed from the paper's equations, independently of this program";
    for (index, name, [low, high]) in [
        (1, NAMES[0], [Published::printed("-1.6"), Published::within("0", 0.05)]),
        (2, NAMES[1], [Published::printed("-0.43"), Published::printed("12.2")]),
    ] {
        let [least, greatest] = range(free, index);
        report.rows.extend([
            Row::compared(PLACE, format!("{name}, least in 1 s"), "", low.recomputed(), least, note),
            Row::compared(PLACE, format!("{name}, greatest in 1 s"), "", high.recomputed(), greatest, "as above"),
        ]);
    }
    let [least, greatest] = range(free, 3);
    let note = "what is conserved, for comparison: the same motion";
    report.rows.push(Row::ours(PLACE, "E, greatest less least in 1 s, R = 0", "J", greatest - least, note));
}

/// Returns the least and the greatest value of a column.
fn range(values: &[[f64; 4]], index: usize) -> [f64; 2] {
    let column = || values.iter().map(|row| row[index]);
    [column().fold(f64::INFINITY, f64::min), column().fold(f64::NEG_INFINITY, f64::max)]
}

/// Returns the largest departure of a column from its initial value, relative to the magnitude of
/// that value.
fn departure(values: &Values, index: usize) -> f64 {
    let start = values[0][index];
    let [least, greatest] = range(values, index);
    (greatest - start).max(start - least) / start.abs()
}

/// Returns the largest departure of a column from its mean in the second half of the motion,
/// relative to the magnitude of its initial value.
fn late_swing(values: &Values, index: usize) -> f64 {
    let late = &values[values.len() / 2..];
    let mean = late.iter().map(|row| row[index]).sum::<f64>() / late.len() as f64;
    let [least, greatest] = range(late, index);
    (greatest - mean).max(mean - least) / values[0][index].abs()
}

fn section(free: &Values, damped: &Values) -> Section {
    let curve = |name, style, values: &Values, index: usize| {
        Curve::new(name, style, extremes(values.iter().map(|row| [row[0], row[index]]), [0.0, SHOWN], BUCKETS))
    };
    let chart = |label, curves| Chart::new(Axis::linear("time (s)").spanning(0.0, SHOWN), Axis::linear(label), curves);
    let pair = |values: &Values| {
        vec![
            chart("I₁", vec![curve("I₁", Style::Second, values, 1), curve("energy (J)", Style::First, values, 3)])
                .with_aspect(0.55),
            chart("I₂", vec![curve("I₂", Style::Third, values, 2), curve("energy (J)", Style::First, values, 3)])
                .with_aspect(0.55),
        ]
    };
    let ([low_1, high_1], [low_2, high_2]) = (range(free, 1), range(free, 2));
    Section {
        id: "printed-invariants",
        study: STUDY,
        title: "Printed invariants: not conserved".to_owned(),
        setup: format!(
            "The paper's I₁ = L₁e²/(2A) − (s − x)e²/A + Re and I₂ = mẋ²/2 − kx²/2 + e²/(2A) along the motion without source. {PARAMETERS}"
        ),
        figures: vec![
            Figure {
                title: "The two printed quantities and the energy, R = 0".to_owned(),
                charts: pair(free),
                paper: "both are constants of the motion, and the symplectic method keeps them for 1000 time units (its figure 4)."
                    .to_owned(),
                ours: format!(
                    "I₁ runs from {} to {} and I₂ from {} to {}: the paper's own equations of motion do not conserve \
                     them. Claimed in a mechanism with `invariant`, each is a compile error that shows a state at which it changes.",
                    shown(low_1, 3),
                    shown(high_1, 2),
                    shown(low_2, 3),
                    shown(high_2, 3)
                ),
            },
            Figure {
                title: "The same with R = 0.05 Ω".to_owned(),
                charts: pair(damped),
                paper: "prints I₁ with the resistance in it, and does not say which case its figure 4 shows.".to_owned(),
                ours: format!(
                    "both start at {} and {} and fall as the charge decays. In the second half of the second I₁ moves by {} and I₂ by {} of its \
                     magnitude at the start, so that they look constant there; they are not.",
                    shown(damped[0][1], 3),
                    shown(damped[0][2], 3),
                    shown(late_swing(damped, 1), 1),
                    shown(late_swing(damped, 2), 1)
                ),
            },
        ],
        ..Section::default()
    }
}
