//! The work that a method needs for a given error, for six mechanisms and all methods that fit
//! them. This comparison is not part of a published study.

mod contenders;

use super::Finding;
use contenders::{Contender, adaptive, fixed};
use lagrange_cli::catalog::{Entry, Feedback, MethodChoice, Model, Request, States, Summary};
use lagrange_cli::report::Report;
use lagrange_cli::report::csv::Series;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_models::{
    CompoundDoublePendulum, HeavyTop, Kepler, LcPlate, SphericalPendulumCartesian, TriplePendulumCartesian,
};
use std::time::Instant;

/// A motion in three members: the mechanism, the title of its figures, and the duration in seconds,
/// which is a few periods.
type Motion = (&'static dyn Model, &'static str, f64);

static MOTIONS: [Motion; 6] = [
    (
        &Entry::free(
            "compound-double-pendulum",
            CompoundDoublePendulum::default,
            CompoundDoublePendulum::released_at_45_degrees,
        ),
        "Compound double pendulum, 5 s",
        5.0,
    ),
    (
        &Entry::free("kepler", Kepler::default, Kepler::eccentric),
        "Kepler's problem, eccentricity 0.6, two turns",
        4.0 * std::f64::consts::PI,
    ),
    (&Entry::free("heavy-top", HeavyTop::default, HeavyTop::nodding), "Heavy top in Euler's angles, 2 s", 2.0),
    (&Entry::free("lc-plate", LcPlate::default, LcPlate::released), "Plate of a capacitor in a circuit, 0.2 s", 0.2),
    (
        &Entry::constrained(
            "spherical-pendulum-cartesian",
            SphericalPendulumCartesian::default,
            SphericalPendulumCartesian::pushed,
        ),
        "Spherical pendulum under its constraint, 3 s",
        3.0,
    ),
    (
        &Entry::constrained(
            "triple-pendulum-cartesian",
            TriplePendulumCartesian::default,
            TriplePendulumCartesian::released,
        ),
        "Triple pendulum under its constraints, 1 s",
        1.0,
    ),
];

/// A curve ends with the first run that takes more evaluations than this.
const LIMIT: u64 = 30_000;

/// The smallest and the largest error that is drawn.
const ERRORS: [f64; 2] = [1e-15, 1e-1];

/// The work and the error of one integration.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The tolerance, or the size of the fixed step in seconds.
    setting: f64,
    /// The number of evaluations of the equations.
    evaluations: u64,
    /// The least time of three runs.
    seconds: f64,
    /// The largest error of any coordinate or velocity at the end, in SI units.
    error: f64,
}

pub(super) fn run(report: &mut Report) -> Finding<()> {
    let mut figures = Vec::new();
    for &(model, title, t_end) in &MOTIONS {
        let name = model.name();
        let exact = reference(model, t_end)?;
        for (kind, contenders) in [("adaptive steps", adaptive(model)), ("fixed steps", fixed(model))] {
            let curves: Vec<(&'static str, Vec<Run>)> = contenders
                .iter()
                .map(|contender| Ok((contender.name, sweep(model, t_end, contender, &exact)?)))
                .collect::<Finding<_>>()?;
            report.series.push(series(&format!("work-precision-{name}-{}", kind.replace(' ', "-")), &curves));
            figures.push(figure(format!("{title}: {kind}"), &curves));
        }
    }
    report.sections.push(Section {
        id: "work-precision",
        study: 0,
        title: "Work and precision of every method".to_owned(),
        setup: "The largest error of any coordinate or velocity at the end, in SI numbers, against evaluations of the \
                equations and against the time of one run on this machine, the best of three. Tolerances from 1e-2 to \
                1e-14, absolute and relative alike, or steps halved from a sixteenth of the span. The reference is Gauss's \
                method of order 12, or Verner's 9(8) at 1e-14 under constraints: what lies below about 1e-13 is rounding."
            .to_owned(),
        figures,
        ..Section::default()
    });
    Ok(())
}

fn request(t_end: f64, method: MethodChoice) -> Request {
    Request {
        set: Vec::new(),
        initial: Vec::new(),
        project: false,
        t_start: 0.0,
        t_end,
        method,
        max_steps: Some(8 * LIMIT),
        until: Vec::new(),
        watched: Vec::new(),
        audit: false,
        states: States::Points(2),
        exponent: None,
        feedback: Feedback::default(),
    }
}

fn simulate(model: &dyn Model, t_end: f64, method: MethodChoice) -> Finding<Summary> {
    Ok(model.simulate(&request(t_end, method), &mut ())?)
}

/// Integrates the motion to its end as accurately as doubles allow.
fn reference(model: &dyn Model, t_end: f64) -> Finding<Summary> {
    simulate(model, t_end, contenders::reference(model, t_end))
}

/// Returns the runs of one method, from the coarsest tolerance or step to the finest.
fn sweep(model: &dyn Model, t_end: f64, contender: &Contender, exact: &Summary) -> Finding<Vec<Run>> {
    let mut runs: Vec<Run> = Vec::new();
    for setting in contender.settings(t_end) {
        let method = (contender.choice)(setting);
        let mut seconds = f64::INFINITY;
        let mut summary = None;
        for _ in 0..3 {
            let start = Instant::now();
            // A run with too coarse a step may fail; the next one has a finer step.
            summary = simulate(model, t_end, method).ok();
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        let Some(summary) = summary else { continue };
        let pairs = summary.q.iter().chain(&summary.v).zip(exact.q.iter().chain(&exact.v));
        let error = pairs.map(|(found, exact)| (found - exact).abs()).fold(0.0, f64::max);
        let evaluations = summary.statistics.evaluations;
        runs.push(Run { setting, evaluations, seconds, error });
        // If the error is at round-off, a shorter fixed step does not make it smaller.
        let settled = contender.fixed && error < 1e-13;
        if evaluations > LIMIT || settled {
            break;
        }
    }
    Ok(runs)
}

fn series(name: &str, curves: &[(&'static str, Vec<Run>)]) -> Series {
    let rows = curves.iter().enumerate().flat_map(|(index, (_, runs))| {
        runs.iter().map(move |run| vec![index as f64, run.setting, run.evaluations as f64, run.seconds, run.error])
    });
    Series {
        name: name.to_owned(),
        columns: vec!["curve", "tolerance or step (s)", "evaluations", "time (s)", "error"],
        rows: rows.collect(),
    }
}

fn figure(title: String, curves: &[(&'static str, Vec<Run>)]) -> Figure {
    let chart = |label: &'static str, work: fn(&Run) -> f64| {
        let drawn = curves.iter().zip(Style::ALL).map(|((name, runs), style)| {
            let visible = runs.iter().filter(|run| run.error > ERRORS[0] && run.error < ERRORS[1]);
            Curve::new(*name, style, visible.map(|run| [work(run), run.error]).collect())
        });
        let [low, high] = ERRORS;
        let (x, y) = (Axis::logarithmic(label), Axis::logarithmic("error").spanning(low, high));
        Chart::new(x, y, drawn.collect()).with_aspect(0.75)
    };
    Figure {
        title,
        charts: vec![chart("evaluations", |run| run.evaluations as f64), chart("time (ms)", |run| 1e3 * run.seconds)],
        paper: String::new(),
        ours: cheapest(curves),
    }
}

/// Returns a sentence on the methods that reach errors of 1e-6 and 1e-11 with the fewest
/// evaluations. It is empty if no method reaches them.
fn cheapest(curves: &[(&'static str, Vec<Run>)]) -> String {
    let best = |wanted: f64| {
        let costs = curves.iter().filter_map(|(name, runs)| {
            let reaching = runs.iter().filter(|run| run.error <= wanted).map(|run| run.evaluations).min()?;
            Some((reaching, *name))
        });
        costs.min()
    };
    let told: Vec<String> = [1e-6, 1e-11]
        .into_iter()
        .filter_map(|wanted| {
            let (evaluations, name) = best(wanted)?;
            Some(format!("{} for an error of {}: {name}", shown(evaluations as f64, 3), shown(wanted, 1)))
        })
        .collect();
    if told.is_empty() { String::new() } else { format!("the fewest evaluations are {}.", told.join("; ")) }
}
