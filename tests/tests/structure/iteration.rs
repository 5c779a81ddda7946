//! How a step's equations are solved does not matter for the result, and failures are values.

use crate::harness::run;
use crate::mechanisms::{Double, Quartic};
use lagrange_runtime::prelude::*;

fn start() -> State<f64, 2> {
    State::new(0.0, [0.7, 1.1], [0.8, -0.3])
}

const ITERATIONS: [Iteration; 3] = [Iteration::Newton, Iteration::SimplifiedNewton, Iteration::FixedPoint];

fn assert_same<S: System<f64, 2, 0, 0>, M: Method<S, f64, 2, 0, 0>>(system: &S, methods: &[M]) {
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
fn iterations<M: Method<dyn System<f64, 2, 0, 0>, f64, 2, 0, 0>>(method: &M) -> f64 {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let system: &dyn System<f64, 2, 0, 0> = &double;
    let (options, mut inputs) = (Options::default(), DefaultInputs::of(system));
    let report = integrate(system, &mut start(), 2.0, method, &options, &mut inputs, &mut ()).expect("it goes on");
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
    assert!(matches!(failed.error.failure, Failure::NewtonFailed { iterations, .. } if iterations <= 100));
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
