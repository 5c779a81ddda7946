//! Observers: what they see, what it costs, and how they end an integration.

use crate::common::pendulum;
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

fn start() -> State<f64, 1> {
    State::new(0.0, [1.0], [0.0])
}

fn observed<O: Observer<f64, 1> + ?Sized>(observer: &mut O) -> (Report, State<f64, 1>) {
    let system = pendulum();
    let mut state = start();
    let options = Options::default();
    let report =
        integrate(&system, &mut state, 1.0, &Rk4::new(0.1), &options, &mut DefaultInputs::of(&system), observer)
            .unwrap();
    (report, state)
}

#[test]
fn steps_come_in_order_and_join() {
    let mut last = start();
    let mut numbers = Vec::new();
    let (report, state) = observed(&mut |step: &StepView<f64, 1>| {
        assert_eq!((step.start, step.interpolant), (last, None));
        assert!((step.length() - 0.1).abs() < 1e-15);
        last = step.end;
        numbers.push(step.number);
        ControlFlow::Continue(())
    });
    assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
    assert_eq!((last, report.outcome), (state, Outcome::Finished));
}

#[test]
fn a_break_stops_there() {
    let (report, state) = observed(&mut |step: &StepView<f64, 1>| {
        if step.end.t > 0.35 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((report.outcome, report.statistics.steps, state.t), (Outcome::Stopped, 4, 0.4));
}

struct Refusing;

impl Observer<f64, 1> for Refusing {
    fn start(&mut self, initial: &State<f64, 1>) -> ControlFlow<()> {
        assert_eq!(initial, &start());
        ControlFlow::Break(())
    }
    fn observe(&mut self, _: &StepView<f64, 1>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[test]
fn a_break_at_the_start_makes_no_step() {
    let (report, state) = observed(&mut Refusing);
    assert_eq!((report.outcome, report.statistics.steps, state), (Outcome::Stopped, 0, start()));
}

#[test]
fn every_thins_and_pairs_see_what_either_wants() {
    let (mut thin, mut fine) = (Vec::new(), Vec::new());
    let every = Every::new(4, |step: &StepView<f64, 1>| {
        thin.push(step.number);
        ControlFlow::Continue(())
    });
    let times = AtTimes::new(&[0.33, 0.5], |state: &State<f64, 1>| {
        fine.push(state.t);
        ControlFlow::Continue(())
    });
    let (report, _) = observed(&mut (every, times));
    assert_eq!((thin, fine), (vec![4, 8], vec![0.33, 0.5]));
    // The acceleration at the end of the step with 0.33 inside serves the next step too.
    assert_eq!(report.statistics.evaluations, 40);
}

#[test]
fn times_before_the_start_are_passed_over() {
    let mut seen = Vec::new();
    observed(&mut AtTimes::new(&[-0.5, -0.05, 0.05], |state: &State<f64, 1>| {
        seen.push(*state);
        ControlFlow::Continue(())
    }));
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].t, 0.05);
}

#[test]
fn a_time_within_the_rounding_of_the_span_is_inside_it() {
    // Sums of steps end a rounding beyond the span: what the check counts as inside is given.
    for (from, step, to) in
        [(-0.3_f64, 0.1_f64, 0.0_f64), (0.0, 0.1, 0.3), (0.3, -0.1, 0.0), (-1.2, 0.4, 0.0), (1e3, 0.7, 1e3 + 7.0)]
    {
        let count = ((to - from) / step).round() as usize + 1;
        let mut ask: Vec<f64> = Vec::new();
        for index in 0..count {
            ask.push(if index == 0 { from } else { ask[index - 1] + step });
        }
        let options = Options { t_eval: Some(&ask), ..Options::default() };
        let state = State::new(from, [1.0], [0.0]);
        let solution = solve(&pendulum(), state, to, &Rk4::new(0.05), &options).unwrap();
        assert_eq!(solution.t, ask, "from {from} to {to}");
        // The same times in a span that starts a rounding after the first.
        let inside = State::new(from + 4e-17 * step.signum(), [1.0], [0.0]);
        let solution = solve(&pendulum(), inside, to, &Dop853::new(), &options).unwrap();
        assert_eq!(solution.t, ask, "from {from} to {to}");
    }
}
