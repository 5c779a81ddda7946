//! Works, drifts and sections of motions.

use super::shared::{Driven, Oscillator};
use lagrange_models::{CartesianPendulum, Kepler};
use lagrange_runtime::analysis::{AnalysisError, Drift, poincare_section, power_audit};
use lagrange_runtime::event::Direction;
use lagrange_runtime::prelude::*;
use std::f64::consts::PI;

fn dense() -> Options<'static, f64, 1> {
    Options { rtol: 1e-12.into(), atol: 1e-12.into(), dense_output: true, ..Options::default() }
}

/// In the steady motion of amplitude X the friction takes π c ω X² in a period, and the force gives it.
#[test]
fn a_force_gives_what_friction_takes() {
    let driven = Driven { m: 2.0, k: 18.0, c: 0.8, a: 1.5, w: 2.2 };
    let system = driven.prepare::<f64>().expect("valid");
    let (real, imaginary) = (driven.k - driven.m * driven.w * driven.w, driven.c * driven.w);
    let square = real * real + imaginary * imaginary;
    let start = State::new(0.0, [driven.a * real / square], [driven.a * driven.w * imaginary / square]);
    let solution = solve(&system, start, 2.0 * PI / driven.w, &Dop853::new(), &dense()).expect("no failure");
    let audit = power_audit(&system, &solution, |_, _, _| SVector::from([])).expect("dense");
    let work = PI * driven.c * driven.w * driven.a * driven.a / square;
    let of = |name: &str| audit.works.iter().find(|work| work.0.contains(name)).map_or(f64::NAN, |work| work.1);
    assert!((of("dissipation") + work).abs() < 1e-10, "{audit:?} {work}");
    assert!((audit.works[0].1 - work).abs() < 1e-10, "{audit:?} {work}");
    assert!(audit.residual.abs() < 1e-11 && audit.change.abs() < 1e-11 && audit.impacts == 0.0, "{audit:?}");
    let bare = solve(&system, start, 1.0, &Dop853::new(), &Options::default()).expect("no failure");
    let error = power_audit(&system, &bare, |_, _, _| SVector::from([])).expect_err("nothing to integrate");
    assert!(error.to_string().contains("dense_output"), "{error}");
}

/// A ball over a floor.
#[lagrangian {
    coordinates y;
    kinetic = m*dot(y)^2/2;
    potential = m*g*y;
}]
#[derive(Clone, Debug)]
struct Ball {
    m: f64,
    g: f64,
}

/// Each impact of restitution e leaves e² of the energy m g h.
#[test]
fn impacts_take_their_share() {
    let ball = Ball { m: 0.4, g: 9.81 };
    let system = ball.prepare::<f64>().expect("valid");
    let restitution = 0.8;
    let floor = |_: f64, y: &SVector<f64, 1>, _: &SVector<f64, 1>| y[0];
    let bounce = |state: &State<f64, 1>| State { v: state.v * -restitution, ..*state };
    let events = [Event::new(&floor).going(Direction::Falling).mapping(&bounce)];
    let options = Options { events: &events, ..dense() };
    // The second impact comes at √(2h/g) (1 + 2e).
    let end = (2.0 / ball.g).sqrt() * (1.0 + 2.0 * restitution) + 0.1;
    let solution = solve(&system, State::new(0.0, [1.0], [0.0]), end, &Dop853::new(), &options).expect("no failure");
    let audit = power_audit(&system, &solution, |_, _, _| SVector::from([])).expect("dense");
    let lost = ball.m * ball.g * (1.0 - restitution.powi(4));
    assert!((audit.impacts + lost).abs() < 1e-10 && (audit.change + lost).abs() < 1e-10, "{audit:?} {lost}");
    assert!(audit.residual.abs() < 1e-11, "{audit:?}");
    // The first impact ends the motion, and counts.
    let events = [events[0].terminal()];
    let options = Options { events: &events, ..dense() };
    let solution = solve(&system, State::new(0.0, [1.0], [0.0]), end, &Dop853::new(), &options).expect("no failure");
    let audit = power_audit(&system, &solution, |_, _, _| SVector::from([])).expect("dense");
    let lost = ball.m * ball.g * (1.0 - restitution.powi(2));
    assert!((audit.impacts + lost).abs() < 1e-10 && (audit.change + lost).abs() < 1e-10, "{audit:?} {lost}");
    assert!(audit.residual.abs() < 1e-11, "{audit:?}");
}

/// A mass on a spring whose other end is at `hand`.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = (x - hand)^2/2;
}]
#[derive(Clone, Debug)]
struct Pulled {
    #[input]
    hand: f64,
}

/// The hand jumps at each sample, and a wall halves the velocity. Each of the two jumps of h has its own place in the balance.
#[test]
fn inputs_in_the_potential_do_work() {
    let system = Pulled { hand: 0.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [1.0], [0.0]);
    let law = |t: f64, x: &SVector<f64, 1>, _: &SVector<f64, 1>| SVector::from([x[0] + 1.0 / (1.0 + t)]);
    let wall = |_: f64, x: &SVector<f64, 1>, _: &SVector<f64, 1>| x[0] - 1.25;
    let bounce = |state: &State<f64, 1>| State { v: state.v * -0.5, ..*state };
    let events = [Event::new(&wall).going(Direction::Rising).mapping(&bounce)];
    for events in [&events[..0], &events] {
        let options = Options { events, ..dense() };
        let mut sampled = Sampled::new(0.25, law);
        let solution = solve_with(&system, start, 2.0, &Dop853::new(), &options, &mut sampled).expect("no failure");
        let audit =
            power_audit(&system, &solution, |t, _, _| solution.held_inputs(t).unwrap_or_default()).expect("dense");
        // Between two samples h = (x − hand)²/2 + v²/2 keeps its value, but for impacts.
        let lost: f64 = solution.events.iter().map(|event| event.before.v[0].powi(2) * (0.25 - 1.0) / 2.0).sum();
        assert_eq!(lost == 0.0, events.is_empty());
        assert!((audit.impacts - lost).abs() < 1e-12, "{audit:?} {lost}");
        assert!(audit.inputs.abs() > 0.01 && audit.residual.abs() < 1e-11, "{audit:?}");
        let jumps: f64 = (1..8)
            .map(|sample| {
                let State { t, q, v } = solution.sample(0.25 * f64::from(sample)).expect("within");
                let before = solution.held_inputs(t - 0.1).expect("stored")[0];
                ((q[0] - law(t, &q, &v)[0]).powi(2) - (q[0] - before).powi(2)) / 2.0
            })
            .sum();
        assert!((audit.inputs - jumps).abs() < 1e-9, "{audit:?} {jumps}");
    }
}

/// The hand moves all the time, and the motion is so exact that the quadrature of its work decides.
#[test]
fn the_work_of_moving_inputs_balances_the_energy() {
    let system = Pulled { hand: 0.0 }.prepare::<f64>().expect("valid");
    let mut law = |t: f64, _: &SVector<f64, 1>, v: &SVector<f64, 1>| SVector::from([(2.0 * t).sin() - v[0] / 2.0]);
    for end in [4.0, -4.0] {
        let options = Options { max_step: 0.2, ..dense() };
        let start = State::new(0.0, [1.0], [0.0]);
        let solution = solve_with(&system, start, end, &Verner9::new(), &options, &mut law).expect("no failure");
        let audit = power_audit(&system, &solution, law).expect("dense");
        assert!(audit.inputs.abs() > 0.1 && audit.residual.abs() < 1e-11, "{audit:?}");
    }
}

/// Projections onto a constraint move the ends of steps, which is no impact.
#[test]
fn projections_are_no_impacts() {
    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    let options = Options { dense_output: true, ..Options::default() };
    let start = CartesianPendulum::released();
    let solution = solve(&system, start, 2.0, &Projected::new(Dop853::new()), &options).expect("no failure");
    let audit = power_audit(&system, &solution, |_, _, _| SVector::from([])).expect("dense");
    assert!(audit.impacts == 0.0 && audit.inputs == 0.0, "{audit:?}");
}

/// On a linear oscillator RK4 multiplies the energy by |R(ihω)|² a step, R(z) = 1 + z + z²/2 + z³/6 + z⁴/24; Gauss's methods by 1.
#[test]
fn energies_drift_as_stability_functions_say() {
    let system = Oscillator { m: 2.0, k: 18.0, push: 0.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [1.0], [0.0]);
    let energy = |state: &State<f64, 1>| system.energies_of(state).energy;
    let h = 0.05;
    let run = solve(&system, start, 20.0, &Rk4::new(h), &Options::default()).expect("no failure");
    let drift = Drift::of(&run, energy).expect("several times");
    let z = 3.0_f64 * h;
    let square = (1.0 - z * z / 2.0 + z.powi(4) / 24.0).powi(2) + (z - z.powi(3) / 6.0).powi(2);
    let left = 9.0 * square.powi(400);
    assert!((drift.deviation - (left - 9.0)).abs() < 1e-11, "{drift:?} {left}");
    assert!((drift.slope - (left - 9.0) / 20.0).abs() < 1e-7 && drift.oscillation < 1e-6, "{drift:?}");
    let run = solve(&system, start, 20.0, &Gauss::<f64, 2>::new(h), &Options::default()).expect("no failure");
    let drift = Drift::of(&run, energy).expect("several times");
    assert!(drift.deviation.abs() < 1e-12 && drift.slope.abs() < 1e-13, "{drift:?}");
}

/// An ellipse crosses its axis upward at the pericentre, every 2π (E. Hairer, C. Lubich, G. Wanner, I.2.3).
#[test]
fn an_ellipse_crosses_its_axis_at_the_pericentre() {
    let system = Kepler::default().prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
    let axis = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[1];
    let start = Kepler::eccentric();
    let section = |direction| {
        poincare_section(&system, start, 20.0, &Dop853::new(), &options, Event::new(&axis).going(direction))
            .expect("no failure")
    };
    let points = section(Direction::Rising);
    assert_eq!(points.len(), 3);
    for (k, point) in points.iter().enumerate() {
        assert!((point.t - 2.0 * PI * (k + 1) as f64).abs() < 1e-9, "{point:?}");
        assert!((point.q - start.q).norm() < 1e-9 && (point.v - start.v).norm() < 1e-8, "{point:?}");
    }
    // At the apocentre the distance is 1 + e.
    assert!(section(Direction::Falling).iter().all(|point| (point.q[0] + 1.6).abs() < 1e-9));
    let nowhere = |_: f64, _: &SVector<f64, 2>, _: &SVector<f64, 2>| f64::NAN;
    let error = poincare_section(&system, start, 1.0, &Dop853::new(), &options, Event::new(&nowhere));
    assert!(matches!(error, Err(AnalysisError::State(_))));
}
