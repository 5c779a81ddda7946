//! Orders by the slope of the error on a nonlinear problem, round-off excluded.

use crate::common::{compound_pendulum, distance, run, slopes};
use lagrange_runtime::control::StepControl;
use lagrange_runtime::evaluator::Evaluator;
use lagrange_runtime::method::{Estimate, Trial};
use lagrange_runtime::prelude::*;

const END: f64 = 0.5;

fn start() -> State<f64, 2> {
    State::new(0.0, [0.7, 1.3], [1.0, 0.0])
}

fn reference(t_end: f64) -> State<f64, 2> {
    run(&compound_pendulum(), start(), t_end, &Rk4::new(1e-4))
}

#[track_caller]
fn assert_order(expected: f64, errors: &[(f64, f64)]) {
    for slope in slopes(errors) {
        assert!((slope - expected).abs() < 0.1, "slope {slope} instead of {expected}: {errors:?}");
    }
}

fn errors<M: Method<f64, 2, 0>>(counts: [u32; 3], method: impl Fn(f64) -> M) -> Vec<(f64, f64)> {
    let reference = reference(END);
    let error = |count: u32| {
        let h = END / f64::from(count);
        (h, distance(&run(&compound_pendulum(), start(), END, &method(h)), &reference))
    };
    counts.map(error).to_vec()
}

#[test]
fn verlet_has_order_2() {
    assert_order(2.0, &errors([200, 400, 800], Verlet::new));
}

#[test]
fn rk4_has_order_4() {
    assert_order(4.0, &errors([100, 200, 400], Rk4::new));
}

#[test]
fn the_implicit_midpoint_rule_has_order_2() {
    assert_order(2.0, &errors([100, 200, 400], ImplicitMidpoint::new));
}

#[test]
fn rkf45_propagates_order_4() {
    // With tolerances that accept everything, the step is what the options allow.
    let error = |count: u32| {
        let h = END / f64::from(count);
        let (rtol, atol) = (Tolerance::Uniform(1e9), Tolerance::Uniform(1e9));
        let options = Options { rtol, atol, first_step: Some(h), max_step: h, ..Options::default() };
        let solution = solve(&compound_pendulum(), start(), END, &Rkf45::new(), &options).unwrap();
        assert_eq!(solution.len(), count as usize + 1);
        (h, distance(&solution.last().unwrap(), &reference(END)))
    };
    assert_order(4.0, &[80, 160, 320].map(error));
}

#[test]
fn the_two_solutions_of_rkf45_have_local_errors_of_order_5_and_6() {
    let system = compound_pendulum();
    let controller = &mut DefaultInputs::of(&system);
    let mut evaluator = Evaluator::new(&system, controller);
    let method = Rkf45::new();
    let start = State::new(0.0, [1.5, 0.5], [0.0, 0.0]);
    let mut local = |h: f64| {
        let memory = method.start(&mut evaluator, &start).unwrap();
        let memory = method.refresh(&mut evaluator, &start, &memory).unwrap();
        let mut workspace = Method::<_, 2, 0>::workspace(&method);
        let trial = method.step(&mut evaluator, &mut workspace, &start, &memory, h, h).unwrap();
        let Trial { state, estimate: Estimate::Embedded(embedded), .. } = trial else { panic!("{trial:?}") };
        let reference = run(&system, start, h, &Rk4::new(h / 200.0));
        ((h, distance(&state, &reference)), (h, distance(&embedded, &reference)))
    };
    let (fourth, fifth): (Vec<_>, Vec<_>) = [0.02, 0.01, 0.005].map(&mut local).into_iter().unzip();
    assert_order(5.0, &fourth);
    assert_order(6.0, &fifth);
}

#[test]
fn tolerances_bound_the_error() {
    for method in [Rkf45::new(), Rkf45::new().with_law(ToleranceLaw::Elementary)] {
        let mut previous = f64::INFINITY;
        for tolerance in [1e-5, 1e-7, 1e-9] {
            let options = Options {
                rtol: Tolerance::Uniform(tolerance),
                atol: Tolerance::Uniform(tolerance),
                ..Options::default()
            };
            let solution = solve(&compound_pendulum(), start(), END, &method, &options).unwrap();
            let error = distance(&solution.last().unwrap(), &reference(END));
            assert!(error < 100.0 * tolerance, "{error:e} at tolerance {tolerance:e}");
            assert!(error < previous / 20.0, "{error:e} after {previous:e}");
            previous = error;
        }
    }
}

#[test]
fn a_methods_pace_is_what_it_was_built_with() {
    assert_eq!(Method::<f64, 2, 0>::fixed_step(&Rk4::new(0.25)), Some(0.25));
    assert_eq!(Method::<f64, 2, 0>::fixed_step(&Rkf45::<f64>::new()), None);
    let control = StepControl::AbsoluteLimit { delta0: 1e-10, measure: ErrorMeasure::Energy, law: StepLaw::Halved };
    let pace = Method::<f64, 2, 0>::pace(&Rkf45::new().with_energy_limit(1e-10));
    assert_eq!(pace, lagrange_runtime::method::Pace::Adaptive(control));
}
