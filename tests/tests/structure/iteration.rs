//! How a step's equations are solved does not matter for the result, and failures are values.

use crate::harness::run;
use crate::mechanisms::Quartic;
use crate::near_integrable::Double;
use lagrange_runtime::evaluator::Evaluator;
use lagrange_runtime::method::GaussMemory;
use lagrange_runtime::prelude::*;
use lagrange_tests::random::Random;
use std::ops::ControlFlow;

fn start() -> State<f64, 2> {
    State::new(0.0, [0.7, 1.1], [0.8, -0.3])
}

const ITERATIONS: [Iteration; 3] = [Iteration::Newton, Iteration::SimplifiedNewton, Iteration::FixedPoint];

fn assert_same<M: Method<f64, 2, 0>>(system: &dyn System<f64, 2, 0, 0>, methods: &[M]) {
    let ends: Vec<_> = methods.iter().map(|method| run(system, start(), 1.0, method)).collect();
    for (end, method) in ends.iter().zip(methods) {
        let difference = (end.q - ends[0].q).amax().max((end.v - ends[0].v).amax());
        assert!(difference < 1e-13, "{}: {difference:e}", method.name());
    }
}

#[test]
fn every_iteration_solves_the_same_equations() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let quartic = Quartic { a: 1.0 }.prepare::<f64>().expect("valid");
    assert_same(&double, &ITERATIONS.map(|iteration| ImplicitMidpoint::new(0.02).with_iteration(iteration)));
    assert_same(&double, &ITERATIONS.map(|iteration| Gauss::<f64, 2>::new(0.05).with_iteration(iteration)));
    assert_same(&quartic, &ITERATIONS.map(|iteration| Gauss::<f64, 3>::new(0.1).with_iteration(iteration)));
    assert_same(&double, &ITERATIONS.map(|iteration| VariationalMidpoint::new(0.02).with_iteration(iteration)));
    assert_same(&quartic, &ITERATIONS.map(|iteration| VariationalTrapezoid::new(0.02).with_iteration(iteration)));
}

#[test]
fn starting_guesses_do_not_matter() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    assert_same(&double, &[Gauss::<f64, 1>::new(0.03), Gauss::new(0.03).without_history()]);
    assert_same(&double, &[Gauss::<f64, 2>::new(0.03), Gauss::new(0.03).without_history()]);
    assert_same(&double, &[Gauss::<f64, 4>::new(0.03), Gauss::new(0.03).without_history()]);
    assert_same(&double, &[VariationalTrapezoid::new(0.03), VariationalTrapezoid::new(0.03).without_history()]);
}

/// How many iterations a step takes.
fn iterations<M: Method<f64, 2, 0>>(method: &M) -> f64 {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let system: &dyn System<f64, 2, 0, 0> = &double;
    let (options, mut inputs) = (Options::default(), DefaultInputs::of(system));
    let report =
        integrate(system, &mut start(), 2.0, method, &options, &mut inputs, &mut ()).expect("the integration succeeds");
    report.statistics.iterations as f64 / report.statistics.steps as f64
}

#[test]
fn the_past_saves_iterations() {
    let saved = |with: f64, without: f64, name: &str| {
        assert!(with < without - 0.2, "{name}: {with} iterations a step instead of {without}");
    };
    saved(
        iterations(&VariationalMidpoint::new(1e-3)),
        iterations(&VariationalMidpoint::new(1e-3).without_history()),
        "variational midpoint",
    );
    let fixed = |gauss: Gauss<f64, 3>| gauss.with_iteration(Iteration::FixedPoint);
    saved(
        iterations(&fixed(Gauss::new(0.02))),
        iterations(&fixed(Gauss::new(0.02).without_history())),
        "Gauss with 3 stages",
    );
    // At h = 1e-3, one Jacobian and one evaluation more are nearly always enough.
    assert!(iterations(&VariationalMidpoint::new(1e-3)) < 2.2);
}

#[test]
fn an_iteration_that_does_not_converge_is_a_failure_with_its_state() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let method = Gauss::<f64, 2>::new(3.0).with_iteration(Iteration::FixedPoint);
    let failed = solve(&double, start(), 30.0, &method, &Options::default()).expect_err("such steps are too long");
    let failure = failed.error.failure;
    assert!(matches!(failure, Failure::NewtonFailed { iterations, .. } if iterations <= 100), "{failure:?}");
    assert!(failed.error.to_string().contains("theta1"), "{failed}");
}

#[test]
fn a_splitting_method_refuses_other_systems_when_it_runs_too() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let method = StormerVerlet::unproved(0.01);
    let failed = solve(&double, start(), 1.0, &method, &Options::default()).expect_err("M depends on q");
    assert!(matches!(failed.error.failure, Failure::NotApplicable { .. }), "{failed}");
    assert!(failed.to_string().starts_with("the method Störmer–Verlet needs L = T(v) − V(q)"), "{failed}");
}

/// The state and the memory after `count` steps of size 0.05.
fn steps<M>(
    system: &dyn System<f64, 2, 0, 0>,
    method: &M,
    from: (State<f64, 2>, M::Memory),
    count: u32,
) -> (State<f64, 2>, M::Memory)
where
    M: Method<f64, 2, 0>,
{
    let mut inputs = DefaultInputs::of(system);
    let mut evaluator = Evaluator::new(system, &mut inputs);
    (0..count).fold(from, |(state, memory), _| {
        let memory = method.refresh(&mut evaluator, &state, &memory).expect("regular");
        let end = state.t + 0.05;
        let trial =
            method.step(&mut evaluator, &mut method.workspace(), &state, &memory, 0.05, end).expect("it converges");
        (trial.state, trial.memory)
    })
}

fn begin<M: Method<f64, 2, 0>>(system: &dyn System<f64, 2, 0, 0>, method: &M) -> (State<f64, 2>, M::Memory) {
    let mut inputs = DefaultInputs::of(system);
    (start(), method.start(&mut Evaluator::new(system, &mut inputs), &start()).expect("regular"))
}

/// The memory at the start, in which q, p and their remainders are those of a later time.
fn without_past(later: &GaussMemory<f64, 2, 3, 0>, start: GaussMemory<f64, 2, 3, 0>) -> GaussMemory<f64, 2, 3, 0> {
    let mut memory = start;
    memory.canonical = later.canonical;
    memory
}

#[test]
fn the_memory_is_part_of_the_state() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let method = Gauss::<f64, 3>::new(0.05);
    let saved = steps(&double, &method, begin(&double, &method), 4);
    let (on, again) = (steps(&double, &method, saved, 5), steps(&double, &method, saved, 5));
    assert_eq!(on, again);
    // Without the former stages the guess is another one, and only the last digits differ.
    let forgetful = (saved.0, without_past(&saved.1, begin(&double, &method).1));
    let other = steps(&double, &method, forgetful, 5);
    assert_ne!(on.1, other.1);
    assert!((on.0.q - other.0.q).amax() < 1e-14);
}

#[test]
fn without_history_a_step_depends_on_q_and_p_alone() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let method = Gauss::<f64, 3>::new(0.05).without_history();
    let saved = steps(&double, &method, begin(&double, &method), 4);
    let forgetful = (saved.0, without_past(&saved.1, begin(&double, &method).1));
    let (one, other) = (steps(&double, &method, saved, 1), steps(&double, &method, forgetful, 1));
    assert_eq!((one.0.q, one.1.canonical), (other.0.q, other.1.canonical));
}

#[test]
fn the_past_is_forgotten_at_an_event() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    fn check<M: Method<f64, 2, 0>>(system: &dyn System<f64, 2, 0, 0>, method: &M) {
        // A blow at θ₁ = 0, going down.
        let angle = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[0];
        let blow = |state: &State<f64, 2>| State { v: state.v * -0.7, ..*state };
        let events = [Event::new(&angle).going(Direction::Falling).mapping(&blow)];
        let options = Options { events: &events, ..Options::default() };
        let mut last = Last(None);
        let (mut state, mut inputs) = (start(), DefaultInputs::of(system));
        integrate(system, &mut state, 2.0, method, &options, &mut inputs, &mut last).expect("the integration succeeds");
        let after = last.0.expect("it comes down");
        assert!(after.t < 1.9, "{after:?}");
        // An integration that starts after the event gives the same: nothing from before the event enters.
        assert_eq!(run(system, after, 2.0, method), state, "{}", method.name());
    }
    check(&double, &Gauss::<f64, 2>::new(0.02));
    check(&double, &Gauss::<f64, 3>::new(0.02).with_iteration(Iteration::FixedPoint));
    check(&double, &VariationalMidpoint::new(0.02));
    check(&double, &Rattle::new(0.02));
}

/// Remembers the state after the last event.
struct Last(Option<State<f64, 2>>);

impl Observer<f64, 2> for Last {
    fn observe(&mut self, _: &StepView<f64, 2>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn event(&mut self, occurrence: &Occurrence<f64, 2>) -> ControlFlow<()> {
        self.0 = Some(occurrence.after);
        ControlFlow::Continue(())
    }
}

#[test]
fn a_factor_is_reused_and_a_fixed_point_needs_no_derivative() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let work = |iteration: Iteration| {
        let (mut state, options, mut inputs) = (start(), Options::default(), DefaultInputs::of(&double));
        let method = Gauss::<f64, 3>::new(0.02).with_iteration(iteration);
        integrate(&double, &mut state, 2.0, &method, &options, &mut inputs, &mut ())
            .expect("the integration succeeds")
            .statistics
    };
    let [newton, simplified, fixed] = ITERATIONS.map(work);
    assert!([newton, simplified, fixed].iter().all(|statistics| statistics.steps == 100));
    // Newton: a factor and three Jacobians an iteration; simplified: mostly one factor a step, with some more iterations.
    assert_eq!((newton.factorizations, newton.jacobians), (newton.iterations, 3 * newton.iterations));
    assert!(simplified.factorizations < 110 && simplified.iterations > newton.iterations, "{simplified:?}");
    assert_eq!(simplified.jacobians, 3 * simplified.factorizations);
    assert_eq!((fixed.jacobians, fixed.factorizations), (0, 100));
    assert!(fixed.iterations > simplified.iterations && fixed.iterations < 100 * 100, "{fixed:?}");
}

#[test]
fn iterations_are_bounded() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    for (iteration, most) in [(Iteration::Newton, 20), (Iteration::SimplifiedNewton, 20), (Iteration::FixedPoint, 100)]
    {
        // Steps of many periods: the integration ends with a value, a state or a failure.
        let method = Gauss::<f64, 2>::new(40.0).with_iteration(iteration);
        let (mut state, options, mut inputs) = (start(), Options::default(), DefaultInputs::of(&double));
        let failed =
            integrate(&double, &mut state, 4000.0, &method, &options, &mut inputs, &mut ()).expect_err("too long");
        let Failure::NewtonFailed { iterations, .. } = failed.failure else { panic!("{failed:?}") };
        assert!(iterations <= most, "{iterations}");
    }
}

/// One step from a state, by its start's memory.
fn step<M>(
    system: &dyn System<f64, 2, 0, 0>,
    method: &M,
    state: &State<f64, 2>,
    h: f64,
) -> Result<SVector<f64, 2>, Failure>
where
    M: Method<f64, 2, 0>,
{
    let mut inputs = DefaultInputs::of(system);
    let mut evaluator = Evaluator::new(system, &mut inputs);
    let memory = method.start(&mut evaluator, state)?;
    Ok(method.step(&mut evaluator, &mut method.workspace(), state, &memory, h, state.t + h)?.state.q)
}

/// The equations of a long step have several solutions. The step takes the one on the branch that begins at its start, or fails.
/// Near the end of that branch two solutions are so close that one guess in a thousand finds the other.
#[test]
fn a_long_step_has_one_solution_whatever_the_guess() {
    let system = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let (mut random, mut same, mut other, mut none) = (Random::new(3), 0, 0, 0);
    let mut compare = |results: [Result<SVector<f64, 2>, Failure>; 2]| match results {
        [Ok(first), Ok(second)] if (first - second).amax() < 1e-9 => same += 1,
        [Ok(_), Ok(_)] => other += 1,
        [Err(Failure::NewtonFailed { .. }), _] | [_, Err(Failure::NewtonFailed { .. })] => none += 1,
        failed => panic!("{failed:?}"),
    };
    for _ in 0..400 {
        let mut between = |low, high| random.between(low, high);
        let (q, v) = ([between(-3.0, 3.0), between(-3.0, 3.0)], [between(-6.0, 6.0), between(-6.0, 6.0)]);
        let (state, h) = (State::new(0.0, q, v), between(0.05, 0.5));
        macro_rules! whatever_the_guess {
            ($($method:expr),*) => {
                $(compare([
                    step(&system, &$method, &state, h),
                    step(&system, &$method.without_history(), &state, h),
                ]);)*
            };
        }
        whatever_the_guess!(VariationalMidpoint::new(h), VariationalTrapezoid::new(h), Rattle::new(h));
        whatever_the_guess!(Gauss::<f64, 2>::new(h));
    }
    assert!(1000 * other <= same && same > 1000 && none > 100, "{same} the same, {other} not, {none} without");
}

/// The largest energy error of 200 steps of size `h`, and what stopped them.
fn energy_error<M>(
    system: &dyn System<f64, 2, 0, 0>,
    initial: State<f64, 2>,
    h: f64,
    method: &M,
) -> (f64, Option<Failure>)
where
    M: Method<f64, 2, 0>,
{
    let energy = |state: &State<f64, 2>| system.energies_of(state).energy;
    let (mut state, mut largest) = (initial, 0.0_f64);
    let mut observer = |step: &StepView<f64, 2>| {
        largest = largest.max((energy(&step.end) - energy(&initial)).abs());
        ControlFlow::Continue(())
    };
    let options = Options::default();
    let mut inputs = DefaultInputs::of(system);
    let report = integrate(system, &mut state, 200.0 * h, method, &options, &mut inputs, &mut observer);
    (largest, report.err().map(|error| error.failure))
}

#[test]
fn motions_by_long_steps_fail_as_values_or_keep_their_energy_in_bounds() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let initial = State::new(0.0, [2.0, 1.0], [0.0, 0.0]);
    // From the lowest point to the highest.
    let range = 6.0 * 9.8;
    let mut failures = 0;
    for h in (0..12).map(|k| 0.02 * 1.25_f64.powi(k)) {
        for ((largest, failure), name) in [
            (energy_error(&double, initial, h, &VariationalMidpoint::new(h)), "variational midpoint"),
            (energy_error(&double, initial, h, &ImplicitMidpoint::new(h)), "implicit midpoint"),
            (energy_error(&double, initial, h, &Gauss::<f64, 2>::new(h)), "Gauss 2"),
        ] {
            assert!(largest < 10.0 * range, "{name}, {h}: {largest:e}");
            failures += u32::from(failure.is_some());
            let told = failure.is_none_or(|failure| matches!(failure, Failure::NewtonFailed { .. }));
            assert!(told, "{name}, {h}: {failure:?}");
        }
    }
    assert!(failures > 3, "{failures}");
}
