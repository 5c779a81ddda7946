//! The same motion in angles, without constraints.

use super::{PARAMETERS, Pendulum, STUDY};
use crate::statements::triple_pendulum as stated;
use crate::study::Finding;
use crate::study::motion::{Motion, states_at};
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::number::{self, shown};
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::{TriplePendulum, TriplePendulumCartesian};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (5, "the same in angles");

/// Until when both are compared, s.
const DURATION: f64 = 12.0;

/// The compared steps, s: each half of the one before.
const STEPS: [f64; 4] = [0.12, 0.06, 0.03, 0.015];

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let angles = TriplePendulum::default();
    let in_angles: Motion<3> = Motion::integrate(
        &angles.prepare::<f64>()?,
        TriplePendulum::released(),
        DURATION,
        &Gauss::<f64, 6>::new(STEPS[1]),
    )?;
    let exact = angles.positions(&in_angles.states[in_angles.states.len() - 1]);

    let cartesian = TriplePendulumCartesian::default().prepare::<f64>()?;
    let start = TriplePendulumCartesian::released();
    let difference = |motion: Motion<6>| (motion.states[motion.states.len() - 1].q - exact.q).norm();
    let (mut composition, mut composed) = (Vec::new(), Vec::new());
    for h in STEPS {
        let inner = ImplicitMidpoint::new(h);
        composition.push([h, difference(Motion::integrate(&cartesian, start, DURATION, &inner)?)]);
        let method = Composition::kahan_li(inner);
        composed.push([h, difference(Motion::integrate(&cartesian, start, DURATION, &method)?)]);
    }
    let baumgarte = Baumgarte::new(&cartesian, 1.0, 1.0);
    let farthest = [
        farthest(&angles, &Motion::integrate(&cartesian, start, DURATION, &ImplicitMidpoint::new(STEPS[0]))?)?,
        farthest(&angles, &Motion::integrate(&baumgarte as &Pendulum<'_>, start, DURATION, &Rk4::new(STEPS[0]))?)?,
    ];
    let slope = |errors: &[[f64; 2]], pair: usize| (errors[pair][1] / errors[pair + 1][1]).log2();
    let against = "the bobs at 12 s against the same in angles by Gauss's method of 6 stages";
    report.rows.extend([
        Row::ours(
            PLACE,
            "difference, composition at 0.12 s",
            "m",
            composition[0][1],
            &format!("{against}; at the paper's step"),
        ),
        Row::compared(
            PLACE,
            "largest difference of the bobs in 12 s at 0.12 s, Baumgarte with RK4 (α = β = 1/s) over composition",
            "",
            Published::above("1").of(&stated::ACCURATE),
            farthest[1] / farthest[0],
            &format!("{} m against {} m, from the same in angles", number::text(farthest[1], 2), number::text(farthest[0], 2)),
        ),
        Row::ours(PLACE, "difference, composition at 0.015 s", "m", composition[3][1], against),
        Row::compared(
            PLACE,
            "order of the composition",
            "",
            Published::within("2", 0.1).expected(),
            slope(&composition, 2),
            "log₂ of the ratio of the differences at 0.03 s and 0.015 s; the impulses make it 2 whatever stands between them",
        ),
        Row::ours(
            PLACE,
            "difference, composition of order 6 (Kahan and Li) at 0.015 s",
            "m",
            composed[3][1],
            "nine of the paper's steps forward and backward: constrained and free equations describe one motion",
        ),
    ]);
    report.sections.push(section(&composition, &composed));
    Ok(())
}

/// The largest distance of the bobs from the same motion in angles, at the steps' ends.
fn farthest(angles: &TriplePendulum, motion: &Motion<6>) -> Finding<f64> {
    let times: Vec<f64> = motion.states.iter().map(|state| state.t).collect();
    let system = angles.prepare::<f64>()?;
    let exact =
        states_at(&system, TriplePendulum::released(), &times, &Gauss::<f64, 6>::new(STEPS[1]), &Options::default())?;
    let distances = motion.states.iter().zip(&exact).map(|(state, exact)| (state.q - angles.positions(exact).q).norm());
    Ok(distances.fold(0.0, f64::max))
}

fn section(composition: &[[f64; 2]], composed: &[[f64; 2]]) -> Section {
    let curves = vec![
        Curve::new("composition", Style::First, composition.to_vec()),
        Curve::new("composition of order 6 (Kahan and Li)", Style::Second, composed.to_vec()),
    ];
    Section {
        id: "angles",
        study: STUDY,
        title: "Angles: the same without constraints".to_owned(),
        setup: format!(
            "{PARAMETERS} The bobs after 12 s in Cartesian coordinates, against the same pendulum in angles."
        ),
        equations: Some(TriplePendulum::EQUATIONS_TEXT),
        figures: vec![Figure {
            title: "Difference against the step".to_owned(),
            charts: vec![Chart::new(
                Axis::logarithmic("step (s)").spanning(0.01, 0.2),
                Axis::logarithmic("difference of the bobs (m)"),
                curves,
            )],
            paper: String::new(),
            ours: format!(
                "they differ by the methods' errors, of orders 2 and 6, down to {} m.",
                shown(composed[composed.len() - 1][1], 2)
            ),
        }],
        ..Section::default()
    }
}
