//! The counters against independent counts.

use crate::common::{Counted, compound_pendulum};
use lagrange_runtime::prelude::*;

fn start() -> State<f64, 2> {
    State::new(0.0, [0.7, -0.2], [0.3, 0.8])
}

fn counted<M>(method: &M, options: &Options<'_, f64, 2>) -> Statistics
where
    M: Method<f64, 2, 0>,
{
    let system = Counted::new(compound_pendulum());
    let solution = solve(&system, start(), 1.0, method, options).unwrap();
    let statistics = solution.statistics;
    assert_eq!((statistics.evaluations, statistics.jacobians), (system.evaluations(), system.jacobians()));
    assert!(options.t_eval.is_some() || statistics.steps + 1 == solution.len() as u64);
    statistics
}

#[test]
fn explicit_methods_evaluate_what_they_say() {
    let plain = Options::default();
    let rk4 = counted(&Rk4::new(0.01), &plain);
    assert_eq!((rk4.steps, rk4.evaluations, rk4.rejected), (100, 400, 0));
    let verlet = counted(&Verlet::new(0.01), &plain);
    assert_eq!((verlet.steps, verlet.evaluations), (100, 200));
    assert_eq!((rk4.jacobians, rk4.factorizations, rk4.iterations), (0, 0, 0));

    let dense = Options { dense_output: true, ..plain };
    assert_eq!(counted(&Rk4::new(0.01), &dense).evaluations, 401);
    let times = [0.005, 0.015, 1.0];
    let some = Options { t_eval: Some(&times), ..plain };
    assert_eq!(counted(&Rk4::new(0.01), &some).evaluations, 400);
}

#[test]
fn a_rejected_step_costs_one_evaluation_less() {
    let loose_start = Options { first_step: Some(0.5), ..Options::default() };
    let statistics = counted(&Rkf45::new(), &loose_start);
    assert!(statistics.rejected > 0);
    assert_eq!(statistics.evaluations, 6 * statistics.steps + 5 * statistics.rejected);
    // Choosing the first step takes one more.
    let automatic = counted(&Rkf45::new(), &Options::default());
    assert_eq!(automatic.evaluations, 6 * automatic.steps + 5 * automatic.rejected + 1);
    let study = counted(&Rkf45::new().with_energy_limit(1e-8), &Options::default());
    assert_eq!(study.evaluations, 6 * study.steps + 5 * study.rejected);
}

#[test]
fn an_implicit_step_costs_a_jacobian_and_few_iterations() {
    let newton = ImplicitMidpoint::new(0.001).with_iteration(Iteration::SimplifiedNewton);
    let statistics = counted(&newton, &Options::default());
    assert_eq!((statistics.steps, statistics.jacobians), (1000, 1000));
    assert_eq!(statistics.factorizations, statistics.jacobians);
    // One evaluation more gives the initial momentum.
    assert_eq!(statistics.evaluations, statistics.iterations + 1);
    assert!(statistics.iterations <= 2500, "{statistics:?}");
}

#[test]
fn a_short_implicit_step_costs_few_evaluations() {
    let statistics = counted(&ImplicitMidpoint::new(0.001), &Options::default());
    // The first seven steps take Newton's method.
    assert_eq!((statistics.steps, statistics.jacobians), (1000, 7));
    assert_eq!(statistics.evaluations, statistics.iterations + 1);
    assert!(statistics.iterations <= 3500, "{statistics:?}");
}

#[test]
fn statistics_add_up() {
    let mut sum = counted(&Rk4::new(0.1), &Options::default());
    sum += counted(&Rk4::new(0.05), &Options::default());
    assert_eq!((sum.steps, sum.evaluations), (30, 120));
}
