//! Constraints that modes switch on and off, against closed forms.

use lagrange_runtime::analysis::{linearize, power_audit};
use lagrange_runtime::contact;
use lagrange_runtime::instant::{Cause, Phase};
use lagrange_runtime::prelude::*;

/// Two carts that couple where they meet. A force pulls the second one.
#[lagrangian {
    coordinates x, y;
    kinetic = (m*dot(x)^2 + n*dot(y)^2)/2;
    force y = f;
    mode coupled = when x > y { 1 };
    constraint coupler: x == y when coupled > 1/2;
    output pull = multiplier(coupler);
    output both = reaction(coupler);
}]
struct Carts {
    m: f64,
    n: f64,
    f: f64,
}

/// A stone on a rope that becomes taut.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    mode taut = when x^2 + y^2 > l^2 { 1 };
    constraint rope: norm([x, y]) == l when taut > 1/2;
    output tension = -multiplier(rope);
}]
struct Roped {
    m: f64,
    l: f64,
    g: f64,
}

/// The same stone on a rod that always acts.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rope: norm([x, y]) == l;
}]
struct Rod {
    m: f64,
    l: f64,
    g: f64,
}

/// A body that a pin holds until the force on it reaches a limit. A damper makes the force of an impact on the pin large.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    dissipation = c*dot(x)^2/2;
    force x = rate*t;
    mode held = when abs(multiplier(pin)) > limit { 0 } when x < 0 && dot(x) < 0 { 1 };
    constraint pin: x == 0 when held > 1/2;
}]
struct Pinned {
    m: f64,
    c: f64,
    rate: f64,
    limit: f64,
}

/// A body that slides up a slope, and is gripped where it turns. The place is a mode.
#[lagrangian {
    coordinates x, z;
    kinetic   = m*(dot(x)^2 + dot(z)^2)/2;
    potential = m*g*x + k*(z - x)^2/2;
    mode gripped = when dot(x) < 0 && gripped < 1/2 && t < end { 1 } then place = x when t > end { 0 };
    mode place;
    constraint grip: x == place when gripped > 1/2;
}]
struct Gripped {
    m: f64,
    g: f64,
    k: f64,
    end: f64,
}

/// A body that a belt takes along for a while.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = -f;
    mode engaged = when t > off { 0 } when t > on && t < off { 1 };
    nonholonomic belt: dot(x) == speed when engaged > 1/2;
    output drive = multiplier(belt);
}]
struct Clutched {
    m: f64,
    f: f64,
    on: f64,
    off: f64,
    speed: f64,
}

/// A body that falls on another one, which rests on the floor, and stays on it.
#[lagrangian {
    coordinates a, b;
    kinetic   = (m*dot(a)^2 + n*dot(b)^2)/2;
    potential = g*(m*a + n*b);
    mode caught = when a < b { 1 };
    contact floor: b >= 0, restitution = e;
    constraint joint: a == b when caught > 1/2;
    output force = multiplier(joint);
    output normal = contact(floor);
}]
struct Stack {
    m: f64,
    n: f64,
    g: f64,
    e: f64,
}

/// A body that is caught as a vector, beside dry friction.
#[lagrangian {
    coordinates r[2], s;
    kinetic = (norm2(dot(r)) + dot(s)^2)/2;
    friction pad: s = b;
    force s = 2*b;
    mode caught = when r[0] > 1 { 1 };
    constraint hook: [r[0], r[1]] == [1 + s, r[1]*0 + level] when caught > 1/2;
}]
struct Hooked {
    b: f64,
    level: f64,
}

fn options<'a, const N: usize>() -> Options<'a, f64, N> {
    Options { rtol: 1e-11.into(), atol: 1e-12.into(), dense_output: true, ..Options::default() }
}

/// The momentum is kept, and the loss is m n/(2 (m + n)) Δv². The coupler carries the part m/(m + n) of a force on the other cart.
#[test]
fn carts_that_couple_keep_their_momentum() {
    let (m, n, f, gap, fast, slow) = (2.0, 3.0, 1.5, 1.0, 2.0, 0.5);
    let carts = Carts { m, n, f };
    let system = carts.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, gap, 0.0], [fast, slow, 0.0]);
    let end = 2.0;
    let solution = solve(&system, start, end, &Dop853::new(), &options()).expect("no failure");
    // fast t = gap + slow t + f t²/(2 n)
    let (a, b) = (f / (2.0 * n), slow - fast);
    let met = (-b - (b * b - 4.0 * a * gap).sqrt()) / (2.0 * a);
    let before = slow + f / n * met;
    let common = (m * fast + n * before) / (m + n);
    let last = solution.last().expect("an end");
    let speed = common + f / (m + n) * (end - met);
    let place = fast * met + (common + speed) / 2.0 * (end - met);
    assert!((last.v[0] - speed).abs() < 1e-9 && (last.q[0] - place).abs() < 1e-9, "{last:?}");
    assert!(last.v[0] == last.v[1] && (last.q[0] - last.q[1]).abs() < 1e-15, "{last:?}");
    let [mode, impact, closed] = solution.instants[..] else { panic!("{:?}", solution.instants) };
    assert_eq!((mode.cause, impact.cause), (Cause::Mode("coupled"), Cause::Impact("coupler")));
    assert_eq!(closed.cause, Cause::Phase("coupler", Phase::Closed));
    assert!((impact.after.t - met).abs() < 1e-12 && (impact.impulse + m * (fast - common)).abs() < 1e-9);
    let loss = m * n / (2.0 * (m + n)) * (fast - before).powi(2);
    let audit = power_audit(&system, &solution, |_, _, _| SVector::zeros()).expect("no inputs");
    assert!((audit.impacts + loss).abs() < 1e-9 && audit.residual.abs() < 1e-9, "{audit:?}");
    // The multiplier is 0 before, and m f/(m + n) behind the impact; it acts on x along +.
    let outputs =
        |state: &State<f64, 3>| system.outputs_of(state).into_iter().map(|(_, value)| value).collect::<Vec<f64>>();
    assert!(outputs(&start).iter().all(|&value| value == 0.0));
    let pull = m * f / (m + n);
    for (found, exact) in outputs(&last).iter().zip([pull, pull, -pull]) {
        assert!((found - exact).abs() < 1e-12, "{found} {exact}");
    }
    let found = contact::forces(&system, &last, &SVector::from([])).expect("regular");
    assert!(found.sticks[0] && (found.forces[0] - pull).abs() < 1e-12);
    let found = contact::forces(&system, &start, &SVector::from([])).expect("regular");
    assert!(!found.sticks[0] && found.forces[0] == 0.0);
}

/// A stone falls from x = l/2 until the rope is taut, keeps the part of its velocity across the rope, and swings: its energy then is constant, and the tension is
/// m (v²/l − g y/l).
#[test]
fn a_rope_becomes_taut() {
    let (m, l, g) = (0.7, 1.3, 9.81);
    let system = Roped { m, l, g }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [l / 2.0, 0.0, 0.0], [0.0, 0.0, 0.0]);
    let (x, y) = (l / 2.0, -l * 3.0_f64.sqrt() / 2.0);
    let met = (-2.0 * y / g).sqrt();
    let across = -g * met * x / l;
    let (t, solution) = (met + 0.4, |end| solve(&system, start, end, &Dop853::new(), &options()).expect("no failure"));
    let taut = solution(met + 1e-9).last().expect("an end");
    // Along (−y, x)/l.
    assert!((taut.v[0] + y / l * across).abs() < 1e-6 && (taut.v[1] - x / l * across).abs() < 1e-6, "{taut:?}");
    let last = solution(t).last().expect("an end");
    assert!((last.q[0].hypot(last.q[1]) - l).abs() < 1e-14);
    let energy = |state: &State<f64, 3>| m * (state.v[0].powi(2) + state.v[1].powi(2)) / 2.0 + m * g * state.q[1];
    assert!((energy(&last) - (m * across * across / 2.0 + m * g * y)).abs() < 1e-9);
    let speed = last.v[0].powi(2) + last.v[1].powi(2);
    let tension = system.outputs_of(&last)[0].1;
    assert!((tension - m * (speed - g * last.q[1]) / l).abs() < 1e-9, "{tension}");
    // The same swing under a constraint that always acts.
    let rod = Rod { m, l, g }.prepare::<f64>().expect("valid");
    let swing = State::new(met, [x, y], [-y / l * across, x / l * across]);
    let method = Projected::new(Dop853::new());
    let exact = Options { rtol: 1e-11.into(), atol: 1e-12.into(), ..Options::default() };
    let swung = solve(&rod, swing, t, &method, &exact).expect("no failure").last().expect("an end");
    assert!((swung.q[0] - last.q[0]).abs() < 1e-8 && (swung.v[1] - last.v[1]).abs() < 1e-8, "{swung:?} {last:?}");
}

/// The pin lets go where rate·t reaches the limit. A body that runs onto the pin stays: the force of the impact does not count.
#[test]
fn a_pin_lets_go_at_a_force() {
    let (m, rate, limit) = (2.0, 0.5, 1.0);
    let system = Pinned { m, c: 0.0, rate, limit }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, 0.0], [0.0, 1.0]);
    for method in 0..2 {
        let solution = match method {
            0 => solve(&system, start, 3.0, &Dop853::new(), &options()),
            _ => solve(&system, start, 3.0, &Rk4::new(0.01), &options()),
        };
        let last = solution.expect("no failure").last().expect("an end");
        let (t, from) = (3.0, limit / rate);
        let speed = rate * (t * t - from * from) / (2.0 * m);
        assert_eq!(last.v[1], 0.0);
        assert!((last.v[0] - speed).abs() < 1e-9, "{last:?} {speed}");
    }
    let system = Pinned { m, c: 50.0, rate, limit }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.001, 0.0], [-1.0, 0.0]);
    let solution = solve(&system, start, 1.9, &Dop853::new(), &options()).expect("no failure");
    assert_eq!(solution.last().map(|last| (last.q[0], last.v[0], last.v[1])), Some((0.0, 0.0, 1.0)));
}

/// The body turns after v/g, at the height v²/(2 g), is held there, and falls again.
#[test]
fn a_body_is_gripped_where_it_turns() {
    let (g, v, end) = (9.81, 3.0, 1.0);
    let system = Gripped { m: 0.4, g, k: 0.0, end }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.2, 0.0, 0.0, 0.0], [v, 0.0, 0.0, 0.0]);
    let solution = solve(&system, start, 1.5, &Dop853::new(), &options()).expect("no failure");
    let top = 0.2 + v * v / (2.0 * g);
    let held: Vec<_> = solution.states().filter(|state| state.v[2] > 0.5).collect();
    assert!(held.iter().all(|state| (state.q[0] - top).abs() < 1e-12 && state.v[0].abs() < 1e-12), "{held:?}");
    let last = solution.last().expect("an end");
    assert!((last.q[0] - (top - g * 0.25 / 2.0)).abs() < 1e-9, "{last:?}");
}

/// The belt makes the velocity its own by an impact, and bears the force f; then the body slows down again.
#[test]
fn a_belt_takes_a_body_along() {
    let (m, f, on, off, speed) = (1.5, 0.6, 0.5, 1.25, 2.0);
    let system = Clutched { m, f, on, off, speed }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, 0.0], [0.4, 0.0]);
    let solution = solve(&system, start, 2.0, &Dop853::new(), &options()).expect("no failure");
    let slow = 0.4 - f / m * on;
    let last = solution.last().expect("an end");
    assert!((last.v[0] - (speed - f / m * 0.75)).abs() < 1e-9, "{last:?}");
    let place = (0.4 + slow) / 2.0 * on + speed * (off - on) + (speed - f / m * 0.375) * 0.75;
    assert!((last.q[0] - place).abs() < 1e-9, "{last:?} {place}");
    let audit = power_audit(&system, &solution, |_, _, _| SVector::zeros()).expect("no inputs");
    assert!((audit.impacts - m * (speed * speed - slow * slow) / 2.0).abs() < 1e-9, "{audit:?}");
    let work: f64 = audit.works.iter().filter(|(name, _)| *name == "belt").map(|(_, work)| work).sum();
    assert!((work - f * speed * (off - on)).abs() < 1e-9 && audit.residual.abs() < 1e-9, "{audit:?}");
}

/// The impulse of the joint goes through the lower body into the floor, which does not let it sink. A contact that is closed before the impact has no restitution.
#[test]
fn the_impulse_of_a_constraint_reaches_a_contact() {
    let (m, n, g) = (0.5, 2.0, 10.0);
    for e in [0.0, 0.5] {
        let system = Stack { m, n, g, e }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.8, 0.0, 0.0], [0.0, 0.0, 0.0]);
        let solution = solve(&system, start, 1.0, &Dop853::new(), &options()).expect("no failure");
        let last = solution.last().expect("an end");
        let motion = [last.q[0], last.q[1], last.v[0], last.v[1]];
        assert!(motion.iter().all(|entry| entry.abs() < 1e-25), "{last:?}");
        let impulses: Vec<_> = solution.instants.iter().filter(|it| matches!(it.cause, Cause::Impact(_))).collect();
        for (impact, name) in impulses.iter().zip(["floor", "joint"]) {
            assert_eq!(impact.cause, Cause::Impact(name));
            assert!((impact.impulse - m * 4.0).abs() < 1e-9, "{impact:?}");
        }
        let outputs: Vec<f64> = system.outputs_of(&last).into_iter().map(|(_, value)| value).collect();
        assert!((outputs[0] - m * g).abs() < 1e-12 && (outputs[1] - (m + n) * g).abs() < 1e-12, "{outputs:?}");
    }
}

/// The hook moves with a body that dry friction slows down: (1 + 1) dv/dt = 2 b − b.
#[test]
fn a_vector_is_caught_beside_dry_friction() {
    let (b, level) = (0.3, 0.25);
    let system = Hooked { b, level }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, level, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]);
    let caught = State::new(0.0, [0.999_999_999_999, level, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]);
    let failed = solve(&system, start, 2.0, &Dop853::new(), &options()).expect_err("s is not 0 there");
    let Failure::ApartLatch { constraint: "hook[0]", residual, t } = failed.error.failure else { panic!("{failed}") };
    assert!((t - 1.0).abs() < 1e-9 && (residual + 1.15).abs() < 1e-9, "{residual}");
    let solution = solve(&system, caught, 1.0, &Dop853::new(), &options()).expect("no failure");
    let last = solution.last().expect("an end");
    assert!((last.v[0] - (0.5 + b / 2.0)).abs() < 1e-9 && last.v[1] == 0.0, "{last:?}");
    assert!((last.q[0] - (1.0 + last.q[2])).abs() < 1e-14 && last.q[1] == level);
}

/// A constraint that is on at the start makes the velocities its own by the first impact.
#[test]
fn a_start_that_moves_begins_with_an_impact() {
    let system = Carts { m: 1.0, n: 3.0, f: 0.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.5, 0.5, 0.0], [2.0, 0.0, 1.0]);
    let solution = solve(&system, start, 1.0, &Dop853::new(), &options()).expect("no failure");
    assert!(solution.instants.iter().any(|instant| instant.cause == Cause::Impact("coupler")));
    assert!((solution.last().expect("an end").v[0] - 0.5).abs() < 1e-14);
}

/// Methods that do not hold contacts, wrappers and analyses would leave the constraint out, and refuse it.
#[test]
fn what_does_not_know_switched_constraints_refuses_them() {
    let system = Carts { m: 1.0, n: 3.0, f: 0.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, 0.5, 0.0], [2.0, 0.0, 0.0]);
    let refused = solve(&system, start, 1.0, &Rodas5P::new(), &options()).expect_err("it loses the constraint");
    assert!(refused.to_string().contains("constraints that modes switch"), "{refused}");
    let unlocated = Options { locate_switches: false, ..options() };
    assert!(solve(&system, start, 1.0, &Rk4::new(0.01), &unlocated).is_err());
    let found = linearize(&system, &start, &SVector::from([])).err();
    assert!(found.is_some_and(|error| error.to_string().contains("modes switch")));
}

/// Stops and checkpoints change nothing: neither before the impact, nor at it, nor while the constraint holds.
#[test]
fn what_cuts_a_motion_does_not_change_it() {
    let (system, method) = (Roped { m: 0.7, l: 1.3, g: 9.81 }.prepare::<f64>().expect("valid"), Dop853::new());
    let start = State::new(0.0, [0.65, 0.0, 0.0], [0.0, 0.0, 0.0]);
    let (options, end) = (options(), 1.5);
    let solution = solve(&system, start, end, &method, &options).expect("no failure");
    let met = solution.instants[0].after.t;
    for stop in [met - 1e-3, met - 1e-15, met, met + 1e-15, met + 1e-3, 1.1] {
        let stopped = Options { stops: &[stop], ..options };
        let other = solve(&system, start, end, &method, &stopped).expect("no failure");
        let causes =
            |solution: &Solution<f64, 3>| -> Vec<Cause> { solution.instants.iter().map(|it| it.cause).collect() };
        assert_eq!(causes(&other), causes(&solution), "{stop}");
        let (first, second) = (solution.last().expect("an end"), other.last().expect("an end"));
        assert!((first.q - second.q).fixed_rows::<2>(0).amax() < 1e-9, "{stop}: {first:?} {second:?}");
    }
    let mut inputs = DefaultInputs::of(&system);
    let mut whole = Stepper::new(&system, start, end, &method, &options, &mut inputs).expect("a valid start");
    whole.run(&mut ()).expect("a motion");
    let (last, steps) = (whole.state().expect("a state"), whole.statistics().steps);
    for part in 0..steps {
        let mut inputs = DefaultInputs::of(&system);
        let mut first = Stepper::new(&system, start, end, &method, &options, &mut inputs).expect("a valid start");
        for _ in 0..part {
            first.step().expect("a motion");
        }
        let text = serde_json::to_string(&first.checkpoint()).expect("numbers");
        let read = serde_json::from_str(&text).expect("what was written can be read");
        let mut inputs = DefaultInputs::of(&system);
        let mut second = Stepper::resume(&system, &read, &method, &options, &mut inputs).expect("a valid checkpoint");
        second.run(&mut ()).expect("a motion");
        assert_eq!(second.state().expect("a state"), last, "after {part} of {steps} steps");
    }
}

/// A stone on a rope whose tension a mode keeps where it reaches a limit.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    mode taut = when x^2 + y^2 > l^2 { 1 };
    mode strained = when -multiplier(rope) > limit { 1 } then strain = -multiplier(rope);
    mode strain;
    constraint rope: norm([x, y]) == l when taut > 1/2;
    output tension = -multiplier(rope);
}]
struct Strained {
    m: f64,
    l: f64,
    g: f64,
    limit: f64,
}

/// Between the ends of a step an interpolant meets a constraint up to its error only, and a state off the constraint has no multiplier. Where
/// something happens within a step, the state is brought onto the constraint first, for changes of modes and for events.
#[test]
fn what_happens_while_a_constraint_is_on_happens_on_the_constraint() {
    let system = Strained { m: 1.0, l: 2.0, g: 10.0, limit: 15.0 }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [1.0, 0.0, 0.0, 0.0, 0.0], [0.0; 5]);
    for tolerance in [1e-3, 1e-5, 1e-8] {
        let middle = |_: f64, q: &SVector<f64, 5>, _: &SVector<f64, 5>| q[0] - 0.9;
        let events = [Event::new(&middle)];
        let options = Options { rtol: tolerance.into(), atol: tolerance.into(), events: &events, ..Options::default() };
        let solution = solve(&system, start, 1.2, &Dop853::new(), &options).expect("a motion");
        let kept = solution.last().expect("an end").v[4];
        assert!((kept - 15.0).abs() < 1e-9, "{tolerance}: {kept}");
        let [event] = solution.events[..] else { panic!("{:?}", solution.events) };
        let strained = solution.instants.iter().find(|instant| instant.cause == Cause::Mode("strained"));
        for state in [event.before, strained.expect("a change").before] {
            assert!((state.q.fixed_rows::<2>(0).norm() - 2.0).abs() < 1e-14, "{tolerance}: {state:?}");
            assert!(system.outputs_of(&state)[0].1 > 1.0, "{tolerance}: {state:?}");
        }
    }
}
