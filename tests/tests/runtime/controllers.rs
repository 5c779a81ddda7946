//! Inputs: defaults, closures of time and state, samples held between steps that land on them.

use crate::common::{Counted, Hand, Oscillator, distance, oscillator, run};
use lagrange_runtime::prelude::*;

fn controlled<M, K>(method: &M, controller: &mut K, t_end: f64) -> State<f64, 1>
where
    M: Method<f64, 1, 0>,
    K: Controller<f64, 1, 1>,
{
    let system = oscillator();
    let mut state = State::new(0.0, [1.0], [0.0]);
    integrate(&system, &mut state, t_end, method, &Options::default(), controller, &mut ()).unwrap();
    state
}

/// q̈ = −q + cos 2t from (1, 0): q = (4 cos t − cos 2t)/3.
fn forced(t: f64) -> State<f64, 1> {
    State::new(t, [(4.0 * t.cos() - (2.0 * t).cos()) / 3.0], [(2.0 * (2.0 * t).sin() - 4.0 * t.sin()) / 3.0])
}

#[test]
fn a_closure_of_time_is_evaluated_at_the_stages_times() {
    let drive = || |t: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>| SVector::from([(2.0 * t).cos()]);
    let exact = forced(3.0);
    assert!(distance(&controlled(&Rk4::new(1e-2), &mut drive(), 3.0), &exact) < 1e-8);
    assert!(distance(&controlled(&Verlet::new(1e-3), &mut drive(), 3.0), &exact) < 2e-6);
    assert!(distance(&controlled(&ImplicitMidpoint::new(1e-3), &mut drive(), 3.0), &exact) < 2e-6);
    assert!(distance(&controlled(&Rkf45::new(), &mut drive(), 3.0), &exact) < 2e-5);
}

#[test]
fn a_closure_of_the_state_feeds_back() {
    let damping = |_: f64, _: &SVector<f64, 1>, v: &SVector<f64, 1>| -v * 0.3;
    let damped = Hand(Oscillator { damping: 0.3 });
    for_each_method(
        |name, fed_back, built_in| {
            assert!(distance(&fed_back, &built_in) < 1e-12, "{name}");
        },
        damping,
        &damped,
    );
}

fn for_each_method<K>(check: impl Fn(&str, State<f64, 1>, State<f64, 1>), controller: K, same: &Hand<Oscillator>)
where
    K: Controller<f64, 1, 1> + Clone,
{
    let start = State::new(0.0, [1.0], [0.0]);
    let (rk4, verlet, midpoint) = (Rk4::new(0.02), Verlet::new(0.02), ImplicitMidpoint::new(0.02));
    check("RK4", controlled(&rk4, &mut controller.clone(), 3.0), run(same, start, 3.0, &rk4));
    check("Verlet", controlled(&verlet, &mut controller.clone(), 3.0), run(same, start, 3.0, &verlet));
    check("midpoint", controlled(&midpoint, &mut controller.clone(), 3.0), run(same, start, 3.0, &midpoint));
}

/// The oscillator under u = −v held over each period: the exact solution, sample by sample.
fn held_exactly(period: f64, samples: u32) -> State<f64, 1> {
    let (mut q, mut v) = (1.0, 0.0);
    for _ in 0..samples {
        let u = -v;
        let (s, c) = period.sin_cos();
        (q, v) = (u + (q - u) * c + v * s, v * c - (q - u) * s);
    }
    State::new(period * f64::from(samples), [q], [v])
}

fn sampled(period: f64) -> impl Controller<f64, 1, 1> {
    Sampled::new(period, |_: f64, _: &SVector<f64, 1>, v: &SVector<f64, 1>| -v)
}

#[test]
fn samples_are_held_and_steps_land_on_them() {
    // The period is no multiple of the step: every interval ends with a shortened step.
    let exact = held_exactly(0.3, 10);
    assert!(distance(&controlled(&Rk4::new(0.007), &mut sampled(0.3), 3.0), &exact) < 1e-9);
    assert!(distance(&controlled(&Rkf45::new(), &mut sampled(0.3), 3.0), &exact) < 1e-4);
    assert!(distance(&controlled(&ImplicitMidpoint::new(0.0007), &mut sampled(0.3), 3.0), &exact) < 1e-6);
    assert!(distance(&controlled(&Verlet::new(0.0007), &mut sampled(0.3), 3.0), &exact) < 1e-6);

    let system = oscillator();
    let start = State::new(0.0, [1.0], [0.0]);
    let solution = solve_with(&system, start, 3.0, &Rk4::new(0.007), &Options::default(), &mut sampled(0.3)).unwrap();
    for sample in 1..10 {
        assert!(solution.t.contains(&(f64::from(sample) * 0.3)), "sample {sample}");
    }
}

#[test]
fn each_sample_is_computed_once_from_the_state_at_its_time() {
    let mut times = Vec::new();
    let law = |t: f64, _: &SVector<f64, 1>, v: &SVector<f64, 1>| {
        times.push(t);
        -v
    };
    controlled(&Rk4::new(0.07), &mut Sampled::new(0.25, law), 1.1);
    assert_eq!(times, [0.0, 0.25, 0.5, 0.75, 1.0]);
}

#[test]
fn backward_a_sample_is_held_from_the_later_end() {
    let mut times = Vec::new();
    let law = |t: f64, _: &SVector<f64, 1>, v: &SVector<f64, 1>| {
        times.push(t);
        -v
    };
    let mut controller = Sampled::new(0.25, law).with_origin(0.0);
    let mut state = State::new(0.9, [1.0], [0.0]);
    let options = Options::default();
    integrate(&oscillator(), &mut state, 0.1, &Rk4::new(0.07), &options, &mut controller, &mut ()).unwrap();
    assert_eq!(times, [0.9, 0.75, 0.5, 0.25]);
}

#[test]
fn a_sampled_clock_goes_on_through_later_integrations() {
    let system = oscillator();
    let options = Options::default();
    let mut controller = sampled(0.3);
    let mut state = State::new(0.0, [1.0], [0.0]);
    for end in [0.2, 0.3, 0.75, 1.9, 3.0] {
        integrate(&system, &mut state, end, &Rk4::new(0.001), &options, &mut controller, &mut ()).unwrap();
    }
    assert!(distance(&state, &held_exactly(0.3, 10)) < 1e-11);
}

#[test]
fn stored_accelerations_do_not_outlive_a_sample() {
    // u jumps from 0 to 5 at t = 1; a stale acceleration would cost an error of first order.
    let law = |t: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>| SVector::from([if t < 1.0 { 0.0 } else { 5.0 }]);
    let before = State::new(1.0, [1.0_f64.cos()], [-1.0_f64.sin()]);
    let (q, v) = (before.q[0] - 5.0, before.v[0]);
    let (s, c) = 1.0_f64.sin_cos();
    let exact = State::new(2.0, [5.0 + q * c + v * s], [v * c - q * s]);
    let reached = controlled(&Rk4::new(0.01), &mut Sampled::new(1.0, law), 2.0);
    assert!(distance(&reached, &exact) < 1e-8, "{:e}", distance(&reached, &exact));
    let reached = controlled(&Rkf45::new(), &mut Sampled::new(1.0, law), 2.0);
    assert!(distance(&reached, &exact) < 1e-4, "{:e}", distance(&reached, &exact));
    // These take over the last stage's acceleration, but not across the jump.
    let reached = controlled(&Tsitouras5::new(), &mut Sampled::new(1.0, law), 2.0);
    assert!(distance(&reached, &exact) < 1e-4, "{:e}", distance(&reached, &exact));
    let reached = controlled(&Verner6::new(), &mut Sampled::new(1.0, law), 2.0);
    assert!(distance(&reached, &exact) < 1e-4, "{:e}", distance(&reached, &exact));
}

#[test]
fn an_interpolant_before_a_sample_knows_nothing_of_it() {
    let law = |t: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>| SVector::from([if t < 1.0 { 0.0 } else { 5.0 }]);
    let options = Options { dense_output: true, ..Options::default() };
    let start = State::new(0.0, [1.0], [0.0]);
    let system = Counted::new(oscillator());
    let solution = solve_with(&system, start, 2.0, &Rk4::new(0.1), &options, &mut Sampled::new(1.0, law)).unwrap();
    let before = solution.sample(0.97).unwrap();
    assert!((before.v[0] + 0.97_f64.sin()).abs() < 1e-5, "{before:?}");
    // Four evaluations a step, one more at each of the two ends where the acceleration is wanted for interpolation.
    assert_eq!(solution.statistics.evaluations, 4 * 20 + 2);
    assert_eq!(solution.statistics.evaluations, system.evaluations());
}

#[test]
fn the_controllers_own_settings_are_checked() {
    let system = oscillator();
    let attempt = |controller: &mut dyn Controller<f64, 1, 1>| {
        let mut state = State::new(0.0, [1.0], [0.0]);
        let options = Options::default();
        integrate(&system, &mut state, 1.0, &Rk4::new(0.1), &options, controller, &mut ()).unwrap_err().failure
    };
    for period in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let failure = attempt(&mut sampled(period));
        assert!(matches!(failure, Failure::BadOption { option: "period", .. }), "{failure}");
    }
    struct Stuck;
    impl Controller<f64, 1, 1> for Stuck {
        fn input(&mut self, _: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>) -> SVector<f64, 1> {
            SVector::from([0.0])
        }
        fn next_discontinuity(&self, from: f64, _: f64) -> Option<f64> {
            Some(from)
        }
    }
    assert!(matches!(attempt(&mut Stuck), Failure::BadOption { option: "next_discontinuity", .. }));
}

/// A mass on a spring, under a force.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    force x = push;
    output pull = push - k*x;
}]
struct Pushed {
    m: f64,
    k: f64,
    #[input]
    push: f64,
}

/// A solution holds the inputs of each state: those with which the motion goes on.
#[test]
fn a_solution_holds_the_inputs_of_its_states() {
    let pushed = Pushed { m: 1.0, k: 1.0, push: 0.5 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [1.0], [0.0]);
    let of_all_steps = Options::default();
    let plain = solve(&pushed, start, 1.0, &Rk4::new(0.1), &of_all_steps).expect("no failure");
    assert!(plain.u.len() == plain.len() && plain.u.iter().all(|u| u[0] == 0.5));

    let mut drive = |t: f64, q: &SVector<f64, 1>, v: &SVector<f64, 1>| SVector::from([(2.0 * t).cos() - q[0] + v[0]]);
    let times = [0.0, 0.15, 1.0];
    for options in [of_all_steps, Options { t_eval: Some(&times), ..of_all_steps }] {
        let solution = solve_with(&pushed, start, 1.0, &Rk4::new(0.1), &options, &mut drive).expect("no failure");
        for (state, u) in solution.states().zip(&solution.u) {
            assert_eq!(*u, drive(state.t, &state.q, &state.v));
        }
        let table = solution.table(&pushed);
        assert_eq!(table.names, ["t", "x", "x_dot", "kinetic", "potential", "energy", "pull", "push"]);
        let column = |name: &str| table.column(name).expect("it is there").to_vec();
        assert_eq!(column("push"), solution.u.iter().map(|u| u[0]).collect::<Vec<_>>());
        let pull = column("push").iter().zip(column("x")).map(|(push, x)| push - x).collect::<Vec<_>>();
        assert_eq!(column("pull"), pull);
    }

    // A sample changes the inputs after the step that ends there. The end of the motion comes before its sample.
    let times: Vec<f64> = (0..=12).map(|k| 0.25 * f64::from(k)).collect();
    for t_eval in [None, Some(&times[..])] {
        let options = Options { t_eval, ..of_all_steps };
        let solutions = [
            solve_with(&pushed, start, 3.0, &Rk4::new(0.07), &options, &mut sampled(0.5)),
            solve_with(&pushed, start, 3.0, &Dop853::new(), &options, &mut sampled(0.5)),
            solve_with(&pushed, start, 3.0, &ImplicitMidpoint::new(0.07), &options, &mut sampled(0.5)),
        ];
        for solution in solutions.map(|solved| solved.expect("no failure")) {
            assert_eq!(solution.u.len(), solution.len());
            let mut held = SVector::from([f64::NAN]);
            for (state, u) in solution.states().zip(&solution.u) {
                if (state.t / 0.5).fract() == 0.0 && state.t < 3.0 {
                    held = -state.v;
                }
                assert_eq!(*u, held, "at {}", state.t);
            }
        }
    }

    // Backward, a sample is held from the later end.
    for (from, to) in [(0.0, 2.0), (2.0, 0.0)] {
        let (start, mut controller) = (State::new(from, [1.0], [0.0]), sampled(0.5));
        let solution =
            solve_with(&pushed, start, to, &Rk4::new(0.07), &of_all_steps, &mut controller).expect("no failure");
        for (k, pair) in solution.t.windows(2).enumerate() {
            let middle = 0.5 * (pair[0] + pair[1]);
            assert_eq!(solution.held_inputs(middle), Some(solution.u[k]), "at {middle}");
        }
        let ends = [from - (to - from), to + (to - from)].map(|beyond| solution.held_inputs(beyond));
        assert_eq!(ends, [solution.u.first().copied(), solution.u.last().copied()]);
    }

    // A map and a sample at one time: the state before the map has the inputs before the sample.
    let at_one = |t: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>| t - 1.0;
    let halved = |state: &State<f64, 1>| State { v: state.v * 0.5, ..*state };
    let events = [Event::new(&at_one).mapping(&halved)];
    let options = Options { events: &events, ..of_all_steps };
    let solution = solve_with(&pushed, start, 2.0, &Rk4::new(0.1), &options, &mut sampled(1.0)).expect("no failure");
    let both: Vec<usize> = (0..solution.len()).filter(|&k| (solution.t[k] - 1.0).abs() < 1e-9).collect();
    let (before, after) = (both[0], both[both.len() - 1]);
    assert!(before < after && solution.v[after] == solution.v[before] * 0.5, "{both:?}");
    assert_eq!((solution.u[before][0], solution.u[after]), (0.0, -solution.v[after]));
}

/// What a failed integration leaves has its inputs, and a system by hand names none.
#[test]
fn a_partial_solution_holds_its_inputs() {
    let start = State::new(0.0, [1.0], [0.0]);
    let mut burst =
        |t: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>| SVector::from([if t < 1.0 { t } else { f64::NAN }]);
    let failed = solve_with(&oscillator(), start, 2.0, &Rk4::new(0.1), &Options::default(), &mut burst);
    let solution = failed.expect_err("no number").solution;
    assert!(solution.len() > 5 && solution.u.len() == solution.len());
    assert!(solution.states().zip(&solution.u).all(|(state, u)| u[0] == state.t));
    assert!(solution.table(&oscillator()).names.ends_with(&["input[0]".to_string()]));
}
