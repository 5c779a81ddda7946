//! Single motions: flights without events, and what is stored at an impact.

use super::generate::{Kind, scene};
use super::mechanisms::One;
use super::run::{METHODS, ROUNDINGS, Run, run};
use lagrange_runtime::prelude::*;

/// Every method is exact for a constant acceleration, up to some roundings. The tolerances of the scenes rest on that.
#[test]
fn free_flights_are_exact() {
    let mut scene = scene(Kind::Events, 0, false);
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
