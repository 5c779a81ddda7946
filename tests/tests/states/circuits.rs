//! Circuits and controllers with states against matrix exponentials.

use lagrange_models::ControlledMotor;
use lagrange_runtime::analysis::linearize;
use lagrange_runtime::nalgebra::{DMatrix, DVector};
use lagrange_runtime::prelude::*;

/// A ladder of eight resistors and capacitors: the voltages of the capacitors.
#[lagrangian {
    const n = 8;
    let current[i in 0..1] = (source - u[0])/r;
    let current[i in 1..n] = (u[i-1] - u[i])/r;
    state u[i in 0..n-1]: dot(u[i]) == (current[i] - current[i+1])/c;
    state u[n-1]: dot(u[n-1]) == current[n-1]/c;
    output last = u[n-1];
    output heat = sum(i in 0..n, r*current[i]^2);
}]
#[derive(Clone, Debug)]
pub(super) struct Ladder {
    pub(super) r: f64,
    pub(super) c: f64,
    #[input]
    source: f64,
}

pub(super) const LADDER: Ladder = Ladder { r: 2.0e3, c: 3.0e-6, source: 5.0 };

/// u̇ = A u + B source.
pub(super) fn ladder() -> (DMatrix<f64>, DMatrix<f64>) {
    let rate = 1.0 / (LADDER.r * LADDER.c);
    let a = DMatrix::from_fn(8, 8, |i, k| match i.abs_diff(k) {
        0 if i == 7 => -rate,
        0 => -2.0 * rate,
        1 => rate,
        _ => 0.0,
    });
    (a, DMatrix::from_fn(8, 1, |i, _| if i == 0 { rate } else { 0.0 }))
}

/// x(t) of ẋ = A x + b, by the exponential of the bordered matrix.
pub(super) fn flow(a: &DMatrix<f64>, b: &DVector<f64>, x: &DVector<f64>, t: f64) -> DVector<f64> {
    let n = a.nrows();
    let mut bordered = DMatrix::zeros(n + 1, n + 1);
    bordered.view_mut((0, 0), (n, n)).copy_from(&(a * t));
    bordered.view_mut((0, n), (n, 1)).copy_from(&(b * t));
    let start = x.clone().insert_row(n, 1.0);
    (bordered.exp() * start).rows(0, n).into_owned()
}

#[test]
fn a_ladder_without_inductors_is_its_matrix_exponential() {
    let (a, b) = ladder();
    let system = LADDER.prepare::<f64>().expect("the parameters are positive");
    let start = SVector::<f64, 8>::from_fn(|i, _| if i == 4 { 2.0 } else { 0.0 });
    let exact = flow(&a, &(b.column(0) * 5.0), &DVector::from_column_slice(start.as_slice()), 0.05);
    let options = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
    let state = State::new(0.0, SVector::zeros(), start);
    let near = |found: State<f64, 8>, error: f64| {
        let missed = (DVector::from_column_slice(found.v.as_slice()) - &exact).amax();
        assert!(missed < error, "{missed:e}");
    };
    near(solve(&system, state, 0.05, &Dop853::new(), &options).expect("it is linear").last().expect("an end"), 1e-11);
    let gauss = Gauss::<f64, 3>::new(1e-3);
    near(solve(&system, state, 0.05, &gauss, &options).expect("it is linear").last().expect("an end"), 1e-9);
    let dynamic: &dyn System<f64, 8, 0, 1> = &system;
    near(solve(dynamic, state, 0.05, &Dop853::new(), &options).expect("it is linear").last().expect("an end"), 1e-11);
}

#[test]
fn the_linearisation_of_a_ladder_has_a_state_for_each_capacitor() {
    let (a, b) = ladder();
    let system = LADDER.prepare::<f64>().expect("the parameters are positive");
    let state = State::new(0.0, SVector::zeros(), SVector::zeros());
    let near = linearize(&system, &state, &SVector::from([0.0])).expect("it is linear");
    let names: Vec<String> = (0..8).map(|i| format!("u[{i}]")).collect();
    assert_eq!(near.states(), names);
    assert!((near.a() - a).amax() < 1e-10 && (near.b() - b).amax() < 1e-10);
}

#[test]
fn a_block_of_states_alone_has_no_energy() {
    assert_eq!(Ladder::STATES, 8);
    assert_eq!(Ladder::INDEX.u, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(Ladder::EQUATIONS_TEXT.starts_with("dot(u[0]) = "), "{}", Ladder::EQUATIONS_TEXT);
    assert!(!Ladder::EQUATIONS_TEXT.contains("energy"));
    let system = LADDER.prepare::<f64>().expect("the parameters are positive");
    let state = State::new(0.0, SVector::zeros(), SVector::repeat(3.0));
    assert_eq!(system.energies_of(&state).energy, 0.0);
}

/// ẋ = A x + b of (ω, i, ∫e), saturated and free.
fn linear(saturated: bool) -> (DMatrix<f64>, DVector<f64>) {
    let ControlledMotor { j, b, k, r, inductance: l, kp, ki, limit, speed } = ControlledMotor::default();
    if saturated {
        (
            DMatrix::from_row_slice(3, 3, &[-b / j, k / j, 0.0, -k / l, -r / l, 0.0, 0.0, 0.0, 0.0]),
            DVector::from_column_slice(&[0.0, limit / l, 0.0]),
        )
    } else {
        (
            DMatrix::from_row_slice(3, 3, &[-b / j, k / j, 0.0, (-k - kp) / l, -r / l, ki / l, -1.0, 0.0, 0.0]),
            DVector::from_column_slice(&[0.0, kp * speed / l, speed]),
        )
    }
}

#[test]
fn a_motor_with_a_saturated_controller_is_two_matrix_exponentials() {
    let (saturated, free) = (linear(true), linear(false));
    let motor = ControlledMotor::default();
    let rest = DVector::zeros(3);
    // The voltage leaves the limit where kp (speed − ω) = limit, as the integral has not moved.
    let left = |t: f64| motor.kp * (motor.speed - flow(&saturated.0, &saturated.1, &rest, t)[0]) - motor.limit;
    let (mut low, mut high) = (0.0, 0.2);
    assert!(left(low) > 0.0 && left(high) < 0.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if left(middle) > 0.0 { low = middle } else { high = middle }
    }
    let at_switch = flow(&saturated.0, &saturated.1, &rest, low);
    let end = 0.3;
    let exact = flow(&free.0, &free.1, &at_switch, end - low);
    // The voltage stays below the limit from there on.
    for k in 1..=30 {
        let x = flow(&free.0, &free.1, &at_switch, (end - low) * f64::from(k) / 30.0);
        let asked = motor.kp * (motor.speed - x[0]) + motor.ki * x[2];
        assert!(asked.abs() < motor.limit, "{asked}");
    }
    let system = motor.prepare::<f64>().expect("the parameters are positive");
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let start = ControlledMotor::at_rest();
    let found = solve(&system, start, end, &Dop853::new(), &options).expect("it is piecewise linear");
    let last = found.last().expect("an end");
    let missed = (0..3).map(|i| (last.v[i] - exact[i]).abs()).fold(0.0, f64::max);
    assert!(missed < 1e-8, "{missed:e}");
}

#[test]
fn an_event_finds_a_state_at_its_value() {
    let system = LADDER.prepare::<f64>().expect("the parameters are positive");
    let (a, b) = ladder();
    let half = |_: f64, _: &SVector<f64, 8>, v: &SVector<f64, 8>| v[Ladder::INDEX.u[7]] - 2.5;
    let events = [Event::new(&half).terminal()];
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), events: &events, ..Options::default() };
    let start = State::new(0.0, SVector::zeros(), SVector::zeros());
    let found = solve(&system, start, 10.0, &Dop853::new(), &options).expect("it is linear").last().expect("an end");
    let exact = flow(&a, &(b.column(0) * 5.0), &DVector::zeros(8), found.t);
    assert!(found.t > 0.0 && found.t < 10.0);
    assert!((exact[7] - 2.5).abs() < 1e-9, "{}", exact[7]);
}

/// Van der Pol's circuit by the flux of its node: a capacitor, an inductor, and a tube whose current is g (u³/3 − u).
#[lagrangian {
    coordinates flux;
    kinetic     = c*dot(flux)^2/2;
    potential   = flux^2/(2*l);
    dissipation = g*(dot(flux)^4/12 - dot(flux)^2/2);
}]
#[derive(Clone, Debug)]
struct Tube {
    c: f64,
    l: f64,
    g: f64,
}

#[test]
fn van_der_pols_circuit_has_its_published_period() {
    let system = Tube { c: 1.0, l: 1.0, g: 1.0 }.prepare::<f64>().expect("the parameters are positive");
    let flux = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| q[0];
    let events = [Event::new(&flux).going(Direction::Rising).terminal()];
    let options = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
    let to = |state: State<f64, 1>, t_end: f64, options: &Options<'_, f64, 1>| {
        solve(&system, state, t_end, &Dop853::new(), options).expect("it is smooth").last().expect("an end")
    };
    let crossing = |state: State<f64, 1>| to(state, state.t + 20.0, &Options { events: &events, ..options });
    let first = crossing(to(State::new(0.0, [0.1], [0.0]), 60.0, &options));
    let second = crossing(to(first, first.t + 1.0, &options));
    assert!((second.t - first.t - 6.663_286_859_3).abs() < 1e-8, "{}", second.t - first.t);
}
