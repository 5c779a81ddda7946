//! The states that complete the curves between those that are asked for.

use super::super::super::motion::Motion;
use crate::catalog::{Catalog, Entry, Feedback, MethodChoice, MethodName, Model, Request, Sample, States};
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

/// A rod that turns about its end at a rate that grows to 20 turns a second; its coordinate and velocity are straight or slow.
#[lagrangian {
    coordinates theta;
    kinetic = dot(theta)^2/2;
    force theta = torque;
    output tip = [cos(theta), sin(theta)];
}]
#[derive(Clone, Debug)]
struct Rod {
    torque: f64,
}

/// An oscillation with a bounce: the wall turns the velocity around.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = x^2/2;
    contact wall: x >= -1/2, restitution = 1;
}]
#[derive(Clone, Debug)]
struct Spring;

static CATALOG: Catalog = Catalog::new(&[
    &Entry::free("rod", || Rod { torque: 4.0 }, || State::new(0.0, [0.0], [0.0])),
    &Entry::free("spring", || Spring, || State::new(0.0, [1.0], [0.0])),
]);

fn model(name: &str) -> &'static dyn Model {
    CATALOG.find(name).expect("it is in the catalogue")
}

fn request(states: States, t_end: f64, method: MethodChoice) -> Request {
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
        audit: false,
        states,
        exponent: None,
        feedback: Feedback::default(),
    }
}

/// The samples of a motion, all that complete the curves among them.
fn completed(name: &str, request: &Request) -> Motion {
    let mut motion = Motion::new(model(name), request.t_end);
    model(name).simulate(request, &mut motion).expect("it moves");
    motion
}

/// The states at many times: t, q, v and outputs.
fn dense(name: &str, request: &Request, count: usize) -> Vec<(f64, Vec<f64>)> {
    let mut found = Vec::new();
    let mut take = |sample: &Sample<'_>| {
        found.push((sample.t, [sample.q, sample.v, sample.outputs].concat()));
        ControlFlow::Continue(())
    };
    let request = Request { states: States::Points(count), ..request.clone() };
    model(name).simulate(&request, &mut take).expect("it moves");
    found
}

#[test]
fn lines_between_the_samples_keep_to_the_motion() {
    let long = MethodChoice::with_step(MethodName::Gauss3, 0.05);
    let short = MethodChoice::with_step(MethodName::Rk4, 0.01);
    for (method, names) in
        [(MethodChoice::automatic(), &["rod", "spring"][..]), (long, &["rod"]), (short, &["rod", "spring"])]
    {
        let request = request(States::Points(3), 30.0, method);
        for &name in names {
            let motion = completed(name, &request);
            let columns: Vec<&Vec<f64>> = motion.q.iter().chain(&motion.v).chain(&motion.outputs).collect();
            let extents = columns.iter().map(|column| {
                let fold = |of: fn(f64, f64) -> f64, start| column.iter().copied().fold(start, of);
                fold(f64::max, f64::NEG_INFINITY) - fold(f64::min, f64::INFINITY)
            });
            let extents: Vec<f64> = extents.collect();
            assert!(motion.t.is_sorted());
            assert_eq!(motion.even(&motion.t), [0.0, 15.0, 30.0]);
            for (time, values) in dense(name, &request, 30_011) {
                let next = motion.t.partition_point(|t| *t <= time).clamp(1, motion.t.len() - 1);
                let (from, to) = (motion.t[next - 1], motion.t[next]);
                let part = (time - from) / (to - from);
                for ((column, value), extent) in columns.iter().zip(values).zip(&extents) {
                    let line = column[next - 1] + (column[next] - column[next - 1]) * part;
                    assert!((line - value).abs() <= 1.5e-3 * extent, "{name} at {time}: {line} for {value}");
                }
            }
        }
    }
}

#[test]
fn the_states_that_are_asked_for_do_not_change() {
    for name in ["rod", "spring"] {
        let request = request(States::Points(401), 10.0, MethodChoice::automatic());
        let motion = completed(name, &request);
        let asked: Vec<Vec<f64>> = motion.q.iter().chain(&motion.v).map(|column| motion.even(column)).collect();
        for (index, (_, values)) in dense(name, &request, 401).into_iter().enumerate() {
            for (column, value) in asked.iter().zip(values) {
                assert_eq!(column[index].to_bits(), value.to_bits(), "{name}, {index}");
            }
        }
    }
}

#[test]
fn a_straight_motion_needs_few_samples() {
    // At rest, and at constant velocity over many steps.
    let mut request = request(States::Points(2), 100.0, MethodChoice::with_step(MethodName::Rk4, 1.0));
    request.set = vec![("torque".to_owned(), 0.0)];
    assert!(completed("rod", &request).t.len() <= 102);
}
