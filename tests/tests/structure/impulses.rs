//! The three-step composition with any symmetric method inside.

use crate::constrained::{assert_order, model, spherical_pendulum, start};
use crate::harness::run;
use crate::mechanisms::{Blade, Breathing};
use lagrange_models::{RigidPendulum, TriplePendulumCartesian};
use lagrange_runtime::constraint::Unconstrained;
use lagrange_runtime::evaluator::Evaluator;
use lagrange_runtime::method::{Reaction, Symmetric};
use lagrange_runtime::prelude::*;

/// The largest difference of two states.
fn apart<const N: usize>(one: &State<f64, N>, other: &State<f64, N>) -> f64 {
    (one.q - other.q).amax().max((one.v - other.v).amax())
}

/// Asserts that the composition around each method ends where `$expected` does, within `$allowed`.
macro_rules! assert_all_end_at {
    ($expected:expr, $allowed:expr, |$method:ident| $run:expr, $($inner:expr),+ $(,)?) => {
        $({
            let $method = Impulses::new($inner);
            let difference = apart(&$run, &$expected);
            assert!(difference < $allowed, "{}: {difference:e}", stringify!($inner));
        })+
    };
}

#[test]
fn on_the_spherical_pendulum_it_is_rattle_whatever_is_inside() {
    let (system, initial) = spherical_pendulum();
    let initial = State { v: SVector::from([1.0, -1.0, 0.0]), ..initial };
    let h = 0.05;
    let rattle = run(&system, initial, 5.0, &Rattle::new(h));
    assert_all_end_at!(
        rattle,
        1e-12,
        |method| run(&system, initial, 5.0, &method),
        ImplicitMidpoint::new(h),
        Gauss::<f64, 2>::new(h),
        Gauss::<f64, 3>::new(h).with_iteration(Iteration::FixedPoint),
        Gauss::<f64, 6>::new(h),
        VariationalMidpoint::new(h),
        VariationalTrapezoid::new(h).without_history(),
        Rattle::new(h),
        Composition::suzuki(ImplicitMidpoint::new(h)),
        Composition::kahan_li(VariationalTrapezoid::new(h)),
    );
}

#[test]
fn on_the_triple_pendulum_it_is_rattle_whatever_is_inside() {
    let system = TriplePendulumCartesian::default().prepare::<f64>().expect("the parameters are valid");
    let initial = TriplePendulumCartesian::released();
    let (h, t_end) = (0.12, 12.0);
    let rattle = follow(&system, initial, t_end, &Rattle::new(h));
    assert_all_end_at!(
        rattle,
        1e-11,
        |method| follow(&system, initial, t_end, &method),
        ImplicitMidpoint::new(h),
        Gauss::<f64, 2>::new(h),
        VariationalTrapezoid::new(h),
        Composition::suzuki(VariationalMidpoint::new(h)),
    );
    let ours = follow(&system, initial, t_end, &Impulses::new(ImplicitMidpoint::new(h)));
    let none = SVector::zeros();
    assert!(system.constraint(t_end, &ours.q).value.amax() < 1e-14);
    assert!(system.constraint_hidden(t_end, &ours.q, &ours.v, &none).rate.amax() < 1e-14);
}

/// The end of a motion of the triple pendulum.
fn follow<M>(system: &dyn System<f64, 6, 3, 0>, initial: State<f64, 6>, t_end: f64, method: &M) -> State<f64, 6>
where
    M: Method<f64, 6, 3>,
{
    let mut state = initial;
    let options = Options::default();
    integrate(system, &mut state, t_end, method, &options, &mut DefaultInputs::of(system), &mut ())
        .unwrap_or_else(|error| panic!("{error}"));
    state
}

#[test]
fn it_is_what_methods_do_that_take_constraints_themselves() {
    // M depends on q and p is not M v, so the compositions differ. Each equals the method's own form for constraints, whose
    // symplecticity `constrained.rs` tests.
    let system = model().prepare::<f64>().expect("valid");
    let h = 0.05;
    let same = |own: State<f64, 3>, ours: State<f64, 3>, name: &str| {
        assert!(apart(&own, &ours) < 1e-12, "{name}: {:e}", apart(&own, &ours));
    };
    macro_rules! compare {
        ($($method:expr),+ $(,)?) => {
            $(same(run(&system, start(), 2.0, &$method), run(&system, start(), 2.0, &Impulses::new($method)), stringify!($method));)+
        };
    }
    compare!(
        ImplicitMidpoint::new(h),
        Gauss::<f64, 2>::new(h),
        Gauss::<f64, 3>::new(h),
        VariationalMidpoint::new(h),
        VariationalTrapezoid::new(h),
        Rattle::new(h),
        Gauss::<f64, 2>::new(h).with_iteration(Iteration::FixedPoint),
        VariationalMidpoint::new(h).with_iteration(Iteration::FixedPoint),
        Rattle::new(h).with_iteration(Iteration::FixedPoint).without_history(),
    );
    let (one, other) =
        (run(&system, start(), 2.0, &Rattle::new(h)), run(&system, start(), 2.0, &Gauss::<f64, 3>::new(h)));
    assert!(apart(&one, &other) > 1e-6, "they are different methods");
}

#[test]
fn its_order_is_2_and_that_of_compositions_4_and_6() {
    let system = model().prepare::<f64>().expect("valid");
    let s = start();
    let impulses = |h| Impulses::new(Gauss::<f64, 3>::new(h));
    assert_order(&system, s, 2.0, [80, 160, 320], impulses);
    assert_order(&system, s, 2.0, [80, 160, 320], |h| Impulses::new(Composition::suzuki(ImplicitMidpoint::new(h))));
    assert_order(&system, s, 4.0, [80, 160, 320], |h| Composition::triple_jump(impulses(h)));
    assert_order(&system, s, 4.0, [40, 80, 160], |h| Composition::suzuki(impulses(h)));
    assert_order(&system, s, 6.0, [40, 60, 80], |h| Composition::yoshida(impulses(h)));
    assert_order(&system, s, 6.0, [20, 30, 40], |h| Composition::kahan_li(Impulses::new(VariationalMidpoint::new(h))));
}

#[test]
fn constraints_that_move_forces_and_dissipation() {
    let system = Breathing { g: 3.0, c: 0.2 }.prepare::<f64>().expect("valid");
    let initial = State { v: start().v + start().q * (3.0 / 8.0), ..start() };
    let impulses = |h| Impulses::new(Gauss::<f64, 2>::new(h));
    assert_order(&system, initial, 2.0, [80, 160, 320], impulses);
    assert_order(&system, initial, 4.0, [40, 80, 160], |h| Composition::suzuki(impulses(h)));
    let own = run(&system, initial, 1.0, &Gauss::<f64, 2>::new(0.05));
    assert!(apart(&own, &run(&system, initial, 1.0, &impulses(0.05))) < 1e-12);
}

#[test]
fn it_steps_back_to_where_it_was() {
    let system = model().prepare::<f64>().expect("valid");
    fn miss<M: Method<f64, 3, 1> + Symmetric>(system: &dyn System<f64, 3, 1, 0>, method: &M) -> f64 {
        let there = run(system, start(), 0.5, method);
        assert!((there.q - start().q).amax() > 0.1);
        apart(&run(system, there, 0.0, method), &start())
    }
    let miss_of_one = miss(&system, &Impulses::new(Gauss::<f64, 2>::new(0.1)));
    assert!(miss_of_one < 3e-14, "{miss_of_one:e}");
    let composed = miss(&system, &Composition::kahan_li(Impulses::new(VariationalTrapezoid::new(0.1))));
    assert!(composed < 3e-14, "{composed:e}");
}

#[test]
fn without_constraints_nothing_stands_around_the_method() {
    let system = crate::near_integrable::Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let initial = State::new(0.0, [0.7, 1.1], [0.8, -0.3]);
    let gauss = Gauss::<f64, 3>::new(0.05);
    let (alone, inside) = (run(&system, initial, 1.0, &gauss), run(&system, initial, 1.0, &Impulses::new(gauss)));
    assert_eq!(alone, inside);
    assert_eq!(order_of(&system, &Impulses::new(gauss)), 6);
}

/// The order of a method on a system without constraints.
fn order_of<M: Method<f64, 2, 0>>(_: &dyn System<f64, 2, 0, 0>, method: &M) -> u32 {
    method.order()
}

#[test]
fn its_multipliers_are_those_of_methods_that_take_constraints_themselves() {
    let system = model().prepare::<f64>().expect("valid");
    let h = 0.05;
    let gauss = multipliers(&system, &Gauss::<f64, 2>::new(h), h, |memory| memory.reaction);
    let impulses = multipliers(&system, &Impulses::new(Gauss::<f64, 2>::new(h)), h, |memory| memory.reaction);
    // Two steps are compared: a wrong impulse at the end of the first would be undone by the second.
    for (own, ours) in gauss.into_iter().zip(impulses) {
        assert!((own.start - ours.start).amax() < 1e-11 && (own.end - ours.end).amax() < 1e-11, "{own:?} {ours:?}");
    }
    assert!((gauss[1].start - gauss[1].end).amax() > 1e-3, "they differ");
}

/// λ⁻ and λ⁺ of the first and of the second step, where a method's memory has them.
fn multipliers<M>(
    system: &dyn System<f64, 3, 1, 0>,
    method: &M,
    h: f64,
    of: impl Fn(&M::Memory) -> Reaction<f64, 3, 1>,
) -> [Reaction<f64, 3, 1>; 2]
where
    M: Method<f64, 3, 1>,
{
    let mut inputs = DefaultInputs::of(system);
    let mut evaluator = Evaluator::new(system, &mut inputs);
    let memory = method.start(&mut evaluator, &start()).expect("regular");
    let mut step = |state: &State<f64, 3>, memory: &M::Memory| {
        method
            .step(&mut evaluator, &mut method.workspace(), state, memory, h, state.t + h)
            .map(|trial| (trial.state, trial.memory))
            .expect("it converges")
    };
    let (state, first) = step(&start(), &memory);
    let (_, second) = step(&state, &first);
    [of(&first), of(&second)]
}

#[test]
fn iterations_are_counted() {
    let (system, initial) = spherical_pendulum();
    let count = |t_end: f64| {
        let (method, options) = (Impulses::new(ImplicitMidpoint::new(0.01)), Options::default());
        let mut state = initial;
        let report = integrate(&system, &mut state, t_end, &method, &options, &mut DefaultInputs::of(&system), &mut ())
            .expect("the integration succeeds");
        report.statistics
    };
    let statistics = count(1.0);
    assert_eq!(statistics.steps, 100);
    // Each iteration of the multipliers takes a step of the inner method, which iterates too.
    let a_step = statistics.iterations as f64 / 100.0;
    assert!((2.0..20.0).contains(&a_step) && statistics.evaluations > 200, "{statistics:?}");
}

#[test]
fn failures_are_values() {
    let blade = Blade { m: 1.0 }.prepare::<f64>().expect("valid");
    let initial = State::new(0.0, [0.0; 3], [1.0, 0.0, 0.5]);
    let method = Impulses::new(ImplicitMidpoint::new(0.01));
    let failed = solve(&blade, initial, 1.0, &method, &Options::default()).expect_err("it is not holonomic");
    assert!(matches!(failed.error.failure, Failure::NotApplicable { method: "impulses", .. }), "{failed}");
    // After so long a step no impulse reaches the sphere.
    let (system, initial) = spherical_pendulum();
    let fast = State { v: SVector::from([30.0, -30.0, 0.0]), ..initial };
    let method = Impulses::new(ImplicitMidpoint::new(0.5));
    let failed = solve(&system, fast, 5.0, &method, &Options::default()).expect_err("the step is too long");
    assert!(matches!(failed.error.failure, Failure::NewtonFailed { .. } | Failure::SingularMass(_)), "{failed}");
    // Without its constraint the quaternion's mass matrix is singular.
    let quaternion = RigidPendulum::default().prepare::<f64>().expect("valid");
    let free = Unconstrained::<_, 1>::new(&quaternion);
    let method = VariationalMidpoint::new(0.01);
    let failed = solve(&free, RigidPendulum::spinning(), 1.0, &method, &Options::default()).expect_err("M is singular");
    assert!(matches!(failed.error.failure, Failure::SingularMass(_)), "{failed}");
}

#[test]
fn a_system_without_its_constraints() {
    let system = model().prepare::<f64>().expect("valid");
    let free = Unconstrained::<_, 1>::new(&system);
    let (none, State { t, q, v }) = (SVector::from([]), start());
    let equations = system.equations(t, &q, &v, &none);
    let found = System::<f64, 3, 0, 0>::acceleration(&free, t, &q, &v, &none).expect("M is regular").acceleration;
    assert!((equations.mass_matrix * found - equations.forcing).amax() < 1e-14);
    let momentum = system.balance(t, &q, &v, &none).momentum;
    let back = free.velocity_correction(t, &q, &SVector::zeros(), &momentum).expect("M is regular");
    assert!((back - v).amax() < 1e-14);
}
