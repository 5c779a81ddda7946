//! The implicit midpoint rule on (q, p): symmetric, symplectic, without drift, exact velocities for output.

use crate::common::{ByHand, Hand, Pendulum, compound_pendulum, distance, oscillator, pendulum, run};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{BalanceJacobian, Facts};
use std::ops::ControlFlow;

fn start() -> State<f64, 2> {
    State::new(0.0, [0.7, -0.2], [0.3, 0.8])
}

#[test]
fn integrated_there_and_back_it_is_where_it_was() {
    let method = ImplicitMidpoint::new(0.02);
    let there = run(&compound_pendulum(), start(), 5.0, &method);
    assert!(distance(&there, &start()) > 0.1);
    let back = run(&compound_pendulum(), there, 0.0, &method);
    assert!(distance(&back, &start()) < 1e-11, "{:e}", distance(&back, &start()));
}

#[test]
fn one_step_solves_the_midpoint_equations() {
    let system = compound_pendulum();
    let (h, u) = (0.05, SVector::repeat(0.0));
    let end = run(&system, start(), h, &ImplicitMidpoint::new(h));
    let momentum = |state: &State<f64, 2>| system.balance(state.t, &state.q, &state.v, &u).momentum;
    let middle = (start().q + end.q) / 2.0;
    let at_middle = system.balance(h / 2.0, &middle, &((end.q - start().q) / h), &u);
    let (p0, p1) = (momentum(&start()), momentum(&end));
    assert!((p1 - p0 - at_middle.balance * h).amax() < 1e-14);
    assert!((at_middle.momentum - (p0 + p1) / 2.0).amax() < 1e-14);
}

#[test]
fn one_step_is_a_symplectic_map_of_q_and_p() {
    let system = compound_pendulum();
    let (h, u) = (0.1, SVector::repeat(0.0));
    let map = |q: SVector<f64, 2>, p: SVector<f64, 2>| {
        let v = system.velocity_correction(0.0, &q, &SVector::repeat(0.0), &p).unwrap();
        let end = run(&system, State { t: 0.0, q, v }, h, &ImplicitMidpoint::new(h));
        let p = system.balance(h, &end.q, &end.v, &u).momentum;
        [end.q[0], end.q[1], p[0], p[1]]
    };
    let center = [0.7, -0.2, 3.0, 1.5];
    let delta = 1e-4;
    let mut jacobian = [[0.0; 4]; 4];
    for column in 0..4 {
        let shifted = |sign: f64| {
            let mut at = center;
            at[column] += sign * delta;
            map(SVector::from([at[0], at[1]]), SVector::from([at[2], at[3]]))
        };
        let (above, below) = (shifted(1.0), shifted(-1.0));
        for row in 0..4 {
            jacobian[row][column] = (above[row] - below[row]) / (2.0 * delta);
        }
    }
    // ω(a, b) = Σ (dq_a dp_b − dp_a dq_b) must be that of the coordinates themselves.
    for a in 0..4 {
        for b in 0..4 {
            let form: f64 =
                (0..2).map(|i| jacobian[i][a] * jacobian[i + 2][b] - jacobian[i + 2][a] * jacobian[i][b]).sum();
            let expected = if a + 2 == b {
                1.0
            } else if b + 2 == a {
                -1.0
            } else {
                0.0
            };
            assert!((form - expected).abs() < 1e-6, "ω({a}, {b}) = {form}");
        }
    }
}

/// The largest energy error within each of `count` equal spans.
fn energy_errors(h: f64, span: f64, count: usize) -> Vec<f64> {
    let system = compound_pendulum();
    let energy = |state: &State<f64, 2>| system.energies(state.t, &state.q, &state.v, &SVector::repeat(0.0)).energy;
    let mut state = State::new(0.0, [0.4, -0.1], [0.0, 0.2]);
    let initial = energy(&state);
    (1..=count)
        .map(|number| {
            let mut largest = 0.0_f64;
            let mut observer = |step: &StepView<f64, 2>| {
                largest = largest.max((energy(&step.end) - initial).abs());
                ControlFlow::Continue(())
            };
            let (end, method, options) = (span * number as f64, ImplicitMidpoint::new(h), Options::default());
            integrate(&system, &mut state, end, &method, &options, &mut DefaultInputs::of(&system), &mut observer)
                .unwrap();
            largest
        })
        .collect()
}

#[test]
fn its_energy_error_is_of_order_2_and_does_not_grow() {
    let coarse = energy_errors(0.02, 100.0, 5);
    let fine = energy_errors(0.01, 100.0, 1);
    assert!((coarse[0] / fine[0]).log2() > 1.8, "{coarse:?} {fine:?}");
    assert!(coarse[4] < 1.3 * coarse[0], "{coarse:?}");
}

#[test]
fn a_quadratic_energy_is_kept_to_round_off() {
    let system = oscillator();
    let mut state = State::new(0.0, [1.0], [0.0]);
    let mut largest = 0.0_f64;
    let mut observer = |step: &StepView<f64, 1>| {
        let energy = (step.end.q[0].powi(2) + step.end.v[0].powi(2)) / 2.0;
        largest = largest.max((energy - 0.5).abs());
        ControlFlow::Continue(())
    };
    let (method, options) = (ImplicitMidpoint::new(0.01), Options::default());
    let mut controller = DefaultInputs::of(&system);
    integrate(&system, &mut state, 1000.0, &method, &options, &mut controller, &mut observer).unwrap();
    // Without compensation a random walk of 1e5 steps would leave about 3e-14.
    assert!(largest < 2e-15, "{largest:e}");
}

#[test]
fn rest_stays_rest() {
    let bottom = run(&pendulum(), State::new(0.0, [0.0], [0.0]), 10.0, &ImplicitMidpoint::new(0.01));
    assert_eq!((bottom.q[0], bottom.v[0]), (0.0, 0.0));
    // π is rounded: the pendulum falls from the top, slowly, and Newton's method must live with tiny velocities.
    let top = run(&pendulum(), State::new(0.0, [std::f64::consts::PI], [0.0]), 10.0, &ImplicitMidpoint::new(0.01));
    assert!((top.q[0] - std::f64::consts::PI).abs() < 1e-10, "{top:?}");
}

#[test]
fn single_precision_converges_too() {
    let state = run(
        &compound_pendulum(),
        State::<f32, 2>::new(0.0, [0.7, -0.2], [0.3, 0.8]),
        2.0,
        &ImplicitMidpoint::new(0.01),
    );
    let reference = run(&compound_pendulum(), start(), 2.0, &ImplicitMidpoint::new(0.01));
    assert!((f64::from(state.q[0]) - reference.q[0]).abs() < 1e-4);
    assert!((f64::from(state.v[1]) - reference.v[1]).abs() < 1e-3);
}

/// L = v²/2 + v⁴/4 − q²/2: the momentum v + v³ is not affine in v.
struct Quartic;

impl ByHand<f64, 1, 0> for Quartic {
    const FACTS: Facts = Facts { quadratic: false, constant_mass: false, ..<Pendulum as ByHand<f64, 1, 0>>::FACTS };
    const COORDINATES: &'static [&'static str] = &["x"];

    fn balance_jacobian(
        &self,
        _: f64,
        q: &SVector<f64, 1>,
        v: &SVector<f64, 1>,
        _: &SVector<f64, 0>,
    ) -> BalanceJacobian<f64, 1> {
        BalanceJacobian {
            momentum: SVector::from([v[0] + v[0].powi(3)]),
            balance: -q,
            momentum_q: SMatrix::from([[0.0]]),
            mass_matrix: SMatrix::from([[1.0 + 3.0 * v[0] * v[0]]]),
            balance_q: SMatrix::from([[-1.0]]),
            balance_v: SMatrix::from([[0.0]]),
        }
    }

    fn energy(&self, q: &SVector<f64, 1>, v: &SVector<f64, 1>) -> f64 {
        (v[0] * v[0] + q[0] * q[0]) / 2.0 + 0.75 * v[0].powi(4)
    }
}

#[test]
fn the_velocity_of_a_momentum_that_is_not_affine_is_iterated() {
    let start = State::new(0.0, [2.0], [0.5]);
    let system = Hand(Quartic);
    let reference = run(&system, start, 3.0, &Rk4::new(1e-3));
    let errors = [1e-2, 5e-3].map(|h| distance(&run(&system, start, 3.0, &ImplicitMidpoint::new(h)), &reference));
    assert!(errors[0] < 1e-4 && (errors[0] / errors[1] - 4.0).abs() < 0.2, "{errors:?}");
}
