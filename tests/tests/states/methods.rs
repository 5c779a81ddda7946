//! Methods that integrate states. Each state is the velocity of a hidden coordinate, which must not influence the motion.

use lagrange_runtime::prelude::*;

/// A pendulum in warm air that drives it, with what friction heats.
#[lagrangian {
    coordinates theta;
    kinetic = m*l^2*dot(theta)^2/2;
    potential = -m*g*l*cos(theta) - k*theta*warmth;
    dissipation = c*dot(theta)^2/2;
    state warmth: dot(warmth) == c*dot(theta)^2 - rate*warmth;
    output rate_of_warmth = dot(warmth);
}]
#[derive(Clone, Debug)]
struct Heated {
    m: f64,
    l: f64,
    g: f64,
    k: f64,
    c: f64,
    rate: f64,
}

const HEATED: Heated = Heated { m: 1.2, l: 0.7, g: 9.8, k: 0.3, c: 0.2, rate: 0.5 };

/// The motion from a start whose hidden coordinate is `hidden`.
fn motion<M: Method<f64, 2, 0>>(method: &M, hidden: f64, rtol: f64) -> Solution<f64, 2> {
    let system = HEATED.prepare::<f64>().expect("the parameters are positive");
    let options = Options { dense_output: true, rtol: rtol.into(), atol: rtol.into(), ..Options::default() };
    solve(&system, State::new(0.0, [1.0, hidden], [0.3, 2.0]), 1.0, method, &options).expect("the motion is smooth")
}

fn without_hidden(state: State<f64, 2>) -> [f64; 4] {
    [state.t, state.q[0], state.v[0], state.v[1]]
}

/// Checks that a motion has the same steps and the same samples, to the last bit, if its hidden coordinate starts at 0 and if it starts
/// at 10⁹, and that its end and its samples differ by at most `error` and twice that from those of a much more accurate motion.
fn check<M: Method<f64, 2, 0>>(method: &M, error: f64) {
    let (zero, large) = (motion(method, 0.0, 1e-6), motion(method, 1e9, 1e-6));
    assert_eq!(zero.len(), large.len());
    for (a, b) in zero.states().zip(large.states()) {
        assert_eq!(without_hidden(a), without_hidden(b));
    }
    let exact = motion(&Dop853::new(), 0.0, 1e-12);
    let missed = zero.last().expect("it has states").v - exact.last().expect("it has states").v;
    assert!(missed.amax() < error, "{missed}");
    for t in [0.123, 0.501_234, 0.9] {
        let at = |solution: &Solution<f64, 2>| without_hidden(solution.sample(t).expect("it is in the span"));
        assert_eq!(at(&zero), at(&large));
        let missed = (at(&zero)[3] - at(&exact)[3]).abs();
        assert!(missed < 2.0 * error, "{missed:e}");
    }
}

#[test]
fn the_hidden_coordinate_has_no_influence() {
    check(&Rk4::new(0.01), 1e-6);
    check(&Rkf45::new(), 2e-5);
    check(&BogackiShampine3::new(), 1e-5);
    check(&DormandPrince5::new(), 1e-5);
    check(&Tsitouras5::new(), 1e-5);
    check(&Verner6::new(), 1e-5);
    check(&Verner9::new(), 1e-5);
    check(&Dop853::new(), 1e-5);
    check(&Extrapolation::new(), 1e-5);
    check(&Radau5::new(), 1e-5);
    check(&Rodas5P::new(), 1e-5);
    check(&Esdirk4::new(), 1e-5);
    check(&ImplicitMidpoint::new(0.01), 1e-3);
    check(&EnergyPreserving::<f64, 3>::new(0.005), 1e-3);
    check(&GeneralizedAlpha::new(0.005, 0.8), 1e-3);
    check(&MoreauJean::new(0.005), 1e-3);
    check(&Gauss::<f64, 2>::new(0.01), 1e-6);
    check(&Gauss::<f64, 3>::new(0.01), 1e-6);
    check(&VariationalMidpoint::new(0.01), 1e-3);
    check(&VariationalTrapezoid::new(0.01), 1e-3);
    check(&Rattle::new(0.01), 1e-3);
}

#[test]
fn methods_keep_their_orders() {
    let exact = motion(&Dop853::new(), 0.0, 1e-13).last().expect("it has states").v;
    let error = |solution: Solution<f64, 2>| (solution.last().expect("it has states").v - exact).amax();
    let order = |coarse: f64, fine: f64| (coarse / fine).log2();
    let of = |h: f64| {
        [
            error(motion(&Rk4::new(h), 0.0, 1e-6)),
            error(motion(&Gauss::<f64, 2>::new(h), 0.0, 1e-6)),
            error(motion(&VariationalTrapezoid::new(h), 0.0, 1e-6)),
            error(motion(&VariationalMidpoint::new(h), 0.0, 1e-6)),
            error(motion(&Rattle::new(h), 0.0, 1e-6)),
        ]
    };
    let (coarse, fine) = (of(0.02), of(0.01));
    for (k, expected) in [4.0, 4.0, 2.0, 2.0, 2.0].into_iter().enumerate() {
        let found = order(coarse[k], fine[k]);
        assert!((found - expected).abs() < 0.1, "method {k}: {found}");
    }
}

#[test]
fn energies_leave_the_hidden_coordinate_out_and_the_balance_knows_the_state() {
    let system = HEATED.prepare::<f64>().expect("the parameters are positive");
    let state = State::new(0.0, [1.0, 0.0], [0.3, 2.0]);
    let energies = system.energies_of(&state);
    let kinetic = 1.2 * 0.49 * 0.09 / 2.0;
    let potential = -1.2 * 9.8 * 0.7 * 1.0_f64.cos() - 0.3 * 2.0;
    assert!((energies.kinetic.expect("T is stated") - kinetic).abs() < 1e-15);
    assert!((energies.potential.expect("V is stated") - potential).abs() < 1e-14);
    assert!((energies.energy - kinetic - potential).abs() < 1e-14);
    let rate = 0.2 * 0.09 - 0.5 * 2.0;
    assert!((system.outputs_of(&state)[0].1 - rate).abs() < 1e-15);
    let powers = system.powers_of(&state);
    assert_eq!(powers.iter().map(|power| power.0).collect::<Vec<_>>(), ["dissipation", "time", "warmth"]);
    // ∂V/∂warmth times the rate of the state.
    assert!((powers[2].1 + 0.3 * rate).abs() < 1e-15);
}

#[test]
fn facts_say_what_a_state_takes() {
    let facts = Heated::FACTS;
    assert!(facts.positive_mass && facts.constant_mass && facts.autonomous && facts.unconstrained);
    assert!(!facts.conservative && !facts.separable && !facts.velocity_free_acceleration);
    assert_eq!(Heated::STATES, 1);
    assert_eq!((Heated::INDEX.theta, Heated::INDEX.warmth), (0, 1));
}

#[test]
fn a_checkpoint_continues_a_motion_with_states() {
    let system = HEATED.prepare::<f64>().expect("the parameters are positive");
    let (start, method, options) = (State::new(0.0, [1.0, 0.0], [0.3, 2.0]), Dop853::new(), Options::default());
    let whole = solve(&system, start, 2.0, &method, &options).expect("the motion is smooth");
    let mut inputs = DefaultInputs::of(&system);
    let mut stepper = Stepper::new(&system, start, 2.0, &method, &options, &mut inputs).expect("the start is a state");
    for _ in 0..5 {
        stepper.step().expect("the motion is smooth");
    }
    let written = serde_json::to_string(&stepper.checkpoint()).expect("a checkpoint is written");
    let read: Checkpoint<f64, 2, 0, _> = serde_json::from_str(&written).expect("a checkpoint is read");
    let mut inputs = DefaultInputs::of(&system);
    let mut resumed = Stepper::resume(&system, &read, &method, &options, &mut inputs).expect("it is the same system");
    while !resumed.is_finished() {
        resumed.step().expect("the motion is smooth");
    }
    assert_eq!(resumed.state().ok(), whole.last());
}

#[test]
fn a_table_names_the_state_once() {
    let system = HEATED.prepare::<f64>().expect("the parameters are positive");
    let table = motion(&Rk4::new(0.1), 7.0, 1e-6).table(&system);
    assert_eq!(table.names, ["t", "theta", "theta_dot", "warmth", "kinetic", "potential", "energy", "rate_of_warmth"]);
    assert_eq!(table.column("warmth").map(|column| column[0]), Some(2.0));
    // Both spellings of a velocity name one column, and only a coordinate has a velocity.
    assert_eq!(table.column("dot(theta)"), table.column("theta_dot"));
    assert!(table.column("theta_dot").is_some() && table.column("dot(warmth)").is_none());
}

/// A filter and an integral that watch an oscillator: no acceleration and no rate depends on a velocity.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    state way: dot(way) == x;
}]
#[derive(Clone, Debug)]
struct Watched {
    m: f64,
    k: f64,
}

#[test]
fn a_nystrom_method_integrates_a_rate_without_velocities() {
    let system = Watched { m: 1.0, k: 4.0 }.prepare::<f64>().expect("the parameters are positive");
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let start = State::new(0.0, [1.0, 1e6], [0.0, 0.5]);
    let end =
        solve(&system, start, 3.0, &Nystrom8::new(&system), &options).expect("it is smooth").last().expect("an end");
    assert!((end.q[0] - 6.0_f64.cos()).abs() < 1e-9 && (end.v[1] - 0.5 - 6.0_f64.sin() / 2.0).abs() < 1e-9);
}

#[test]
fn lanes_of_an_ensemble_integrate_states_as_one_trajectory() {
    use lagrange_runtime::ensemble::{Ensemble, Member, Vectorization};
    let member = |index: u64| Member {
        mechanism: Heated { k: 0.1 * index as f64, ..HEATED },
        initial: State::new(0.0, [1.0, 1e9 * index as f64], [0.3, 2.0]),
    };
    let pair = DormandPrince5::new();
    for lanes in [Vectorization::Widest, Vectorization::Off] {
        let ensemble = Ensemble::new(&pair, 1.0).with_lanes(lanes).with_threads(1);
        let mut seen = 0;
        ensemble.run((0..9).map(member), None, |trajectory| {
            let Member { mechanism, initial } = member(trajectory.index);
            let system = mechanism.prepare::<f64>().expect("the parameters are positive");
            let initial = State { q: SVector::from([1.0, 0.0]), ..initial };
            let alone = solve(&system, initial, 1.0, &pair, &Options::default()).expect("it is smooth");
            let (end, last) = (trajectory.result.expect("it is smooth"), alone.last().expect("an end"));
            assert!((end.state.v - last.v).amax() < 1e-12, "{} {}", end.state.v, last.v);
            seen += 1;
            std::ops::ControlFlow::Continue(())
        });
        assert_eq!(seen, 9);
    }
}

/// A rod of sixty cells that conducts heat between walls of the temperature 0: large enough that M is not written out.
#[lagrangian {
    const n = 60;
    let left[0] = 0;
    let left[i in 1..n] = t_cell[i-1];
    let right[i in 0..n-1] = t_cell[i+1];
    let right[n-1] = 0;
    state t_cell[i in 0..n]: dot(t_cell[i]) == a*(left[i] - 2*t_cell[i] + right[i]);
}]
#[derive(Clone, Debug)]
struct Rod {
    a: f64,
}

#[test]
fn a_rod_of_sixty_cells_decays_in_its_modes() {
    let system = Rod { a: 5.0 }.prepare::<f64>().expect("any parameter");
    let mode = |k: f64| SVector::<f64, 60>::from_fn(|i, _| (k * std::f64::consts::PI * (i as f64 + 1.0) / 61.0).sin());
    let rate = |k: f64| 5.0 * (2.0 - 2.0 * (k * std::f64::consts::PI / 61.0).cos());
    let start = mode(1.0) + mode(4.0) * 0.5;
    let exact = mode(1.0) * (-2.0 * rate(1.0)).exp() + mode(4.0) * (0.5 * (-2.0 * rate(4.0)).exp());
    let state = State::new(0.0, SVector::zeros(), start);
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    for end in [
        solve(&system, state, 2.0, &Dop853::new(), &options).expect("it is linear").last().expect("an end"),
        solve(&system, state, 2.0, &Gauss::<f64, 3>::new(0.05), &options)
            .expect("it is linear")
            .last()
            .expect("an end"),
    ] {
        assert!((end.v - exact).amax() < 1e-8, "{:e}", (end.v - exact).amax());
    }
}

/// A tank that runs empty.
#[lagrangian {
    coordinates z;
    kinetic = dot(z)^2/2;
    state h: dot(h) == -k*sqrt(h);
}]
#[derive(Clone, Debug)]
struct Tank {
    k: f64,
}

#[test]
fn messages_give_the_value_of_a_state() {
    let system = Tank { k: 2.0 }.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-9.into(), atol: 1e-12.into(), ..Options::default() };
    let start = State::new(0.0, [0.0, 0.0], [0.5, 1.0]);
    let failed = solve(&system, start, 2.0, &Rkf45::new(), &options).expect_err("√h ends at h = 0");
    // √h falls as 1 − t to 0 at t = 1. The integral of h until then is 1/3.
    let (state, text) = (failed.error.state, failed.to_string());
    assert!(state.v[1].abs() < 1e-9 && (state.q[1] - 1.0 / 3.0).abs() < 1e-6, "{state:?}");
    assert!(text.contains("made state `h` infinite or NaN") && text.contains(", h = "), "{text}");
    assert!(!text.contains("h = 0.333") && text.contains("(velocity 0.5)"), "{text}");
    let failed = solve(&system, State { v: SVector::from([0.0, f64::NAN]), ..start }, 2.0, &Rkf45::new(), &options);
    let text = failed.expect_err("NaN").to_string();
    assert!(text.contains("the initial state is not finite: state `h` is NaN"), "{text}");
}
