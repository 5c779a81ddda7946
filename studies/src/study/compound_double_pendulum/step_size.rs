//! Experiments 4 and 5 (§5.4): RK4 at 1 ms against RKF45 under an absolute limit on the energy's error.

use super::{DURATION, STEP, STUDY, acceptance, animation, extreme};
use crate::statements::compound_double_pendulum as stated;
use crate::study::Finding;
use crate::study::charts;
use crate::study::motion::{Motion, computing_time};
use lagrange_cli::analysis::decimate::extremes;
use lagrange_cli::report::Report;
use lagrange_cli::report::csv::Series;
use lagrange_cli::report::figure::{Animation, Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_cli::report::statement::Statement;
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;

/// The number of perturbed starts that show the spread of a chaotic motion.
const PERTURBED: u32 = 12;

/// What the paper prints of one experiment.
struct Printed {
    place: (u32, &'static str),
    /// The start's name in the names of the data files.
    start: &'static str,
    rk4_time: &'static str,
    adaptive_time: &'static str,
    mean_step: &'static str,
    /// The figures of the energies, and that of the steps.
    figures: [&'static str; 2],
    /// The statement on the mean step.
    mean: &'static Statement,
    /// Whether a start that differs by rounding has another mean step.
    is_chaotic: bool,
}

/// A rule for RKF45's step, with its name.
pub(super) struct Rule {
    name: &'static str,
    pub(super) method: Rkf45<f64>,
    /// How far the mean step of one start of the chaotic motion is from the mean over starts that differ by rounding, ms: the largest distance
    /// that one of 120 starts had.
    spread: f64,
    why: &'static str,
}

pub(super) fn rules() -> [Rule; 3] {
    [
        Rule {
            name: "Δ = |E₅ − E₄| ≤ 10⁻¹⁰ J, q = (Δ₀/2Δ)^(1/5)",
            method: Rkf45::new().with_energy_limit(1e-10),
            spread: 0.09,
            why: "the printed Δ₀ and q; the paper prints neither when a step is accepted (here: Δ ≤ Δ₀) nor limits on q \
                  (here: 0.1 to 4)",
        },
        Rule {
            name: "Δ = max |y₅ − y₄| ≤ 10⁻¹¹, q = (Δ₀/2Δ)^(1/5)",
            method: Rkf45::new().with_absolute_limit(1e-11, ErrorMeasure::MaximumNorm, StepLaw::Halved),
            spread: 0.06,
            why: "a variant that the paper does not print: the maximum norm of the state's error, at 1e-11",
        },
        Rule {
            name: "Δ = max |y₅ − y₄| ≤ 10⁻¹¹, q = 0.9 (Δ₀/Δ)^(1/5)",
            method: Rkf45::new().with_absolute_limit(1e-11, ErrorMeasure::MaximumNorm, StepLaw::Safety),
            spread: 0.12,
            why: "a variant that the paper does not print: the maximum norm at 1e-11, and the usual safety factor 0.9",
        },
    ]
}

/// The motions of one experiment; RKF45 by the rule with the printed Δ₀ and q.
struct Motions {
    rk4: Motion,
    adaptive: Motion,
}

pub(in crate::study) fn from_45_degrees(report: &mut Report) -> Finding<()> {
    let printed = Printed {
        place: (1, "4"),
        start: "from-45-degrees",
        rk4_time: "2.458842",
        adaptive_time: "1.757877",
        mean_step: "2.468002",
        figures: ["14 and 15", "16"],
        mean: &stated::MEAN_STEP,
        is_chaotic: false,
    };
    let motions = compare(report, &printed, CompoundDoublePendulum::released_at_45_degrees())?;
    let (rk4, adaptive) = (motions.rk4.largest_energy_error(), motions.adaptive.largest_energy_error());
    report.rows.extend([
        cost(&printed, &motions, Published::at_most("1").of(&stated::FASTER)),
        Row::compared(
            printed.place,
            "largest |E − E(0)| in 500 s, RKF45 over RK4",
            "",
            Published::above("1").of(&stated::LESS_ACCURATE),
            adaptive / rk4,
            "",
        ),
        Row::ours(printed.place, "largest |E − E(0)| in 500 s, RKF45", "J", adaptive, "RK4 has 5.24e-8 J"),
    ]);
    let setup = "Masses of 1 kg, rods of 1 m, g = 9.8 m/s², at rest at (45°, 0°), 500 s. RK4 with a step of 1 ms; RKF45 \
                 with the paper's control of an energy error Δ₀ = 10⁻¹⁰ J.";
    let found = format!(
        "RKF45 stays within {} J, RK4 within {} J: as in the paper, RK4 is the more accurate here.",
        shown(adaptive, 2),
        shown(rk4, 2)
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
        figures: ["17 and 18", "19"],
        mean: &stated::MEAN_STEP_TOP,
        is_chaotic: true,
    };
    let initial = CompoundDoublePendulum::released_near_the_top();
    let motions = compare(report, &printed, initial)?;
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    report.rows.push(cost(&printed, &motions, Published::at_least("1").of(&stated::SLOWER)));
    extreme::rows(report, printed.place, initial)?;
    let caption = "The first 40 s of the chaotic motion from (180°, 179°), with the tip's path of the last 3 s.";
    let animation = animation("animation-chaotic", &system, initial, 40.0, [2.15, -2.15, 2.15], caption)?;
    let setup =
        "As experiment 4, but from rest at (180°, 179°), next to the upright equilibrium: the motion is chaotic.";
    let found = format!(
        "RKF45 stays within {} J, RK4 only within {} J: its step is too long for the jerks.",
        shown(motions.adaptive.largest_energy_error(), 2),
        shown(motions.rk4.largest_energy_error(), 2)
    );
    let title = "Experiment 5: adaptive steps from (180°, 179°)";
    report.sections.push(section("chaotic", title, setup, Some(animation), &motions, &found, &printed));
    Ok(())
}

/// RKF45's cost over that of RK4, counted. The paper's time goes into trigonometric functions (§4.4), which accelerations and energies
/// need.
fn cost(printed: &Printed, motions: &Motions, published: Published) -> Row {
    let adaptive = &motions.adaptive.statistics;
    let energies = 2 * (adaptive.steps + adaptive.rejected);
    Row::compared(
        printed.place,
        "accelerations and energies that are evaluated, RKF45 over RK4",
        "",
        published,
        (adaptive.evaluations + energies) as f64 / motions.rk4.statistics.evaluations as f64,
        "counted, because a ratio of times depends on the machine: RKF45 takes six accelerations, or five where it repeats a step, and two energies \
         for each attempt; a step of RK4 takes four accelerations",
    )
}

/// What `of` finds from starts whose first angle is turned by multiples of 3e-13 rad, computed on several threads.
pub(super) fn perturbed<T: Send>(
    initial: State<f64, 2>,
    of: &(dyn Fn(State<f64, 2>) -> Finding<T> + Sync),
) -> Finding<Vec<T>> {
    let of = |k: u32| -> Result<T, String> {
        let mut start = initial;
        start.q[0] += 3e-13 * f64::from(k);
        of(start).map_err(|error| error.to_string())
    };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    std::thread::scope(|scope| {
        let of = &of;
        let every =
            move |first: u32| (first..=PERTURBED).step_by(threads as usize).map(of).collect::<Result<Vec<_>, _>>();
        let parts: Vec<_> = (1..=threads).map(|first| scope.spawn(move || every(first))).collect();
        let mut found = Vec::new();
        for part in parts {
            found.extend(part.join().unwrap_or_else(|_| Err("a thread ended early".to_owned()))?);
        }
        Ok(found)
    })
}

/// The mean of the mean steps from [`perturbed`] starts, the smallest and the largest, ms.
fn perturbed_mean_steps(initial: State<f64, 2>, method: &Rkf45<f64>) -> Finding<[f64; 3]> {
    let means = perturbed(initial, &|start| {
        let system = CompoundDoublePendulum::default().prepare::<f64>()?;
        let (_, statistics) = computing_time(&system, start, DURATION, method)?;
        Ok(1e3 * DURATION / statistics.steps as f64)
    })?;
    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok([means.iter().sum::<f64>() / means.len() as f64, least, greatest])
}

/// Mean steps if a step is also accepted where its error exceeds Δ₀: the rule with the maximum norm and the safety factor.
fn acceptance_rows(report: &mut Report, printed: &Printed, initial: State<f64, 2>) -> Finding<()> {
    for (name, limit) in [("up to 2 Δ₀", 2.0), ("every step", f64::INFINITY)] {
        let mean = acceptance::mean_step(initial, limit)?;
        let quantity =
            format!("mean step of RKF45: Δ = max |y₅ − y₄|, Δ₀ = 10⁻¹¹, q = 0.9 (Δ₀/Δ)^(1/5), accepted: {name}");
        let why = "a variant that the paper does not print; §4.3 prints no rule of acceptance";
        let published = Published::printed(printed.mean_step).of(printed.mean);
        report.rows.push(Row::compared(printed.place, quantity, "ms", published, 1e3 * mean, why).certain_digits(5));
        let quantity = format!("its distance from the printed mean step, relative, accepted: {name}");
        let distance = 1e3 * mean / printed.mean_step.parse::<f64>()? - 1.0;
        report.rows.push(Row::ours(printed.place, quantity, "", distance, "").beside(printed.mean).certain_digits(2));
    }
    Ok(())
}

/// The row of a mean step. That of a chaotic motion is the mean over perturbed starts, judged by its spread.
fn mean_step_row(printed: &Printed, rule: &Rule, initial: State<f64, 2>) -> Finding<Row> {
    let (published, ours, spread) = if printed.is_chaotic {
        let [mean, least, greatest] = perturbed_mean_steps(initial, &rule.method)?;
        let text = format!(
            "; the motion is chaotic: the mean of {PERTURBED} starts turned by multiples of 3e-13 rad, which give {least:.3} to \
             {greatest:.3} ms; tolerance: the largest distance of one of 120 such starts from their mean"
        );
        (Published::within(printed.mean_step, rule.spread), mean, text)
    } else {
        let system = CompoundDoublePendulum::default().prepare::<f64>()?;
        let (_, statistics) = computing_time(&system, initial, DURATION, &rule.method)?;
        (Published::printed(printed.mean_step), 1e3 * DURATION / statistics.steps as f64, String::new())
    };
    let digits = if printed.is_chaotic { 2 } else { 4 };
    let quantity = format!("mean step of RKF45: {}", rule.name);
    Ok(Row::compared(printed.place, quantity, "ms", published.of(printed.mean), ours, &format!("{}{spread}", rule.why))
        .certain_digits(digits))
}

/// Carries out an experiment by every rule, and adds the rows that both experiments have.
fn compare(report: &mut Report, printed: &Printed, initial: State<f64, 2>) -> Finding<Motions> {
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    for rule in &rules() {
        report.rows.push(mean_step_row(printed, rule, initial)?);
    }
    if !printed.is_chaotic {
        acceptance_rows(report, printed, initial)?;
    }
    let motions = Motions {
        rk4: Motion::integrate(&system, initial, DURATION, &Rk4::new(STEP))?,
        adaptive: Motion::integrate(&system, initial, DURATION, &rules()[0].method)?,
    };
    report.rows.push(Row::compared(
        printed.place,
        "mean step of RKF45 against the first one of 1 ms",
        "ms",
        Published::above("1.0").of(&stated::STEP_ABOVE),
        1e3 * DURATION / motions.adaptive.statistics.steps as f64,
        "the rule with the printed Δ₀ and q",
    ));
    let times = [
        ("RK4", printed.rk4_time, computing_time(&system, initial, DURATION, &Rk4::new(STEP))?.0),
        ("RKF45", printed.adaptive_time, computing_time(&system, initial, DURATION, &rules()[0].method)?.0),
    ];
    for (name, published, ours) in times {
        let quantity = format!("computing time of 500 s, {name}");
        report.rows.push(Row::time(printed.place, &quantity, Published::printed(published).of(&stated::TIMES), ours));
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
                paper: format!(
                    "{} (its figures {}).",
                    if printed.is_chaotic {
                        "RKF45 keeps its accuracy but for jumps at extreme states, RK4 loses more than 4 orders of magnitude and \
                         accumulates errors"
                    } else {
                        "RKF45 is less accurate than RK4, but needs less time"
                    },
                    printed.figures[0]
                ),
                ours: found.to_owned(),
            },
            Figure {
                title: "Step size of RKF45".to_owned(),
                charts: vec![
                    step_chart(&motions.adaptive, [0.0, DURATION]),
                    step_chart(&motions.adaptive, [0.0, 10.0]),
                ],
                paper: format!(
                    "a mean step of {} ms, from a first step of 1 ms (its figure {}).",
                    printed.mean_step, printed.figures[1]
                ),
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
