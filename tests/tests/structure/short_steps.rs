//! Short steps of Gauss's methods are solved without a Jacobian, to the same solution.

use crate::mechanisms::{Cart, Charge, Driven, Pair, Quartic};
use crate::near_integrable::{Double, HenonHeiles};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Real;

/// The end of a motion of 1 s by the method itself and by Newton's method, and the work of the first.
fn both<R, const N: usize, const S: usize>(
    system: &dyn System<R, N, 0, 0>,
    start: State<R, N>,
    h: R,
) -> (State<R, N>, State<R, N>, Statistics)
where
    R: Real,
    lagrange_runtime::tableau::gauss::StageCount<S>: lagrange_runtime::tableau::gauss::OneToSix<S>,
{
    let run = |method: Gauss<R, S>| {
        let (mut state, options, mut inputs) = (start, Options::default(), DefaultInputs::of(system));
        let report =
            integrate(system, &mut state, R::ONE, &method, &options, &mut inputs, &mut ()).expect("it succeeds");
        (state, report.statistics)
    };
    let (chosen, statistics) = run(Gauss::new(h));
    let (newton, _) = run(Gauss::new(h).with_iteration(Iteration::SimplifiedNewton));
    (chosen, newton, statistics)
}

/// Nearly all steps of 1 ms need no Jacobian, and end where Newton's method ends.
#[track_caller]
fn assert_short<const N: usize, const S: usize>(name: &str, system: &dyn System<f64, N, 0, 0>, start: State<f64, N>)
where
    lagrange_runtime::tableau::gauss::StageCount<S>: lagrange_runtime::tableau::gauss::OneToSix<S>,
{
    let (chosen, newton, statistics) = both::<f64, N, S>(system, start, 1e-3);
    let difference = (chosen.q - newton.q).amax().max((chosen.v - newton.v).amax());
    assert!(difference < 4e-15, "{name} with {S} stages: {difference:e}");
    // The first seven steps have no past.
    assert!(statistics.factorizations <= 20, "{name} with {S} stages: {statistics:?}");
    assert!(statistics.iterations < 4 * statistics.steps, "{name} with {S} stages: {statistics:?}");
}

#[test]
fn a_short_step_needs_no_jacobian() {
    let plane = State::new(0.0, [0.7, 1.1], [0.8, -0.3]);
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    assert_short::<2, 1>("double", &double, plane);
    assert_short::<2, 2>("double", &double, plane);
    assert_short::<2, 3>("double", &double, plane);
    assert_short::<2, 4>("double", &double, plane);
    // M is constant; p is not M v; p is not even affine in v; M depends on q, and so do the losses and the time; four coordinates.
    assert_short::<2, 2>("Hénon–Heiles", &HenonHeiles { c: 1.0 }.prepare::<f64>().expect("valid"), plane);
    assert_short::<2, 2>("charge", &Charge { b: 2.0 }.prepare::<f64>().expect("valid"), plane);
    assert_short::<2, 3>("quartic", &Quartic { a: 1.0 }.prepare::<f64>().expect("valid"), plane);
    assert_short::<2, 2>("cart", &Cart { m: 2.0, g: 9.8 }.prepare::<f64>().expect("valid"), plane);
    assert_short::<2, 4>("driven", &Driven { g: 9.8, c: 0.3, torque: 2.0 }.prepare::<f64>().expect("valid"), plane);
    let four = State::new(0.0, [0.0, 0.0, 1.0, 0.5], [0.1, 0.2, -0.3, 0.4]);
    assert_short::<4, 2>("pair", &Pair { m: 2.0 }.prepare::<f64>().expect("valid"), four);
}

#[test]
fn a_mechanism_at_rest_takes_no_jacobian_either() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let (chosen, _, statistics) = both::<f64, 2, 2>(&double, State::new(0.0, [0.0; 2], [0.0; 2]), 1e-3);
    assert_eq!((chosen.q.amax(), chosen.v.amax()), (0.0, 0.0));
    assert!(statistics.factorizations <= 7, "{statistics:?}");
}

/// The damper takes 10⁻⁴ s, a tenth of a step: the iteration diverges, and Newton's method makes the steps.
#[test]
fn a_stiff_damper_takes_newton_s_method() {
    let stiff = Driven { g: 9.8, c: 1e4, torque: 2.0 }.prepare::<f64>().expect("valid");
    let (chosen, newton, statistics) = both::<f64, 2, 2>(&stiff, State::new(0.0, [0.7, 1.1], [0.8, -0.3]), 1e-3);
    assert_eq!(statistics.steps, 1000);
    assert!(statistics.factorizations >= 1000, "{statistics:?}");
    let difference = (chosen.q - newton.q).amax();
    assert!(difference < 1e-13, "{difference:e}");
}

#[test]
fn a_long_step_takes_newton_s_method() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let (chosen, newton, statistics) = both::<f64, 2, 2>(&double, State::new(0.0, [0.7, 1.1], [0.8, -0.3]), 0.05);
    assert!(statistics.factorizations >= 18, "{statistics:?}");
    let difference = (chosen.q - newton.q).amax().max((chosen.v - newton.v).amax());
    assert!(difference < 4e-15, "{difference:e}");
}

#[test]
fn single_precision_is_solved_to_its_own_rounding() {
    let double = Double { g: 9.8 }.prepare::<f32>().expect("valid");
    let (chosen, newton, statistics) = both::<f32, 2, 2>(&double, State::new(0.0, [0.7, 1.1], [0.8, -0.3]), 1e-3);
    let difference = (chosen.q - newton.q).amax().max((chosen.v - newton.v).amax());
    assert!(difference < 2e-6, "{difference:e}");
    assert!(statistics.factorizations <= 50, "{statistics:?}");
}

/// A change of the step size drops the past.
#[test]
fn a_change_of_the_step_size_begins_anew() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let system: &dyn System<f64, 2, 0, 0> = &double;
    let end = |gauss: fn(f64) -> Gauss<f64, 2>| {
        let (mut state, options) = (State::new(0.0, [0.7, 1.1], [0.8, -0.3]), Options::default());
        // The composition takes three steps of different sizes in turn.
        let method = Composition::yoshida(gauss(3e-3));
        integrate(system, &mut state, 1.0, &method, &options, &mut DefaultInputs::of(system), &mut ())
            .expect("it succeeds");
        state
    };
    let chosen = end(Gauss::new);
    let newton = end(|h| Gauss::new(h).with_iteration(Iteration::SimplifiedNewton));
    let difference = (chosen.q - newton.q).amax().max((chosen.v - newton.v).amax());
    assert!(difference < 4e-15, "{difference:e}");
}

/// Three masses, of which each drags the next one.
#[lagrangian {
    coordinates x, y, z;
    kinetic = (dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    force x = push;
    force y = c*dot(x);
    force z = c*dot(y);
}]
struct Drag {
    c: f64,
    #[input]
    push: f64,
}

/// The push begins between two steps. The second mass moves after the first round, and the third one after the second round.
#[test]
fn a_push_after_rest_reaches_every_coordinate() {
    let drag = Drag { c: 5.0, push: 0.0 }.prepare::<f64>().expect("valid");
    let end = |method: Gauss<f64, 2>| {
        let mut state = State::new(0.0, [0.0; 3], [0.0; 3]);
        let mut push =
            |t: f64, _: &SVector<f64, 3>, _: &SVector<f64, 3>| SVector::from([if t > 0.0199995 { 1.0 } else { 0.0 }]);
        integrate(&drag, &mut state, 0.021, &method, &Options::default(), &mut push, &mut ()).expect("it succeeds");
        state
    };
    let (chosen, newton) = (end(Gauss::new(1e-3)), end(Gauss::new(1e-3).with_iteration(Iteration::SimplifiedNewton)));
    assert!(newton.v.iter().all(|&v| v > 0.0), "{newton:?}");
    for k in 0..3 {
        let difference = (chosen.v[k] / newton.v[k] - 1.0).abs();
        assert!(difference < 1e-12, "{k}: {difference:e}");
    }
}
