//! Single motions: flights without events, and what is stored at an impact.

use super::generate::{Kind, View, scene};
use super::mechanisms::{One, Trio};
use super::rounding::{CLOSED, SIMULTANEOUS};
use super::run::{METHODS, ROUNDINGS, Roundings, Run, run};
use super::scene::Scene;
use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;

/// Every method is exact for a constant acceleration, up to some roundings. The tolerances of the scenes rest on that.
#[test]
fn free_flights_are_exact() {
    let mut scene = scene(Kind::Events, 0, View::Plain);
    scene.watches.clear();
    scene.samples = None;
    let mut worst = Vec::new();
    for method in 0..METHODS {
        let (mut at_ends, mut between) = (0.0_f64, 0.0_f64);
        for t_end in [0.3, 1.0, 2.7, 8.0, 31.0] {
            scene.t_end = t_end;
            let t_eval: Vec<f64> = (1..400).map(|n| t_end * f64::from(n) / 400.0).collect();
            let found = run(&scene, &Run { method, t_eval, ..Run::default() });
            let error = |t: f64, q: &[f64], v: &[f64]| {
                let errors = scene.coordinates.iter().enumerate().map(|(i, coordinate)| {
                    let (q0, v0, a) = (coordinate.q, coordinate.v, coordinate.force);
                    let (exact, speed) = (q0 + (v0 + a * t / 2.0) * t, v0 + a * t);
                    let scale = q0.abs() + (v0 * t).abs() + (a * t * t / 2.0).abs();
                    ((q[i] - exact).abs() / scale).max((v[i] - speed).abs() / (v0.abs() + (a * t).abs()))
                });
                errors.fold(0.0, f64::max) / f64::EPSILON
            };
            at_ends = at_ends.max(error(found.t, &found.q, &found.v));
            between = found.outputs.iter().map(|(t, q, v)| error(*t, q, v)).fold(between, f64::max);
        }
        println!("method {method}: {at_ends:.1} roundings at the end, {between:.1} between");
        worst.push((at_ends, between));
    }
    let bounded = worst.iter().zip(ROUNDINGS).all(|(found, bound)| found.0 <= bound.steps && found.1 <= bound.between);
    assert!(bounded, "{worst:.1?} above {ROUNDINGS:?}");
    // The windows within which contacts may close together rest on these bounds.
    let covered = |bound: &Roundings| bound.steps + 1.0 < 2.0 * CLOSED && bound.steps < SIMULTANEOUS / f64::EPSILON;
    assert!(ROUNDINGS.iter().all(covered), "{ROUNDINGS:?}");
}

/// A contact that has just opened is as near as one that closes, but it takes no part in the next impact.
#[test]
fn a_contact_that_opens_is_not_closed_by_another_one() {
    let level = [1000.0, 0.0, 0.0];
    let system = Trio { f: [-10.0; 3], share: [0.0; 3], level, e: [1.0; 3], u: 0.0 }.prepare::<f64>().expect("valid");
    // The first ball lands after 1 s with 10 m/s. It has risen by 70 to 180 roundings of 1000 m when the second ball lands.
    for late in [1.5e-12, 2e-12, 3e-12, 4e-12] {
        let above = |_: f64, q: &SVector<f64, 4>, _: &SVector<f64, 4>| q[0] - (1000.0 + 5.0 * late);
        let events = [Event::new(&above)];
        let options = Options { events: &events, ..Options::default() };
        let start = State::new(0.0, [1005.0, 5.0 * (1.0 + late).powi(2), 9.0, 0.0], [0.0, 0.0, 0.0, 1.0]);
        let solution = solve(&system, start, 1.2, &Dop853::new(), &options).expect("regular");
        let end = solution.last().expect("there are steps");
        // It is at 1000 + 10 · 0.2 − 5 · 0.04. The impact doubles an error of the height before it: 10 roundings with this method.
        assert!((end.q[0] - 1001.8).abs() < 20.0 * f64::EPSILON * 1005.0, "{late:e}: {:e}", end.q[0] - 1001.8);
        assert_eq!(solution.events.len(), 2, "{late:e}: {:?}", solution.events);
    }
}

#[test]
fn the_state_after_an_impact_is_stored() {
    let system = One { f: -10.0, share: 0.0, level: 0.0, e: 0.5, u: 0.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [5.0], [0.0]);
    let solution = solve(&system, start, 1.5, &Dop853::new(), &Options::default()).expect("regular");
    let near = |state: &State<f64, 1>, v: f64| (state.t - 1.0).abs() < 1e-12 && (state.v[0] - v).abs() < 1e-9;
    for v in [-10.0, 5.0] {
        assert!(solution.states().any(|state| near(&state, v)), "no state with the velocity {v}: {solution:?}");
    }
}

#[test]
fn the_motion_goes_on_from_the_state_after_an_impact_at_an_event() {
    let system = One { f: -10.0, share: 0.0, level: 0.0, e: 0.5, u: 0.0 }.prepare::<f64>().expect("valid");
    let gap = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| q[0];
    let events = [Event::new(&gap).going(Direction::Falling)];
    let options = Options { events: &events, ..Options::default() };
    let solution = solve(&system, State::new(0.0, [5.0], [0.0]), 1.5, &Dop853::new(), &options).expect("regular");
    let speeds: Vec<f64> = solution.events.iter().flat_map(|found| [found.before.v[0], found.after.v[0]]).collect();
    assert!(speeds.len() == 2 && (speeds[0] + 10.0).abs() < 1e-9, "{:?}", solution.events);
    assert!((speeds[1] - 5.0).abs() < 1e-9, "{:?}", solution.events);
}

/// The times of what an integration to `t_end` tells of a cause, up to the time `until`.
fn times_of<const N: usize>(
    system: &dyn System<f64, N, 0, 1>,
    start: State<f64, N>,
    (until, t_end): (f64, f64),
    is_meant: impl Fn(Cause) -> bool,
) -> Vec<f64> {
    let late = |t: f64, _: &SVector<f64, N>, _: &SVector<f64, N>| t - until;
    let events = [Event::new(&late).terminal()];
    let options = Options {
        atol: 1e-15.into(),
        max_step: until / 4.0,
        max_steps: Some(20_000),
        events: &events,
        ..Options::default()
    };
    let solution = match solve(system, start, t_end, &Dop853::new(), &options) {
        Ok(solution) => solution,
        Err(failed) => panic!("{t_end:e}: {failed}"),
    };
    solution.instants.iter().filter(|instant| is_meant(instant.cause)).map(|instant| instant.before.t).collect()
}

/// Contacts are told apart by what they do, and not by the time to which somebody integrates: it is "for ever" where an event ends the
/// motion.
#[test]
fn the_end_of_an_integration_does_not_say_what_an_instant_is() {
    let ends = [5e-3, 1.0, 1e3, 1e9, 1e15];
    // It falls from 5 µm in 1 ms. The flights take 1, 1/2, 1/4, … ms, so that it rests after 3 ms.
    let system = One { f: -10.0, share: 0.0, level: 0.0, e: 0.5, u: 0.0 }.prepare::<f64>().expect("valid");
    let is_impact = |cause: Cause| matches!(cause, Cause::Impact(_));
    for t_end in ends {
        let times = times_of(&system, State::new(0.0, [5e-6], [0.0]), (4e-3, t_end), is_impact);
        assert!(times.len() > 30, "{t_end:e}: {} impacts", times.len());
        for (n, t) in times.iter().take(25).enumerate() {
            let right = 1e-3 * (3.0 - 2.0 * 0.5_f64.powi(n as i32));
            assert!((t - right).abs() < 1e-14, "{t_end:e}: impact {n} at {t}, not {right}");
        }
        // A hop of 0.2 µs from the floor.
        let times = times_of(&system, State::new(0.0, [0.0], [1e-6]), (1e-6, t_end), is_impact);
        assert!(times.first().is_some_and(|t| (t - 2e-7).abs() < 1e-18), "{t_end:e}: {times:?}");
    }
    // Two balls that land 10 ns apart have an impact each.
    let trio =
        Trio { f: [-10.0; 3], share: [0.0; 3], level: [0.0; 3], e: [0.5; 3], u: 0.0 }.prepare::<f64>().expect("valid");
    for t_end in ends {
        let start = State::new(0.0, [5.0, 5.0 * (1.0 + 1e-8_f64).powi(2), 9.0, 0.0], [0.0, 0.0, 0.0, 1.0]);
        let times = times_of(&trio, start, (1.1, t_end.max(2.0)), is_impact);
        assert!(times.len() == 2 && (times[1] - times[0] - 1e-8).abs() < 1e-14, "{t_end:e}: {times:?}");
    }
}

#[test]
fn a_backward_integration_is_resumed_at_any_time() {
    for seed in 0..10 {
        for start in [-5.0, 0.0, 2.0, 30.0] {
            let scene = Scene { start, way: -1.0, ..scene(Kind::Events, seed, View::Plain) };
            let whole = run(&scene, &Run::default());
            let cut = run(&scene, &Run { breaks: Some((1, 1)), resumes: true, ..Run::default() });
            assert_eq!((&whole.items, &whole.error, &whole.q), (&cut.items, &cut.error, &cut.q), "{seed}, {start}");
        }
    }
}
