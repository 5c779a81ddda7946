//! Experiments 4 and 5 (§5.4): RK4 at 1 ms against RKF45 under an absolute limit on the energy's error.

use super::{DURATION, STEP, STUDY, animation};
use crate::study::Finding;
use crate::study::charts;
use crate::study::motion::{Motion, computing_time, follow};
use lagrange_cli::analysis::decimate::extremes;
use lagrange_cli::report::Report;
use lagrange_cli::report::csv::Series;
use lagrange_cli::report::figure::{Animation, Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;

/// RK4's largest |E − E(0)| of experiment 4 in the paper's set-up (that of experiment 3), J.
const RK4_FROM_45_DEGREES: f64 = 5.24e-8;

/// The number of perturbed starts that show the spread of a chaotic motion.
const PERTURBED: u32 = 8;

/// What the paper prints of one experiment, and what is known of its steps.
struct Printed {
    place: (u32, &'static str),
    /// The start's name in the names of the data files.
    start: &'static str,
    rk4_time: &'static str,
    adaptive_time: &'static str,
    mean_step: &'static str,
    /// What is known of the mean step under each of [`rules`], beyond this run.
    known: [&'static str; 3],
    /// Whether a start that differs by rounding has another mean step.
    is_chaotic: bool,
}

/// A rule for RKF45's step, with its name.
struct Rule {
    name: &'static str,
    method: Rkf45<f64>,
    why: &'static str,
}

fn rules() -> [Rule; 3] {
    [
        Rule {
            name: "Δ = |E₅ − E₄| ≤ 10⁻¹⁰ J, q = (Δ₀/2Δ)^(1/5)",
            method: Rkf45::new().with_energy_limit(1e-10),
            why: "the printed Δ₀ and q; the paper prints neither when a step is accepted (here: Δ ≤ Δ₀) nor limits on q \
                  (here: 0.1 to 4), and no rule that it prints gives its mean step",
        },
        Rule {
            name: "Δ = max |y₅ − y₄| ≤ 10⁻¹¹, q = (Δ₀/2Δ)^(1/5)",
            method: Rkf45::new().with_absolute_limit(1e-11, ErrorMeasure::MaximumNorm, StepLaw::Halved),
            why: "a variant that the paper does not print: the maximum norm of the state's error, at 1e-11",
        },
        Rule {
            name: "Δ = max |y₅ − y₄| ≤ 10⁻¹¹, q = 0.9 (Δ₀/Δ)^(1/5)",
            method: Rkf45::new().with_absolute_limit(1e-11, ErrorMeasure::MaximumNorm, StepLaw::Safety),
            why: "a variant that the paper does not print: the maximum norm at 1e-11, and the usual safety factor 0.9",
        },
    ]
}

/// The motions of one experiment.
struct Motions {
    rk4: Motion,
    verlet: Motion,
    adaptive: Motion,
}

pub(in crate::study) fn from_45_degrees(report: &mut Report) -> Finding<()> {
    let printed = Printed {
        place: (1, "4"),
        start: "from-45-degrees",
        rk4_time: "2.458842",
        adaptive_time: "1.757877",
        mean_step: "2.468002",
        known: ["", "; 3.6 % short of it", "; the nearest, 0.4 % short of it"],
        is_chaotic: false,
    };
    let motions = compare(report, &printed, CompoundDoublePendulum::released_at_45_degrees())?;
    report.rows.push(Row::ours(
        printed.place,
        "largest |E − E(0)| in 500 s, RKF45",
        "J",
        motions.adaptive.largest_energy_error(),
        "the paper: less accurate than RK4 here, which has 5.24e-8 J",
    ));
    let setup = "Masses of 1 kg, rods of 1 m, g = 9.8 m/s², at rest at (45°, 0°), 500 s. RK4 with a step of 1 ms; RKF45 \
                 with the paper's control of an energy error Δ₀ = 10⁻¹⁰ J.";
    let found = format!(
        "RKF45 stays within {} J, RK4 within {} J: as in the paper, RK4 is the more accurate here.",
        shown(motions.adaptive.largest_energy_error(), 2),
        shown(motions.rk4.largest_energy_error(), 2)
    );
    let title = "Experiment 4: adaptive steps from (45°, 0°)";
    report.sections.push(section("adaptive", title, setup, None, &motions, &found, &printed));
    Ok(())
}

pub(in crate::study) fn from_the_top(report: &mut Report) -> Finding<()> {
    let printed = Printed {
        place: (1, "5"),
        start: "near-the-top",
        rk4_time: "2.480281",
        adaptive_time: "3.097844",
        mean_step: "1.380723",
        known: [""; 3],
        is_chaotic: true,
    };
    let initial = CompoundDoublePendulum::released_near_the_top();
    let motions = compare(report, &printed, initial)?;
    let (rk4, adaptive) = (motions.rk4.largest_energy_error(), motions.adaptive.largest_energy_error());
    let spread = "the motion is chaotic: the range over 120 perturbations of 1e-14, recomputed from the paper's equations \
                  independently of this program";
    let growth = "log₁₀ of the ratio to 5.24e-8 J; \
                  with 120 perturbations of 1e-14 it lies between 3.56 and 3.74";
    report.rows.extend([
        Row::compared(
            printed.place,
            "largest |E − E(0)| in 500 s, RK4",
            "J",
            Published::within("3e-4", 2e-4).recomputed(),
            rk4,
            spread,
        ),
        Row::compared(
            printed.place,
            "largest |E − E(0)| in 500 s, Verlet",
            "J",
            Published::within("1.0", 0.5).recomputed(),
            motions.verlet.largest_energy_error(),
            spread,
        ),
        Row::compared(
            printed.place,
            "growth of RK4's largest error of a single step over experiment 4",
            "orders",
            Published::at_least("4"),
            (motions.rk4.largest_step_error() / rk4_from_45_degrees()?.largest_step_error()).log10(),
            "the paper: more than 4 orders above experiment 4; ours: log₁₀ of the ratio of the largest |E(t + h) − E(t)|",
        ),
        Row::ours(
            printed.place,
            "growth of RK4's largest |E − E(0)| over experiment 4",
            "orders",
            (rk4 / RK4_FROM_45_DEGREES).log10(),
            growth,
        ),
        Row::ours(
            printed.place,
            "largest |E − E(0)| in 500 s, RKF45",
            "J",
            adaptive,
            "the paper: practically as in experiment 4, but for jumps at extreme states",
        ),
    ]);
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    let caption = "The first 40 s of the chaotic motion from (180°, 179°), with the tip's path of the last 3 s.";
    let animation = animation("animation-chaotic", &system, initial, 40.0, [2.15, -2.15, 2.15], caption)?;
    let setup =
        "As experiment 4, but from rest at (180°, 179°), next to the upright equilibrium: the motion is chaotic.";
    let found = format!(
        "RKF45 stays within {} J, RK4 only within {} J: its step is too long for the jerks.",
        shown(adaptive, 2),
        shown(rk4, 2)
    );
    let title = "Experiment 5: adaptive steps from (180°, 179°)";
    report.sections.push(section("chaotic", title, setup, Some(animation), &motions, &found, &printed));
    Ok(())
}

/// The motion of experiment 4 by RK4.
fn rk4_from_45_degrees() -> Finding<Motion> {
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    Motion::integrate(&system, CompoundDoublePendulum::released_at_45_degrees(), DURATION, &Rk4::new(STEP))
}

/// The smallest and the largest mean step, ms, over starts whose first angle is turned by multiples of 3e-13.
fn perturbed_mean_steps(initial: State<f64, 2>, method: &Rkf45<f64>) -> Finding<[f64; 2]> {
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for k in 1..=PERTURBED {
        let mut start = initial;
        start.q[0] += 3e-13 * f64::from(k);
        let statistics = follow(&system, start, DURATION, method, &Options::default(), &mut ())?;
        let mean = 1e3 * DURATION / statistics.steps as f64;
        range = [range[0].min(mean), range[1].max(mean)];
    }
    Ok(range)
}

/// Carries out an experiment by every rule, and adds the rows that both experiments have.
fn compare(report: &mut Report, printed: &Printed, initial: State<f64, 2>) -> Finding<Motions> {
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    let integrate = |method: &Rkf45<f64>| Motion::integrate(&system, initial, DURATION, method);
    for (rule, known) in rules().into_iter().zip(printed.known) {
        let motion = integrate(&rule.method)?;
        let (published, spread) = if printed.is_chaotic {
            let [least, greatest] = perturbed_mean_steps(initial, &rule.method)?;
            let text = format!(
                "; the motion is chaotic: {PERTURBED} starts turned by up to 2.4e-12 rad give {least:.3} to {greatest:.3} ms, and \
                 two such runs may differ by the width of that range"
            );
            (Published::within(printed.mean_step, greatest - least), text)
        } else {
            (Published::printed(printed.mean_step), known.to_owned())
        };
        report.rows.push(Row::compared(
            printed.place,
            format!("mean step of RKF45: {}", rule.name),
            "ms",
            published,
            1e3 * DURATION / motion.statistics.steps as f64,
            &format!("{}{spread}", rule.why),
        ));
    }
    let motions = Motions {
        rk4: Motion::integrate(&system, initial, DURATION, &Rk4::new(STEP))?,
        verlet: Motion::integrate(&system, initial, DURATION, &Verlet::new(STEP))?,
        adaptive: integrate(&rules()[0].method)?,
    };
    let times = [
        ("RK4", printed.rk4_time, computing_time(&system, initial, DURATION, &Rk4::new(STEP))?),
        ("RKF45", printed.adaptive_time, computing_time(&system, initial, DURATION, &rules()[0].method)?),
    ];
    for (name, published, ours) in times {
        report.rows.push(Row::time(printed.place, &format!("computing time of 500 s, {name}"), published, ours));
    }
    let name = |method: &str| format!("compound-double-pendulum-{}-{method}", printed.start);
    report.series.push(motions.rk4.series(&name("rk4"), 20));
    report.series.push(motions.adaptive.series(&name("rkf45"), 10));
    report.series.push(Series {
        name: name("rkf45-steps"),
        columns: vec!["t (s)", "step (s)"],
        rows: motions.adaptive.steps().step_by(10).map(Vec::from).collect(),
    });
    Ok(motions)
}

fn section(
    id: &'static str,
    title: &str,
    setup: &str,
    animation: Option<Animation>,
    motions: &Motions,
    found: &str,
    printed: &Printed,
) -> Section {
    let curves = [("RK4, 1 ms", Style::Second, &motions.rk4), ("RKF45", Style::First, &motions.adaptive)];
    let work = |motion: &Motion| motion.statistics.evaluations as f64 / 1e6;
    Section {
        id,
        study: STUDY,
        title: title.to_owned(),
        setup: setup.to_owned(),
        equations: None,
        animation,
        figures: vec![
            Figure {
                title: "Energy error".to_owned(),
                charts: vec![charts::energy_error(&curves, DURATION)],
                paper: match printed.place.1 {
                    "4" => "RKF45 is less accurate than RK4, but needs less time (its figures 14 and 15).",
                    _ => "RKF45 keeps its accuracy, RK4 loses more than 4 orders of magnitude (its figures 17 and 18).",
                }
                .to_owned(),
                ours: found.to_owned(),
            },
            Figure {
                title: "Step size of RKF45".to_owned(),
                charts: vec![
                    step_chart(&motions.adaptive, [0.0, DURATION]),
                    step_chart(&motions.adaptive, [0.0, 10.0]),
                ],
                paper: format!("a mean step of {} ms, in a step of 1 ms to begin with.", printed.mean_step),
                ours: format!(
                    "a mean step of {:.4} ms under the printed rule, {} of {} attempts being rejected; {:.2} million \
                     evaluations of the accelerations, against {:.2} million of RK4.",
                    1e3 * DURATION / motions.adaptive.statistics.steps as f64,
                    motions.adaptive.statistics.rejected,
                    motions.adaptive.statistics.steps + motions.adaptive.statistics.rejected,
                    work(&motions.adaptive),
                    work(&motions.rk4),
                ),
            },
        ],
    }
}

fn step_chart(motion: &Motion, [from, to]: [f64; 2]) -> Chart {
    let milliseconds = motion.steps().map(|[t, step]| [t, 1e3 * step]);
    let curves = vec![
        Curve::new("RKF45", Style::First, extremes(milliseconds, [from, to], charts::BUCKETS / 2)),
        Curve::new("RK4", Style::Reference, vec![[from, 1e3 * STEP], [to, 1e3 * STEP]]),
    ];
    let (x, y) = (Axis::linear("time (s)").spanning(from, to), Axis::linear("step size (ms)"));
    Chart::new(x, y, curves).with_aspect(0.55)
}
