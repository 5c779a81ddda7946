//! `lagrange plot MODEL`.

#[cfg(feature = "png")]
mod png;

use super::motion::{Motion, samples_end, stairs};
use super::setup::{self, Simulation};
use super::simulate::rows::inputs;
use super::{Failure, output};
use crate::analysis::decimate;
use crate::catalog::{Catalog, Model, Request, States, in_common, label, unit_of, with_unit};
use crate::report::number;
use crate::report::plot::{Axis, Chart, Curve, Drawing, Style, standalone};
use crate::suggest::explain_unknown;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  lagrange plot double-pendulum --t-end 20 --output angles.svg
  lagrange plot double-pendulum --t-end 20 --x theta1 --y theta1_dot --output portrait.svg
  lagrange plot spherical-pendulum-cartesian --t-end 5 --y 'multiplier(rod)' --output tension.svg

Quantities: t, a coordinate `x`, its velocity `x_dot`, kinetic, potential, energy, an output, `power(NAME)`, `multiplier(NAME)`.";

/// The largest number of points of a curve.
const POINTS: usize = 1500;

/// Draw quantities of a motion as an SVG file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    simulation: Simulation,
    /// The quantity of the horizontal axis
    #[arg(long, value_name = "QUANTITY", default_value = "t")]
    x: String,
    /// A quantity of the vertical axis; may be repeated [default: all coordinates and states]
    #[arg(long, value_name = "QUANTITY")]
    y: Vec<String>,
    /// The file, an .svg or, if the program was built with the feature `png`, a .png [default: the mechanism's name with .svg]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file where it exists
    #[arg(long)]
    force: bool,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    let (model, request) = arguments.simulation.request(catalog)?;
    let request = Request { states: States::Points(4 * POINTS + 1), ..request };
    let coordinates: Vec<String> =
        model.coordinates().iter().chain(model.states()).map(|name| (*name).to_owned()).collect();
    let names = if arguments.y.is_empty() { &coordinates } else { &arguments.y };
    for name in names.iter().chain([&arguments.x]) {
        known(model, name)?;
    }
    if names.len() > Style::ALL.len() {
        return Err(Failure::Usage(format!(
            "{} curves are asked for; at most {} are drawn",
            names.len(),
            Style::ALL.len()
        )));
    }
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.svg", model.name())));
    let format = format(&path)?;
    output::may_create(&path, arguments.force)?;
    setup::start(model, &request)?;
    let mut motion = Motion::new(model, request.t_end);
    let result = model.simulate(&request, &mut motion);
    if let Err(error) = &result
        && motion.t.len() < 2
    {
        return Err(error.clone().into());
    }
    let held = match &result {
        Ok(summary) if arguments.x == "t" && names.iter().any(|name| inputs(model).any(|input| input == name)) => {
            let (end, warning) = samples_end(summary);
            setup::warn(warning.as_slice());
            stairs(&summary.input_samples, end)
        }
        _ => Default::default(),
    };
    let svg = standalone(&chart(model, &motion, &arguments.x, names, held)?, model.name());
    output::new_file(&path, &format(Drawing { svg, cells: None })?, arguments.force)?;
    match result {
        Ok(summary) => {
            setup::warn(&summary.warnings);
            if arguments.x != "t" && motion.whole() < motion.t.len() {
                let until = with_unit(number::text(motion.t[motion.whole() - 1], 4), model.units().time);
                setup::warn(&[format!("the picture shows the motion until {until} only; choose a shorter --t-end")]);
            }
            output::print(&format!("{} is written\n", output::quoted(&path)))
        }
        Err(error) => {
            let text = format!("the motion until then is drawn in {}", output::quoted(&path));
            Err(Failure::from(error).with(&text))
        }
    }
}

/// Turns a drawing into the bytes of a file.
pub(super) type Format = fn(Drawing) -> Result<Vec<u8>, Failure>;

/// The format of a file of this name.
pub(super) fn format(path: &Path) -> Result<Format, Failure> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match &*extension {
        "" | "svg" => return Ok(|drawing| Ok(drawing.svg.into_bytes())),
        "png" => {}
        other => {
            return Err(Failure::Usage(format!(
                "pictures are drawn as .svg or .png; `{}` names a .{other}",
                path.display()
            )));
        }
    }
    #[cfg(feature = "png")]
    return Ok(|drawing| png::draw(&drawing));
    #[cfg(not(feature = "png"))]
    Err(Failure::Usage(
        "this program draws SVG only: name an .svg file, or build it with `--features lagrange-cli/png`".to_owned(),
    ))
}

/// Fails for a name that no quantity has.
fn known(model: &dyn Model, name: &str) -> Result<(), Failure> {
    let names = Motion::names(model);
    if names.iter().any(|known| known == name) {
        Ok(())
    } else {
        Err(Failure::Usage(explain_unknown("quantity", name, &names)))
    }
}

/// The chart of a motion. `held` are the times and the values of inputs that keep their values between samples, if there are such.
fn chart(
    model: &dyn Model,
    motion: &Motion,
    x: &str,
    names: &[String],
    held: (Vec<f64>, Vec<Vec<f64>>),
) -> Result<Chart, Failure> {
    let series = |name: &str| {
        let missing = || Failure::Usage(format!("this mechanism does not state its {name} energy"));
        motion.series(model, name).ok_or_else(missing)
    };
    let across = series(x)?;
    let over_time = x == "t";
    let mut curves = Vec::new();
    for (name, style) in names.iter().zip(Style::ALL) {
        if let Some(values) = inputs(model).position(|input| input == name).and_then(|input| held.1.get(input)) {
            let points = held.0.iter().zip(values).map(|(t, value)| [*t, *value]);
            curves.push(Curve::new(name.clone(), style, points.collect()));
            continue;
        }
        let points = across.iter().zip(series(name)?).map(|(x, y)| [*x, *y]);
        let span = [across[0], across.last().copied().unwrap_or_default()];
        // Only curves over time are functions, which can be thinned.
        let points = match over_time && span[0] < span[1] {
            true => decimate::extremes(points, span, POINTS / 2),
            false => points.take(motion.whole()).collect(),
        };
        curves.push(Curve::new(name.clone(), style, points));
    }
    let across = label(if over_time { "time" } else { x }, unit_of(model, x));
    // One unit stands behind all names, and several each behind its own.
    let up = match in_common(names.iter().map(|name| unit_of(model, name))) {
        "" => names.iter().map(|name| label(name, unit_of(model, name))).collect::<Vec<_>>().join(", "),
        unit => label(&names.join(", "), unit),
    };
    let chart = Chart::new(Axis::linear(across), Axis::linear(up), curves);
    Ok(if over_time { chart } else { chart.with_aspect(0.7) })
}
