//! Motions with modes against closed forms.

use crate::mechanisms::{Ball, Gears, Kicked, LoadedRod, Relay, Room, Struck, TwoSprings};
use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;
use std::f64::consts::PI;

const TIGHT: f64 = 1e-12;

fn tight<const N: usize>() -> Options<'static, f64, N> {
    Options { rtol: TIGHT.into(), atol: TIGHT.into(), ..Options::default() }
}

/// The times at which a mode changes.
fn changes<const N: usize, const U: usize>(solution: &Solution<f64, N, U>, mode: &str) -> Vec<f64> {
    let changed = solution.instants.iter().filter(|instant| instant.cause == Cause::Mode(mode_of(mode)));
    changed.map(|instant| instant.before.t).collect()
}

/// The static name.
fn mode_of(mode: &str) -> &'static str {
    const NAMES: [&str; 8] = ["heating", "soft", "relay", "bounces", "overloaded", "struck", "gear", "shifts"];
    NAMES.into_iter().find(|name| *name == mode).expect("a mode of these mechanisms")
}

#[test]
fn a_thermostat_switches_where_the_exponentials_do() {
    let system = Room::COLD.prepare::<f64>().expect("positive");
    let options = Options { rtol: 1e-13.into(), atol: 1e-13.into(), ..Options::default() };
    let solution = solve(&system, Room::start(), 60.0, &Dop853::new(), &options).expect("a motion");
    let times = changes(&solution, "heating");
    let exact = Room::switched(times.len());
    assert!(times.len() > 30);
    for (time, exact) in times.iter().zip(&exact) {
        assert!((time - exact).abs() < 1e-10, "{time} instead of {exact}");
    }
    // It keeps its value between the temperatures, whichever it has.
    let heating =
        solve(&system, State::new(0.0, [0.0; 2], [20.0, 1.0]), 0.1, &Dop853::new(), &options).expect("a motion");
    let cooling =
        solve(&system, State::new(0.0, [0.0; 2], [20.0, 0.0]), 0.1, &Dop853::new(), &options).expect("a motion");
    assert!(heating.instants.is_empty() && cooling.instants.is_empty());
    assert!((heating.last().expect("states").v[0] - (50.0 - 30.0 * f64::exp(-0.01))).abs() < 1e-11);
    assert!((cooling.last().expect("states").v[0] - 20.0 * f64::exp(-0.01)).abs() < 1e-11);
}

/// A whole period is π/ω + π/(2ω), and the speed at the origin is the amplitude times the frequency of the side.
fn check_springs<M: Method<f64, 2, 0>>(method: &M, tolerance: f64) {
    let system = TwoSprings { m: 1.0, k: 1.0 }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [1.0, 0.0], [0.0, 1.0]);
    let end = 1.5 * PI * 4.0;
    let solution = solve(&system, start, end, method, &tight()).expect("a motion");
    let last = solution.last().expect("states");
    let name = method.name();
    assert!((last.q[0] - 1.0).abs() < tolerance, "{name}: {last:?}");
    let times = changes(&solution, "soft");
    assert_eq!(times.len(), 8, "{name}: {times:?}");
    for (k, time) in times.iter().enumerate() {
        let exact = PI / 2.0 + (k / 2) as f64 * 1.5 * PI + if k % 2 == 1 { PI / 2.0 } else { 0.0 };
        assert!((time - exact).abs() < tolerance, "{name}: {time} instead of {exact}");
    }
    // The mode has one of its values exactly, whatever the method does to other components.
    assert!(solution.states().all(|state| state.v[1] == 0.0 || state.v[1] == 1.0), "{name}");
}

#[test]
fn two_springs_have_the_period_of_their_halves_under_every_family() {
    check_springs(&Rk4::new(1e-3), 1e-9);
    check_springs(&Verlet::new(1e-3), 1e-4);
    check_springs(&Dop853::new(), 1e-9);
    check_springs(&Extrapolation::new(), 1e-9);
    check_springs(&Radau5::new(), 1e-8);
    check_springs(&Gauss::<f64, 3>::new(1e-2), 1e-9);
    check_springs(&VariationalMidpoint::new(1e-3), 1e-4);
}

#[test]
fn a_relay_makes_the_period_of_its_parabolas() {
    let (m, f, d) = (2.0, 3.0, 0.5);
    let system = Relay { m, f, d }.prepare::<f64>().expect("positive");
    // From -d with the speed that the acceleration f/m from the turn at -d - s gives: the orbit is symmetric.
    let speed = 1.0;
    let start = State::new(0.0, [-d, 0.0], [speed, 1.0]);
    // Over 2d the mass is accelerated; then it turns beyond d and comes back with the same speed.
    let fast = f64::sqrt(speed * speed + 4.0 * d * f / m);
    let (across, turn) = ((fast - speed) * m / f, 2.0 * fast * m / f);
    let solution = solve(&system, start, 6.0, &Dop853::new(), &tight()).expect("a motion");
    let times = changes(&solution, "relay");
    assert!((times[0] - across).abs() < 1e-11, "{times:?} instead of {across}");
    // At d it comes back with the force still -f, and is accelerated on to -d.
    let back = fast;
    let faster = f64::sqrt(back * back + 4.0 * d * f / m);
    let next = across + turn + (faster - back) * m / f;
    assert!((times[1] - next).abs() < 1e-10, "{times:?} instead of {next}");
}

#[test]
fn a_ball_counts_its_bounces_until_they_accumulate() {
    let system = Ball { m: 1.0, g: 10.0, e: 0.5 }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0, 5.0, 0.0], [1.0, 0.0, 0.0]);
    let solution = solve(&system, start, 2.9, &Rk4::new(1e-2), &tight()).expect("a motion");
    let times = changes(&solution, "bounces");
    assert_eq!(times.len(), 5);
    for (k, time) in times.iter().enumerate() {
        // It falls for 1 s, and the flights take 1 s, 1/2 s, 1/4 s, …
        let exact = 3.0 - f64::powi(0.5, k as i32 - 1);
        assert!((time - exact).abs() < 1e-12, "{time} instead of {exact}");
    }
    let last = solution.last().expect("states");
    assert_eq!(last.v[2], 5.0);
    assert_eq!(last.v[0], f64::powi(0.5, 5));
    let failed = solve(&system, start, 3.1, &Dop853::new(), &tight()).expect_err("the bounces accumulate at 3 s");
    assert_eq!(failed.error.failure, Failure::ModeCircle { mode: "bounces" });
    assert!((failed.error.state.t - 3.0).abs() < 1e-9, "{}", failed.error);
}

#[test]
fn a_rod_is_overloaded_where_its_tension_is() {
    // T = m g (3 cos θ - 2 cos θ₀), from rest at the horizontal: 3 m g cos θ.
    let (m, g, l) = (2.0, 9.81, 0.7);
    let limit = 2.0 * m * g;
    let system = LoadedRod { m, g, l, limit }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [l, 0.0, 0.0], [0.0, 0.0, 0.0]);
    let solution = solve(&system, start, 1.0, &Dop853::new(), &tight()).expect("a motion");
    let [instant] = solution.instants[..] else { panic!("one change: {:?}", solution.instants) };
    let cosine = -instant.before.q[1] / l;
    assert!((cosine - 2.0 / 3.0).abs() < 1e-9, "{cosine}");
}

#[test]
fn what_a_change_assigns_is_brought_onto_the_constraints() {
    let (g, l) = (9.81, 0.5);
    let system = Struck { m: 3.0, g, l }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [-l, 0.0, 0.0], [0.0, 0.0, 0.0]);
    let solution = solve(&system, start, 0.6, &Dop853::new(), &tight()).expect("a motion");
    let [instant] = solution.instants[..] else { panic!("one change: {:?}", solution.instants) };
    let speed = f64::sqrt(2.0 * g * l);
    // At the lowest place the rod is vertical: it takes the vertical part.
    assert!((instant.before.v[0] - speed).abs() < 1e-9, "{instant:?}");
    assert!((instant.after.v[0] - speed - 1.0).abs() < 1e-9 && instant.after.v[1].abs() < 1e-9, "{instant:?}");
}

#[test]
fn gears_are_shifted_in_turn_at_one_instant_and_counted() {
    let system = Gears { m: 1.0, start: 1.0, top: 3.0 }.prepare::<f64>().expect("positive");
    let solution =
        solve(&system, State::new(0.0, [0.0; 4], [0.0; 4]), 5.0, &Dop853::new(), &tight()).expect("a motion");
    let last = solution.last().expect("states");
    // At rest until 1 s; the timer puts in the first gear at the same instant; 3 m/s are reached at 4 s; then twice the force.
    let instants: Vec<_> = solution.instants.iter().map(|instant| (instant.cause, instant.before.t)).collect();
    let expected = [("late", 1.0), ("gear", 1.0), ("gear", 4.0)];
    assert_eq!(instants.len(), 3, "{instants:?}");
    for ((cause, t), (mode, exact)) in instants.iter().zip(expected) {
        assert!(*cause == Cause::Mode(mode) && (t - exact).abs() < 1e-11, "{instants:?}");
    }
    assert!((last.v[0] - 5.0).abs() < 1e-10, "{last:?}");
    assert!((last.q[0] - (4.5 + 3.0 + 1.0)).abs() < 1e-10, "{last:?}");
    assert_eq!((last.v[1], last.v[2], last.v[3]), (1.0, 2.0, 2.0));
}

/// What a change assigns to a velocity holds where friction stuck until then: m v̇ = s t − b from v = 2 at t = 1.
#[test]
fn a_kick_moves_what_sticks() {
    let system = Kicked { m: 1.0, slope: 0.1, bound: 1.0, speed: 2.0 }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0; 2], [0.0; 2]);
    let solution = solve(&system, start, 2.0, &Dop853::new(), &tight()).expect("a motion");
    let last = solution.last().expect("states");
    assert!((last.v[0] - 1.15).abs() < 1e-10, "{last:?}");
    assert!((last.q[0] - (2.95 + 0.35 / 3.0 - 1.5)).abs() < 1e-10, "{last:?}");
}
