//! Modes: changes at conditions that depend on the state, the time and parameters, chains of changes, and constraints that modes switch.

use super::differences::{all_variables, by_differences, close, within};
use lagrange_runtime::analysis::{
    AnalysisError, LyapunovSpectrum, Sensitivities, Shooting, Variable, adjoint_gradient, sensitivities,
};
use lagrange_runtime::instant::{Cause, Phase};
use lagrange_runtime::prelude::*;
use lagrange_tests::random::Random;

/// A relay drives a mass. Its lower threshold depends on a second mass, its upper one on the time. Each change pushes the second mass, and keeps a
/// place to which a spring then pulls it. The sign of the place switches a damper, which a counter makes stronger.
#[lagrangian {
    coordinates x, y;
    kinetic = (m*dot(x)^2 + dot(y)^2)/2;
    potential = k*(y - place)^2/2;
    dissipation = c*(hot + worn)*dot(y)^2/2;
    force x = f*relay;
    mode relay = when x < b*y - d { 1 } then dot(y) = dot(y) - s*x, place = x
                 when x > d + t/20 { -1 } then dot(y) = dot(y) + s*dot(x), place = x/2;
    mode place;
    mode hot = when place > 0 { 1 } when place < 0 { 0 } then worn = worn + 1/2;
    mode worn;
}]
#[derive(Clone, Debug)]
struct Relay {
    m: f64,
    k: f64,
    c: f64,
    f: f64,
    b: f64,
    d: f64,
    s: f64,
}

/// The initial values of the modes that switch, rather than keep a place or a number.
const RELAY: Variable<6> = Variable::Velocity(2);
const HOT: Variable<6> = Variable::Velocity(4);

fn random_relay(random: &mut Random) -> (Relay, State<f64, 6>, f64) {
    let mut size = |low: f64, high: f64| random.between(low, high);
    let relay = Relay {
        m: size(0.5, 2.0),
        k: size(0.5, 2.0),
        c: size(0.1, 0.3),
        f: size(1.0, 2.0),
        b: size(-0.2, 0.2),
        d: size(0.3, 0.5),
        s: size(0.1, 0.5),
    };
    let (x, y) =
        (State::new(0.1, [size(-0.2, 0.2), size(-0.5, 0.5)], [size(-0.5, 0.5), size(-0.5, 0.5)]), size(0.1, 0.2));
    let start = State::new(x.t, [x.q[0], x.q[1], 0.0, 0.0, 0.0, 0.0], [x.v[0], x.v[1], 1.0, y, 1.0, 0.5]);
    (relay, start, size(3.0, 5.0))
}

/// The derivatives by all variables but the initial values of switches are those of neighbours, and the adjoint gradient is a row of them.
#[test]
fn derivatives_across_changes_are_those_of_neighbours_and_of_the_adjoint() {
    let mut changes = 0;
    for seed in 0..5 {
        let (relay, start, end) = random_relay(&mut Random::new(seed));
        let mut variables = all_variables(&relay);
        // A neighbour that starts with another value of a switch changes it at once where the condition of the value holds.
        variables.retain(|variable| ![RELAY, HOT].contains(variable));
        let found = sensitivities(&relay, &start, &[end], &Dop853::new(), &within(1e-12), &variables);
        let found = found.expect("no failure");
        let exact = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
        let system = relay.prepare::<f64>().expect("valid");
        let solution = solve(&system, start, end, &Dop853::new(), &exact).expect("smooth");
        changes += solution.instants.len();
        let last = solution.len() - 1;
        let slopes = |k: usize, _: &State<f64, 6>| {
            let weight = |value: f64| if k == last { value } else { 0.0 };
            (
                SVector::from([weight(0.3), 0.0, 0.0, 0.0, 0.0, 0.0]),
                SVector::from([0.0, weight(1.0), 0.0, 0.0, 0.0, 0.0]),
            )
        };
        let backward = adjoint_gradient(&relay, &solution, &Dop853::new(), &[], slopes).expect("regular");
        for (column, &variable) in variables.iter().enumerate() {
            let backward = match variable {
                Variable::Coordinate(index) => backward.q[index],
                Variable::Velocity(index) => backward.v[index],
                Variable::Parameter(index) => backward.parameters[index],
                other => panic!("{other:?}"),
            };
            let mut expected = by_differences(&relay, &start, end, &[], variable);
            let mut found: Vec<f64> = found.derivatives[0].column(column).iter().copied().collect();
            // The integrals of modes have no meaning.
            for hidden in 2..6 {
                (expected[hidden], found[hidden]) = (0.0, 0.0);
            }
            let case = format!("seed {seed}, {variable:?}");
            close(&found, &expected, 1e-6, &case);
            let forward = 0.3 * found[0] + found[7];
            assert!((forward - backward).abs() < 1e-8 * (1.0 + backward.abs()), "{case}: {forward} {backward}");
        }
    }
    assert!(changes >= 15, "{changes} changes");
}

/// A stone falls until its rope is taut, which takes a part of its velocity, and swings until the tension breaks the rope.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    mode taut = when x^2 + y^2 > l^2 && whole > 1/2 { 1 } when -multiplier(rope) > strength { 0 } then whole = 0;
    mode whole;
    constraint rope: norm([x, y]) == l when taut > 1/2;
}]
#[derive(Clone, Debug)]
struct Stone {
    m: f64,
    g: f64,
    l: f64,
    strength: f64,
}

/// A bullet that a block on two cords catches at the height at which it meets it.
#[lagrangian {
    coordinates x, y, theta;
    let middle = [l*sin(theta), -l*cos(theta)];
    kinetic   = bullet*(dot(x)^2 + dot(y)^2)/2 + block*norm2(dot(middle))/2;
    potential = g*(bullet*y + block*middle[1]);
    mode caught = when x > middle[0] { 1 } then height = y - middle[1];
    mode height;
    constraint wood: [x, y] == middle + [0, height] when caught > 1/2;
}]
#[derive(Clone, Debug)]
struct Block {
    bullet: f64,
    block: f64,
    l: f64,
    g: f64,
}

/// Asserts that the derivatives of a motion by all variables but the initial values of modes are those of neighbours. Returns the causes of the
/// motion's instants.
fn compare<M, const N: usize>(
    mechanism: &M,
    start: &State<f64, N>,
    end: f64,
    modes: usize,
    tolerance: f64,
) -> Vec<Cause>
where
    M: Mechanism<N, 0, 0> + Clone,
{
    let mut variables = all_variables(mechanism);
    variables.retain(|variable| match variable {
        Variable::Coordinate(index) | Variable::Velocity(index) => *index < N - modes,
        _ => true,
    });
    let found = sensitivities(mechanism, start, &[end], &Dop853::new(), &within(1e-12), &variables);
    let found = found.expect("no failure");
    for (column, &variable) in variables.iter().enumerate() {
        let mut expected = by_differences(mechanism, start, end, &[], variable);
        let mut found: Vec<f64> = found.derivatives[0].column(column).iter().copied().collect();
        for hidden in N - modes..N {
            (expected[hidden], found[hidden]) = (0.0, 0.0);
        }
        close(&found, &expected, tolerance, &format!("{variable:?}"));
    }
    let exact = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
    let system = mechanism.prepare::<f64>().expect("valid");
    let solution = solve(&system, *start, end, &Dop853::new(), &exact).expect("smooth");
    solution.instants.iter().map(|instant| instant.cause).collect()
}

/// The impact of a rope that becomes taut, and the break at a tension, which depends on the state.
#[test]
fn derivatives_across_a_rope_that_becomes_taut_and_breaks_are_those_of_neighbours() {
    let stone = Stone { m: 1.3, g: 9.0, l: 2.0, strength: 18.0 };
    let start = State::new(0.0, [1.0, 0.2, 0.0, 0.0], [0.1, 0.0, 0.0, 1.0]);
    let causes = compare(&stone, &start, 1.2, 2, 1e-6);
    let of = |cause| causes.iter().filter(|other| **other == cause).count();
    assert_eq!((of(Cause::Mode("taut")), of(Cause::Impact("rope"))), (2, 1), "{causes:?}");
}

/// Two bodies that become one, at a place that a mode keeps.
#[test]
fn derivatives_across_a_catch_are_those_of_neighbours() {
    let block = Block { bullet: 0.3, block: 2.0, l: 1.0, g: 9.81 };
    let start = State::new(0.0, [-2.0, -0.8, 0.1, 0.0, 0.0], [12.0, 0.5, -0.1, 0.0, 0.0]);
    let causes = compare(&block, &start, 0.7, 2, 1e-6);
    assert!(
        causes.contains(&Cause::Mode("caught")) && causes.contains(&Cause::Phase("wood[0]", Phase::Closed)),
        "{causes:?}"
    );
}

/// A pendulum on a rod that is struck where it passes a place. The rod must be brought back to its constraint.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: norm([x, y]) == 1;
    mode strikes = when x > a*strikes + b { strikes + 1 } then [dot(x), dot(y)] = [dot(x) + kick*y, dot(y) + kick*x];
}]
#[derive(Clone, Debug)]
struct Struck {
    m: f64,
    g: f64,
    a: f64,
    b: f64,
    kick: f64,
}

/// The state after each blow is projected onto a constraint that always holds.
#[test]
fn derivatives_across_a_blow_to_a_rod_are_those_of_neighbours_and_of_the_adjoint() {
    let struck = Struck { m: 1.0, g: 9.0, a: 0.2, b: 0.1, kick: 0.3 };
    let start = State::new(0.0, [-0.6, -0.8, 0.0], [0.4, -0.3, 0.0]);
    let method = Projected::new(Dop853::new());
    let variables: Vec<Variable<3>> = (0..5).map(Variable::Parameter).collect();
    let end = 0.8;
    let found = sensitivities(&struck, &start, &[end], &method, &within(1e-12), &variables).expect("no failure");
    let exact = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
    let run =
        |struck: &Struck| solve(&struck.prepare::<f64>().expect("valid"), start, end, &method, &exact).expect("smooth");
    let solution = run(&struck);
    assert_eq!(solution.last().expect("an end").v[2], 2.0, "{:?}", solution.instants);
    let (last, zero) = (solution.len() - 1, SVector::from([0.0; 3]));
    let slopes = |k: usize, _: &State<f64, 3>| (zero, if k == last { SVector::from([1.0, 0.0, 0.0]) } else { zero });
    let backward = adjoint_gradient(&struck, &solution, &method, &[], slopes).expect("regular");
    for index in 0..variables.len() {
        let speed = |change: f64| {
            let mut struck = struck.clone();
            let name = Struck::PARAMETERS[index];
            struck.set_parameter(name, struck.parameter(name).expect("known") + change).expect("known");
            run(&struck).last().expect("an end").v[0]
        };
        let slope = |h: f64| (speed(h) - speed(-h)) / (2.0 * h);
        let expected = (slope(1e-4) * 4.0 - slope(2e-4)) / 3.0;
        let (forward, backward) = (found.derivatives[0][(3, index)], backward.parameters[index]);
        let name = Struck::PARAMETERS[index];
        assert!((forward - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{name}: {forward} {expected}");
        assert!((forward - backward).abs() < 1e-8 * (1.0 + forward.abs()), "{name}: {forward} {backward}");
    }
}

/// A pendulum on a rod of any length.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: norm([x, y]) == l;
}]
#[derive(Clone, Debug)]
struct Rod {
    m: f64,
    g: f64,
    l: f64,
}

/// The derivative by a parameter of a constraint has a meaning where the start follows the parameter. It is that of neighbours then, with every
/// method and with other variables beside it or not.
#[test]
fn a_start_that_follows_a_constraint_has_the_derivatives_of_neighbours() {
    let rod = |l: f64| Rod { m: 1.0, g: 9.0, l };
    let (l, end) = (1.2, 1.1);
    let start = |l: f64| State::new(0.0, [-0.6 * l, -0.8 * l], [0.4 * l, -0.3 * l]);
    let longer = Variable::Following { parameter: 2, q: SVector::from([-0.6, -0.8]), v: SVector::from([0.4, -0.3]) };
    let at = |change: f64| {
        let system = rod(l + change).prepare::<f64>().expect("valid");
        let exact = Options { rtol: 1e-13.into(), atol: 1e-13.into(), ..Options::default() };
        let end =
            solve(&system, start(l + change), end, &Projected::new(Dop853::new()), &exact).expect("smooth").last();
        let end = end.expect("an end");
        [end.q[0], end.q[1], end.v[0], end.v[1]]
    };
    let slope = |h: f64| {
        let (above, below) = (at(h), at(-h));
        [0, 1, 2, 3].map(|i| (above[i] - below[i]) / (2.0 * h))
    };
    let (fine, coarse) = (slope(1e-4), slope(2e-4));
    let of = |found: Result<Sensitivities<2>, AnalysisError>| {
        found.expect("smooth").derivatives[0].column(0).iter().copied().collect::<Vec<f64>>()
    };
    let (start, options) = (start(l), within(1e-12));
    let many = [longer, Variable::Parameter(1), Variable::Parameter(0), longer, longer, Variable::Parameter(1)];
    for found in [
        of(sensitivities(&rod(l), &start, &[end], &Dop853::new(), &options, &[longer])),
        of(sensitivities(&rod(l), &start, &[end], &Projected::new(Dop853::new()), &options, &many)),
        of(sensitivities(&rod(l), &start, &[end], &Radau5::new(), &within(1e-10), &[longer])),
    ] {
        for i in 0..4 {
            let expected = (fine[i] * 4.0 - coarse[i]) / 3.0;
            assert!((found[i] - expected).abs() < 1e-6, "{i}: {} {expected}", found[i]);
        }
    }
}

/// A body in a plane. A relay halves its horizontal speed where x exceeds a, a second one reduces it where y falls below b, and a third one ends
/// the vertical motion at t = 2.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = g*y;
    mode first = when x > a { 1 } then dot(x) = dot(x)/2;
    mode second = when y < b { 1 } then dot(x) = dot(x) - first - 1;
    mode late = when t > 2 { 1 } then dot(y) = 0;
}]
#[derive(Clone, Debug)]
struct Slowed {
    m: f64,
    g: f64,
    a: f64,
    b: f64,
}

/// Where two independent changes meet, no derivative exists. At a start at which a mode is about to change, only a derivative to one side does. Both
/// are refused. A change at a fixed time is not delayed by anything.
#[test]
fn derivatives_where_changes_meet_are_refused_or_those_of_one_surface() {
    let start = State::new(0.0, [0.0, 2.0, 0.0, 0.0, 0.0], [1.0, -1.0, 0.0, 0.0, 0.0]);
    let run = |slowed: &Slowed, start: &State<f64, 5>, end: f64| {
        let variables = [Variable::Coordinate(0), Variable::Parameter(2)];
        let forward = sensitivities(slowed, start, &[end], &Dop853::new(), &within(1e-12), &variables);
        let exact = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
        let solution = solve(&slowed.prepare::<f64>().expect("valid"), *start, end, &Dop853::new(), &exact);
        let solution = solution.expect("smooth");
        let last = solution.len() - 1;
        let backward = adjoint_gradient(slowed, &solution, &Dop853::new(), &[], |k, _| {
            let one = f64::from(u8::from(k == last));
            (SVector::from([one, 0.0, 0.0, 0.0, 0.0]), SVector::zeros())
        });
        (forward.map(|found| found.derivatives[0].clone()), backward)
    };
    // Both meet their places at 1 s.
    let slowed = Slowed { m: 1.0, g: 0.0, a: 1.0, b: 1.0 };
    let (forward, backward) = run(&slowed, &start, 1.5);
    let errors =
        [forward.map(|_| ()), backward.map(|_| ())].map(|result| result.expect_err("no derivative").to_string());
    assert!(errors.iter().all(|error| error.contains("one at a time")), "{errors:?}");
    // A start at the place of the first.
    let (forward, backward) = run(&Slowed { a: 0.0, ..slowed.clone() }, &start, 0.5);
    let errors =
        [forward.map(|_| ()), backward.map(|_| ())].map(|result| result.expect_err("no derivative").to_string());
    assert!(errors.iter().all(|error| error.contains("no mode is about to change")), "{errors:?}");
    // x = a + (T − a + x₀)/2 behind the first place: ∂x/∂x₀ = ∂x/∂a = 1/2.
    let (forward, backward) = run(&Slowed { b: -9.0, ..slowed }, &start, 2.5);
    let (forward, backward) = (forward.expect("regular"), backward.expect("regular"));
    for found in [forward[(0, 0)], forward[(0, 1)], backward.q[0], backward.parameters[2]] {
        assert!((found - 0.5).abs() < 1e-12, "{forward} {backward:?}");
    }
}

/// A damped swing that a relay with hysteresis drives.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = x^2/2;
    dissipation = c*dot(x)^2/2;
    force x = f*push;
    mode push = when x < -d { 1 } when x > d { -1 };
}]
#[derive(Clone, Debug)]
struct Driven {
    c: f64,
    f: f64,
    d: f64,
}

/// In each period T, the distance of a neighbour from the periodic orbit is multiplied by the orbit's multiplier μ. The exponents are 0 and ln(μ)/T.
#[test]
fn the_orbit_of_a_relay_attracts_by_its_multiplier() {
    let driven = Driven { c: 0.3, f: 0.4, d: 0.2 };
    let method = Dop853::new();
    let exact = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
    let system = driven.prepare::<f64>().expect("valid");
    // The differences of successive maxima shrink by the factor μ.
    let top = |_: f64, _: &SVector<f64, 2>, v: &SVector<f64, 2>| v[0];
    let events = [Event::new(&top).going(Direction::Falling)];
    let options = Options { events: &events, ..exact };
    let start = State::new(0.0, [0.0, 0.0], [1.0, 1.0]);
    let motion = solve(&system, start, 120.0, &method, &options).expect("smooth");
    let heights: Vec<f64> = motion.events.iter().map(|event| event.before.q[0]).collect();
    let last = motion.events[motion.events.len() - 1].before;
    let steps: Vec<f64> = heights.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let expected = steps[6] / steps[5];
    let found = Shooting::new(
        last,
        motion.events[motion.events.len() - 1].before.t - motion.events[motion.events.len() - 2].before.t,
    )
    .find(&driven, &method, &within(1e-12))
    .expect("an orbit");
    let mut multipliers: Vec<f64> = found.multipliers.iter().map(|multiplier| multiplier.re).collect();
    multipliers.sort_by(f64::total_cmp);
    assert!(
        (multipliers[1] - 1.0).abs() < 1e-8 && (multipliers[0] - expected).abs() < 1e-4,
        "{multipliers:?} {expected}"
    );
    let exponents = LyapunovSpectrum::new(found.period, 20)
        .with_transient(10)
        .of(&driven, &found.start, &method, &within(1e-11))
        .expect("smooth");
    let expected = multipliers[0].ln() / found.period;
    assert!(exponents[0].abs() < 1e-5 && (exponents[1] - expected).abs() < 1e-5, "{exponents:?} {expected}");
}

/// A spectrum has one exponent for each state. A mode that keeps a place is a state more.
#[test]
fn a_mode_that_keeps_a_place_has_no_exponents() {
    let (relay, start, _) = random_relay(&mut Random::new(0));
    let error = LyapunovSpectrum::new(1.0, 5).of(&relay, &start, &Dop853::new(), &within(1e-9)).expect_err("a place");
    assert!(error.to_string().contains("keeps a value that depends on the motion"), "{error}");
    let error = Shooting::new(start, 2.0).find(&relay, &Dop853::new(), &within(1e-9)).expect_err("a place");
    assert!(error.to_string().contains("keeps a value that depends on the motion"), "{error}");
}

/// A room whose heater begins to heat at the start, with a power that a change assigns, and then keeps a count.
#[lagrangian {
    state temperature: dot(temperature) == (outside - temperature)/tau + heating;
    mode heating = when temperature < low { power } then count = count + 1 when temperature > high { 0 };
    mode count = when heating > 0 && count < 1/2 { 1 };
}]
#[derive(Clone, Debug)]
struct Heated {
    outside: f64,
    tau: f64,
    power: f64,
    low: f64,
    high: f64,
}

/// What changes at the start is part of the motion: the gradient is that by the state before it, and what the start has in the mode does not matter.
#[test]
fn changes_at_the_start_are_part_of_the_motion() {
    let heated = Heated { outside: 3.0, tau: 10.0, power: 5.0, low: 18.0, high: 22.0 };
    let (start, end) = (State::new(0.0, [0.0; 3], [10.0, 0.0, 0.0]), 5.0);
    let mut variables: Vec<Variable<3>> = (0..5).map(Variable::Parameter).collect();
    variables.push(Variable::Velocity(0));
    let found = sensitivities(&heated, &start, &[end], &Dop853::new(), &within(1e-12), &variables).expect("smooth");
    let exact = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
    let solution = solve(&heated.prepare::<f64>().expect("valid"), start, end, &Dop853::new(), &exact).expect("smooth");
    assert!(solution.t[1] > 0.0 && solution.instants[0].after.t == 0.0, "{:?}", solution.instants);
    let last = solution.len() - 1;
    let gradient = adjoint_gradient(&heated, &solution, &Dop853::new(), &[], |k, _| {
        (SVector::zeros(), SVector::from([f64::from(u8::from(k == last)), 0.0, 0.0]))
    });
    let gradient = gradient.expect("smooth");
    for (column, &variable) in variables.iter().enumerate() {
        let expected = by_differences(&heated, &start, end, &[], variable)[3];
        let forward = found.derivatives[0][(3, column)];
        let backward = if column < 5 { gradient.parameters[column] } else { gradient.v[0] };
        for found in [forward, backward] {
            assert!((found - expected).abs() < 1e-7 * (1.0 + expected.abs()), "{variable:?}: {found} {expected}");
        }
    }
    assert!(gradient.v[1] == 0.0, "{gradient:?}");
}

/// A body in a plane with one mode that two places switch to one value.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    mode hit = when x > 1 { 1 } then dot(x) = dot(x)/2 when y > a { 1 } then dot(x) = dot(x)/2;
}]
#[derive(Clone, Debug)]
struct TwoPlaces {
    m: f64,
    a: f64,
}

/// Two independent conditions may assign one value. A motion that meets both at one time has no derivative.
#[test]
fn two_conditions_of_one_value_that_meet_have_no_derivative() {
    let start = State::new(0.0, [0.0; 3], [1.0, 1.0, 0.0]);
    let run = |a: f64| {
        let body = TwoPlaces { m: 1.0, a };
        let exact = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
        let solution =
            solve(&body.prepare::<f64>().expect("valid"), start, 1.5, &Dop853::new(), &exact).expect("smooth");
        let last = solution.len() - 1;
        let backward = adjoint_gradient(&body, &solution, &Dop853::new(), &[], |k, _| {
            (SVector::from([f64::from(u8::from(k == last)), 0.0, 0.0]), SVector::zeros())
        });
        let forward = sensitivities(&body, &start, &[1.5], &Dop853::new(), &within(1e-12), &[Variable::Coordinate(1)]);
        (forward.map(|found| found.derivatives[0][(0, 0)]), backward.map(|found| found.q[1]))
    };
    let (forward, backward) = run(1.0);
    for error in
        [forward.map(|_| ()), backward.map(|_| ())].map(|result| result.expect_err("no derivative").to_string())
    {
        assert!(error.contains("one at a time"), "{error}");
    }
    // x = T − (T − t)/2 from the time t = a − y₀ on: ∂x/∂y₀ = −1/2.
    let (forward, backward) = run(0.9);
    assert!((forward.expect("regular") + 0.5).abs() < 1e-12 && (backward.expect("regular") + 0.5).abs() < 1e-12);
}

/// The options may end the motion at what a change brings about, and times behind it are not reached. A stone on a rope that is taut at the start has
/// derivatives, also with tolerances that leave the forces between the ends of steps inexact.
#[test]
fn a_rope_may_be_taut_at_the_start_and_may_end_the_motion() {
    let stone = Stone { m: 1.3, g: 9.0, l: 2.0, strength: 18.0 };
    let start = State::new(0.0, [1.0, 0.2, 0.0, 0.0], [0.1, 0.0, 0.0, 1.0]);
    let ends_at = [Cause::Impact("rope")];
    let options = Options { ends_at: &ends_at, ..within(1e-9).into() };
    let error = sensitivities(&stone, &start, &[1.0], &Dop853::new(), &options, &[Variable::Parameter(1)]);
    assert!(error.expect_err("it ends").to_string().contains("ends it after 0 of them"));
    for k in 0..20 {
        let angle = 0.1 + 0.02 * f64::from(k);
        let (sine, cosine) = angle.sin_cos();
        let (q, v) = ([2.0 * sine, -2.0 * cosine, 0.0, 0.0], [1.5 * cosine, 1.5 * sine, 1.0, 1.0]);
        let taut = Stone { strength: 1e3, ..stone.clone() };
        let found = sensitivities(
            &taut,
            &State::new(0.0, q, v),
            &[0.5],
            &Dop853::new(),
            &within(1e-9),
            &[Variable::Parameter(1)],
        );
        assert!(found.is_ok(), "{angle}: {found:?}");
    }
    let loose = sensitivities(&stone, &start, &[1.2], &Dop853::new(), &within(1e-3), &[Variable::Parameter(3)]);
    let tight = sensitivities(&stone, &start, &[1.2], &Dop853::new(), &within(1e-12), &[Variable::Parameter(3)]);
    let (loose, tight) = (loose.expect("it breaks"), tight.expect("it breaks"));
    assert!((&loose.derivatives[0] - &tight.derivatives[0]).amax() < 0.05, "{loose:?} {tight:?}");
}
