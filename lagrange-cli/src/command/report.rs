//! `lagrange report MODEL`.

mod beside;
mod live;

use super::motion::{Motion, samples_end, stairs};
use super::setup::{self, Simulation};
use super::{Failure, output};
use crate::catalog::{
    self, Catalog, FailedRun, LinearAt, Model, Request, RequestError, States, Summary, Units, unit_of, with_unit,
};
use crate::parse;
use crate::report::mechanism::{MechanismReport, ModeRow, ParameterRow, PowerRow, SeriesRow, SpectrumRow, render};
use crate::report::number;
use beside::{Changes, Overlaid};
use lagrange_runtime::analysis::{Spectrum, Window};
use lagrange_runtime::prelude::Statistics;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  lagrange report double-pendulum --t-end 20
  lagrange report heavy-top-quaternion --t-end 5 --output top.html --method rattle --step 1e-3
  lagrange report double-pendulum --t-end 20 --live
  lagrange report double-pendulum --t-end 20 --set m2=1 --beside m2=2 --beside 'm2=2, theta1=60deg'
  lagrange report double-pendulum --t-end 20 --initial theta1=10deg --initial theta2=0 --linear
  lagrange report motor-pendulum --t-end 5 --input 'voltage=-8*theta' --period 0.05

The page is one file that needs nothing else. Outputs with two or three components move as points in its animation,
and lists of points as bodies: `output rod = [hinge, tip]`, `spring`, `body`, `floor` and others, by the last word of the name.";

/// Write a page with the equations, the motion, its balance of energy and its modes
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    simulation: Simulation,
    /// The file of the page [default: the mechanism's name with .html]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file where it exists
    #[arg(long)]
    force: bool,
    /// Let the page compute, too, with sliders and points that can be dragged; the program needs the feature `export`
    #[arg(long)]
    live: bool,
    /// How many states to show, evenly spaced in time
    #[arg(long, value_name = "COUNT", value_parser = parse::count, default_value = "2001")]
    points: u64,
    /// Draw another motion over this one, with other parameters, inputs or initial values, separated by commas; may be repeated
    #[arg(long, value_name = "NAME=VALUE,…", value_parser = beside::changes, allow_hyphen_values = true)]
    beside: Vec<Changes>,
    /// Draw the solution of the linearised equations over the motion, and say how far they differ [default: about the equilibrium]
    #[arg(long, value_name = "AT", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "equilibrium")]
    linear: Option<LinearAt>,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    let (model, request) = arguments.simulation.request(catalog)?;
    if request.t_end.is_nan() || request.t_end <= 0.0 {
        return Err(Failure::Usage("--t-end must be above 0: the page shows motions forward in time".to_owned()));
    }
    let points = usize::try_from(arguments.points).unwrap_or(usize::MAX);
    let request = Request { states: States::Points(points), ..request };
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", model.name())));
    output::may_create(&path, arguments.force)?;
    let start = setup::start(model, &request)?;
    let live = if arguments.live { Some(live::live(model, &request, &start)?) } else { None };
    let overlaid = Overlaid::new(model, &request, &arguments.beside, arguments.linear)?;
    let mut motion = Motion::new(model, request.t_end);
    let (mut summary, failure) = match model.simulate(&request, &mut motion) {
        Ok(summary) => (summary, None),
        Err(RequestError::Failed(FailedRun { text, last: Some(last) })) if motion.t.len() > 1 => {
            let mut summary = *last;
            summary.warnings.insert(
                0,
                format!(
                    "The motion ends before {}: {text}.",
                    with_unit(number::text(request.t_end, 7), model.units().time)
                ),
            );
            (summary, Some(text))
        }
        Err(error) => return Err(error.into()),
    };
    let mut page = MechanismReport { live, ..page(model, &request, motion, &mut summary) };
    overlaid.add_to(&mut page, model.coordinate_units());
    let page = render(&page);
    output::new_file(&path, page.as_bytes(), arguments.force)?;
    match failure {
        None => {
            setup::warn(&summary.warnings);
            output::print(&format!("{} is written: open it in a browser\n", output::quoted(&path)))
        }
        Some(text) => {
            Err(Failure::Work(format!("{text}\n{} is written with the motion until then", output::quoted(&path))))
        }
    }
}

/// Everything that the page shows.
fn page(model: &dyn Model, request: &Request, mut motion: Motion, summary: &mut Summary) -> MechanismReport {
    let (input_times, inputs) = inputs(model, request, &motion, summary);
    let whole = Some(motion.whole());
    let rows = |names: &[&str], series: Vec<Vec<f64>>| -> Vec<SeriesRow> {
        names.iter().zip(series).map(|(name, series)| SeriesRow { name: (*name).to_owned(), series }).collect()
    };
    let balance = summary.balance.clone().unwrap_or_default();
    let value = |parameter: &str, default: f64| {
        request.set.iter().find(|(name, _)| name == parameter).map_or(default, |(_, value)| *value)
    };
    let (analysis, refusal) = match model.analyse(request) {
        Ok(found) => (Some(found), None),
        Err(error) => (None, Some(format!("There is no analysis near the start: {error}."))),
    };
    let present = |series: &[f64]| (!series.is_empty()).then(|| series.to_vec());
    let step = match motion.even(&motion.t)[..] {
        [first, second, ..] => (second - first).abs(),
        _ => 0.0,
    };
    let spectra = model.coordinates().iter().zip(&motion.q).filter_map(|(name, series)| {
        let Spectrum { resolution, amplitudes, .. } = Spectrum::new(&motion.even(series), step, Window::Hann).ok()?;
        Some(SpectrumRow { name: (*name).to_owned(), resolution, amplitudes })
    });
    MechanismReport {
        name: model.name().to_owned(),
        summary: model.summary().to_owned(),
        source: model.source().to_owned(),
        block: model.block().to_owned(),
        stated_latex: model.stated_latex().to_owned(),
        equations_latex: model.equations_latex().to_owned(),
        equations_text: model.equations_text().to_owned(),
        facts: super::show::facts(model).iter().map(|fact| format!("the mechanism {fact}")).collect(),
        parameters: model
            .parameters()
            .iter()
            .map(|parameter| ParameterRow {
                name: parameter.name.to_owned(),
                value: value(parameter.name, parameter.default),
                description: parameter.description.to_owned(),
                input: parameter.input,
            })
            .collect(),
        method: summary.method.clone(),
        statistics: statistics(summary, model.units()),
        warnings: summary.warnings.clone(),
        units: model.units(),
        quantity_units: *model.quantity_units(),
        coordinates: model.coordinates().iter().map(|name| (*name).to_owned()).collect(),
        spectra: spectra.collect(),
        inputs,
        input_times,
        laws: laws(request, model.units()),
        label: String::new(),
        beside: Vec::new(),
        comparisons: Vec::new(),
        instants: motion.instants,
        instant_count: summary.instants.iter().map(|found| found.count).sum(),
        instant_clauses: catalog::describe_counts(&summary.instants),
        whole,
        rounding: motion.rounding,
        t: motion.t,
        states: rows(model.states(), motion.v.split_off(motion.q.len().min(motion.v.len()))),
        q: motion.q,
        v: motion.v,
        kinetic: present(&motion.kinetic),
        potential: present(&motion.potential),
        energy: motion.energy,
        // The works of impacts and of inputs in the potential have no power, and come last.
        powers: balance
            .works
            .iter()
            .zip(motion.powers.into_iter().chain(std::iter::repeat(Vec::new())))
            .map(|((name, work), series)| PowerRow { name: (*name).to_owned(), work: *work, series })
            .collect(),
        balance_residual: balance.residual,
        constraints: rows(model.constraints(), motion.violations),
        multipliers: rows(model.constraints(), motion.multipliers),
        outputs: rows(model.outputs(), motion.outputs),
        steps: summary.steps.clone(),
        modes: analysis
            .iter()
            .flat_map(|found| &found.modes)
            .map(|mode| ModeRow {
                frequency: mode.frequency,
                damping_ratio: mode.damping_ratio,
                shape: mode.shape.iter().map(|(_, size)| *size).collect(),
            })
            .collect(),
        equilibrium: refusal.or(analysis.map(|found| {
            let place = model.coordinates().iter().zip(&found.q).chain(model.states().iter().zip(&found.z));
            let place: Vec<String> = place
                .map(|(name, q)| format!("{name} = {}", with_unit(number::text(*q, 4), unit_of(model, name))))
                .collect();
            format!(
                "The equilibrium {}, which a search from the start finds, is {}{}.",
                place.join(", "),
                found.stability,
                if request.feedback.laws.is_empty() { "" } else { " where inputs follow no laws" }
            )
        })),
        live: None,
    }
}

/// The inputs with their times, if they follow laws. A sampled input is drawn as stairs.
fn inputs(model: &dyn Model, request: &Request, motion: &Motion, summary: &mut Summary) -> (Vec<f64>, Vec<SeriesRow>) {
    if request.feedback.laws.is_empty() {
        return Default::default();
    }
    let (t, series) = match summary.input_samples.is_empty() {
        true => (motion.t.clone(), motion.inputs.clone()),
        false => {
            let (end, warning) = samples_end(summary);
            summary.warnings.extend(warning);
            stairs(&summary.input_samples, end)
        }
    };
    let row = |(name, series): (&str, Vec<f64>)| SeriesRow { name: name.to_owned(), series };
    (t, super::simulate::rows::inputs(model).zip(series).map(row).collect())
}

/// The laws of the inputs, as sentences.
fn laws(request: &Request, units: Units) -> Vec<String> {
    let hold = match request.feedback.period {
        None => "at every time".to_owned(),
        Some(period) => {
            format!("at samples every {}, and is constant between them", with_unit(number::text(period, 7), units.time))
        }
    };
    let law = |(name, law): &(String, String)| format!("The input {name} follows the law {name} = {law} {hold}.");
    request.feedback.laws.iter().map(law).collect()
}

fn statistics(summary: &Summary, units: Units) -> Vec<(String, String)> {
    let Statistics { steps, rejected, evaluations, .. } = summary.statistics;
    [
        ("end of the motion", with_unit(number::text(summary.t, 7), units.time)),
        ("steps", steps.to_string()),
        ("rejected steps", rejected.to_string()),
        ("evaluations", evaluations.to_string()),
        ("energy at the start", with_unit(number::text(summary.energy[0], 7), units.energy)),
        ("energy at the end", with_unit(number::text(summary.energy[1], 7), units.energy)),
    ]
    .map(|(label, value)| (label.to_owned(), value))
    .into()
}
