//! Breakaway: what holds at rest up to a larger bound than the one under which it slips.

use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;
use std::f64::consts::PI;

fn tight<const N: usize>() -> Options<'static, f64, N> {
    Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() }
}

/// A block between a spring and a rough floor.
#[lagrangian {
    coordinates x;
    kinetic   = m*dot(x)^2/2;
    potential = k*x^2/2;
    friction pad: x = kinetic_bound, breakaway = static_bound;
}]
struct Sprung {
    m: f64,
    k: f64,
    kinetic_bound: f64,
    static_bound: f64,
}

const SPRUNG: Sprung = Sprung { m: 1.0, k: 4.0, kinetic_bound: 0.5, static_bound: 1.5 };

/// The states where the block turns: between them the motion is a half period about ±b/k, and it stays at the first turn at which the spring is
/// weaker than the static bound.
fn turns(mechanism: &Sprung, mut x: f64) -> Vec<(f64, f64)> {
    let Sprung { m, k, kinetic_bound, static_bound } = *mechanism;
    let (mut t, mut found) = (0.0, Vec::new());
    while (k * x).abs() > static_bound {
        x = -(x - 2.0 * kinetic_bound / k * x.signum());
        t += PI / (k / m).sqrt();
        found.push((t, x));
    }
    found
}

fn check_turns<M: Method<f64, 1, 0>>(method: &M, tolerance: f64) {
    let system = SPRUNG.prepare::<f64>().expect("positive");
    let expected = turns(&SPRUNG, 1.3);
    let by_hand = [-1.05, 0.8, -0.55, 0.3];
    assert!(expected.iter().zip(by_hand).all(|(turn, hand)| (turn.1 - hand).abs() < 1e-14));
    let solution = solve(&system, State::new(0.0, [1.3], [0.0]), 20.0, method, &tight()).expect("a motion");
    let name = method.name();
    let found: Vec<_> = solution.instants.iter().map(|instant| (instant.after.t, instant.after.q[0])).collect();
    assert_eq!(found.len(), expected.len(), "{name}: {found:?}");
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found.0 - expected.0).abs() < tolerance.max(1e-7), "{name}: {found:?} instead of {expected:?}");
        assert!((found.1 - expected.1).abs() < tolerance, "{name}: {found:?} instead of {expected:?}");
    }
    let last = solution.last().expect("states");
    assert!((last.q[0] - 0.3).abs() < tolerance && last.v[0] == 0.0, "{name}: {last:?}");
    let forces = contact::forces(&system, &last, &SVector::from([])).expect("forces");
    assert!(forces.sticks[0] && (forces.forces[0] - 1.2).abs() < 10.0 * tolerance, "{name}: {forces:?}");
    assert_eq!(forces.bounds[0], 1.5, "{name}");
}

#[test]
fn a_block_turns_under_the_kinetic_bound_and_rests_under_the_static_one() {
    check_turns(&Dop853::new(), 1e-10);
    check_turns(&Tsitouras5::new(), 1e-9);
    check_turns(&Rk4::new(1e-3), 1e-9);
}

#[test]
fn without_breakaway_it_goes_on() {
    let equal = Sprung { static_bound: 0.5, ..SPRUNG }.prepare::<f64>().expect("equal bounds");
    let last = solve(&equal, State::new(0.0, [1.3], [0.0]), 20.0, &Dop853::new(), &tight()).expect("a motion");
    // It rests at the first turn below 0.5/4.
    assert!((last.last().expect("states").q[0] + 0.05).abs() < 1e-10);
}

#[test]
fn stops_and_checkpoints_change_nothing() {
    let system = SPRUNG.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [1.3], [0.0]);
    // Among the stops are the turns.
    let stops: Vec<f64> = (1..40).map(|k| f64::from(k) * PI / 8.0).collect();
    let options = Options { stops: &stops, ..tight() };
    let solution = solve(&system, start, 20.0, &Dop853::new(), &options).expect("a motion");
    let last = solution.last().expect("states");
    assert!((last.q[0] - 0.3).abs() < 1e-10 && last.v[0] == 0.0, "{last:?}");
    assert_eq!(solution.statistics.phases, 4);
}

/// A block on a belt that moves at a constant speed.
#[lagrangian {
    coordinates x;
    kinetic   = dot(x)^2/2;
    potential = x^2/2;
    friction belt: x - speed*t = sliding, breakaway = sticking;
    output force = friction(belt);
}]
struct Belt {
    sliding: f64,
    sticking: f64,
    speed: f64,
}

#[test]
fn a_belt_moves_its_block_in_the_cycle_of_sticking_and_slipping() {
    let (sliding, sticking, speed) = (0.2, 0.5, 0.4);
    let system = Belt { sliding, sticking, speed }.prepare::<f64>().expect("positive");
    // It begins where it breaks away.
    let above = sticking - sliding;
    let slipping = 2.0 * PI - 2.0 * (above / speed).atan();
    let period = slipping + 2.0 * above / speed;
    let start = State::new(0.0, [sliding - above], [speed]);
    let holding = 2.0 * above / speed;
    let solution = solve(&system, start, 6.5 * period, &Dop853::new(), &tight()).expect("a motion");
    let found: Vec<_> = solution.instants.iter().map(|instant| (instant.after.t, instant.after.q[0])).collect();
    assert_eq!(found.len(), 13, "{found:?}");
    for (index, (t, x)) in found.iter().enumerate() {
        let cycle = (index / 2) as f64 * period;
        let (time, place) =
            if index % 2 == 0 { (cycle + holding, sticking) } else { (cycle + period, sliding - above) };
        assert!((t - time).abs() < 1e-8 && (x - place).abs() < 1e-9, "{index}: {t} {x} instead of {time} {place}");
    }
    // The block turns where its distance from sliding is the amplitude.
    let at_rest = |_: f64, _: &SVector<f64, 1>, v: &SVector<f64, 1>| v[0];
    let events = [Event::new(&at_rest)];
    let options = Options { events: &events, ..tight() };
    let solution = solve(&system, start, 6.5 * period, &Dop853::new(), &options).expect("a motion");
    assert_eq!(solution.events.len(), 13, "{:?}", solution.events);
    let far = solution.events.iter().map(|turn| (turn.after.q[0] - sliding).abs());
    assert!(far.into_iter().all(|far| (far - above.hypot(speed)).abs() < 1e-9));
}

/// Two blocks under growing forces, coupled by a spring.
#[lagrangian {
    coordinates a, b;
    kinetic   = m*(dot(a)^2 + dot(b)^2)/2;
    potential = k*(a - b)^2/2;
    force a = rate_a*t;
    force b = rate_b*t;
    friction first: a = slip_a, breakaway = hold_a;
    friction second: b = slip_b, breakaway = hold_b;
}]
struct Pair {
    m: f64,
    k: f64,
    rate_a: f64,
    rate_b: f64,
    slip_a: f64,
    slip_b: f64,
    hold_a: f64,
    hold_b: f64,
}

#[test]
fn two_frictions_break_away_at_one_instant() {
    // The first has twice the force and twice the bounds of the second and, without a spring, twice its way.
    let pair = Pair { m: 1.5, k: 0.0, rate_a: 2.0, rate_b: 1.0, slip_a: 0.6, slip_b: 0.3, hold_a: 1.4, hold_b: 0.7 };
    let system = pair.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0; 2], [0.0; 2]);
    let end = 2.0;
    let solution = solve(&system, start, end, &Dop853::new(), &tight()).expect("a motion");
    assert!(solution.instants.iter().all(|instant| (instant.after.t - 0.7).abs() < 1e-9), "{:?}", solution.instants);
    let after: f64 = end - 0.7;
    let way = (0.4 * after.powi(2) / 2.0 + after.powi(3) / 6.0) / 1.5;
    let last = solution.last().expect("states");
    assert!((last.q[1] - way).abs() < 1e-9 && (last.q[0] - 2.0 * way).abs() < 1e-9, "{last:?} instead of {way}");
}

/// A block on a block on the floor, pulled at the upper one.
#[lagrangian {
    coordinates lower, upper;
    kinetic = m_lower*dot(lower)^2/2 + m_upper*dot(upper)^2/2;
    force upper = rate*t;
    friction top: upper - lower = top_slip, breakaway = top_hold;
    friction floor: lower = floor_slip, breakaway = floor_hold;
}]
struct Stack {
    m_lower: f64,
    m_upper: f64,
    rate: f64,
    top_slip: f64,
    top_hold: f64,
    floor_slip: f64,
    floor_hold: f64,
}

const STACK: Stack =
    Stack { m_lower: 2.0, m_upper: 1.0, rate: 1.0, top_slip: 0.8, top_hold: 1.5, floor_slip: 0.5, floor_hold: 1.0 };

#[test]
fn a_stack_slips_where_its_weaker_side_breaks_away() {
    // The floor breaks away at the force 1. The top carries f = F − m a, with a = (F − 0.5)/3, until f = 1.5 at F = 2.
    let start = State::new(0.0, [0.0; 2], [0.0; 2]);
    let system = STACK.prepare::<f64>().expect("positive");
    let solution = solve(&system, start, 3.0, &Dop853::new(), &tight()).expect("a motion");
    let times: Vec<f64> = solution.instants.iter().map(|instant| instant.after.t).collect();
    assert_eq!(times.len(), 2, "{times:?}");
    assert!((times[0] - 1.0).abs() < 1e-9 && (times[1] - 2.0).abs() < 1e-8, "{times:?}");
    // From F = 1 to 2, both have v = ((t² − 1)/2 − 0.5 (t − 1))/3; then the upper one (t²/2 − 2) − 0.8 (t − 2) more, the lower one 0.3/2 (t − 2).
    let together = (1.5 - 0.5) / 3.0;
    let last = solution.last().expect("states");
    assert!((last.v[1] - together - (2.5 - 0.8)).abs() < 1e-9, "{last:?}");
    assert!((last.v[0] - together - 0.15).abs() < 1e-9, "{last:?}");
    // A weaker top breaks away first, and the floor then holds.
    let weak = Stack { top_hold: 0.9, top_slip: 0.4, ..STACK }.prepare::<f64>().expect("positive");
    let solution = solve(&weak, start, 3.0, &Dop853::new(), &tight()).expect("a motion");
    let last = solution.last().expect("states");
    let expected = (9.0 - 0.81) / 2.0 - 0.4 * 2.1;
    assert!(last.v[0] == 0.0 && (last.v[1] - expected).abs() < 1e-9, "{last:?} instead of {expected}");
}

/// A puck between springs on a rough plane.
#[lagrangian {
    coordinates r[2];
    kinetic   = m*norm2(dot(r))/2;
    potential = k*norm2(r)/2;
    force r = rate*t*[0.6, 0.8];
    friction ice: r = slip, breakaway = hold;
}]
struct Puck {
    m: f64,
    k: f64,
    rate: f64,
    slip: f64,
    hold: f64,
}

#[test]
fn a_puck_breaks_away_in_the_direction_of_its_force() {
    let system = Puck { m: 1.5, k: 0.0, rate: 1.0, slip: 0.3, hold: 0.7 }.prepare::<f64>().expect("positive");
    let solution =
        solve(&system, State::new(0.0, [0.0; 2], [0.0; 2]), 2.0, &Dop853::new(), &tight()).expect("a motion");
    let after: f64 = 1.3;
    let way = (0.4 * after.powi(2) / 2.0 + after.powi(3) / 6.0) / 1.5;
    let last = solution.last().expect("states");
    assert!((last.q[0] - 0.6 * way).abs() < 1e-8 && (last.q[1] - 0.8 * way).abs() < 1e-8, "{last:?}");
    assert!((solution.instants[0].after.t - 0.7).abs() < 1e-9);
    // Along a line through the middle, it moves as the block on one spring does.
    let system = Puck { m: 1.0, k: 4.0, rate: 0.0, slip: 0.5, hold: 1.5 }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.6 * 1.3, 0.8 * 1.3], [0.0; 2]);
    let solution = solve(&system, start, 9.0, &Dop853::new(), &tight()).expect("a motion");
    let last = solution.last().expect("states");
    assert!((last.q[0] - 0.18).abs() < 1e-7 && (last.q[1] - 0.24).abs() < 1e-7, "{last:?}");
    assert!(last.v.amax() < 1e-13, "{last:?}");
}

/// A block on a table that accelerates ever more.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    contact table: y >= 0, friction = sliding, slip = x - jerk*t^3/6, breakaway = sticking;
}]
struct Table {
    m: f64,
    g: f64,
    jerk: f64,
    sliding: f64,
    sticking: f64,
}

#[test]
fn a_block_on_a_table_breaks_away_at_the_static_coefficient() {
    let (g, jerk) = (9.81, 4.0);
    let system = Table { m: 0.7, g, jerk, sliding: 0.3, sticking: 0.5 }.prepare::<f64>().expect("positive");
    let solution =
        solve(&system, State::new(0.0, [0.0; 2], [0.0; 2]), 3.0, &Dop853::new(), &tight()).expect("a motion");
    let breaks = 0.5 * g / jerk;
    let last = solution.last().expect("states");
    let at = solution.instants.last().expect("an instant").after.t;
    assert!((at - breaks).abs() < 1e-9, "{at} instead of {breaks}");
    let speed = jerk * breaks * breaks / 2.0 + 0.3 * g * (3.0 - breaks);
    assert!((last.v[0] - speed).abs() < 1e-9 && last.q[1] == 0.0, "{last:?} instead of {speed}");
}

/// A block that is pulled upward at an angle, on a floor whose force is a multiplier.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    force [x, y] = rate*t*[cos(angle), sin(angle)];
    constraint floor: y == 0;
    friction sole: x = sliding*abs(multiplier(floor)), breakaway = sticking*abs(multiplier(floor));
}]
struct Sledge {
    m: f64,
    g: f64,
    rate: f64,
    angle: f64,
    sliding: f64,
    sticking: f64,
}

#[test]
fn a_sledge_breaks_away_under_what_is_left_of_its_weight() {
    let (m, g, rate, angle, sliding, sticking) = (2.0_f64, 9.81, 3.0, 0.5_f64, 0.2, 0.4);
    let system = Sledge { m, g, rate, angle, sliding, sticking }.prepare::<f64>().expect("positive");
    let end = 4.0;
    let solution =
        solve(&system, State::new(0.0, [0.0; 2], [0.0; 2]), end, &Dop853::new(), &tight()).expect("a motion");
    let breaks = sticking * m * g / (rate * (angle.cos() + sticking * angle.sin()));
    let at = solution.instants[0].after.t;
    assert!((at - breaks).abs() < 1e-9, "{at} instead of {breaks}");
    let pull = rate * (angle.cos() + sliding * angle.sin()) / m;
    let speed = pull * (end * end - breaks * breaks) / 2.0 - sliding * g * (end - breaks);
    let last = solution.last().expect("states");
    assert!((last.v[0] - speed).abs() < 1e-9, "{last:?} instead of {speed}");
}

/// A block whose static bound falls below the other one.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    friction pad: x = 1, breakaway = 2 - t;
}]
struct Worn {}

#[test]
fn a_breakaway_below_the_bound_of_a_slip_is_an_error() {
    let failed = Sprung { static_bound: 0.4, ..SPRUNG }.prepare::<f64>().expect_err("0.4 < 0.5").to_string();
    assert!(failed.contains("static_bound"), "{failed}");
    let system = Worn {}.prepare::<f64>().expect("nothing to check");
    let start = State::new(0.0, [0.0], [0.0]);
    let failed = solve(&system, start, 3.0, &Dop853::new(), &tight()).expect_err("below 1 from t = 1 on");
    let Failure::Breakaway { contact: "pad", breakaway, bound, t } = failed.error.failure else { panic!("{failed}") };
    assert!(bound == 1.0 && breakaway < 1.0 && t >= 1.0, "{failed}");
    let text = failed.to_string();
    assert!(text.contains("the breakaway of `pad` is") && text.contains("at least 1"), "{text}");
}

#[test]
fn methods_that_do_not_know_what_sticks_refuse_it() {
    let system = SPRUNG.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [1.3], [0.0]);
    let failed = solve(&system, start, 1.0, &Rodas5P::new(), &Options::default()).expect_err("it needs derivatives");
    assert!(failed.to_string().contains("breakaway"), "{failed}");
    let options = Options { locate_switches: false, ..Options::default() };
    let failed = solve(&system, start, 1.0, &Dop853::new(), &options).expect_err("without a search");
    assert!(failed.to_string().contains("locate_switches"), "{failed}");
}
