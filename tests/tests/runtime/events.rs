//! Events: found between samples, located to the rounding of the time, told in order, mapped without finding them again.

use crate::common::{ball, oscillator, pendulum};
use lagrange_runtime::prelude::*;
use std::cell::Cell;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::ControlFlow;

type Vector = SVector<f64, 1>;

fn tight<'a>(events: &'a [Event<'a, f64, 1>]) -> Options<'a, f64, 1> {
    Options { rtol: 1e-12.into(), atol: 1e-12.into(), max_steps: Some(10_000), events, ..Options::default() }
}

fn start() -> State<f64, 1> {
    State::new(0.0, [1.0], [0.0])
}

fn times<const U: usize>(solution: &Solution<f64, 1, U>, event: usize) -> Vec<f64> {
    solution
        .events
        .iter()
        .filter(|occurrence| occurrence.event == event)
        .map(|occurrence| occurrence.before.t)
        .collect()
}

#[track_caller]
fn assert_times(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?} instead of {expected:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
    }
}

#[test]
fn crossings_are_located_and_directions_kept() {
    // q = cos t.
    let position = |_: f64, q: &Vector, _: &Vector| q[0];
    let events = [
        Event::new(&position),
        Event::new(&position).going(Direction::Rising),
        Event::new(&position).going(Direction::Falling),
    ];
    let solution = solve(&oscillator(), start(), 10.0, &Dop853::new(), &tight(&events)).unwrap();
    assert_times(&times(&solution, 0), &[FRAC_PI_2, 3.0 * FRAC_PI_2, 5.0 * FRAC_PI_2], 1e-10);
    assert_times(&times(&solution, 1), &[3.0 * FRAC_PI_2], 1e-10);
    assert_times(&times(&solution, 2), &[FRAC_PI_2, 5.0 * FRAC_PI_2], 1e-10);
    assert_eq!(solution.outcome, Outcome::Finished);
    for occurrence in &solution.events {
        assert!(occurrence.before.q[0].abs() < 1e-14, "{occurrence:?}");
        assert_eq!(occurrence.before, occurrence.after);
    }
    assert!(solution.events.is_sorted_by(|a, b| (a.before.t, a.event) <= (b.before.t, b.event)));
}

#[test]
fn every_kind_of_method_finds_them() {
    let position = |_: f64, q: &Vector, _: &Vector| q[0];
    let events = [Event::new(&position)];
    let options = tight(&events);
    let found = |solution: Solution<f64, 1, 1>, tolerance: f64| {
        assert_times(&times(&solution, 0), &[FRAC_PI_2, 3.0 * FRAC_PI_2], tolerance);
    };
    found(solve(&oscillator(), start(), 5.0, &Rk4::new(1e-3), &options).unwrap(), 1e-10);
    found(solve(&oscillator(), start(), 5.0, &ImplicitMidpoint::new(1e-3), &options).unwrap(), 1e-6);
    found(solve(&oscillator(), start(), 5.0, &Rkf45::new(), &options).unwrap(), 1e-9);
    found(solve(&oscillator(), start(), 5.0, &Verner6::new(), &options).unwrap(), 1e-9);
    found(solve(&oscillator(), start(), 5.0, &Verner9::new(), &options).unwrap(), 1e-9);
}

#[test]
fn a_terminal_event_ends_the_integration_at_the_zero() {
    let speed = |_: f64, _: &Vector, v: &Vector| v[0];
    let events = [Event::new(&speed).terminal()];
    // It starts on a zero, which is not found.
    let solution = solve(&oscillator(), start(), 10.0, &Tsitouras5::new(), &tight(&events)).unwrap();
    assert_eq!(solution.outcome, Outcome::Event(0));
    assert!((solution.last().unwrap().t - PI).abs() < 1e-9);
    assert_eq!(solution.last().unwrap(), solution.events[0].before);
    // Backward too.
    let solution = solve(&oscillator(), start(), -10.0, &Tsitouras5::new(), &tight(&events)).unwrap();
    assert!((solution.last().unwrap().t + PI).abs() < 1e-9);
}

#[test]
fn several_crossings_in_one_step_are_told_in_order() {
    // Free fall is a polynomial: its steps grow to the whole span.
    let fast = |t: f64, _: &Vector, _: &Vector| (TAU * t).sin();
    let slow = |t: f64, _: &Vector, _: &Vector| (PI * (t - 0.25)).sin();
    let events = [Event::new(&fast), Event::new(&slow)];
    let options = Options { first_step: Some(2.2), event_samples: 32, ..tight(&events) };
    let solution = solve(&ball(), State::new(0.0, [1.0], [0.0]), 2.2, &Dop853::new(), &options).unwrap();
    assert_eq!(solution.statistics.steps, 1);
    assert_times(&times(&solution, 0), &[0.5, 1.0, 1.5, 2.0], 1e-14);
    assert_times(&times(&solution, 1), &[0.25, 1.25], 1e-14);
    let order: Vec<usize> = solution.events.iter().map(|occurrence| occurrence.event).collect();
    assert_eq!(order, [1, 0, 0, 1, 0, 0]);
}

#[test]
fn two_zeros_closer_than_a_sample_are_found_by_their_dip() {
    let (middle, half) = (0.43, 1e-4);
    let dip = |t: f64, _: &Vector, _: &Vector| (t - middle) * (t - middle) - half * half;
    let events = [Event::new(&dip)];
    let one_step = |span: f64| Options { first_step: Some(span), ..tight(&events) };
    for span in [1.0, 0.44, 5.0] {
        let solution = solve(&ball(), start(), span, &Dop853::new(), &one_step(span)).unwrap();
        assert_times(&times(&solution, 0), &[middle - half, middle + half], 1e-12);
    }
}

#[test]
fn grazing_is_no_event() {
    // q − 1 touches 0 at the turning points t = 2π k of q = cos t.
    let touch = |_: f64, q: &Vector, _: &Vector| q[0] - 1.0 - 1e-9;
    let crossing = |_: f64, q: &Vector, _: &Vector| q[0] - 1.0 + 1e-9;
    let events = [Event::new(&touch), Event::new(&crossing)];
    let from = State::new(-1.0, [1.0_f64.cos()], [1.0_f64.sin()]);
    let solution = solve(&oscillator(), from, 1.0, &Dop853::new(), &tight(&events)).unwrap();
    assert!(times(&solution, 0).is_empty());
    let width = (2e-9_f64).sqrt();
    assert_times(&times(&solution, 1), &[-width, width], 1e-6);
}

/// The height of a ball, reflected with a restitution at a floor.
fn bounce(restitution: f64, floor: f64, t_end: f64) -> Result<Solution<f64, 1>, Box<PartialSolution<f64, 1>>> {
    let height = |_: f64, q: &Vector, _: &Vector| q[0] - floor;
    let impact = |state: &State<f64, 1>| State { v: -state.v * restitution, ..*state };
    let events = [Event::new(&height).going(Direction::Falling).mapping(&impact)];
    solve(&ball(), State::new(0.0, [floor + 5.0], [0.0]), t_end, &DormandPrince5::new(), &tight(&events))
}

#[test]
fn impacts_reflect_the_motion() {
    // From 5 m with g = 10 m/s²: impacts at 1, 3, 5, … s.
    let solution = bounce(1.0, 0.0, 10.5).unwrap();
    assert_times(&times(&solution, 0), &[1.0, 3.0, 5.0, 7.0, 9.0], 1e-11);
    assert!((solution.last().unwrap().q[0] - (5.0 - 5.0 * 0.25)).abs() < 1e-9);
    for occurrence in &solution.events {
        assert_eq!(occurrence.after.v, -occurrence.before.v);
        assert!(occurrence.before.q[0] >= 0.0);
    }
    // The time of an impact stands twice, with the states before and after.
    let twice = solution.t.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert_eq!(twice, 5);
}

#[test]
fn infinitely_many_impacts_are_an_error() {
    for floor in [0.0, 1.0, -100.0] {
        let failed = bounce(0.5, floor, 10.0).unwrap_err();
        assert_eq!(failed.error.failure, Failure::Zeno { event: 0 }, "{failed}");
        // They accumulate at 1 s + 2 s (½ + ¼ + …) = 3 s.
        assert!((failed.error.state.t - 3.0).abs() < 1e-5, "{failed}");
        let expected: Vec<f64> = (0..10).map(|n| 3.0 - 2.0 * 0.5_f64.powi(n)).collect();
        assert_times(&times(&failed.solution, 0)[..10], &expected, 1e-11);
        assert!(failed.to_string().contains("event 0 occurs infinitely often"), "{failed}");
    }
}

#[test]
fn an_impact_can_end_the_integration_too() {
    let height = |_: f64, q: &Vector, _: &Vector| q[0];
    let impact = |state: &State<f64, 1>| State { v: -state.v, ..*state };
    let events = [Event::new(&height).mapping(&impact).terminal()];
    let solution = solve(&ball(), State::new(0.0, [5.0], [0.0]), 2.0, &DormandPrince5::new(), &tight(&events)).unwrap();
    assert_eq!(solution.outcome, Outcome::Event(0));
    assert!((solution.events[0].after.v[0] - 10.0).abs() < 1e-10);
}

#[test]
fn events_at_the_same_time_happen_together() {
    let height = |_: f64, q: &Vector, _: &Vector| q[0];
    let impact = |state: &State<f64, 1>| State { v: -state.v, ..*state };
    let halve = |state: &State<f64, 1>| State { v: state.v * 0.5, ..*state };
    let events = [Event::new(&height).mapping(&impact), Event::new(&height).mapping(&halve), Event::new(&height)];
    let solution = solve(&ball(), State::new(0.0, [5.0], [0.0]), 1.5, &DormandPrince5::new(), &tight(&events)).unwrap();
    let kinds: Vec<usize> = solution.events.iter().map(|occurrence| occurrence.event).collect();
    assert_eq!(kinds, [0, 1, 2]);
    assert!((solution.events[1].after.v[0] - 5.0).abs() < 1e-10);
}

#[test]
fn a_switch_changes_the_equations_and_is_not_found_again() {
    // q̈ = −q + u with u = 1 below 0 and 0 above: a switched spring, whose period is known.
    let below = Cell::new(false);
    let position = |_: f64, q: &Vector, _: &Vector| q[0];
    let toggle = |state: &State<f64, 1>| {
        below.set(!below.get());
        *state
    };
    let events = [Event::new(&position).mapping(&toggle)];
    let mut input = |_: f64, _: &Vector, _: &Vector| SVector::from([if below.get() { 3.0 } else { 0.0 }]);
    let solution = solve_with(&oscillator(), start(), 5.5, &Dop853::new(), &tight(&events), &mut input).unwrap();
    // Above: quarter of a turn. Below: q − 3 turns about −3 from v = −1 back to v = 1, angle 2 atan(1/3).
    let below_for = 2.0 * (1.0_f64 / 3.0).atan();
    assert_times(&times(&solution, 0), &[FRAC_PI_2, FRAC_PI_2 + below_for, 3.0 * FRAC_PI_2 + below_for], 1e-10);
    assert!((solution.events[1].before.v[0] - 1.0).abs() < 1e-10);
}

/// A pulse of width 0.3 in every second, with its edges declared.
struct Pulse;

impl Controller<f64, 1, 1> for Pulse {
    fn input(&mut self, t: f64, _: &Vector, _: &Vector) -> SVector<f64, 1> {
        SVector::from([if (t + 1e-9).rem_euclid(1.0) < 0.3 { 1.0 } else { 0.0 }])
    }

    fn next_discontinuity(&self, from: f64, to: f64) -> Option<f64> {
        let second = (from + 1e-9).floor();
        [second + 0.3, second + 1.0].into_iter().find(|&edge| edge > from + 1e-9).filter(|&edge| edge < to)
    }
}

#[test]
fn known_switching_times_are_hit_exactly() {
    let solution = solve_with(&oscillator(), start(), 2.5, &Dop853::new(), &tight(&[]), &mut Pulse).unwrap();
    for edge in [0.3, 1.0, 1.3, 2.0, 2.3] {
        assert!(solution.t.contains(&edge), "{edge}");
    }
}

#[test]
fn samples_and_dense_output_follow_the_motion_through_an_impact() {
    let height = |_: f64, q: &Vector, _: &Vector| q[0];
    let impact = |state: &State<f64, 1>| State { v: -state.v, ..*state };
    let events = [Event::new(&height).going(Direction::Falling).mapping(&impact)];
    let ask = [0.5, 0.9, 1.1, 2.0];
    let options = Options { t_eval: Some(&ask), dense_output: true, ..tight(&events) };
    let solution = solve(&ball(), State::new(0.0, [5.0], [0.0]), 2.5, &Tsitouras5::new(), &options).unwrap();
    for (state, expected) in solution.states().zip([3.75, 0.95, 0.95, 5.0]) {
        assert!((state.q[0] - expected).abs() < 1e-10, "{state:?}");
        assert!((solution.sample(state.t).unwrap().q[0] - expected).abs() < 1e-10);
    }
}

#[test]
fn an_observer_may_break_off_at_an_event() {
    struct Once(u32);
    impl Observer<f64, 1> for Once {
        fn observe(&mut self, _: &StepView<f64, 1>) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn event(&mut self, _: &Occurrence<f64, 1>) -> ControlFlow<()> {
            self.0 += 1;
            ControlFlow::Break(())
        }
    }
    let position = |_: f64, q: &Vector, _: &Vector| q[0];
    let events = [Event::new(&position)];
    let (mut state, mut once, system) = (start(), Once(0), pendulum());
    let options = tight(&events);
    let controller = &mut DefaultInputs::of(&system);
    let report = integrate(&system, &mut state, 100.0, &Dop853::new(), &options, controller, &mut once).unwrap();
    assert_eq!((report.outcome, once.0), (Outcome::Stopped, 1));
}

#[test]
fn a_function_that_the_system_has_not_is_named() {
    let events = [Event::of(EventFunction::Output(3))];
    let failed = solve(&pendulum(), start(), 1.0, &Rk4::new(0.1), &tight(&events)).unwrap_err();
    assert_eq!(failed.error.failure, Failure::UnknownOutput { event: 0, index: 3, outputs: &[] });
}

/// How often an event of this function of time occurs, from `from` to `to`, where its samples are multiples of 1/16.
fn count(function: &dyn Fn(f64) -> f64, from: f64, to: f64, direction: Direction) -> Vec<f64> {
    let function = |t: f64, _: &Vector, _: &Vector| function(t);
    let events = [Event::new(&function).going(direction)];
    let options = Options { event_samples: 4, ..tight(&events) };
    let start = State::new(from, [1.0], [0.0]);
    times(&solve(&ball(), start, to, &Rk4::new(0.25), &options).unwrap(), 0)
}

#[test]
fn a_value_of_zero_has_no_side() {
    let any = Direction::Any;
    for to in [1.0, 2.0] {
        // Grazing at a sample, at a step's end, and where a function stays at 0.
        assert_times(&count(&|t| (t - 0.5) * (t - 0.5), 0.0, to, any), &[], 0.0);
        assert_times(&count(&|t| (t - 0.3125) * (t - 0.3125), 0.0, to, any), &[], 0.0);
        assert_times(&count(&|t| -(t - 0.3125).abs(), 0.0, to, any), &[], 0.0);
        assert_times(&count(&|t| (0.5 - t).max(0.0), 0.0, to, any), &[], 0.0);
        assert_times(&count(&|t| (t - 0.5).max(0.0), 0.0, to, any), &[], 0.0);
        assert_times(&count(&|t| (t - 0.5).abs() - 0.1 + (0.1 - (t - 0.5).abs()).max(0.0), 0.0, to, any), &[], 0.0);
        // A crossing at a sample, and one through a dead band, at its end.
        assert_times(&count(&|t| t - 0.5, 0.0, to, any), &[0.5], 1e-15);
        assert_times(&count(&|t| 0.5 - t, 0.0, to, Direction::Falling), &[0.5], 1e-15);
        assert_times(&count(&|t| 0.5 - t, 0.0, to, Direction::Rising), &[], 0.0);
        let dead = |t: f64| (t - 0.75).max(0.0) + (t - 0.25).min(0.0);
        assert_times(&count(&dead, 0.0, to, any), &[0.75], 1e-15);
        assert_times(&count(&dead, to, -1.0, any), &[0.25], 1e-15);
        // There and back across it.
        let there = |t: f64| (0.3 - (t - 0.5).abs()).max(0.0) - 0.1;
        assert_times(&count(&there, 0.0, to, any), &[0.3, 0.7], 1e-15);
        // A start on a zero is none.
        assert_times(&count(&|t| t, 0.0, to, any), &[], 0.0);
        assert_times(&count(&|t| t * (t - 0.5), 0.0, to, any), &[0.5], 1e-15);
    }
}

#[test]
fn a_function_that_is_not_a_number_is_an_error() {
    let root = |t: f64, _: &Vector, _: &Vector| (0.5 - t).sqrt() - 0.1;
    let position = |_: f64, q: &Vector, _: &Vector| q[0] + 1.0;
    let events = [Event::new(&position), Event::new(&root)];
    let failed = solve(&ball(), start(), 1.0, &Rk4::new(0.1), &tight(&events)).unwrap_err();
    let Failure::UndefinedEvent { event: 1, t } = failed.error.failure else { panic!("{failed}") };
    assert!(t > 0.5 && t < 0.61, "{failed}");
    assert!(failed.error.state.t <= 0.5 && failed.to_string().contains("event 1 is NaN"), "{failed}");
}

#[test]
fn a_plastic_impact_is_an_error_and_no_fall_through_the_floor() {
    let height = |_: f64, q: &Vector, _: &Vector| q[0];
    let stop = |state: &State<f64, 1>| State { v: state.v * 0.0, ..*state };
    let events = [Event::new(&height).mapping(&stop)];
    let failed =
        solve(&ball(), State::new(0.0, [5.0], [0.0]), 2.0, &DormandPrince5::new(), &tight(&events)).unwrap_err();
    assert_eq!(failed.error.failure, Failure::Zeno { event: 0 });
    assert!((failed.error.state.t - 1.0).abs() < 1e-6 && failed.error.state.q[0].abs() < 1e-12, "{failed}");
}
