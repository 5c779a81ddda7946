//! Inputs that follow laws, against closed forms; modes, which the equations of the command line must not lose; and linear motions.

use crate::catalog::{
    Catalog, Entry, Feedback, Instant, LinearAt, MethodChoice, MethodName, Model, Output, Request, RequestError,
    Sample, States, Summary,
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

/// A mass on a spring of stiffness 1, whose other end is at `hand`.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = (x - hand)^2/2;
}]
#[derive(Clone, Debug)]
struct Pulled {
    #[input]
    hand: f64,
}

/// A ball whose weight is an input.
#[lagrangian {
    coordinates y;
    kinetic = dot(y)^2/2;
    potential = weight*y;
    contact floor: y >= 0, restitution = 1/2;
}]
#[derive(Clone, Debug)]
struct Ball {
    #[input]
    weight: f64,
}

/// A block on a pad that holds it by a force that is an input.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    force x = 1;
    friction pad: x = 1/2, breakaway = hold;
}]
#[derive(Clone, Debug)]
struct Held {
    #[input]
    hold: f64,
}

static CATALOG: Catalog = Catalog::new(&[
    &Entry::free("cart", || Cart { m: 2.0, push: 0.25 }, || State::new(0.0, [1.0], [0.0])),
    &Entry::free("braked", || Braked, || State::new(0.0, [0.0, 0.0], [1.0, 0.0])),
    &Entry::free("pulled", || Pulled { hand: 0.0 }, || State::new(0.0, [1.0], [0.0])),
    &Entry::free("ball", || Ball { weight: 1.0 }, || State::new(0.0, [1.0], [0.0])),
    &Entry::free("held", || Held { hold: 3.0 }, || State::new(0.0, [0.0], [0.0])),
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
        t_start: 0.0,
        t_end: 2.0,
        method: MethodChoice::automatic(),
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
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

/// The work of a name in the balance of a motion.
fn work(summary: &Summary, name: &str) -> f64 {
    let balance = summary.balance.as_ref().expect("it was asked for");
    balance.works.iter().find(|(other, _)| *other == name).expect("it is in the balance").1
}

/// From x = 1 at rest, with the hand at 2 + t: x − hand = −cos t − sin t.
#[test]
fn the_work_of_an_input_in_the_potential_is_booked() {
    let asked = request(&[("hand", "2 + t")], None);
    let summary = model("pulled").simulate(&asked, &mut ()).expect("smooth");
    assert!(summary.warnings.is_empty(), "{:?}", summary.warnings);
    let exact = 2.0_f64.sin() + 1.0 - 2.0_f64.cos(); // ∫ (hand − x) dt
    let found = work(&summary, "inputs in the potential");
    assert!((found - exact).abs() < 1e-8, "{found} for {exact}");
    assert!((summary.energy[0] - 0.5).abs() < 1e-15, "the hand is at 2 at the start: {:?}", summary.energy);
    let balance = summary.balance.expect("it was asked for");
    assert!(balance.relative() < 1e-8, "{balance:?}");
}

/// Between samples, x − hand and v turn by the period.
#[test]
fn the_jumps_of_an_input_in_the_potential_are_booked() {
    let period = 0.25;
    let asked = request(&[("hand", "x + 1/(1 + t)")], Some(period));
    let summary = model("pulled").simulate(&asked, &mut ()).expect("smooth");
    assert!(summary.warnings.is_empty(), "{:?}", summary.warnings);
    let (mut x, mut v, mut hand, mut exact) = (1.0, 0.0, f64::NAN, 0.0);
    for sample in 0..8 {
        let next = x + 1.0 / (1.0 + period * f64::from(sample));
        if sample > 0 {
            exact += (x - next).powi(2) / 2.0 - (x - hand).powi(2) / 2.0;
        }
        hand = next;
        let (sine, cosine) = f64::sin_cos(period);
        (x, v) = (hand + (x - hand) * cosine + v * sine, v * cosine - (x - hand) * sine);
    }
    let found = work(&summary, "inputs in the potential");
    assert!((found - exact).abs() < 1e-8, "{found} for {exact}");
    assert!((summary.energy[0] - 0.5).abs() < 1e-15, "the first sample is 1 from the mass: {:?}", summary.energy);
    assert!(summary.balance.expect("it was asked for").relative() < 1e-8);
}

/// An impact leaves a fourth of the kinetic energy, whatever the laws of inputs do.
#[test]
fn impacts_and_inputs_are_booked_apart() {
    for period in [None, Some(0.375)] {
        let asked = Request { t_end: 4.0, ..request(&[("weight", "1 + t/2 - y_dot/8")], period) };
        let mut lost = 0.0;
        let summary = model("ball").simulate(&asked, &mut Impacts(&mut lost)).expect("it bounces");
        assert!(summary.warnings.is_empty(), "{:?}", summary.warnings);
        let found = work(&summary, "impacts");
        assert!(lost < -0.5 && (found - lost).abs() < 1e-9, "{found} for {lost}");
        assert!(work(&summary, "inputs in the potential").abs() > 0.1);
        assert!(summary.balance.expect("it was asked for").relative() < 1e-8);
    }
}

/// Adds what impacts do to the kinetic energy of a mass of 1.
struct Impacts<'a>(&'a mut f64);

impl Output for Impacts<'_> {
    fn receive(&mut self, _: &Sample<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn instant(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        *self.0 += (instant.after[1][0].powi(2) - instant.before[1][0].powi(2)) / 2.0;
        ControlFlow::Continue(())
    }
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

/// The pad holds until 1/2 + 1/(1 + t) is 1, and then ẍ = 1/2.
#[test]
fn a_law_changes_the_bound_of_a_friction_at_rest() {
    let summary =
        model("held").simulate(&request(&[("hold", "1/2 + 1/(1 + t)")], None), &mut ()).expect("it breaks away");
    assert!((summary.q[0] - 0.25).abs() < 1e-9 && (summary.v[0] - 0.5).abs() < 1e-9, "{summary:?}");
    let kept = model("held").simulate(&request(&[], None), &mut ()).expect("it sticks");
    assert_eq!((kept.q[0], kept.v[0]), (0.0, 0.0));
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
