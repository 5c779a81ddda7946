//! Inputs that follow laws, against closed forms; modes, which the equations of the command line must not lose; and linear motions.

use crate::catalog::{
    Catalog, Entry, Feedback, LinearAt, MethodChoice, MethodName, Model, Request, RequestError, Sample, States,
};
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = push;
    output pressed = push;
}]
#[derive(Clone, Debug)]
struct Cart {
    m: f64,
    #[input]
    push: f64,
}

/// A cart that brakes from a place on.
#[lagrangian {
    coordinates x;
    mode braking = when x > 0.5 { 1 };
    kinetic = dot(x)^2/2;
    force x = -2*braking;
}]
#[derive(Clone, Debug)]
struct Braked;

#[lagrangian {
    coordinates theta;
    kinetic = dot(theta)^2/2;
    potential = -g*cos(theta);
}]
#[derive(Clone, Debug)]
struct Pendulum {
    g: f64,
}

static CATALOG: Catalog = Catalog::new(&[
    &Entry::free("cart", || Cart { m: 2.0, push: 0.25 }, || State::new(0.0, [1.0], [0.0])),
    &Entry::free("braked", || Braked, || State::new(0.0, [0.0, 0.0], [1.0, 0.0])),
    &Entry::free("pendulum", || Pendulum { g: 4.0 }, || State::new(0.0, [0.1], [0.0])),
]);

fn model(name: &str) -> &'static dyn Model {
    CATALOG.find(name).expect("it is in the catalogue")
}

fn request(laws: &[(&str, &str)], period: Option<f64>) -> Request {
    Request {
        set: Vec::new(),
        initial: Vec::new(),
        project: false,
        t_end: 2.0,
        method: MethodChoice::automatic(),
        max_steps: None,
        until: Vec::new(),
        audit: true,
        states: States::Points(21),
        exponent: None,
        feedback: Feedback {
            laws: laws.iter().map(|(name, law)| ((*name).to_owned(), (*law).to_owned())).collect(),
            period,
        },
    }
}

/// t, x, its velocity, the input and the output of all states asked for.
fn motion(request: &Request) -> Result<Vec<[f64; 5]>, RequestError> {
    let mut found = Vec::new();
    let mut take = |sample: &Sample<'_>| {
        found.push([sample.t, sample.q[0], sample.v[0], sample.inputs[0], sample.outputs[0]]);
        ControlFlow::Continue(())
    };
    model("cart").simulate(request, &mut take)?;
    Ok(found)
}

/// ẍ = −4 x − 2 ẋ: a damped oscillator with ω² = 3.
#[test]
fn a_law_closes_the_loop_at_every_time() {
    let request = request(&[("push", "-4*m*x - m*(dot(x) + x_dot)")], None);
    let summary = model("cart").simulate(&request, &mut ()).expect("smooth");
    assert!(summary.method.starts_with("DOP853"), "{}", summary.method);
    assert!(
        summary.warnings.is_empty() && summary.balance.expect("asked for").relative() < 1e-6,
        "{:?}",
        summary.warnings
    );
    let omega = 3.0_f64.sqrt();
    for [t, x, v, input, output] in motion(&request).expect("smooth") {
        let decay = (-t).exp();
        let exact = decay * ((omega * t).cos() + (omega * t).sin() / omega);
        let rate = -4.0 / omega * decay * (omega * t).sin();
        assert!((x - exact).abs() < 1e-8 && (v - rate).abs() < 1e-8, "{t}: {x} for {exact}, {v} for {rate}");
        assert!((input + 8.0 * x + 4.0 * v).abs() < 1e-12 && input == output, "{t}: {input}, {output}");
    }
}

/// Between samples the acceleration is constant, so that each sample follows from the one before it.
#[test]
fn a_sampled_law_keeps_its_value_until_the_next_sample() {
    let request = request(&[("push", "-8*x - 5*x_dot")], Some(0.25));
    let (period, mut t, mut x, mut v) = (0.25, 0.0, 1.0, 0.0);
    let mut exact = Vec::new();
    for _ in 0..8 {
        let push = -8.0 * x - 5.0 * v;
        exact.push((t, push));
        x += period * (v + period * push / 4.0);
        v += period * push / 2.0;
        t += period;
    }
    for method in [MethodChoice::automatic(), MethodChoice::with_step(MethodName::Gauss2, 0.1)] {
        let request = Request { method, ..request.clone() };
        let last = *motion(&request).expect("smooth").last().expect("states");
        assert!((last[1] - x).abs() < 1e-9 && (last[2] - v).abs() < 1e-9, "{last:?} for {x}, {v}");
        let summary = model("cart").simulate(&request, &mut ()).expect("smooth");
        assert_eq!((summary.input_samples.len(), summary.input_sample_count), (8, 8));
        for ((time, values), (t, push)) in summary.input_samples.iter().zip(&exact) {
            assert!((time - t).abs() < 1e-12 && (values[0] - push).abs() < 1e-8, "{time}: {values:?} for {push}");
        }
    }
    // The states between two samples have the value of the first one.
    let held: Vec<f64> = motion(&request)
        .expect("smooth")
        .iter()
        .filter(|row| row[0] > 0.26 && row[0] < 0.49)
        .map(|row| row[3])
        .collect();
    assert!(held.len() == 2 && held.iter().all(|push| (push - exact[1].1).abs() < 1e-8), "{held:?}");
}

#[test]
fn an_input_without_a_law_keeps_its_value() {
    let found = motion(&request(&[], None)).expect("smooth");
    assert!(
        found.iter().all(|row| row[3] == 0.25 && (row[1] - 1.0 - row[0] * row[0] / 16.0).abs() < 1e-12),
        "{found:?}"
    );
}

#[test]
fn laws_that_cannot_be_used_are_refused() {
    let refused = |request: &Request| motion(request).expect_err("it is refused").to_string();
    for (laws, told) in [
        (&[("pull", "1")][..], "no input `pull` (known: `push`)"),
        (&[("m", "1")], "no input `m`"),
        (&[("push", "1"), ("push", "2")], "gives `push` two laws"),
        (&[("push", "-k*x")], "--input push: no quantity `k`"),
        (&[("push", "-x*")], "it ends where a number is expected"),
    ] {
        let text = refused(&request(laws, None));
        assert!(text.contains(told), "{text}");
    }
    let law = request(&[("push", "-x")], None);
    let set = Request { set: vec![("push".to_owned(), 1.0)], ..law.clone() };
    assert!(refused(&set).contains("`push` has a value by --set and a law by --input"), "{}", refused(&set));
    for method in [MethodName::Gauss2, MethodName::Rattle, MethodName::Radau5] {
        let text = refused(&Request { method: MethodChoice::new(method), ..law.clone() });
        assert!(text.contains("cannot be used with --input") && text.contains("--period"), "{text}");
    }
    let exponent = refused(&Request { exponent: Some(0.0), ..law });
    assert!(exponent.contains("leave out --input"), "{exponent}");
}

/// x = t until 1/2, and then ẍ = −2.
#[test]
fn modes_change_on_the_command_line_too() {
    let request = Request { t_end: 1.0, ..request(&[], None) };
    let summary = model("braked").simulate(&request, &mut ()).expect("smooth");
    assert!((summary.q[0] - 0.75).abs() < 1e-9 && summary.v[0].abs() < 1e-9, "{:?}, {:?}", summary.q, summary.v);
    assert_eq!(summary.v[1], 1.0, "it brakes");
}

#[test]
fn the_linear_motion_has_the_closed_form() {
    let request = Request { t_end: 7.0, ..request(&[], None) };
    let about = |at| model("pendulum").linear_motion(&request, at, 21).expect("it is linear");
    let rest = about(LinearAt::Equilibrium);
    assert!(rest.at[0].abs() < 1e-12 && rest.t.len() > 200, "{}", rest.t.len());
    let asked = request.times().expect("allowed").expect("points are asked for");
    assert!(asked.iter().all(|t| rest.t.contains(t)), "both motions have values at the times asked for");
    for ((t, q), v) in rest.t.iter().zip(&rest.q[0]).zip(&rest.v[0]) {
        assert!(
            (q - 0.1 * (2.0 * t).cos()).abs() < 1e-12 && (v + 0.2 * (2.0 * t).sin()).abs() < 1e-12,
            "{t}: {q}, {v}"
        );
    }
    // About the start the acceleration is −g sin θ₀ − g cos θ₀ (θ − θ₀).
    let start = about(LinearAt::Start);
    let (omega, centre) = (2.0 * 0.1_f64.cos().sqrt(), 0.1 - 0.1_f64.tan());
    for (t, q) in start.t.iter().zip(&start.q[0]) {
        let exact = centre + (0.1 - centre) * (omega * t).cos();
        assert!((q - exact).abs() < 1e-12, "{t}: {q} for {exact}");
    }
    let long = Request { t_end: 1e7, ..request };
    let error = model("pendulum").linear_motion(&long, LinearAt::Start, 21).expect_err("too many").to_string();
    assert!(error.contains("choose a shorter --t-end"), "{error}");
}
