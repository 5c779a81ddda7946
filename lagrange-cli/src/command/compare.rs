//! `lagrange compare MODEL`.

use super::setup::{self, Length, Setup};
use super::{Failure, output};
use crate::catalog::{Balance, Catalog, MethodChoice, MethodName, Model, Request, RequestError, Summary};
use crate::parse;
use clap::ValueEnum;
use lagrange_runtime::error::Number;
use std::fmt::Write;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  lagrange compare double-pendulum --t-end 10
  lagrange compare kepler --t-end 50 --method dop853 --method gauss3 --rtol 1e-10 --step 0.01

The error is the largest difference from the reference at the end: of a coordinate relative to the largest coordinate of the motion, or of
a velocity relative to the largest velocity.";

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
    /// The relative and absolute tolerance of the methods with an adaptive step
    #[arg(long, value_name = "NUMBER", value_parser = parse::positive, default_value = "1e-8", allow_hyphen_values = true)]
    rtol: f64,
    /// The step of the methods with a fixed step, s [default: a thousandth of the end time]
    #[arg(long, value_name = "TIME", value_parser = parse::positive, allow_hyphen_values = true)]
    step: Option<f64>,
    /// Write JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// The result of one method.
struct Line {
    name: MethodName,
    error: f64,
    seconds: f64,
    summary: Summary,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    let (model, request) = arguments.setup.request(catalog, Some(arguments.length), MethodChoice::automatic())?;
    setup::start(model, &request)?;
    let step = arguments.step.unwrap_or((request.t_end / 1000.0).abs());
    let choice = |name: MethodName| match name.kind().is_adaptive() {
        true => MethodChoice::with_tolerance(name, arguments.rtol),
        false => MethodChoice::with_step(name, step),
    };
    let reference = reference(model, &request)?;
    let all = MethodName::value_variants();
    let names: &[MethodName] = if arguments.method.is_empty() { all } else { &arguments.method };
    let (mut lines, mut refusals) = (Vec::new(), Vec::new());
    for &name in names.iter().filter(|name| !arguments.method.is_empty() || name.kind().fits(&model.facts())) {
        let request = Request { method: choice(name), ..request.clone() };
        // The time is that of the integration alone; a second run keeps the balance.
        let begun = Instant::now();
        _ = model.simulate(&Request { audit: false, ..request.clone() }, &mut ());
        let seconds = begun.elapsed().as_secs_f64();
        match model.simulate(&request, &mut ()) {
            Ok(summary) => {
                let of = |a: &[f64], b: &[f64], size: f64| {
                    let most = a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
                    if most == 0.0 { 0.0 } else { most / size }
                };
                let [q, v] = reference.sizes;
                let error = of(&summary.q, &reference.q, q).max(of(&summary.v, &reference.v, v));
                lines.push(Line { name, error, seconds, summary });
            }
            // A method that fails is listed with its reason where all were asked for.
            Err(RequestError::Failed(text)) if arguments.method.is_empty() => refusals.push((name, text)),
            Err(error) => return Err(error.into()),
        }
    }
    lines.sort_by(|a, b| a.error.total_cmp(&b.error));
    output::print(&match arguments.json {
        true => json(model, &lines, &refusals),
        false => table(model, arguments, step, &lines, &refusals),
    })?;
    setup::warn(&reference.warnings);
    Ok(())
}

/// The motion by the most accurate method.
fn reference(model: &dyn Model, request: &Request) -> Result<Summary, Failure> {
    const TOLERANCE: f64 = 1e-13;
    let method = MethodChoice::with_tolerance(MethodName::Verner9, TOLERANCE);
    Ok(model.simulate(&Request { method, ..request.clone() }, &mut ())?)
}

fn table(
    model: &dyn Model,
    arguments: &Arguments,
    step: f64,
    lines: &[Line],
    refusals: &[(MethodName, String)],
) -> String {
    let mut text = format!(
        "{} to t = {} s; tolerance {}, step {} s; reference: Verner 9(8), tolerance 1e-13\n\n  {:<32} {:>9} {:>9} {:>9} {:>12} {:>10}\n",
        model.name(),
        Number(arguments.length.t_end),
        Number(arguments.rtol),
        Number(step),
        "method",
        "error",
        "balance",
        "steps",
        "evaluations",
        "time, ms",
    );
    for Line { name, error, seconds, summary } in lines {
        let balance = summary.balance.as_ref().map_or(f64::NAN, Balance::relative);
        _ = writeln!(
            text,
            "  {:<32} {error:>9.1e} {balance:>9.1e} {:>9} {:>12} {:>10.2}",
            name.label(),
            summary.statistics.steps,
            summary.statistics.evaluations,
            1e3 * seconds,
        );
    }
    if !refusals.is_empty() {
        text.push_str("\nFailed:\n");
    }
    for (name, reason) in refusals {
        let first = reason.split(['\n', ';']).next().unwrap_or(reason);
        _ = writeln!(text, "  {:<32} {first}", name.label());
    }
    text.push_str("\nerror: largest difference at the end, relative to the largest coordinate or velocity of the motion; balance: energy that is missing,\nrelative to the largest energy that was exchanged.\n");
    text
}

fn json(model: &dyn Model, lines: &[Line], refusals: &[(MethodName, String)]) -> String {
    let rows: Vec<_> = lines
        .iter()
        .map(|line| {
            serde_json::json!({
                "method": line.name.label(),
                "adaptive": line.name.kind().is_adaptive(),
                "error": line.error,
                "balance": line.summary.balance.as_ref().map(Balance::relative),
                "steps": line.summary.statistics.steps,
                "evaluations": line.summary.statistics.evaluations,
                "seconds": line.seconds,
            })
        })
        .collect();
    let failed: serde_json::Map<_, _> =
        refusals.iter().map(|(name, reason)| (name.label().to_owned(), reason.as_str().into())).collect();
    format!("{:#}\n", serde_json::json!({ "model": model.name(), "methods": rows, "failed": failed }))
}
