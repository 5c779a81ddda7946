//! Switches of the equations. The accelerations jump there, and the derivatives with them.

use super::differences::{all_variables, by_differences, close, within};
use lagrange_runtime::analysis::{
    AnalysisError, Estimation, LyapunovSpectrum, Sample, Shooting, sensitivities, transition_matrix,
};
use lagrange_runtime::method::DERIVATIVES;
use lagrange_runtime::nalgebra::DMatrix;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use lagrange_tests::random::Random;

type Two = Dual<f64, DERIVATIVES>;

/// A body that a force of constant magnitude drives back to the middle.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    force x = -f*sign(x);
}]
#[derive(Clone, Debug)]
struct Relay {
    f: f64,
}

/// From rest at A the period is 4 √(2A/f), and its derivative by A is 2 √2/√(A f): a period later, v = f δT.
#[test]
fn the_monodromy_of_a_relay_contains_its_switches() {
    let relay = Relay { f: 1.0 };
    let (start, end) = (State::new(0.0, [1.0], [0.0]), 4.0 * 2.0_f64.sqrt());
    let newton = Gauss::<_, 2>::new(0.013).with_iteration(Iteration::Newton);
    let options = within(1e-12);
    let found = [
        ("DOP853", transition_matrix(&relay, &start, end, &Dop853::new(), &options)),
        ("RK4", transition_matrix(&relay, &start, end, &Rk4::new(0.013), &options)),
        ("Gauss", transition_matrix(&relay, &start, end, &newton, &options)),
    ];
    let exact = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 8.0_f64.sqrt(), 1.0]);
    for (name, found) in found {
        let error = (found.expect("no failure").1 - &exact).abs().max();
        assert!(error < 1e-10, "{name}: {error:e}");
    }
}

/// A damped oscillator that an impulse drives at each turn, like a clock.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = x^2/2;
    dissipation = z*dot(x)^2;
    force x = c*sign(dot(x));
}]
#[derive(Clone, Debug)]
struct Clock {
    z: f64,
    c: f64,
}

/// The period is 2π/√(1 − z²). Between two turns the motion is that about ±c, so that an amplitude A becomes c + e (A + c) with
/// e = exp(−z π/√(1 − z²)): a change of it falls by e² in a period. The other multiplier is 1.
#[test]
fn a_clock_has_one_multiplier_of_1_from_any_start() {
    let clock = Clock { z: 0.2, c: 1.0 };
    let root = (1.0 - clock.z * clock.z).sqrt();
    let period = 2.0 * std::f64::consts::PI / root;
    let decay = (-clock.z * period).exp();
    // The second start is on the switch, where the motion turns.
    for (start, on_switch) in [([0.5, 2.0], false), ([3.0, 0.0], true), ([-3.5, 0.0], true), ([0.0, -3.0], false)] {
        let search = Shooting::new(State::new(0.0, [start[0]], [start[1]]), 6.4);
        let search = if on_switch { search.with_fixed_velocity(0) } else { search.with_fixed_coordinate(0) };
        let orbit = search.find(&clock, &Dop853::new(), &within(1e-12)).expect("near");
        assert!((orbit.period - period).abs() < 1e-9, "{orbit:?}");
        let [first, second] = orbit.multipliers[..] else { panic!("two multipliers") };
        assert!((first.re - 1.0).abs() < 1e-8 && (second.re - decay).abs() < 1e-8, "{orbit:?}");
        assert!((orbit.monodromy.determinant() - decay).abs() < 1e-8, "{orbit:?}");
    }
}

/// ln of the multipliers over the period: 0 and −z.
#[test]
fn the_exponents_of_a_clock_are_those_of_its_multipliers() {
    let clock = Clock { z: 0.2, c: 1.0 };
    let period = 2.0 * std::f64::consts::PI / (1.0 - clock.z * clock.z).sqrt();
    let spectrum = LyapunovSpectrum::new(period, 10).with_transient(25);
    let start = State::new(0.0, [0.0], [3.18]);
    let found = spectrum.of(&clock, &start, &Dop853::new(), &within(1e-11)).expect("no failure");
    assert!(found[0].abs() < 1e-7 && (found[1] + clock.z).abs() < 1e-7, "{found:?}");
}

/// Two bodies and a force that jumps on a moving surface in space, velocity and time.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + m*dot(y)^2)/2;
    potential = (x^2 + k*(x - y)^2)/2;
    force x = if n*x + p*dot(y) + r*sin(t) > s { low } else { high };
    force y = -c*dot(y);
}]
#[derive(Clone, Debug)]
struct Zones {
    m: f64,
    k: f64,
    n: f64,
    p: f64,
    r: f64,
    s: f64,
    low: f64,
    high: f64,
    c: f64,
}

/// A body that is pushed back behind an edge.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = if x > edge { -k*(x - edge) - push } else { pull };
}]
#[derive(Clone, Debug)]
struct Edge {
    m: f64,
    k: f64,
    edge: f64,
    push: f64,
    pull: f64,
}

fn slowed<R: Real>(state: &State<R, 1>) -> State<R, 1> {
    State { v: state.v * R::from_f64(0.6), ..*state }
}

/// An event on the switching function takes a part of the velocity, and the motion goes on over the edge: the equations after the event are
/// those behind it.
#[test]
fn derivatives_at_an_event_on_a_switch_are_those_of_neighbours() {
    let edge = Edge { m: 1.2, k: 2.0, edge: 0.3, push: 0.7, pull: 0.4 };
    let (variables, start) = (all_variables(&edge), State::new(0.0, [-0.5], [0.8]));
    let of_duals = [Event::of(EventFunction::Switch(0)).mapping(&slowed::<Dual<f64, 7>>)];
    let plain = [Event::of(EventFunction::Switch(0)).mapping(&slowed::<f64>)];
    let method = Dop853::new().with_width::<7>();
    for end in [1.5, 3.0] {
        let options = Options { events: &of_duals, ..within(1e-12).into() };
        let found = sensitivities(&edge, &start, &[end], &method, &options, &variables).expect("no failure");
        for (column, &variable) in variables.iter().enumerate() {
            let expected = by_differences(&edge, &start, end, &plain, variable);
            let found: Vec<f64> = found.derivatives[0].column(column).iter().copied().collect();
            close(&found, &expected, 3e-7, &format!("{end}, {variable:?}"));
        }
    }
}

/// The derivatives by everything are those of neighbours, forward and backward in time.
#[test]
fn derivatives_across_switches_are_those_of_neighbours() {
    let (mut crossed, mut refused) = (0, 0);
    for seed in 0..16 {
        let mut random = Random::new(seed);
        let mut size = |low: f64, high: f64| random.between(low, high);
        let zones = Zones {
            m: size(0.5, 2.0),
            k: size(0.5, 2.0),
            n: size(0.5, 1.0),
            p: size(-0.3, 0.3),
            r: size(-0.5, 0.5),
            s: size(-0.3, 0.3),
            low: size(-1.0, 0.0),
            high: size(0.0, 1.0),
            c: size(0.0, 0.2),
        };
        let start = State::new(0.3, [size(-1.0, 1.0), size(-1.0, 1.0)], [size(-1.0, 1.0), size(-1.0, 1.0)]);
        let end = if seed % 4 == 3 { -2.0 } else { size(2.0, 5.0) };
        let variables = all_variables(&zones);
        let found = sensitivities(&zones, &start, &[end], &Dop853::new(), &within(1e-12), &variables);
        let found = match found {
            Ok(found) => found,
            // The motion slides on the surface.
            Err(AnalysisError::State(_)) => {
                refused += 1;
                continue;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let options = Options { rtol: 1e-9.into(), atol: 1e-9.into(), ..Options::default() };
        let system = zones.prepare::<f64>().expect("valid");
        crossed += solve(&system, start, end, &Dop853::new(), &options).expect("no failure").instants.len();
        for (column, &variable) in variables.iter().enumerate() {
            let expected = by_differences(&zones, &start, end, &[], variable);
            let found: Vec<f64> = found.derivatives[0].column(column).iter().copied().collect();
            close(&found, &expected, 3e-7, &format!("seed {seed}, {variable:?}"));
        }
    }
    assert!(crossed >= 20 && refused <= 5, "{crossed} switches, {refused} refused");
}

/// The force switches at a place that the samples determine.
#[test]
fn the_place_of_a_switch_is_estimated() {
    let truth = Zones { m: 1.0, k: 0.7, n: 1.0, p: 0.0, r: 0.0, s: 0.2, low: -0.8, high: 0.5, c: 0.1 };
    let start = State::new(0.0, [1.0, 0.0], [0.0, 0.3]);
    let times: Vec<f64> = (1..30).map(|k| 0.2 * f64::from(k)).collect();
    let options = Options { t_eval: Some(&times), rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let recorded =
        solve(&truth.prepare::<f64>().expect("valid"), start, 5.8, &Dop853::new(), &options).expect("smooth");
    let sample = |state: State<f64, 2>| Sample { t: state.t, measured: 0, value: state.q[0], deviation: 1e-3 };
    let samples: Vec<Sample> = recorded.states().map(sample).collect();
    let guess = Zones { s: 0.1, ..truth.clone() };
    let found = Estimation::new(&["s", "high"], &samples)
        .run(&guess, &start, &Dop853::new(), &within(1e-11))
        .expect("determined");
    assert!((found.mechanism.s - truth.s).abs() < 1e-7 && (found.mechanism.high - truth.high).abs() < 1e-7);
    assert!(found.iterations < 12, "{} iterations", found.iterations);
}

/// Steps that do not end at the switches do not know where the derivatives jump.
#[test]
fn switches_that_are_not_located_are_refused() {
    let start = State::new(0.0, [1.0], [0.0]);
    let options = Options { locate_switches: false, ..within(1e-9).into() };
    let error = transition_matrix(&Relay { f: 1.0 }, &start, 3.0, &Dop853::new(), &options).expect_err("switches");
    assert!(error.to_string().contains("needs `locate_switches`"), "{error}");
}

/// An oscillator.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = k*x^2/2;
}]
#[derive(Clone, Debug)]
struct Swing {
    k: f64,
}

/// The motion turns at x = 1. Whether it meets an event there is below its tolerance.
#[test]
fn a_touch_within_the_tolerances_has_no_derivative() {
    let (swing, start) = (Swing { k: 1.0 }, State::new(0.0, [-1.0], [0.0]));
    let run = |edge: f64, tolerance: f64| {
        let function = |_: Two, q: &SVector<Two, 1>, _: &SVector<Two, 1>| q[0] - Two::constant(edge);
        let slowed = |state: &State<Two, 1>| State { v: state.v * Two::constant(0.5), ..*state };
        let events = [Event::new(&function).going(Direction::Rising).mapping(&slowed)];
        transition_matrix(&swing, &start, 4.0, &Dop853::new(), &Options { events: &events, ..within(tolerance).into() })
    };
    assert!(run(0.9, 1e-9).is_ok() && run(1.1, 1e-9).is_ok() && run(1.0 - 1e-6, 1e-9).is_ok());
    let error = run(1.0 - 1e-8, 1e-8).expect_err("a touch");
    assert!(error.to_string().contains("touches the zero of"), "{error}");
}
