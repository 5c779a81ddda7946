//! Mass matrices that are singular at every state, where a constraint makes up for it: the same classes.

use crate::harness::{omega_defect, run};
use crate::mechanisms::Slider;
use lagrange_models::{HeavyTopQuaternion, RigidPendulum};
use lagrange_runtime::nalgebra::SMatrix;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use std::ops::ControlFlow;

type D = Dual<f64, 8>;

fn apart<const N: usize>(one: &State<f64, N>, other: &State<f64, N>) -> f64 {
    (one.q - other.q).amax().max((one.v - other.v).amax())
}

/// g and G v + ∂g/∂t.
fn violation<const N: usize>(system: &dyn System<f64, N, 1, 0>, state: &State<f64, N>) -> [f64; 2] {
    let at = system.constraint(state.t, &state.q);
    [at.value[0], (at.jacobian * state.v + at.drift)[0]]
}

fn pendulum() -> <RigidPendulum as Mechanism<4, 1, 0>>::Prepared<f64> {
    RigidPendulum::default().prepare().expect("valid")
}

fn top() -> <HeavyTopQuaternion as Mechanism<4, 1, 0>>::Prepared<f64> {
    HeavyTopQuaternion { i1: 0.7, i3: 0.3, l: 0.5, m: 0.4, g: 9.81 }.prepare().expect("valid")
}

fn spinning() -> State<f64, 4> {
    RigidPendulum::turning(1.0, [0.4, 0.9, 4.0])
}

/// Angles of the order of 1 are turned in a unit of time.
fn nodding() -> State<f64, 4> {
    HeavyTopQuaternion::of_angles(&State::new(0.0, [0.6, 0.2, -0.3], [0.1, 0.4, 6.0]))
}

#[track_caller]
fn assert_order<M: Method<f64, N, 1>, const N: usize>(
    system: &dyn System<f64, N, 1, 0>,
    (initial, reference): (State<f64, N>, &State<f64, N>),
    order: f64,
    counts: [u32; 3],
    method: impl Fn(f64) -> M,
) {
    let errors = counts.map(|count| {
        let state = run(system, initial, reference.t, &method(reference.t / f64::from(count)));
        assert!(
            violation(system, &state).into_iter().all(|value| value.abs() < 1e-14),
            "{:?}",
            violation(system, &state)
        );
        apart(&state, reference)
    });
    for (errors, counts) in errors.windows(2).zip(counts.windows(2)) {
        let slope = (errors[0] / errors[1]).ln() / (f64::from(counts[1]) / f64::from(counts[0])).ln();
        assert!((slope - order).abs() < 0.1, "{slope} instead of {order}: {errors:?}");
    }
}

/// Orders against RK4 with short steps on the accelerations of the equations of motion; those of Gauss with two and with three stages are given with their
/// numbers of steps.
fn they_have_their_orders<const N: usize>(
    system: &dyn System<f64, N, 1, 0>,
    initial: State<f64, N>,
    sixth: [u32; 3],
    gauss: [(f64, [u32; 3]); 2],
) {
    let reference = run(system, initial, 1.0, &Rk4::new(1e-4));
    let s = (initial, &reference);
    assert_order(system, s, 2.0, [80, 160, 320], Rattle::new);
    assert_order(system, s, 2.0, [80, 160, 320], Rattle::shake);
    assert_order(system, s, 2.0, [80, 160, 320], VariationalMidpoint::new);
    assert_order(system, s, 2.0, [80, 160, 320], VariationalTrapezoid::new);
    assert_order(system, s, 2.0, [80, 160, 320], ImplicitMidpoint::new);
    let [(two, counts), (three, more)] = gauss;
    assert_order(system, s, two, counts, Gauss::<f64, 2>::new);
    assert_order(system, s, three, more, |h| Gauss::<f64, 3>::new(h).with_iteration(Iteration::FixedPoint));
    assert_order(system, s, 4.0, [40, 80, 160], |h| Composition::suzuki(Rattle::new(h)));
    assert_order(system, s, 6.0, sixth, |h| Composition::kahan_li(VariationalMidpoint::new(h)));
}

/// No energy contains the length of the quaternion, and its constraint has no reaction. So the impulses of a step vanish, and Gauss has its full order.
#[test]
fn a_rigid_body_by_a_quaternion_has_their_orders() {
    let system = pendulum();
    they_have_their_orders(&system, spinning(), [40, 60, 80], [(4.0, [40, 80, 160]), (6.0, [20, 30, 40])]);
    let reference = run(&system, spinning(), 1.0, &Rk4::new(1e-4));
    let s = (spinning(), &reference);
    assert_order(&system, s, 4.0, [40, 80, 160], |h| Composition::suzuki(Gauss::<f64, 2>::new(h)));
    assert_order(&system, s, 4.0, [40, 80, 160], |h| Impulses::new(Gauss::<f64, 2>::new(h)));
}

#[test]
fn a_massless_coordinate_on_a_moving_cubic_has_their_orders() {
    let system = Slider { m: 1.3, k: 2.0 }.prepare::<f64>().expect("valid");
    they_have_their_orders(&system, Slider::start(), [20, 30, 40], [(2.0, [80, 160, 320]); 2]);
}

/// The largest distance from the start after steps forward and back.
fn miss<M: Method<f64, 4, 1>>(system: &dyn System<f64, 4, 1, 0>, initial: State<f64, 4>, method: &M) -> f64 {
    let there = run(system, initial, 0.5, method);
    assert!((there.q - initial.q).amax() > 0.1);
    apart(&run(system, there, 0.0, method), &initial)
}

#[test]
fn they_step_back_to_where_they_were() {
    let h = 0.05;
    let (pendulum, top) = (pendulum(), top());
    for (miss, name) in [
        (miss(&pendulum, spinning(), &Rattle::new(h)), "RATTLE"),
        (miss(&top, nodding(), &Rattle::new(h)), "RATTLE, top"),
        (miss(&pendulum, spinning(), &Rattle::shake(h)), "SHAKE"),
        (miss(&pendulum, spinning(), &VariationalMidpoint::new(h)), "variational midpoint"),
        (miss(&pendulum, spinning(), &VariationalTrapezoid::new(h)), "variational trapezoid"),
        (miss(&pendulum, spinning(), &Gauss::<f64, 2>::new(h)), "impulses around Gauss 2"),
        (miss(&pendulum, spinning(), &Composition::suzuki(Rattle::new(h))), "Suzuki"),
        (miss(&pendulum, spinning(), &Impulses::new(Gauss::<f64, 2>::new(h))), "impulses"),
    ] {
        assert!(miss < 1e-13, "{name}: {miss:e}");
    }
}

/// The component of the angular momentum about the vertical: p·δq for δq = k q/2, k the third unit of the quaternions.
fn vertical(system: &dyn System<f64, 4, 1, 0>, state: &State<f64, 4>) -> f64 {
    let p = system.balance(state.t, &state.q, &state.v, &SVector::from([])).momentum;
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| state.q[i] / 2.0);
    p.dot(&SVector::from([-d, -c, b, a]))
}

#[test]
fn the_angular_momentum_stays_to_round_off_and_the_energy_near_its_value() {
    fn kept<M: Method<f64, 4, 1>>(system: &dyn System<f64, 4, 1, 0>, initial: State<f64, 4>, method: &M) {
        let steps = 4000.0_f64;
        let energy = |state: &State<f64, 4>| system.energies_of(state).energy;
        let momentum = vertical(system, &initial);
        let (mut change, mut halves) = (0.0_f64, [0.0_f64; 2]);
        let mut observer = |step: &StepView<f64, 4>| {
            change = change.max((vertical(system, &step.end) - momentum).abs());
            let half = usize::from(step.end.t > 0.01 * steps);
            halves[half] = halves[half].max((energy(&step.end) - energy(&initial)).abs());
            let [position, velocity] = violation(system, &step.end);
            assert!(position.abs() < 2e-15 && velocity.abs() < 2e-14, "{position:e} {velocity:e}");
            ControlFlow::Continue(())
        };
        let mut state = initial;
        let options = Options::default();
        integrate(system, &mut state, 0.02 * steps, method, &options, &mut DefaultInputs::of(system), &mut observer)
            .expect("the integration succeeds");
        let name = method.name();
        assert!(change < 20.0 * f64::EPSILON * momentum.abs() * steps.sqrt(), "{name}: {change:e} of {momentum}");
        let [first, second] = halves;
        assert!(first < 0.05 && second < 1.1 * first, "{name}: {first:e}, then {second:e}");
    }
    let (pendulum, top) = (pendulum(), top());
    kept(&pendulum, spinning(), &Rattle::new(0.02));
    kept(&pendulum, spinning(), &VariationalMidpoint::new(0.02));
    kept(&pendulum, spinning(), &VariationalTrapezoid::new(0.02));
    kept(&pendulum, spinning(), &Gauss::<f64, 2>::new(0.02));
    kept(&top, nodding(), &Rattle::new(0.02));
    kept(&top, nodding(), &Gauss::<f64, 2>::new(0.02));
}

/// The defect of the symplectic form on the tangent space of {g = 0, G v = 0} after 3 steps, relative to ‖Φ'‖².
fn defect<M>(method: &M) -> f64
where
    M: Method<D, 4, 1>,
{
    let system = RigidPendulum::default().prepare::<D>().expect("valid");
    let State { q, v, .. } = spinning();
    let q = SVector::from_fn(|i, _| D::variable(q[i], i));
    let v = SVector::from_fn(|i, _| D::variable(v[i], 4 + i));
    let at = system.constraint(D::ZERO, &q);
    let rate = (0..4).fold(at.drift[0], |sum, i| sum + at.jacobian[(0, i)] * v[i]);
    let normals = SMatrix::<f64, 2, 8>::from_fn(|i, j| [at.value[0], rate][i].derivatives[j]);
    let gram = (normals * normals.transpose()).try_inverse().expect("the constraints are independent");
    let tangent = SMatrix::<f64, 8, 8>::identity() - normals.transpose() * gram * normals;
    let derivative = |state: &State<D, 4>| {
        let p = system.balance(state.t, &state.q, &state.v, &SVector::from([])).momentum;
        SMatrix::<f64, 8, 8>::from_fn(|i, j| if i < 4 { state.q[i] } else { p[i - 4] }.derivatives[j])
    };
    let start = State { t: D::ZERO, q, v };
    let end = run(&system, start, D::constant(0.15), method);
    omega_defect(&(derivative(&end) * tangent), &(derivative(&start) * tangent))
}

#[test]
fn they_are_symplectic_on_the_states_that_meet_the_constraints() {
    let (h, newton) = (D::constant(0.05), Iteration::Newton);
    let small = |defect: f64, name: &str| assert!(defect <= 1e-12, "{name}: {defect:e}");
    small(defect(&Rattle::new(h).with_iteration(newton)), "RATTLE");
    small(defect(&Rattle::shake(h).with_iteration(newton)), "SHAKE");
    small(defect(&VariationalTrapezoid::new(h).with_iteration(newton)), "variational trapezoid");
    small(defect(&Gauss::<D, 2>::new(h).with_iteration(newton)), "impulses around Gauss 2");
    let explicit = defect(&Rk4::new(h));
    assert!(explicit > 1e-9, "RK4: {explicit:e}");
}

/// The states of the catalogue, by every method.
#[test]
fn the_catalogues_states_go_on() {
    fn goes_on(system: &dyn System<f64, 4, 1, 0>, initial: State<f64, 4>, h: f64) {
        let energy = |state: &State<f64, 4>| system.energies_of(state).energy;
        let near = |state: State<f64, 4>, name: &str| {
            let change = (energy(&state) - energy(&initial)).abs();
            assert!(change < 1e-3 * energy(&initial).abs(), "{name}: {change:e}");
        };
        let end = 200.0 * h;
        near(run(system, initial, end, &Rattle::new(h)), "RATTLE");
        near(run(system, initial, end, &Rattle::shake(h)), "SHAKE");
        near(run(system, initial, end, &VariationalMidpoint::new(h)), "variational midpoint");
        near(run(system, initial, end, &VariationalTrapezoid::new(h)), "variational trapezoid");
        near(run(system, initial, end, &ImplicitMidpoint::new(h)), "implicit midpoint");
        near(run(system, initial, end, &Gauss::<f64, 2>::new(h)), "Gauss 2");
        near(run(system, initial, end, &Gauss::<f64, 3>::new(h)), "Gauss 3");
        near(run(system, initial, end, &Gauss::<f64, 4>::new(h)), "Gauss 4");
        near(run(system, initial, end, &Gauss::<f64, 6>::new(h)), "Gauss 6");
    }
    let top = HeavyTopQuaternion::default().prepare::<f64>().expect("valid");
    goes_on(&top, HeavyTopQuaternion::nodding(), 2e-4);
    let pendulum = pendulum();
    goes_on(&pendulum, RigidPendulum::spinning(), 5e-3);
}
