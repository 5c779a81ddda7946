//! Sensitivities and transition matrices, by several methods.

use super::mechanisms::{Orbit, neighbours};
use super::shared::{Oscillator, close, matrix};
use lagrange_models::{CartesianPendulum, DoublePendulum};
use lagrange_runtime::analysis::{
    AnalysisError, Variable, sensitivities, sensitivities_with, step_pair, transition_matrix,
};
use lagrange_runtime::controller::StateFeedback;
use lagrange_runtime::method::{DERIVATIVES, OnDuals};
use lagrange_runtime::nalgebra::DMatrix;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;

type Four = Dual<f64, DERIVATIVES>;

/// The error of a method's transition matrix over 1.5 revolutions of a circular orbit.
fn orbit_error<M>(method: &M) -> f64
where
    M: OnDuals<2, 0, DERIVATIVES>,
{
    let (radius, mu) = (1.3_f64, 2.0_f64);
    let rate = (mu / radius.powi(3)).sqrt();
    let end = 3.0 * std::f64::consts::PI / rate;
    let tight = Four::constant(1e-13);
    // In polar coordinates the orbit itself is a straight line, on which steps would grow without bound.
    let max_step = Four::constant(0.1);
    let options = Options { rtol: tight.into(), atol: tight.into(), max_step, ..Options::default() };
    let start = State::new(0.0, [radius, 0.0], [0.0, rate]);
    let (state, found) = transition_matrix(&Orbit { mu }, &start, end, method, &options).expect("no failure");
    assert!((state.q[1] - 3.0 * std::f64::consts::PI).abs() < 1e-5, "{state:?}");
    let scale = [1.0, radius, 1.0, radius];
    let scaled = DMatrix::from_fn(4, 4, |i, j| found[(i, j)] * scale[i] / scale[j]);
    (scaled - neighbours(rate, end)).abs().max()
}

#[test]
fn neighbours_of_a_circular_orbit_move_as_clohessy_and_wiltshire_say() {
    let h = 2e-3;
    // On the circle, guesses for stages are exact. Newton's method must iterate once more for the derivatives all the same.
    let newton = Gauss::<_, 2>::new(h);
    let found = [
        ("DOP853", orbit_error(&Dop853::new()), 1e-9),
        ("RK4", orbit_error(&Rk4::new(h)), 1e-8),
        ("Gauss with 2 stages", orbit_error(&newton), 1e-8),
    ];
    for (name, error, bound) in found {
        assert!(error < bound, "{name}: {error:e}");
    }
}

/// x(t) = A cos ωt + u/k (1 − cos ωt), its derivatives by hand.
#[test]
fn parameters_and_inputs_have_closed_forms() {
    let oscillator = Oscillator { m: 2.0, k: 18.0, push: 1.5 };
    let names = ["x", "dot(x)", "m", "k", "push"];
    let variables = names.map(|name| Variable::named(&oscillator, name).expect("known"));
    let tight = Four::constant(1e-13);
    let options = Options { rtol: tight.into(), atol: tight.into(), ..Options::default() };
    let start = State::new(0.0, [0.4], [0.0]);
    let times = [0.3, 0.9, 2.0];
    let found = sensitivities(&oscillator, &start, &times, &Dop853::new(), &options, &variables).expect("no failure");
    let (rate, rest) = (3.0_f64, 1.5 / 18.0);
    for ((t, state), by) in times.iter().zip(&found.states).zip(&found.derivatives) {
        let (s, c) = (rate * t).sin_cos();
        let amplitude = 0.4 - rest;
        assert!((state.q[0] - (rest + amplitude * c)).abs() < 1e-11);
        // ω = √(k/m): ∂ω/∂m = −ω/(2m), ∂ω/∂k = ω/(2k).
        let by_rate = -amplitude * t * s;
        let expected =
            [c, s / rate, -by_rate * rate / 4.0, by_rate * rate / 36.0 - rest / 18.0 * (1.0 - c), (1.0 - c) / 18.0];
        for (column, expected) in expected.into_iter().enumerate() {
            assert!((by[(0, column)] - expected).abs() < 1e-10, "{} at {t}: {}", names[column], by[(0, column)]);
        }
    }
}

/// Under feedback the loop's own flow is differentiated: exp of the closed loop's matrix.
#[test]
fn feedback_takes_part() {
    let oscillator = Oscillator { m: 2.0, k: 18.0, push: 0.0 };
    let gain = |value: f64| SMatrix::from([[Four::constant(value)]]);
    let feedback = StateFeedback::<_, 1, 1>::new(gain(-18.0), gain(4.0));
    let start = State::new(0.0, [0.4], [0.1]);
    let method = Rk4::new(1e-3);
    let run = |_: &_| feedback;
    let found = sensitivities_with(&oscillator, &start, &[0.7], &method, &Options::default(), &Variable::states(), run);
    // The spring is cancelled: v̇ = −2 v.
    let decay = (-1.4_f64).exp();
    close(&found.expect("no failure").derivatives[0], &matrix([[1.0, 0.5 * (1.0 - decay)], [0.0, decay]]), 1e-12);
}

/// Φ in (q, p), from p = M(q) v.
fn canonical(
    pendulum: &DoublePendulum,
    start: &State<f64, 2>,
    end: &State<f64, 2>,
    flow: &DMatrix<f64>,
) -> DMatrix<f64> {
    let system = pendulum.prepare::<f64>().expect("valid");
    let map = |state: &State<f64, 2>| {
        let at = system.balance_jacobian(state.t, &state.q, &state.v, &SVector::from([]));
        DMatrix::from_fn(4, 4, |i, j| match (i < 2, j < 2) {
            (true, true) => f64::from(u8::from(i == j)),
            (true, false) => 0.0,
            (false, true) => at.momentum_q[(i - 2, j)],
            (false, false) => at.mass_matrix[(i - 2, j - 2)],
        })
    };
    map(end) * flow * map(start).try_inverse().expect("regular")
}

/// Φ of a double pendulum over 1 s, in (q, p).
fn swing<M>(method: &M) -> DMatrix<f64>
where
    M: OnDuals<2, 0, DERIVATIVES>,
{
    let pendulum = DoublePendulum { m1: 1.0, m2: 0.7, l1: 1.0, l2: 0.8, ..DoublePendulum::default() };
    let start = State::new(0.0, [1.2, -0.4], [0.3, 0.9]);
    let (end, flow) = transition_matrix(&pendulum, &start, 1.0, method, &Options::default()).expect("no failure");
    canonical(&pendulum, &start, &end, &flow)
}

/// |Φᵀ J Φ − J|.
fn symplectic_defect(flow: &DMatrix<f64>) -> f64 {
    let unit = DMatrix::from_fn(4, 4, |i, j| f64::from(u8::from(j == i + 2)) - f64::from(u8::from(i == j + 2)));
    (flow.transpose() * &unit * flow - unit).abs().max()
}

/// E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical Integration*, 2nd ed., VI.4, VI.6: symplectic methods have symplectic flows at
/// any step, others to their order.
#[test]
fn symplectic_methods_have_symplectic_transition_matrices() {
    let h = 0.05;
    let found = [
        ("Gauss 2", symplectic_defect(&swing(&Gauss::<_, 2>::new(h)))),
        ("variational midpoint", symplectic_defect(&swing(&VariationalMidpoint::new(h)))),
    ];
    let plain = symplectic_defect(&swing(&Rk4::new(h)));
    for (name, defect) in found {
        assert!(defect < 1e-10, "{name}: {defect:e}");
    }
    assert!(plain > 1e-6, "RK4: {plain:e}");
    // Explicit and implicit derivatives meet as the steps fall.
    let explicit = swing(&Rk4::new(1e-3));
    let implicit = swing(&Gauss::<_, 2>::new(4e-3));
    let scale = explicit.abs().max();
    close(&(implicit / scale), &(explicit / scale), 1e-8);
}

/// The implicit midpoint rule on ẋ = A x is Cayley's map (1 − hA/2)⁻¹ (1 + hA/2), with B_d = (1 − hA/2)⁻¹ h B.
#[test]
fn a_step_of_the_midpoint_rule_is_cayleys_map() {
    let oscillator = Oscillator { m: 2.0, k: 18.0, push: 0.3 };
    let h = 0.2;
    let method = ImplicitMidpoint::new(h);
    let start = State::new(0.0, [0.4], [0.1]);
    let (pair, _) = step_pair(&oscillator, &start, h, &method, &Options::default()).expect("no failure");
    let a = matrix([[0.0, 1.0], [-9.0, 0.0]]);
    let inverse = (DMatrix::identity(2, 2) - &a * (h / 2.0)).try_inverse().expect("regular");
    close(&pair.a, &(&inverse * (DMatrix::identity(2, 2) + a * (h / 2.0))), 1e-14);
    close(&pair.b, &(inverse * matrix([[0.0], [h / 2.0]])), 1e-15);
}

/// Near the lowest point a pendulum of length l swings with ω² = g/l, in Cartesian coordinates too: two states, not four.
#[test]
fn a_step_under_constraints_has_the_states_that_are_free() {
    let pendulum = CartesianPendulum { m: 1.0, l: 0.5, g: 9.81 };
    let method = Projected::new(Rk4::new(1e-2));
    let hanging = State::new(0.0, [0.0, -0.5], [0.0, 0.0]);
    let (pair, names) = step_pair(&pendulum, &hanging, 0.3, &method, &Options::default()).expect("no failure");
    let rate = (9.81_f64 / 0.5).sqrt();
    let (s, c) = (rate * 0.3).sin_cos();
    assert_eq!(names, ["x", "dot(x)"]);
    close(&pair.a, &matrix([[c, s / rate], [-rate * s, c]]), 1e-6);
}

#[test]
fn what_a_motion_does_not_depend_on_is_said() {
    let oscillator = Oscillator { m: 2.0, k: 18.0, push: 0.3 };
    let error = Variable::named(&oscillator, "length").expect_err("no such variable");
    assert!(error.to_string().starts_with("there is no variable `length`; known: `x`, `m`, `k`, `push`"), "{error}");
    let start = State::new(0.0, [f64::NAN], [0.0]);
    let method = Rk4::new(1e-2);
    let error = transition_matrix(&oscillator, &start, 1.0, &method, &Options::default()).expect_err("no number");
    assert!(matches!(error, AnalysisError::State(_)), "{error}");
}

/// No derivative is silently 0 or left out: a variable that does not exist and a time after the end of the motion are errors.
#[test]
fn what_has_no_derivative_is_said() {
    let oscillator = Oscillator { m: 2.0, k: 18.0, push: 0.3 };
    let start = State::new(0.0, [0.4], [0.0]);
    let method = Rk4::new(1e-2);
    let of = |options: &Options<'_, Four, 1>, variable: Variable<1>| {
        sensitivities(&oscillator, &start, &[0.1, 2.0], &method, options, &[variable]).expect_err("no derivative")
    };
    let plain = Options::default();
    for variable in [Variable::Coordinate(1), Variable::Velocity(7), Variable::Parameter(2), Variable::Input(1)] {
        assert!(matches!(of(&plain, variable), AnalysisError::UnknownName { .. }), "{variable:?}");
    }
    let zero = |_: Four, q: &SVector<Four, 1>, _: &SVector<Four, 1>| q[0];
    let events = [Event::new(&zero).terminal()];
    let options = Options { events: &events, ..Options::default() };
    let error = of(&options, Variable::Coordinate(0));
    assert!(matches!(error, AnalysisError::NotApplicable { .. }), "{error}");
}
