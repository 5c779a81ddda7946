//! The paper's "Noether invariants" along its own motion: neither is conserved.

use super::{PARAMETERS, SHOWN, STEP, STUDY};
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
use lagrange_models::LcPlate;
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (4, "printed invariants");

/// t, I₁, I₂ and E at each step.
type Values = Vec<[f64; 4]>;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = LcPlate::default().prepare::<f64>()?;
    let motion = Motion::integrate(&system, LcPlate::released(), SHOWN, &Gauss::<f64, 3>::new(STEP))?;
    let values = along(&system, &motion);
    let claim = "the paper claims a constant (its equations 23 and 24) and finds it kept for 1000 time units; the end of its range \
                 over 1 s was recomputed from the paper's equations, independently of this program, and `invariant` refutes the \
                 claim when the mechanism is compiled";
    for (index, name, [low, high]) in [
        (1, "I₁", [Published::printed("-1.6").recomputed(), Published::within("0", 0.05).recomputed()]),
        (2, "I₂", [Published::printed("-0.43").recomputed(), Published::printed("12.2").recomputed()]),
    ] {
        let [least, greatest] = range(&values, index);
        report.rows.extend([
            Row::compared(PLACE, format!("{name}, least in 1 s"), "", low, least, claim),
            Row::compared(PLACE, format!("{name}, greatest in 1 s"), "", high, greatest, "as above"),
        ]);
    }
    let [least, greatest] = range(&values, 3);
    let note = "what is conserved, for comparison: the same motion";
    report.rows.push(Row::ours(PLACE, "E, greatest less least in 1 s", "J", greatest - least, note));
    report.series.push(Series {
        name: "rlc-plate-printed-invariants".to_owned(),
        columns: vec!["t (s)", "I1", "I2", "E (J)"],
        rows: values.iter().map(|row| row.to_vec()).collect(),
    });
    report.sections.push(section(&values));
    Ok(())
}

fn along(system: &super::Plate<'_>, motion: &Motion) -> Values {
    let value = |(state, energy): (&State<f64, 2>, &f64)| {
        let mut out = [f64::NAN; 2];
        system.outputs(state.t, &state.q, &state.v, &SVector::zeros(), &mut out);
        [state.t, out[0], out[1], *energy]
    };
    motion.states.iter().zip(&motion.energy).map(value).collect()
}

/// Least and greatest.
fn range(values: &Values, index: usize) -> [f64; 2] {
    let column = || values.iter().map(|row| row[index]);
    [column().fold(f64::INFINITY, f64::min), column().fold(f64::NEG_INFINITY, f64::max)]
}

fn section(values: &Values) -> Section {
    let curve = |name, style, index: usize| {
        Curve::new(name, style, extremes(values.iter().map(|row| [row[0], row[index]]), [0.0, SHOWN], BUCKETS))
    };
    let chart = |label, curves| Chart::new(Axis::linear("time (s)").spanning(0.0, SHOWN), Axis::linear(label), curves);
    let ([low_1, high_1], [low_2, high_2]) = (range(values, 1), range(values, 2));
    Section {
        id: "printed-invariants",
        study: STUDY,
        title: "Printed invariants: not conserved".to_owned(),
        setup: format!(
            "The paper's I₁ = L₁e²/(2A) − (s − x)e²/A + Re and I₂ = mẋ²/2 − kx²/2 + e²/(2A) along the motion without resistance \
             and source. {PARAMETERS}"
        ),
        figures: vec![Figure {
            title: "The two printed quantities and the energy".to_owned(),
            charts: vec![
                chart("I₁", vec![curve("I₁", Style::Second, 1), curve("energy (J)", Style::First, 3)]).with_aspect(0.55),
                chart("I₂", vec![curve("I₂", Style::Third, 2), curve("energy (J)", Style::First, 3)]).with_aspect(0.55),
            ],
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
        }],
        ..Section::default()
    }
}
