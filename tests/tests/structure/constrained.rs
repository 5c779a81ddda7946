//! Constrained methods: RATTLE, SHAKE, variational with constraints at the nodes, and impulses around a Gauss step.

use crate::harness::{omega_defect, run};
use crate::mechanisms::{Blade, Breathing, ChargeOnSphere, Spherical};
use lagrange_runtime::evaluator::Evaluator;
use lagrange_runtime::nalgebra::SMatrix;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use std::ops::ControlFlow;

type D = Dual<f64, 6>;

fn momentum<R: Real>(system: &dyn System<R, 3, 1, 0>, state: &State<R, 3>) -> SVector<R, 3> {
    system.balance(state.t, &state.q, &state.v, &SVector::from([])).momentum
}

/// g and G v + ∂g/∂t.
fn violation(system: &dyn System<f64, 3, 1, 0>, state: &State<f64, 3>) -> [f64; 2] {
    let at = system.constraint(state.t, &state.q);
    [at.value[0], (at.jacobian * state.v + at.drift)[0]]
}

/// A state on the unit sphere with a tangent velocity.
pub(crate) fn start() -> State<f64, 3> {
    let q = SVector::from([2.0 / 7.0, 3.0 / 7.0, -6.0 / 7.0]);
    let v = SVector::from([0.9, -0.4, 0.3]);
    State { t: 0.0, q, v: v - q * q.dot(&v) }
}

/// The defect of the symplectic form on the tangent space of {g = 0, G v = 0} after 3 steps, relative to ‖Φ'‖².
fn defect<M: Method<D, 3, 1>>(method: &M) -> f64 {
    defect_of(&model(), method)
}

/// The same of any mechanism on the unit sphere whose Lagrangian is quadratic in v.
fn defect_of<Body, M>(model: &Body, method: &M) -> f64
where
    Body: Mechanism<3, 1, 0>,
    M: Method<D, 3, 1>,
{
    let real = model.prepare::<f64>().expect("valid");
    let system = model.prepare::<D>().expect("valid");
    let p = momentum(&real, &start());
    let q = SVector::from_fn(|i, _| D::variable(start().q[i], i));
    let p = SVector::from_fn(|i, _| D::variable(p[i], 3 + i));
    // L is quadratic in v: one Newton step from 0 is exact.
    let v = system.velocity_correction(D::ZERO, &q, &SVector::repeat(D::ZERO), &p).expect("M is regular");
    let at = system.constraint(D::ZERO, &q);
    let rate = (0..3).fold(at.drift[0], |sum, i| sum + at.jacobian[(0, i)] * v[i]);
    let normals = SMatrix::<f64, 2, 6>::from_fn(|i, j| [at.value[0], rate][i].derivatives[j]);
    let gram = (normals * normals.transpose()).try_inverse().expect("the constraints are independent");
    let tangent = SMatrix::<f64, 6, 6>::identity() - normals.transpose() * gram * normals;
    let end = run(&system, State { t: D::ZERO, q, v }, D::constant(0.3), method);
    let p = momentum(&system, &end);
    let derivative = SMatrix::<f64, 6, 6>::from_fn(|i, j| if i < 3 { end.q[i] } else { p[i - 3] }.derivatives[j]);
    omega_defect(&(derivative * tangent), &tangent)
}

pub(crate) fn model() -> ChargeOnSphere {
    ChargeOnSphere { b: 1.5, g: 2.0 }
}

#[test]
fn they_are_symplectic_on_the_states_that_meet_the_constraints() {
    let (h, newton) = (D::constant(0.1), Iteration::Newton);
    let small = |defect: f64, name: &str| assert!(defect <= 1e-12, "{name}: {defect:e}");
    small(defect(&Rattle::new(h).with_iteration(newton)), "RATTLE");
    small(defect(&Rattle::shake(h).with_iteration(newton)), "SHAKE");
    small(defect(&VariationalMidpoint::new(h).with_iteration(newton)), "variational midpoint");
    small(defect(&VariationalTrapezoid::new(h).with_iteration(newton)), "variational trapezoid");
    small(defect(&Gauss::<D, 2>::new(h).with_iteration(newton)), "impulses around Gauss 2");
    small(defect(&Gauss::<D, 3>::new(h).with_iteration(newton)), "impulses around Gauss 3");
    small(defect(&Composition::suzuki(Rattle::new(h).with_iteration(newton))), "Suzuki");
    let explicit = defect(&Rk4::new(h));
    assert!(explicit > 1e-7, "RK4: {explicit:e}");
}

/// Where all but λ⁻ is explicit.
#[test]
fn rattle_is_symplectic_in_its_explicit_form() {
    let (h, newton) = (D::constant(0.1), Iteration::Newton);
    let model = Spherical { m: 0.7, g: 9.8, l: 1.0 };
    for method in [Rattle::new(h), Rattle::shake(h)] {
        let defect = defect_of(&model, &method.with_iteration(newton));
        assert!(defect <= 1e-12, "{defect:e}");
    }
}

#[test]
fn they_step_back_to_where_they_were() {
    let system = model().prepare::<f64>().expect("valid");
    fn miss<M: Method<f64, 3, 1>>(system: &dyn System<f64, 3, 1, 0>, method: &M) -> f64 {
        let there = run(system, start(), 0.5, method);
        assert!((there.q - start().q).amax() > 0.1);
        let back = run(system, there, 0.0, method);
        (back.q - start().q).amax().max((back.v - start().v).amax())
    }
    let h = 0.1;
    for (miss, name) in [
        (miss(&system, &Rattle::new(h)), "RATTLE"),
        (miss(&system, &Rattle::shake(h)), "SHAKE"),
        (miss(&system, &VariationalMidpoint::new(h)), "variational midpoint"),
        (miss(&system, &VariationalTrapezoid::new(h)), "variational trapezoid"),
        (miss(&system, &Gauss::<f64, 3>::new(h)), "impulses around Gauss 3"),
        (miss(&system, &Composition::kahan_li(Rattle::new(h))), "Kahan and Li"),
    ] {
        assert!(miss < 3e-14, "{name}: {miss:e}");
    }
}

#[track_caller]
pub(crate) fn assert_order<M: Method<f64, 3, 1>>(
    system: &dyn System<f64, 3, 1, 0>,
    initial: State<f64, 3>,
    order: f64,
    counts: [u32; 3],
    method: impl Fn(f64) -> M,
) {
    let end = 1.0;
    let reference = run(system, initial, end, &Rk4::new(1e-4));
    let errors = counts.map(|count| {
        let state = run(system, initial, end, &method(end / f64::from(count)));
        assert!(violation(system, &state).into_iter().all(|value| value.abs() < 2e-15));
        (state.q - reference.q).amax().max((state.v - reference.v).amax())
    });
    for (errors, counts) in errors.windows(2).zip(counts.windows(2)) {
        let slope = (errors[0] / errors[1]).ln() / (f64::from(counts[1]) / f64::from(counts[0])).ln();
        assert!((slope - order).abs() < 0.1, "{slope} instead of {order}: {errors:?}");
    }
}

#[test]
fn their_orders_and_those_of_their_compositions() {
    let system = model().prepare::<f64>().expect("valid");
    let s = start();
    assert_order(&system, s, 2.0, [80, 160, 320], Rattle::new);
    assert_order(&system, s, 2.0, [80, 160, 320], Rattle::shake);
    assert_order(&system, s, 2.0, [80, 160, 320], VariationalMidpoint::new);
    assert_order(&system, s, 2.0, [80, 160, 320], VariationalTrapezoid::new);
    assert_order(&system, s, 2.0, [80, 160, 320], Gauss::<f64, 1>::new);
    assert_order(&system, s, 2.0, [80, 160, 320], Gauss::<f64, 3>::new);
    assert_order(&system, s, 4.0, [40, 80, 160], |h| Composition::suzuki(Rattle::new(h)));
    assert_order(&system, s, 4.0, [40, 80, 160], |h| Composition::suzuki(Gauss::<f64, 2>::new(h)));
    assert_order(&system, s, 6.0, [20, 30, 40], |h| Composition::kahan_li(VariationalMidpoint::new(h)));
}

#[test]
fn constraints_that_move_forces_and_dissipation() {
    let system = Breathing { g: 3.0, c: 0.2 }.prepare::<f64>().expect("valid");
    let initial = State { v: start().v + start().q * (3.0 / 8.0), ..start() };
    assert!(violation(&system, &initial).into_iter().all(|value| value.abs() < 1e-15));
    assert_order(&system, initial, 2.0, [80, 160, 320], Rattle::new);
    assert_order(&system, initial, 2.0, [80, 160, 320], VariationalMidpoint::new);
    assert_order(&system, initial, 2.0, [80, 160, 320], VariationalTrapezoid::new);
    assert_order(&system, initial, 2.0, [80, 160, 320], Gauss::<f64, 2>::new);
    assert_order(&system, initial, 4.0, [40, 80, 160], |h| Composition::suzuki(Rattle::new(h)));
}

/// Where a method's memory has the multipliers.
fn multipliers<M, const N: usize>(
    system: &dyn System<f64, 3, 1, 0>,
    method: &M,
    h: f64,
    of: impl Fn(&M::Memory) -> [f64; 2],
) -> [f64; 2]
where
    M: Method<f64, 3, 1>,
{
    let mut inputs = DefaultInputs::of(system);
    let mut evaluator = Evaluator::new(system, &mut inputs);
    let memory = method.start(&mut evaluator, &start()).expect("regular");
    of(&method.step(&mut evaluator, &mut method.workspace(), &start(), &memory, h, h).expect("it converges").memory)
}

#[test]
fn their_multipliers_tend_to_those_of_the_equations_of_motion() {
    let system = model().prepare::<f64>().expect("valid");
    let none = SVector::from([]);
    let exact = system.acceleration(0.0, &start().q, &start().v, &none).expect("regular").multipliers[0];
    assert!(exact.abs() > 0.1);
    let errors = [0.02, 0.01, 0.005].map(|h| {
        [
            multipliers::<_, 3>(&system, &Rattle::new(h), h, |m| [m.reaction.start[0], m.reaction.end[0]]),
            multipliers::<_, 3>(&system, &VariationalMidpoint::new(h), h, |m| [m.reaction.start[0], m.reaction.end[0]]),
            multipliers::<_, 3>(&system, &VariationalTrapezoid::new(h), h, |m| {
                [m.reaction.start[0], m.reaction.end[0]]
            }),
            multipliers::<_, 3>(&system, &Gauss::<f64, 2>::new(h), h, |m| [m.reaction.start[0], m.reaction.end[0]]),
        ]
        .map(|sides| sides.map(|side| (side - exact).abs()))
    });
    for method in 0..4 {
        for side in 0..2 {
            let [coarse, middle, fine] = [0, 1, 2].map(|level| errors[level][method][side]);
            assert!(fine < 0.1 * exact.abs() && middle < 0.7 * coarse && fine < 0.7 * middle, "{errors:?}");
        }
    }
}

/// The spherical pendulum of the study on discrete variational integrators, at its initial state.
pub(crate) fn spherical_pendulum() -> (<Spherical as Mechanism<3, 1, 0>>::Prepared<f64>, State<f64, 3>) {
    let system = Spherical { m: 1.0, g: 9.8, l: 1.0 }.prepare::<f64>().expect("valid");
    let x = 2.0_f64.sqrt() / 4.0;
    (system, State::new(0.0, [x, x, 3.0_f64.sqrt() / 2.0], [0.0; 3]))
}

#[test]
fn rattle_gives_the_published_energies_of_the_spherical_pendulum() {
    let (system, initial) = spherical_pendulum();
    for (h, expected) in [(0.1, 0.034336945), (0.01, 3.4322241e-4)] {
        let energy = |state: &State<f64, 3>| system.energies(0.0, &state.q, &state.v, &SVector::from([])).energy;
        let (mut low, mut high) = (energy(&initial), energy(&initial));
        let mut state = initial;
        let mut observer = |step: &StepView<f64, 3>| {
            (low, high) = (low.min(energy(&step.end)), high.max(energy(&step.end)));
            // It swings in a plane through the vertical.
            assert!((step.end.q[0] - step.end.q[1]).abs() < 1e-13);
            ControlFlow::Continue(())
        };
        let (method, options) = (Rattle::new(h), Options::default());
        integrate(&system, &mut state, 20.0, &method, &options, &mut DefaultInputs::of(&system), &mut observer)
            .expect("the integration succeeds");
        let range = high - low;
        assert!((range / expected - 1.0).abs() < 1e-6, "{range} instead of {expected}");
    }
}

#[test]
fn whatever_stands_between_the_impulses_it_is_rattle_where_gravity_is_uniform() {
    let (system, initial) = spherical_pendulum();
    let initial = State { v: SVector::from([1.0, -1.0, 0.0]), ..initial };
    let rattle = run(&system, initial, 5.0, &Rattle::new(0.05));
    let same = |state: State<f64, 3>, name: &str| {
        let difference = (state.q - rattle.q).amax().max((state.v - rattle.v).amax());
        assert!(difference < 1e-12, "{name}: {difference:e}");
    };
    same(run(&system, initial, 5.0, &Rattle::shake(0.05)), "SHAKE");
    same(run(&system, initial, 5.0, &Gauss::<f64, 1>::new(0.05)), "Gauss 1");
    same(run(&system, initial, 5.0, &Gauss::<f64, 3>::new(0.05)), "Gauss 3");
    same(run(&system, initial, 5.0, &VariationalMidpoint::new(0.05)), "variational midpoint");
    same(run(&system, initial, 5.0, &VariationalTrapezoid::new(0.05)), "variational trapezoid");
}

#[test]
fn constraints_and_the_angular_momentum_stay_to_round_off() {
    let (system, initial) = spherical_pendulum();
    let initial = State { v: SVector::from([1.0, -1.0, 0.0]), ..initial };
    let vertical = |state: &State<f64, 3>| state.q[0] * state.v[1] - state.q[1] * state.v[0];
    let steps = 5000.0_f64;
    let kept = |state: State<f64, 3>, name: &str| {
        let change = (vertical(&state) - vertical(&initial)).abs();
        assert!(change < 10.0 * f64::EPSILON * steps.sqrt(), "{name}: {change:e}");
        let [position, velocity] = violation(&system, &state);
        assert!(position.abs() < 1e-15 && velocity.abs() < 5e-15, "{name}: {position:e} {velocity:e}");
    };
    kept(run(&system, initial, 0.01 * steps, &Rattle::new(0.01)), "RATTLE");
    kept(run(&system, initial, 0.01 * steps, &VariationalMidpoint::new(0.01)), "variational midpoint");
    kept(run(&system, initial, 0.01 * steps, &Gauss::<f64, 2>::new(0.01)), "impulses around Gauss 2");
}

#[test]
fn what_is_not_holonomic_is_refused() {
    let system = Blade { m: 1.0 }.prepare::<f64>().expect("valid");
    let initial = State::new(0.0, [0.0; 3], [1.0, 0.0, 0.5]);
    let failed = solve(&system, initial, 1.0, &Rattle::new(0.01), &Options::default()).expect_err("it is refused");
    assert!(matches!(failed.error.failure, Failure::NotApplicable { method: "RATTLE", .. }), "{failed}");
}
