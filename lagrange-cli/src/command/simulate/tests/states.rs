//! A mechanism with states on the command line: each state has one column, under its own name.

use super::Program;
use crate::catalog::{Catalog, Entry, Feedback, MethodChoice, MethodName, Quantity, Request, Sample, States};
use crate::command::Failure;
use clap::Parser;
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

/// A block that its friction heats.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    dissipation = c*dot(x)^2/2;
    state heat: dot(heat) == c*dot(x)^2 - loss*heat;
    state trace[i in 0..2]: dot(trace[i]) == x - (i + 1)*trace[i];
    output warm = heat;
}]
#[derive(Clone, Debug)]
struct Block {
    m: f64,
    k: f64,
    c: f64,
    loss: f64,
}

/// A charge that turns in a strong magnetic field and a trap, without its inertia.
#[lagrangian {
    coordinates east, north;
    lagrangian = e*b*north*dot(east) - k*(east^2 + north^2)/2;
}]
#[derive(Clone, Debug)]
struct Drifting {
    e: f64,
    b: f64,
    k: f64,
}

static CATALOG: Catalog = Catalog::new(&[
    &Entry::free(
        "block",
        || Block { m: 1.0, k: 4.0, c: 0.5, loss: 0.1 },
        || State::new(0.0, [1.0, 0.0, 0.0, 0.0], [0.0, 0.25, 0.5, 0.75]),
    ),
    &Entry::free("drifting", || Drifting { e: 1.0, b: 2.0, k: 1.5 }, || State::new(0.0, [0.0; 2], [1.0, 0.0])),
]);

fn run(arguments: &[&str]) -> Result<(), Failure> {
    let all = [&["program"], arguments].concat();
    let program = Program::try_parse_from(all).map_err(|error| Failure::Usage(error.to_string()))?;
    program.command.run::<Program>(&CATALOG)
}

fn usage(arguments: &[&str]) -> String {
    match run(arguments) {
        Err(Failure::Usage(text)) => text,
        other => panic!("{arguments:?}: {other:?}"),
    }
}

fn request(initial: &[(&str, f64)]) -> Request {
    Request {
        set: Vec::new(),
        initial: initial.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
        project: false,
        t_start: 0.0,
        t_end: 2.0,
        method: MethodChoice::with_step(MethodName::Rk4, 0.01),
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: true,
        states: States::Points(3),
        exponent: None,
        feedback: Feedback::default(),
    }
}

const COLUMNS: [&str; 9] = ["t", "x", "x_dot", "heat", "trace[0]", "trace[1]", "kinetic", "potential", "energy"];

#[test]
fn each_state_is_one_column() {
    let path = std::env::temp_dir().join(format!("lagrange-states-{}.csv", std::process::id()));
    let text = path.to_string_lossy().into_owned();
    run(&["simulate", "block", "--t-end", "2", "--initial", "heat=3", "--points", "3", "--csv", &text, "--force"])
        .expect("the file is written");
    let written = std::fs::read_to_string(&path).expect("the file is there");
    std::fs::remove_file(&path).expect("the file is there");
    let mut lines = written.lines();
    assert_eq!(lines.next(), Some(&*[&COLUMNS[..], &["warm"]].concat().join(",")));
    let first: Vec<f64> = lines.next().expect("a row").split(',').map(|cell| cell.parse().expect("a number")).collect();
    assert_eq!(first, [0.0, 1.0, 0.0, 3.0, 0.5, 0.75, 0.0, 2.0, 2.0, 3.0]);
    assert_eq!(lines.clone().count(), 2);
}

#[test]
fn the_end_and_its_balance_leave_the_hidden_coordinates_out() {
    let model = CATALOG.find("block").expect("it is there");
    let mut samples = Vec::new();
    struct Keep<'a>(&'a mut Vec<(usize, usize)>);
    impl crate::catalog::Output for Keep<'_> {
        fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
            self.0.push((sample.q.len(), sample.v.len()));
            ControlFlow::Continue(())
        }
    }
    // A temperature of 10⁶ would hide every error of the balance if it counted as a velocity.
    let summary = model.simulate(&request(&[("heat", 1e6)]), &mut Keep(&mut samples)).expect("it is linear");
    assert_eq!(samples, [(1, 4); 3]);
    assert_eq!((summary.q.len(), summary.v.len()), (1, 4));
    let balance = summary.balance.as_ref().expect("it was asked for");
    assert!(balance.scale < 3.0, "{balance:?}");
    assert!(summary.sizes[1].len() == 1 && summary.sizes[1][0] < 3.0, "{:?}", summary.sizes);
    let text = super::super::describe(model, &summary);
    assert!(text.contains("\n  x = ") && text.contains(", x_dot = ") && text.contains("\n  heat = "), "{text}");
    assert!(!text.contains("heat_dot"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&super::super::json(model, &summary)).expect("it is JSON");
    assert_eq!(json["coordinates"], serde_json::json!(["x"]));
    assert_eq!(json["v"].as_array().map(Vec::len), Some(1));
    assert_eq!(json["values_of_states"]["trace[1]"], serde_json::json!(summary.v[3]));
}

#[test]
fn a_coordinate_without_inertia_has_one_value() {
    let model = CATALOG.find("drifting").expect("it is there");
    assert_eq!(
        (model.coordinates().len(), model.states(), model.without_inertia()),
        (0, &["east", "north"][..], model.states())
    );
    let proved = crate::command::show::facts(model);
    assert!(proved.iter().any(|fact| fact.starts_with("has no inertia in east, north:")), "{proved:?}");
    let summary = model.simulate(&request(&[("north", 2.0)]), &mut ()).expect("it is linear");
    // Nothing exchanges energy, so that the balance is measured by the energy itself.
    let balance = summary.balance.as_ref().expect("it was asked for");
    assert!((balance.scale - 3.75).abs() < 1e-9 && balance.relative() < 1e-6, "{balance:?}");
    assert!(summary.warnings.is_empty(), "{:?}", summary.warnings);
    // e b dot(east) = k north and e b dot(north) = −k east: it turns clockwise with the rate k/(e b).
    let (sin, cos) = 1.5_f64.sin_cos();
    assert!((summary.v[0] - (cos + 2.0 * sin)).abs() < 1e-7, "{:?}", summary.v);
}

#[test]
fn names_of_states_are_told_from_others() {
    let message = usage(&["simulate", "block", "--t-end", "1", "--initial", "heat_dot=3"]);
    assert!(message.contains("`x`, `x_dot`, `heat`, `trace[0]`, `trace[1]`"), "{message}");
    let message = usage(&["simulate", "block", "--t-end", "1", "--set", "heat=3"]);
    assert!(message.contains("--initial heat=VALUE"), "{message}");
    run(&["simulate", "block", "--t-end", "1", "--until", "heat=0.3"]).expect("a state may end a motion");
    run(&["sweep", "block", "--t-end", "1", "--vary", "heat=0..1:3", "--csv", "-"]).expect("a state may vary");
    run(&["list"]).expect("it is listed");
    run(&["show", "block"]).expect("it is shown");
    run(&["analyse", "block", "--json"]).expect("it has an equilibrium");
    let components = CATALOG.find("block").expect("it is there").components();
    let names = Quantity::names(components, &["warm"]);
    assert_eq!(names, ["x", "x_dot", "heat", "trace[0]", "trace[1]", "warm"]);
    for (place, name) in names.iter().enumerate() {
        let quantity = Quantity::find(name, components, &["warm"]).expect("it is its own name");
        assert_eq!(quantity.place(components), place, "{name}");
    }
}

#[test]
fn an_equilibrium_gives_the_values_of_states() {
    let model = CATALOG.find("block").expect("it is there");
    let found = model.analyse(&request(&[])).expect("the block rests");
    assert_eq!((found.q.len(), found.z.len()), (1, 3));
    assert!(found.z.iter().chain(&found.q).all(|value| value.abs() < 1e-12));
    assert_eq!(found.states, ["x", "dot(x)", "heat", "trace[0]", "trace[1]"]);
    assert!(found.no_modes.is_some_and(|reason| reason.contains("without `state`")));
}
