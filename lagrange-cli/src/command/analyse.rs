//! `lagrange analyse MODEL`.

mod regulator;

use super::setup::{self, Setup};
use super::{Failure, output};
use crate::catalog::{Analysis, Catalog, MethodChoice, Model, head, unit_of, with_unit};
use crate::report::number;
use regulator::{Regulator, Weights};
use std::fmt::Write;

const EXAMPLES: &str = "\
Examples:
  lagrange analyse double-pendulum --initial theta1=0.1 --initial theta2=0.1
  lagrange analyse heavy-top-quaternion --json
  lagrange analyse motor-pendulum --initial theta=pi --lqr=theta=10,voltage=0.1

The search starts at the initial state with velocities 0, and tries others around it where it finds none. To find another
equilibrium, start near it by --initial.";

/// Find an equilibrium, whether it is stable, and how the mechanism oscillates about it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    setup: Setup,
    /// Write JSON instead of text
    #[arg(long)]
    json: bool,
    /// Compute the linear–quadratic regulator about the equilibrium, and write it as laws for --input
    ///
    /// It minimises the integral of the weighted squares of the deviations of states and inputs. Weights are given by name, as in
    /// `--lqr=theta=10,theta_dot=1,voltage=0.1`; the others are 1.
    #[arg(long, value_name = "NAME=WEIGHT,…", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    #[arg(value_parser = regulator::weights)]
    lqr: Option<Weights>,
}

pub(super) fn run(catalog: &Catalog, arguments: &Arguments) -> Result<(), Failure> {
    let (model, request) = arguments.setup.request(catalog, None, MethodChoice::automatic())?;
    setup::start(model, &request)?;
    let found = model.analyse(&request)?;
    let regulator = match &arguments.lqr {
        Some(weights) => Some(Regulator::new(model, &request, &found, weights)?),
        None => None,
    };
    let written = match (arguments.json, regulator) {
        (false, None) => text(model, &found),
        (false, Some(regulator)) => text(model, &found) + &regulator.text(model, &request.set),
        (true, regulator) => json(model, &found, regulator.as_ref()),
    };
    output::print(&written)
}

/// Rounding in relation to a number of the same scale.
const ROUNDING: f64 = 1e-13;

fn text(model: &dyn Model, found: &Analysis) -> String {
    let short = |value: f64| number::text(value, 6);
    // A number that is rounding beside one of its scale is shown as 0.
    let among = |largest: f64, value: f64| if value.abs() <= ROUNDING * largest { 0.0 } else { value };
    let units = model.units();
    let mut text = format!("{}: equilibrium\n", model.name());
    let named = model.coordinates().iter().zip(&found.q).chain(model.states().iter().zip(&found.z));
    for (name, q) in named {
        _ = writeln!(text, "  {name} = {}", with_unit(short(*q), unit_of(model, name)));
    }
    for name in &found.steady {
        _ = writeln!(text, "  the equations do not contain {name}");
    }
    _ = writeln!(text, "  {}\n\n{}", found.stability, head("eigenvalues", units.rate));
    for [re, im] in &found.eigenvalues {
        // A part that is rounding beside the other part is 0. Eigenvalues have scales of their own.
        let size = re.hypot(*im);
        let (re, im) = (&among(size, *re), &among(size, *im));
        let sign = if *im < 0.0 { '−' } else { '+' };
        _ = writeln!(text, "  {:>13} {sign} {}i", short(*re), short(im.abs()));
    }
    if !found.modes.is_empty() {
        _ = writeln!(text, "\nmodes: frequency, damping ratio, shape");
    }
    for mode in &found.modes {
        let shape: Vec<String> =
            mode.shape.iter().map(|(name, size)| format!("{name} {}", number::text(among(1.0, *size), 3))).collect();
        let rate = mode.frequency * 2.0 * std::f64::consts::PI;
        let motion = match mode.damping_ratio {
            _ if rate == 0.0 => "drifts: nothing pulls back".to_owned(),
            ratio if ratio.abs() < 1.0 - 1e-9 => {
                let frequency = with_unit(format!("{:>10}", short(mode.frequency)), units.frequency);
                format!("{frequency}, {:>10}", number::text(among(1.0, ratio), 4))
            }
            ratio if ratio < 0.0 => format!("grows by e in {}", with_unit(short(1.0 / rate), units.time)),
            _ => format!("falls by e in {}", with_unit(short(1.0 / rate), units.time)),
        };
        let times_t = if mode.defective && rate > 0.0 { ", and t times this motion" } else { "" };
        _ = writeln!(text, "  {motion:<28} {}{times_t}", shape.join(", "));
    }
    if let Some(reason) = &found.no_modes {
        _ = writeln!(text, "\nno modes: {reason}");
    }
    for (title, rows) in [("A", &found.a), ("B", &found.b)] {
        if rows.iter().any(|row| !row.is_empty()) {
            _ = writeln!(text, "\n{title} of ẋ = A x + B u");
        }
        for (name, row) in found.states.iter().zip(rows.iter().filter(|row| !row.is_empty())) {
            let cell = |value: &f64| format!("{:>12}", number::text(*value, 5));
            let cells: Vec<String> = row.iter().map(cell).collect();
            _ = writeln!(text, "  {name:<16}{}", cells.join(" "));
        }
    }
    text
}

fn json(model: &dyn Model, found: &Analysis, regulator: Option<&Regulator>) -> String {
    let modes: Vec<_> = found
        .modes
        .iter()
        .map(|mode| {
            let shape: serde_json::Map<_, _> =
                mode.shape.iter().map(|(name, size)| (name.clone(), (*size).into())).collect();
            serde_json::json!({
                "frequency": mode.frequency,
                "damping_ratio": mode.damping_ratio,
                "shape": shape,
                "defective": mode.defective,
            })
        })
        .collect();
    let mut value = serde_json::json!({
        "model": model.name(),
        "units": model.units().json(),
        "coordinates": model.coordinates(),
        "q": found.q,
        "stability": found.stability,
        "eigenvalues": found.eigenvalues,
        "coordinates_not_contained": found.steady,
        "modes": modes,
        "states": found.states,
        "a": found.a,
        "b": found.b,
    });
    super::simulate::add_states(&mut value, model, &found.z);
    super::simulate::add_units(&mut value, model);
    if let Some(regulator) = regulator {
        value["regulator"] = regulator.json();
    }
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Entry, Oscillation, Units};
    use lagrange_runtime::prelude::*;

    #[lagrangian { coordinates x; kinetic = dot(x)^2/2; }]
    #[derive(Clone, Debug)]
    struct Body;

    #[test]
    fn eigenvalues_and_modes_stand_beside_the_units_of_the_mechanism() {
        let oscillation = |damping_ratio| Oscillation {
            frequency: 0.5,
            damping_ratio,
            shape: vec![("x".to_owned(), 1.0)],
            defective: false,
        };
        let found = Analysis {
            q: vec![0.0],
            z: Vec::new(),
            steady: Vec::new(),
            stability: "stable".to_owned(),
            eigenvalues: vec![[0.0, 1.0]],
            modes: [0.1, 1.0, -1.0].map(oscillation).to_vec(),
            no_modes: None,
            states: Vec::new(),
            a: Vec::new(),
            b: Vec::new(),
        };
        let days = Units { time: "d", frequency: "1/d", rate: "1/d", energy: "M", power: "M/d" };
        let written = |units: Units| {
            let model = Entry::free("body", || Body, || State::new(0.0, [0.0], [0.0])).with_units(units);
            text(&model, &found)
        };
        let shown = [written(Units::SI), written(days), written(Units::UNSTATED)];
        for (parts, told) in [
            (["eigenvalues, 1/s\n", "eigenvalues, 1/d\n", "eigenvalues\n"], "eigenvalues"),
            (["0.5 Hz,", "0.5 1/d,", "0.5,"], "a frequency"),
            (["falls by e in 0.31831 s ", "falls by e in 0.31831 d ", "falls by e in 0.31831 "], "a time"),
            (["grows by e in 0.31831 s ", "grows by e in 0.31831 d ", "grows by e in 0.31831 "], "a time"),
        ] {
            for (text, part) in shown.iter().zip(parts) {
                assert!(text.contains(part), "{told}: {text}");
            }
        }
        assert!(!shown[1].contains(" s ") && !shown[2].contains(" s ") && !shown[2].contains("Hz"), "{shown:?}");
    }
}
