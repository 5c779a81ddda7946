//! The linear–quadratic regulator about an equilibrium, as laws that `--input` takes.

use crate::catalog::{Analysis, Model, Request};
use crate::command::Failure;
use crate::command::simulate::rows::inputs;
use crate::parse;
use crate::report::number;
use crate::suggest::explain_unknown;
use lagrange_runtime::analysis::{StateSpace, lqr};
use lagrange_runtime::nalgebra::DMatrix;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Weights by name.
#[derive(Clone, Debug)]
pub(super) struct Weights(Vec<(String, f64)>);

/// Reads `NAME=WEIGHT` or several of them with commas between them, or nothing.
pub(super) fn weights(text: &str) -> Result<Weights, String> {
    let parts = text.split(',').filter(|part| !(part.trim().is_empty() && text.trim().is_empty()));
    let mut weights: Vec<(String, f64)> = Vec::new();
    for part in parts {
        let (name, weight) = parse::assignment(part)?;
        if weight < 0.0 {
            return Err(format!("the weight of `{name}` is negative"));
        }
        if weights.iter().any(|(known, _)| *known == name) {
            return Err(format!("`{name}` has two weights"));
        }
        weights.push((name, weight));
    }
    Ok(Weights(weights))
}

/// A state feedback u = u₀ − K (x − x₀).
pub(super) struct Regulator {
    /// The names of the inputs with their laws.
    laws: Vec<(&'static str, String)>,
    /// K, by rows.
    gain: Vec<Vec<f64>>,
    /// The eigenvalues of A − B K, [real part, imaginary part].
    poles: Vec<[f64; 2]>,
    /// The weights of the states, and then of the inputs.
    weights: Vec<(String, f64)>,
}

impl Regulator {
    /// The regulator about the equilibrium that an analysis has found.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a mechanism without inputs and for a weight of an unknown name; [`Failure::Work`] where no regulator exists.
    pub(super) fn new(
        model: &dyn Model,
        request: &Request,
        found: &Analysis,
        Weights(given): &Weights,
    ) -> Result<Self, Failure> {
        let inputs: Vec<&'static str> = inputs(model).collect();
        if inputs.is_empty() {
            return Err(Failure::Usage(format!("`{}` has no input, so that nothing regulates it", model.name())));
        }
        let names: Vec<String> =
            found.states.iter().map(|name| plain(name)).chain(inputs.iter().map(|name| (*name).to_owned())).collect();
        for (name, _) in given {
            if !names.contains(&plain(name)) {
                return Err(Failure::Usage(format!("--lqr: {}", explain_unknown("state or input", name, &names))));
            }
        }
        let weight =
            |name: &String| given.iter().find(|(known, _)| plain(known) == *name).map_or(1.0, |(_, weight)| *weight);
        let weights: Vec<(String, f64)> = names.iter().map(|name| (name.clone(), weight(name))).collect();
        let (states, size) = (found.states.len(), [found.states.len(), inputs.len()]);
        let diagonal = |part: &[(String, f64)]| {
            DMatrix::from_fn(part.len(), part.len(), |row, column| if row == column { part[row].1 } else { 0.0 })
        };
        let matrix =
            |rows: &[Vec<f64>], columns: usize| DMatrix::from_fn(states, columns, |row, column| rows[row][column]);
        let failed = |error: lagrange_runtime::analysis::AnalysisError| {
            Failure::Work(format!("there is no regulator for these weights: {error}"))
        };
        let space = StateSpace::new(matrix(&found.a, size[0]), matrix(&found.b, size[1])).map_err(failed)?;
        let regulator = lqr(&space, &diagonal(&weights[..states]), &diagonal(&weights[states..])).map_err(failed)?;
        let places: Vec<f64> = found.states.iter().map(|name| place(model, found, name)).collect();
        let gain: Vec<Vec<f64>> = regulator.gain.row_iter().map(|row| row.iter().copied().collect()).collect();
        let laws = inputs.iter().zip(&gain).map(|(input, row)| {
            let held = request.set.iter().find(|(name, _)| name == input).map(|(_, value)| *value);
            let parameters = model.parameters();
            let default =
                parameters.iter().find(|parameter| parameter.name == *input).map(|parameter| parameter.default);
            (*input, law(held.or(default).unwrap_or_default(), row, &names[..states], &places))
        });
        Ok(Self {
            laws: laws.collect(),
            poles: regulator.poles.iter().map(|pole| [pole.re, pole.im]).collect(),
            gain,
            weights,
        })
    }

    /// The regulator in some lines, the last of which simulates the closed loop with the parameters that were `set`.
    pub(super) fn text(&self, model: &dyn Model, set: &[(String, f64)]) -> String {
        let weights: Vec<String> =
            self.weights.iter().map(|(name, weight)| format!("{name} {}", number::text(*weight, 6))).collect();
        let mut text = format!("\nregulator, u = u₀ − K (x − x₀), for the weights {}\n", weights.join(", "));
        for ((input, _), row) in self.laws.iter().zip(&self.gain) {
            let cells: Vec<String> = row.iter().map(|gain| format!("{:>12}", number::text(*gain, 5))).collect();
            _ = writeln!(text, "  K of {input:<11}{}", cells.join(" "));
        }
        let poles = self.poles.iter().map(|[re, im]| {
            let sign = if *im < 0.0 { '−' } else { '+' };
            format!("{} {sign} {}i", number::text(*re, 5), number::text(im.abs(), 5))
        });
        _ = writeln!(text, "  eigenvalues of A − B K: {}", poles.collect::<Vec<_>>().join(", "));
        let is_input = |name: &str| self.laws.iter().any(|(input, _)| *input == name);
        let parameters =
            set.iter().filter(|(name, _)| !is_input(name)).map(|(name, value)| format!("--set {name}={value}"));
        let laws = self.laws.iter().map(|(input, law)| format!("--input '{input}={law}'"));
        let options: Vec<String> = parameters.chain(laws).collect();
        _ = writeln!(text, "\nthe closed loop: simulate {} --t-end TIME {}", model.name(), options.join(" "));
        text
    }

    /// The regulator as JSON.
    pub(super) fn json(&self) -> Value {
        let weights: Map<String, Value> =
            self.weights.iter().map(|(name, weight)| (name.clone(), (*weight).into())).collect();
        let laws: Map<String, Value> =
            self.laws.iter().map(|(name, law)| ((*name).to_owned(), law.clone().into())).collect();
        json!({ "weights": weights, "gain": self.gain, "eigenvalues": self.poles, "laws": laws })
    }
}

/// `x_dot` for `dot(x)`, and other names as they are.
fn plain(name: &str) -> String {
    match name.strip_prefix("dot(").and_then(|rest| rest.strip_suffix(')')) {
        Some(coordinate) => format!("{}_dot", coordinate.trim()),
        None => name.to_owned(),
    }
}

/// The value of a state of the linear equations at the equilibrium, where velocities are 0.
fn place(model: &dyn Model, found: &Analysis, name: &str) -> f64 {
    let coordinates = model.coordinates().len();
    match model.components().find(name) {
        Some((index, 0)) => found.q.get(index).copied().unwrap_or_default(),
        Some((index, _)) => {
            index.checked_sub(coordinates).and_then(|state| found.z.get(state).copied()).unwrap_or_default()
        }
        None => 0.0,
    }
}

/// u₀ − Σ k (x − x₀) as an expression. Numbers have all their digits.
fn law(constant: f64, gains: &[f64], names: &[String], places: &[f64]) -> String {
    let mut text = if constant == 0.0 { String::new() } else { format!("{constant:?}") };
    for ((gain, name), place) in gains.iter().zip(names).zip(places).filter(|((gain, _), _)| **gain != 0.0) {
        let sign = if *gain > 0.0 { "-" } else { "+" };
        let separator = if text.is_empty() { "" } else { " " };
        let deviation = match *place {
            0.0 => name.clone(),
            place if place > 0.0 => format!("({name} - {place:?})"),
            place => format!("({name} + {:?})", place.abs()),
        };
        _ = write!(text, "{separator}{sign}{separator}{:?}*{deviation}", gain.abs());
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, Entry, Feedback, MethodChoice, States};
    use lagrange_runtime::prelude::*;

    /// An inverted pendulum on a motor.
    #[lagrangian {
        coordinates theta;
        kinetic = dot(theta)^2/2;
        potential = 9*cos(theta);
        force theta = torque;
    }]
    #[derive(Clone, Debug)]
    struct Inverted {
        #[input]
        torque: f64,
    }

    static CATALOG: Catalog =
        Catalog::new(&[&Entry::free("inverted", || Inverted { torque: 0.0 }, || State::new(0.0, [0.4], [0.0]))]);

    fn request(law: Option<String>) -> Request {
        Request {
            set: Vec::new(),
            initial: Vec::new(),
            project: false,
            t_start: 0.0,
            t_end: 10.0,
            method: MethodChoice::automatic(),
            max_steps: None,
            until: Vec::new(),
            watched: Vec::new(),
            audit: true,
            states: States::EveryStep,
            exponent: None,
            feedback: Feedback { laws: law.map(|law| ("torque".to_owned(), law)).into_iter().collect(), period: None },
        }
    }

    /// θ̈ = 9 θ + u: Riccati's equation gives k₁ = 9 + √(81 + q₁/r) and k₂ = √(2 k₁ + q₂/r).
    #[test]
    fn the_gain_has_the_closed_form_and_its_law_holds_the_pendulum() {
        let model = CATALOG.find("inverted").expect("it is there");
        let found = model.analyse(&request(None)).expect("it stands");
        let given = weights("theta=4, torque=0.5").expect("right");
        let regulator = Regulator::new(model, &request(None), &found, &given).expect("it exists");
        let first = 9.0 + (81.0_f64 + 8.0).sqrt();
        let gain = [first, (2.0 * first + 2.0).sqrt()];
        assert!(
            regulator.gain[0].iter().zip(gain).all(|(found, exact)| (found - exact).abs() < 1e-9),
            "{:?}",
            regulator.gain
        );
        let text = regulator.text(model, &[("m".to_owned(), 2.5), ("torque".to_owned(), 1.0)]);
        assert!(text.contains("--t-end TIME --set m=2.5 --input 'torque="), "{text}");
        assert!(
            text.contains("weights theta 4, theta_dot 1, torque 0.5") && text.contains("--input 'torque=-18.4"),
            "{text}"
        );
        let closed = request(Some(regulator.laws[0].1.clone()));
        let end = model.simulate(&closed, &mut ()).expect("it is held");
        assert!(end.q[0].abs() < 1e-6 && end.v[0].abs() < 1e-6, "{:?}", end.q);
        for text in ["theta", "theta=-1", "theta=1,theta=2"] {
            assert!(weights(text).is_err(), "{text}");
        }
        let other = weights("omega=1").expect("a name");
        assert!(
            Regulator::new(model, &request(None), &found, &other)
                .is_err_and(|failure| failure.text().contains("`omega`"))
        );
    }

    #[test]
    fn laws_are_written_with_signs_and_places() {
        let names = ["x".to_owned(), "x_dot".to_owned()];
        assert_eq!(law(0.0, &[2.0, -3.5], &names, &[1.5, 0.0]), "-2.0*(x - 1.5) + 3.5*x_dot");
        assert_eq!(law(0.25, &[0.0, 1.0], &names, &[-1.0, 0.0]), "0.25 - 1.0*x_dot");
        assert_eq!(law(0.0, &[-1.0, 0.0], &names, &[-1.0, 0.0]), "+1.0*(x + 1.0)");
        assert_eq!(law(0.0, &[0.0, 0.0], &names, &[0.0, 0.0]), "0");
    }
}
