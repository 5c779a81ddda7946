//! What `analyse` says about equilibria whose stability the linear equations do not decide, and what nominal ranges are used for.

use crate::catalog::{Feedback, MethodChoice, MethodName, Model, Request, States};
use lagrange_runtime::prelude::*;

/// A pendulum on a disc that turns freely, without acting on it.
#[lagrangian {
    coordinates theta, phi;
    allow uncoupled_coordinate;
    kinetic = dot(theta)^2/2 + i*dot(phi)^2/2;
    potential = -g*cos(theta);
    dissipation = c*dot(theta)^2/2;
}]
#[derive(Clone, Debug)]
struct Swing {
    i: f64,
    g: f64,
    c: f64,
}

#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = (1 + h*cos(2*t))*x^2/2;
    dissipation = c*dot(x)^2/2;
}]
#[derive(Clone, Debug)]
struct Mathieu {
    h: f64,
    c: f64,
}

fn request(t_end: f64, method: MethodChoice) -> Request {
    Request {
        set: Vec::new(),
        initial: Vec::new(),
        project: false,
        t_start: 0.0,
        t_end,
        method,
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: true,
        states: States::EveryStep,
        exponent: None,
        feedback: Feedback::default(),
    }
}

fn analysed(model: &dyn Model) -> crate::catalog::Analysis {
    model.analyse(&request(0.0, MethodChoice::automatic())).expect("an equilibrium is near")
}

/// There are as many eigenvalues as A has rows, and the coordinate that no equation contains is named.
#[test]
fn every_eigenvalue_of_the_linear_equations_is_shown() {
    let catalog = crate::catalog![Swing { i: 2.0, g: 9.0, c: 2.0 } at [0.1, 0.3], [0.0, 0.0]];
    let found = analysed(catalog.find("swing").expect("it is there"));
    assert_eq!((found.a.len(), found.eigenvalues.len(), found.states.len()), (4, 4, 4));
    assert_eq!(found.steady, ["phi"]);
    // λ² + 2 λ + 9 = 0, and the free disc.
    for [re, im] in &found.eigenvalues {
        let is_disc = *re == 0.0 && *im == 0.0;
        assert!(is_disc || (re + 1.0).abs() < 1e-14 && (im.abs() - 8.0_f64.sqrt()).abs() < 1e-14, "{found:?}");
    }
    assert!(found.stability.contains("1 of 3 have a real part that is 0 up to rounding"), "{}", found.stability);
    assert!(found.stability.contains("the theorem on the minimum of the energy does not apply"), "{}", found.stability);
}

#[test]
fn equations_that_depend_on_time_are_not_judged() {
    let catalog = crate::catalog![Mathieu { h: 0.9, c: 0.02 } at [0.1], [0.0]];
    let found = analysed(catalog.find("mathieu").expect("it is there"));
    assert!(found.stability.starts_with("not judged: ") && found.stability.contains("Floquet"), "{}", found.stability);
    assert_eq!(found.eigenvalues.len(), 2);
}

/// Two atoms whose forces vanish at a nanometre, and at infinity.
#[lagrangian {
    coordinates r: m in 0.5e-9..2e-9;
    kinetic = m*dot(r)^2/2;
    potential = depth*((r0/r)^12 - 2*(r0/r)^6);
}]
#[derive(Clone, Debug)]
struct Atoms {
    m: f64,
    depth: f64,
    r0: f64,
}

/// Newton's method runs away from the start.
#[test]
fn an_equilibrium_is_sought_in_the_nominal_range() {
    let catalog = crate::catalog![Atoms { m: 1e-25, depth: 1e-21, r0: 1e-9 } at [4e-9], [0.0]];
    let found = analysed(catalog.find("atoms").expect("it is there"));
    assert!((found.q[0] - 1e-9).abs() < 1e-21, "{found:?}");
}

/// The default absolute tolerance of a named method is 1e-9 of 2 nm. One that is stated stays, and is coarse.
#[test]
fn a_named_method_takes_tolerances_of_the_nominal_size() {
    let catalog = crate::catalog![Atoms { m: 1e-25, depth: 1e-21, r0: 1e-9 } at [1.1e-9], [0.0]];
    let model = catalog.find("atoms").expect("it is there");
    let simulate = |method| model.simulate(&request(1e-10, method), &mut ()).expect("it is smooth");
    let sized = simulate(MethodChoice::new(MethodName::Dop853));
    assert!(sized.warnings.is_empty(), "{:?}", sized.warnings);
    let stated = MethodChoice { atol: Some(1e-9), ..MethodChoice::new(MethodName::Dop853) };
    let stated = simulate(stated).warnings;
    assert!(stated.iter().any(|warning| warning.contains("absolute tolerance 1e-9")), "{stated:?}");
}
