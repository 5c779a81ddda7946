//! The command `lagrange compare MODEL`, which integrates one motion by several methods.

use super::setup::{self, Length, Setup};
use super::{Failure, output};
use crate::catalog::{
    Balance, Catalog, MethodChoice, MethodName, Model, Request, RequestError, Scheme, Summary, with_unit,
};
use crate::parse;
use clap::ValueEnum;
use lagrange_runtime::error::Number;
use lagrange_runtime::system::Facts;
use std::fmt::Write;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  lagrange compare double-pendulum --t-end 10
  lagrange compare kepler --t-end 50 --method dop853 --method gauss3 --rtol 1e-10 --step 0.01
  lagrange compare spherical-pendulum-cartesian --t-end 10 --method rattle --composition suzuki --composition kahan-li

The error is the largest difference from the reference at the end. Each coordinate and each velocity counts relative to its own largest
value during the motion. The time is the least of five runs, or of those that fit into 0.2 s.";

/// Integrate one motion by several methods, and compare their errors and their cost
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    setup: Setup,
    #[command(flatten)]
    length: Length,
    /// A method to compare; may be repeated [default: all that take this mechanism]
    #[arg(long, value_name = "METHOD", value_enum)]
    method: Vec<MethodName>,
    /// A composition to compare of each method which has one; may be repeated [default: kahan-li if no method is named]
    #[arg(long, value_name = "COMPOSITION", value_enum)]
    composition: Vec<Scheme>,
    /// The relative and absolute tolerance of the methods with an adaptive step
    #[arg(long, value_name = "NUMBER", value_parser = parse::positive, default_value = "1e-8", allow_hyphen_values = true)]
    rtol: f64,
    /// The step of the methods with a fixed step [default: a thousandth of the end time]
    #[arg(long, value_name = "TIME", value_parser = parse::positive, allow_hyphen_values = true)]
    step: Option<f64>,
    /// Write JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// A method to compare, alone or as the base of a composition.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    name: MethodName,
    scheme: Option<Scheme>,
}

/// The result of one candidate.
struct Line {
    candidate: Candidate,
    error: f64,
    seconds: f64,
    summary: Summary,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    let (model, request) = arguments.setup.request(catalog, Some(arguments.length), MethodChoice::automatic())?;
    setup::start(model, &request)?;
    let step = arguments.step.unwrap_or((request.t_end / 1000.0).abs());
    let choice = |Candidate { name, scheme }: Candidate| match name.kind().is_adaptive() {
        true => MethodChoice::with_tolerance(name, arguments.rtol),
        false => MethodChoice { composition: scheme, ..MethodChoice::with_step(name, step) },
    };
    let schemes = match arguments.method.is_empty() && arguments.composition.is_empty() {
        true => &[Scheme::KahanLi],
        false => &arguments.composition[..],
    };
    let candidates = candidates(&arguments.method, schemes, &model.facts())?;
    let reference = reference(model, &request)?;
    let (mut lines, mut refusals) = (Vec::new(), Vec::new());
    for candidate in candidates {
        let request = Request { method: choice(candidate), ..request.clone() };
        // The timed runs only integrate. One more run also keeps the balance of energy.
        let timed = Request { audit: false, ..request.clone() };
        let seconds = least_seconds(|| _ = model.simulate(&timed, &mut ()));
        match model.simulate(&request, &mut ()) {
            Ok(summary) => {
                let error = error(&summary, &reference);
                lines.push(Line { candidate, error, seconds, summary });
            }
            // If the user has named no method, the table lists the methods that fail with their
            // reasons. If the user has named methods, the first that fails ends the command.
            Err(RequestError::Failed(failed)) if arguments.method.is_empty() => refusals.push((candidate, failed.text)),
            Err(error) => return Err(error.into()),
        }
    }
    lines.sort_by(|a, b| a.error.total_cmp(&b.error));
    output::print(&match arguments.json {
        true => json(model, &lines, &refusals),
        false => table(model, (request.t_end, arguments.rtol, step), &lines, &refusals),
    })?;
    setup::warn(&reference.warnings);
    Ok(())
}

/// The largest difference between the ends of two motions. Each component is compared with its own scale.
fn error(summary: &Summary, reference: &Summary) -> f64 {
    let [q, v] = &reference.sizes;
    let sizes = q.iter().chain(v).chain(&reference.state_sizes);
    let [ours, exact] = [summary, reference].map(|end| end.q.iter().chain(&end.v));
    let part = |((a, b), size): ((&f64, &f64), &f64)| if a == b { 0.0 } else { (a - b).abs() / size };
    ours.zip(exact).zip(sizes).map(part).fold(0.0, |most: f64, part| if part.is_nan() { part } else { most.max(part) })
}

impl Candidate {
    /// Returns the name in the table: that of the method, then that of the composition if any.
    fn label(self) -> String {
        match self.scheme {
            None => self.name.label().to_owned(),
            Some(scheme) => format!("{}, {}", self.name.label(), scheme.name()),
        }
    }
}

/// Returns what is compared: the named `methods`, or, if none is named, all methods that take a
/// mechanism with these `facts`. Each comes alone first, then with each composition of `schemes`
/// if it can be composed.
///
/// # Errors
/// [`Failure::Usage`] if `schemes` is not empty, but none of the methods can be composed.
fn candidates(methods: &[MethodName], schemes: &[Scheme], facts: &Facts) -> Result<Vec<Candidate>, Failure> {
    let all = MethodName::value_variants().iter().copied().filter(|name| name.kind().fits(facts));
    let methods: Vec<MethodName> = if methods.is_empty() { all.collect() } else { methods.to_vec() };
    let composable = methods.iter().any(|name| name.kind().is_composable());
    if !schemes.is_empty() && !composable {
        return Err(Failure::Usage("--composition applies to none of the methods to compare".to_owned()));
    }
    let of = |name: MethodName| {
        let schemes = if name.kind().is_composable() { schemes } else { &[] };
        let composed = schemes.iter().map(move |scheme| Candidate { name, scheme: Some(*scheme) });
        std::iter::once(Candidate { name, scheme: None }).chain(composed)
    };
    Ok(methods.into_iter().flat_map(of).collect())
}

/// Returns the least time of five runs. No further run begins once 0.2 s have passed.
///
/// The least time is the best estimate, because other programs on the machine can only make a run
/// longer.
fn least_seconds(mut run: impl FnMut()) -> f64 {
    const RUNS: u32 = 5;
    const ENOUGH: Duration = Duration::from_millis(200);
    let begun = Instant::now();
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        run();
        least = least.min(start.elapsed().as_secs_f64());
        if begun.elapsed() >= ENOUGH {
            break;
        }
    }
    least
}

/// Integrates the motion by Verner's pair of order 9 with a tolerance of 1e-13. The errors of the
/// compared methods are their differences from its end.
fn reference(model: &dyn Model, request: &Request) -> Result<Summary, Failure> {
    const TOLERANCE: f64 = 1e-13;
    let method = MethodChoice::with_tolerance(MethodName::Verner9, TOLERANCE);
    Ok(model.simulate(&Request { method, ..request.clone() }, &mut ())?)
}

fn table(
    model: &dyn Model,
    (t_end, rtol, step): (f64, f64, f64),
    lines: &[Line],
    refusals: &[(Candidate, String)],
) -> String {
    let time = |value: f64| with_unit(Number(value), model.units().time);
    let mut text = format!(
        "{} to t = {}; tolerance {}, step {}; reference: Verner 9(8), tolerance 1e-13\n\n  {:<32} {:>9} {:>9} {:>9} {:>12} {:>10}\n",
        model.name(),
        time(t_end),
        Number(rtol),
        time(step),
        "method",
        "error",
        "balance",
        "steps",
        "evaluations",
        "time, ms",
    );
    for Line { candidate, error, seconds, summary } in lines {
        let balance = summary.balance.as_ref().map_or(f64::NAN, Balance::relative);
        _ = writeln!(
            text,
            "  {:<32} {error:>9.1e} {balance:>9.1e} {:>9} {:>12} {:>10.2}",
            candidate.label(),
            summary.statistics.steps,
            summary.statistics.evaluations,
            1e3 * seconds,
        );
    }
    if !refusals.is_empty() {
        text.push_str("\nFailed:\n");
    }
    for (candidate, reason) in refusals {
        _ = writeln!(text, "  {:<32} {}", candidate.label(), brief(reason));
    }
    text.push_str("\nerror: largest difference of a component at the end, relative to its largest value during the motion;\nbalance: energy that is missing, relative to the largest energy that was exchanged; time: the least of up to five runs.\n");
    text
}

/// What happened and when, as a line: the text of a failure without its state, its remedy and its further lines.
fn brief(reason: &str) -> &str {
    let first = reason.split(['\n', ';']).next().unwrap_or(reason);
    let at = first.find(", at t = ").and_then(|at| Some(at + 2 + first[at + 2..].find(',')?));
    at.map_or(first, |end| &first[..end])
}

fn json(model: &dyn Model, lines: &[Line], refusals: &[(Candidate, String)]) -> String {
    let rows: Vec<_> = lines
        .iter()
        .map(|line| {
            serde_json::json!({
                "method": line.candidate.name.label(),
                "composition": line.candidate.scheme.map(Scheme::name),
                "adaptive": line.candidate.name.kind().is_adaptive(),
                "error": line.error,
                "balance": line.summary.balance.as_ref().map(Balance::relative),
                "steps": line.summary.statistics.steps,
                "evaluations": line.summary.statistics.evaluations,
                "seconds": line.seconds,
            })
        })
        .collect();
    let failed: serde_json::Map<_, _> =
        refusals.iter().map(|(candidate, reason)| (candidate.label(), reason.as_str().into())).collect();
    format!(
        "{:#}\n",
        serde_json::json!({
            "model": model.name(),
            "units": model.units().json(),
            "methods": rows,
            "failed": failed,
        })
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Entry, Units};
    use lagrange_runtime::prelude::*;

    #[lagrangian { coordinates x; kinetic = dot(x)^2/2; }]
    #[derive(Clone, Debug)]
    struct Body;

    #[test]
    fn times_of_the_motion_stand_beside_the_unit_of_the_mechanism() {
        let head = |units: Units| {
            let model = Entry::free("body", || Body, || State::new(0.0, [0.0], [0.0])).with_units(units);
            table(&model, (10.0, 1e-8, 0.5), &[], &[]).lines().next().unwrap_or_default().to_owned()
        };
        assert!(head(Units::SI).starts_with("body to t = 10 s; tolerance 1e-8, step 0.5 s; "));
        assert!(head(Units { time: "d", ..Units::SI }).starts_with("body to t = 10 d; tolerance 1e-8, step 0.5 d; "));
        assert!(head(Units::UNSTATED).starts_with("body to t = 10; tolerance 1e-8, step 0.5; "));
    }

    #[test]
    fn a_failure_is_one_line_without_its_state() {
        let failure =
            "the next step made `x` infinite or NaN, at t = 2, x = -5.9e26 (velocity 1), after 2 steps; a remedy\nmore";
        assert_eq!(brief(failure), "the next step made `x` infinite or NaN, at t = 2");
        assert_eq!(brief("no method, and no time; a remedy"), "no method, and no time");
        assert_eq!(brief("the end, at t = 2"), "the end, at t = 2");
    }

    #[test]
    fn a_disturbed_run_does_not_count_and_a_long_one_is_not_repeated() {
        let mut runs = 0;
        let seconds = least_seconds(|| {
            runs += 1;
            if runs == 1 {
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        assert!(runs == 5 && seconds < 0.05, "{runs} runs, {seconds} s");
        let mut runs = 0;
        let seconds = least_seconds(|| {
            runs += 1;
            std::thread::sleep(Duration::from_millis(200));
        });
        assert!(runs == 1 && seconds >= 0.2, "{runs} runs, {seconds} s");
    }
}
