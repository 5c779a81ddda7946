//! Gradients computed backward, by several methods.

use super::mechanisms::{Orbit, neighbours};
use super::shared::{Oscillator, Pendulum, matrix};
use lagrange_models::{CartesianPendulum, DoublePendulum};
use lagrange_runtime::analysis::{AnalysisError, Gradient, Variable, adjoint_gradient, sensitivities};
use lagrange_runtime::method::{DERIVATIVES, OnDuals};
use lagrange_runtime::nalgebra::DMatrix;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Taped;
use std::f64::consts::PI;

/// (∂J/∂q, ∂J/∂v) of J = component `row` of (q, v) at the end.
fn at_end<const N: usize, const U: usize>(
    solution: &Solution<f64, N, U>,
    row: usize,
) -> impl Fn(usize, &State<f64, N>) -> Slopes<N> + use<N, U> {
    let last = solution.len() - 1;
    move |k, _| {
        let unit = |first: usize| SVector::from_fn(|i, _| f64::from(u8::from(k == last && first + i == row)));
        (unit(0), unit(N))
    }
}

type Slopes<const N: usize> = (SVector<f64, N>, SVector<f64, N>);

/// The gradients of all components of the end against Clohessy and Wiltshire's matrix, of which they are the rows.
#[test]
fn rows_of_a_transition_matrix_are_gradients() {
    let (radius, mu) = (1.3_f64, 2.0_f64);
    let rate = (mu / radius.powi(3)).sqrt();
    let orbit = Orbit { mu };
    let start = State::new(0.0, [radius, 0.0], [0.0, rate]);
    let options = Options { rtol: 1e-12.into(), atol: 1e-12.into(), max_step: 0.1, ..Options::default() };
    let end = 3.0 * PI / rate;
    let system = orbit.prepare::<f64>().expect("valid");
    let solution = solve(&system, start, end, &Dop853::new(), &options).expect("no failure");
    let expected = neighbours(rate, end);
    let scale = [1.0, radius, 1.0, radius];
    for row in 0..4 {
        let found = adjoint_gradient(&orbit, &solution, &Dop853::new(), &[], at_end(&solution, row)).expect("regular");
        let by = [found.q[0], found.q[1], found.v[0], found.v[1]];
        for column in 0..4 {
            let scaled = by[column] * scale[row] / scale[column];
            assert!((scaled - expected[(row, column)]).abs() < 1e-8, "row {row}: {found:?}");
        }
    }
}

/// J = Σ (2 q₀² + q₁ v₁) over all steps of a double pendulum, backward and forward.
fn compare<I>(name: &str, method: &I, tolerance: f64)
where
    I: Method<f64, 2, 0> + Lift + OnDuals<2, 0, DERIVATIVES>,
    I::On<Taped>: Method<Taped, 2, 0>,
{
    let pendulum = DoublePendulum { m1: 1.0, m2: 0.7, l1: 1.0, l2: 0.8, ..DoublePendulum::default() };
    let start = State::new(0.0, [1.2, -0.4], [0.3, 0.9]);
    let system = pendulum.prepare::<f64>().expect("valid");
    let solution = solve(&system, start, 0.73, method, &Options::default()).expect("no failure");
    let slopes = |state: &State<f64, 2>| -> Slopes<2> {
        (SVector::from([4.0 * state.q[0], state.v[1]]), SVector::from([0.0, state.q[1]]))
    };
    let found = adjoint_gradient(&pendulum, &solution, method, &[], |_, state| slopes(state)).expect("regular");
    let mut variables = Variable::states();
    let parameters = DoublePendulum::PARAMETERS.len();
    variables.extend((0..parameters).map(Variable::Parameter));
    let forward = sensitivities(&pendulum, &start, &solution.t, method, &Options::default(), &variables);
    let forward = forward.expect("no failure");
    let backward = found.q.iter().chain(&found.v).chain(&found.parameters);
    assert_eq!(found.parameters.len(), parameters);
    for (column, backward) in backward.enumerate() {
        let sum: f64 = (forward.states.iter().zip(&forward.derivatives))
            .map(|(state, by)| {
                let (q, v) = slopes(state);
                (0..2).map(|i| q[i] * by[(i, column)] + v[i] * by[(2 + i, column)]).sum::<f64>()
            })
            .sum();
        assert!((sum - backward).abs() <= tolerance * (1.0 + sum.abs()), "{name}, {column}: {sum} {backward}");
    }
}

#[test]
fn gradients_backward_are_those_forward() {
    let h = 0.05;
    compare("RK4", &Rk4::new(h), 1e-12);
    compare("Gauss with 2 stages", &Gauss::<_, 2>::new(h), 1e-10);
    compare("the variational midpoint", &VariationalMidpoint::new(h), 1e-10);
    compare("RATTLE", &Rattle::new(h), 1e-10);
}

/// The implicit midpoint rule on ẋ = A x is Cayley's map K = (1 − hA/2)⁻¹ (1 + hA/2) of each step: the gradient of x(n h) is the
/// first row of Kⁿ.
#[test]
fn steps_of_the_midpoint_rule_have_cayleys_map() {
    let oscillator = Oscillator { m: 2.0, k: 18.0, push: 0.0 };
    let (h, steps) = (0.1, 17);
    let system = oscillator.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.4], [0.1]);
    let method = ImplicitMidpoint::new(h);
    let solution = solve(&system, start, h * f64::from(steps), &method, &Options::default()).expect("no failure");
    let found = adjoint_gradient(&oscillator, &solution, &method, &[], at_end(&solution, 0)).expect("regular");
    let a = matrix([[0.0, 1.0], [-9.0, 0.0]]) * (h / 2.0);
    let one = DMatrix::<f64>::identity(2, 2);
    let step = (&one - &a).try_inverse().expect("regular") * (&one + &a);
    let all = (0..steps).fold(one.clone(), |all, _| all * &step);
    assert!((found.q[0] - all[(0, 0)]).abs() < 1e-13 && (found.v[0] - all[(0, 1)]).abs() < 1e-13, "{found:?}");
    // A constant push moves the rest to u/k.
    let push = (1.0 - all[(0, 0)]) / 18.0;
    assert!((found.inputs[0] - push).abs() < 1e-14, "{found:?} {push}");
}

/// The derivative in the direction (q, v).
fn directional<const N: usize, const U: usize>(found: &Gradient<N, U>, q: [f64; N], v: [f64; N]) -> f64 {
    found.q.dot(&SVector::from(q)) + found.v.dot(&SVector::from(v))
}

fn tight<const N: usize>() -> Options<'static, f64, N> {
    Options { rtol: 1e-13.into(), atol: 1e-13.into(), ..Options::default() }
}

/// Under constraints: x(T) of a pendulum in Cartesian coordinates by its initial angle, its angular velocity and gravity, against
/// the same of the pendulum in its angle.
#[test]
fn constrained_gradients_are_those_of_the_angle() {
    let (l, g, angle, speed, end) = (0.8, 9.81, 0.7_f64, 0.4, 1.1);
    let (s, c) = angle.sin_cos();
    let plain = Pendulum { m: 1.0, l, g };
    let system = plain.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [angle], [speed]);
    let solution = solve(&system, start, end, &Dop853::new(), &tight()).expect("no failure");
    let last = solution.len() - 1;
    let none = SVector::from([0.0]);
    // x = l sin θ.
    let exact = adjoint_gradient(&plain, &solution, &Dop853::new(), &[], |k, state| {
        (if k == last { SVector::from([l * state.q[0].cos()]) } else { none }, none)
    });
    let exact = exact.expect("regular");
    let expected = [exact.q[0], exact.v[0], exact.parameters[2]];

    let pendulum = CartesianPendulum { m: 1.0, l, g };
    let system = pendulum.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [l * s, -l * c], [l * c * speed, l * s * speed]);
    let turned = ([l * c, l * s], [-l * s * speed, l * c * speed]);
    let check = |name: &str, found: Result<Gradient<2, 0>, AnalysisError>, tolerance: f64| {
        let found = found.expect("regular");
        let gravity = CartesianPendulum::PARAMETERS.iter().position(|name| *name == "g").expect("g");
        let by = [
            directional(&found, turned.0, turned.1),
            directional(&found, [0.0; 2], turned.0),
            found.parameters[gravity],
        ];
        for (by, expected) in by.into_iter().zip(expected) {
            assert!((by - expected).abs() < tolerance, "{name}: {by} {expected}");
        }
    };
    let solution = solve(&system, start, end, &Projected::new(Dop853::new()), &tight()).expect("no failure");
    let method = Projected::new(Dop853::new());
    let found = adjoint_gradient(&pendulum, &solution, &method, &[], at_end(&solution, 0));
    check("projected DOP853", found, 1e-10);
    let h = 1e-3;
    let solution = solve(&system, start, end, &Rattle::new(h), &Options::default()).expect("no failure");
    let method = Rattle::new(h).with_iteration(Iteration::Newton);
    let found = adjoint_gradient(&pendulum, &solution, &method, &[], at_end(&solution, 0));
    // RATTLE has order 2.
    check("RATTLE", found, 2e-6);
}

/// A solution that was sampled, or made by another method, or with other inputs, is no sequence of this method's steps.
#[test]
fn a_gradient_along_another_motion_is_refused() {
    let oscillator = Oscillator { m: 1.0, k: 4.0, push: 0.0 };
    let system = oscillator.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.5], [0.0]);
    let options = Options { rtol: 1e-8.into(), atol: 1e-8.into(), ..Options::default() };
    let gradient = |solution: &Solution<f64, 1, 1>, push: f64| {
        let mechanism = Oscillator { push, ..oscillator.clone() };
        adjoint_gradient(&mechanism, solution, &Dop853::new(), &[], |_, _| (SVector::from([1.0]), SVector::from([0.0])))
    };
    let own = solve(&system, start, 2.0, &Dop853::new(), &options).expect("no failure");
    assert!(gradient(&own, 0.0).is_ok());
    let refused = |result: Result<_, AnalysisError>| matches!(result, Err(AnalysisError::NotApplicable { .. }));
    assert!(refused(gradient(&own, 1.0)), "other inputs");
    let others = solve(&system, start, 2.0, &DormandPrince5::new(), &options).expect("no failure");
    assert!(refused(gradient(&others, 0.0)), "another method");
    let times = [0.0, 1.0, 2.0];
    let sampled = Options { t_eval: Some(&times), ..options };
    let sampled = solve(&system, start, 2.0, &Dop853::new(), &sampled).expect("no failure");
    assert!(refused(gradient(&sampled, 0.0)), "samples");
    let empty = Options { t_eval: Some(&[]), ..options };
    let empty = solve(&system, start, 2.0, &Dop853::new(), &empty).expect("no failure");
    assert!(refused(gradient(&empty, 0.0)), "no states");
    let slopes = |_: usize, _: &State<f64, 1>| (SVector::from([f64::NAN]), SVector::from([0.0]));
    let found = adjoint_gradient(&oscillator, &own, &Dop853::new(), &[], slopes);
    assert!(matches!(found, Err(AnalysisError::NotFinite { .. })), "{found:?}");
}

/// Two oscillators that know nothing of each other.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    potential = (a*x^2 + b*y^2)/2;
}]
#[derive(Clone, Debug)]
struct Strangers {
    a: f64,
    b: f64,
}

/// The numbers of one coordinate do not hide that another one moves otherwise.
#[test]
fn a_small_coordinate_on_another_motion_is_refused() {
    let own = Strangers { a: 1.0, b: 2.0 };
    let system = own.prepare::<f64>().expect("valid");
    for size in [1.0, 1e12, 1e-12] {
        let start = State::new(0.0, [size, 1.0], [0.0, 0.0]);
        let options = Options { rtol: 1e-8.into(), ..Options::default() };
        let solution = solve(&system, start, 2.0, &Dop853::new(), &options).expect("no failure");
        let gradient =
            |mechanism: &Strangers| adjoint_gradient(mechanism, &solution, &Dop853::new(), &[], at_end(&solution, 1));
        assert!(gradient(&own).is_ok(), "{size:e}");
        let other = gradient(&Strangers { b: 2.000_01, ..own.clone() });
        assert!(matches!(other, Err(AnalysisError::NotApplicable { .. })), "{size:e}: {other:?}");
    }
}
