//! The method that is chosen for stiff equations.

use crate::catalog::{Catalog, Entry, Feedback, MethodChoice, MethodName, Request, RequestError, States};
use lagrange_runtime::prelude::*;

/// A filter behind an oscillator.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = x^2/2;
    state z: dot(z) == (sin(x) - z)/tau;
}]
#[derive(Clone, Debug)]
struct Filter {
    tau: f64,
}

/// A filter behind a pendulum on a rod.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    potential = 9.81*y;
    state z: dot(z) == (x - z)/tau;
    constraint rod: x^2 + y^2 == 1;
}]
#[derive(Clone, Debug)]
struct Hanging {
    tau: f64,
}

static CATALOG: Catalog = Catalog::new(&[
    &Entry::free("fast", || Filter { tau: 1e-9 }, || State::new(0.0, [0.5, 0.0], [0.0, 0.9])),
    &Entry::constrained("hanging", || Hanging { tau: 1e-9 }, || State::new(0.0, [0.6, -0.8, 0.0], [0.0, 0.0, 0.9])),
    &Entry::free("slow", || Filter { tau: 1.0 }, || State::new(0.0, [0.5, 0.0], [0.0, 0.9])),
]);

fn request(method: MethodChoice) -> Request {
    Request {
        set: Vec::new(),
        initial: Vec::new(),
        project: false,
        t_start: 0.0,
        t_end: 100.0,
        method,
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: true,
        states: States::Points(3),
        exponent: None,
        feedback: Feedback::default(),
    }
}

#[test]
fn stiff_equations_are_integrated_by_radaus_method_and_the_reader_is_told() {
    let automatic = request(MethodChoice::automatic());
    let model = CATALOG.find("fast").expect("it is there");
    let summary = model.simulate(&automatic, &mut ()).expect("the method fits");
    assert!(summary.method.starts_with("Radau IIA, order 9"), "{}", summary.method);
    assert!(summary.method.ends_with("(chosen: the equations are stiff)"), "{}", summary.method);
    assert!(summary.warnings.is_empty(), "{:?}", summary.warnings);
    assert!((summary.q[0] - 0.5 * 100.0_f64.cos()).abs() < 1e-5, "{:?}", summary.q);
    assert!((summary.v[1] - summary.q[0].sin()).abs() < 1e-5, "{:?}", summary.v);
    assert!(summary.statistics.steps < 3000, "{:?}", summary.statistics);
    let text = super::super::describe(model, &summary);
    assert!(text.contains("chosen: the equations are stiff"), "{text}");
    let hanging = CATALOG.find("hanging").expect("it is there").simulate(&automatic, &mut ()).expect("it is chosen");
    assert!(hanging.method.ends_with("(chosen: the equations are stiff)"), "{}", hanging.method);
    assert!((hanging.v[2] - hanging.q[0]).abs() < 1e-5, "{hanging:?}");
    assert!((hanging.q[0].hypot(hanging.q[1]) - 1.0).abs() < 1e-15, "{hanging:?}");
    let slow = CATALOG.find("slow").expect("it is there").simulate(&automatic, &mut ()).expect("it is smooth");
    assert!(slow.method.starts_with("DOP853"), "{}", slow.method);
}

#[test]
fn rosenbrocks_method_takes_no_constraints() {
    let named = request(MethodChoice::new(MethodName::Rodas5P));
    assert_eq!(MethodName::find("rodas5p").expect("it is there"), MethodName::Rodas5P);
    let summary = CATALOG.find("fast").expect("it is there").simulate(&named, &mut ()).expect("the method fits");
    assert!((summary.q[0] - 0.5 * 100.0_f64.cos()).abs() < 1e-5, "{:?}", summary.q);
    assert!((summary.v[1] - summary.q[0].sin()).abs() < 1e-5, "{:?}", summary.v);
    assert!(summary.statistics.steps < 3000, "{:?}", summary.statistics);
    let refused = CATALOG.find("hanging").expect("it is there").simulate(&named, &mut ());
    let Err(RequestError::Failed(failed)) = refused else { panic!("it has a constraint") };
    assert!(failed.text.contains("the method Rodas5P needs a mechanism without constraints"), "{}", failed.text);
}

#[test]
fn an_explicit_method_that_is_named_ends_early_and_names_the_other() {
    let named = request(MethodChoice::new(MethodName::Dop853));
    let model = CATALOG.find("fast").expect("it is there");
    let Err(RequestError::Failed(failed)) = model.simulate(&named, &mut ()) else { panic!("it would take hours") };
    assert!(failed.text.contains("the equations are stiff"), "{}", failed.text);
    let remedy = "take `--method radau5`, where nothing touches or sticks; `--max-steps` takes the place of this check";
    assert!(failed.text.contains(remedy), "{}", failed.text);
}
