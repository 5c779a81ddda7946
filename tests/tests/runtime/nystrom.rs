//! The Nyström pair: its orders, its errors against tolerances, its cost, and what it does not apply to.

use crate::common::{Counted, compound_pendulum, exponent, slopes};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::DoubleDouble;

/// Hénon and Heiles's potential.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = (x^2 + y^2)/2 + c*(x^2*y - y^3/3);
}]
#[derive(Clone, Debug)]
struct HenonHeiles {
    c: f64,
}

/// A mass on a spring that is shaken, with explicit time and an input.
#[lagrangian {
    coordinates x;
    kinetic   = dot(x)^2/2;
    potential = x^2/2 + x^4/4;
    force x   = sin(3*t) + push;
}]
#[derive(Clone, Debug)]
struct Shaken {
    #[input]
    push: f64,
}

type Dd = DoubleDouble;

fn dd(value: f64) -> Dd {
    Dd::from_f64(value)
}

fn start() -> State<Dd, 2> {
    State::new(dd(0.0), [dd(0.1), dd(-0.2)], [dd(0.35), dd(0.25)])
}

fn apart<const N: usize>(a: &State<Dd, N>, b: &State<Dd, N>) -> f64 {
    (0..N).map(|i| (a.q[i] - b.q[i]).to_f64().abs().max((a.v[i] - b.v[i]).to_f64().abs())).fold(0.0, f64::max)
}

/// The end by steps of one size, whatever the error.
fn fixed<M, const N: usize, const U: usize>(
    system: &dyn System<Dd, N, 0, U>,
    start: State<Dd, N>,
    method: &M,
    t_end: f64,
    count: u32,
) -> State<Dd, N>
where
    M: Method<Dd, N, 0>,
{
    let h = dd(t_end) / dd(f64::from(count));
    let loose = Tolerance::Uniform(dd(1e30));
    let options = Options { rtol: loose, atol: loose, first_step: Some(h), max_step: h, ..Options::default() };
    solve(system, start, dd(t_end), method, &options).unwrap().last().unwrap()
}

#[test]
fn the_step_has_order_8() {
    let system = HenonHeiles { c: 1.0 }.prepare::<Dd>().unwrap();
    let method = Nystrom8::new(&system);
    let reference = fixed(&system, start(), &Verner9::new(), 3.0, 800);
    let errors: Vec<_> = [20, 40, 80]
        .into_iter()
        .map(|count| (3.0 / f64::from(count), apart(&fixed(&system, start(), &method, 3.0, count), &reference)))
        .collect();
    assert!(slopes(&errors).iter().all(|slope| (slope - 8.0).abs() < 0.25), "{errors:?}");

    let system = Shaken { push: 0.5 }.prepare::<Dd>().unwrap();
    let (method, from) = (Nystrom8::new(&system), State::new(dd(0.2), [dd(0.3)], [dd(-0.4)]));
    let reference = fixed(&system, from, &Verner9::new(), 1.2, 400);
    let errors: Vec<_> = [10, 20, 40]
        .into_iter()
        .map(|count| (1.0 / f64::from(count), apart(&fixed(&system, from, &method, 1.2, count), &reference)))
        .collect();
    assert!(slopes(&errors).iter().all(|slope| (slope - 8.0).abs() < 0.35), "{errors:?}");
}

#[test]
fn samples_have_order_8_and_their_velocities_7() {
    let system = HenonHeiles { c: 1.0 }.prepare::<Dd>().unwrap();
    let method = Nystrom8::new(&system);
    let (mut q_errors, mut v_errors) = (Vec::new(), Vec::new());
    for h in [0.2, 0.1, 0.05] {
        let loose = Tolerance::Uniform(dd(1e30));
        let options =
            Options { rtol: loose, atol: loose, first_step: Some(dd(h)), dense_output: true, ..Options::default() };
        let solution = solve(&system, start(), dd(h), &method, &options).unwrap();
        assert_eq!(solution.statistics.steps, 1);
        let (sample, exact) =
            (solution.sample(dd(0.3 * h)).unwrap(), fixed(&system, start(), &Verner9::new(), 0.3 * h, 8));
        q_errors.push((h, (sample.q - exact.q).map(Dd::to_f64).amax()));
        v_errors.push((h, (sample.v - exact.v).map(Dd::to_f64).amax()));
    }
    assert!(slopes(&q_errors).iter().all(|slope| (slope - 8.0).abs() < 0.3), "{q_errors:?}");
    assert!(slopes(&v_errors).iter().all(|slope| (slope - 7.0).abs() < 0.3), "{v_errors:?}");
}

#[test]
fn errors_go_with_the_stated_power_of_the_tolerance() {
    // The estimate goes with h⁷, the error with h⁸.
    let system = HenonHeiles { c: 1.0 }.prepare::<Dd>().unwrap();
    let method = Nystrom8::new(&system);
    let found = exponent(&system, start(), 8.0, &method, &Verner9::new(), 4..=14);
    assert!((found - 8.0 / 7.0).abs() <= 0.15, "{found}");
}

#[test]
fn a_step_takes_8_accelerations() {
    let system = Counted::new(HenonHeiles { c: 1.0 }.prepare::<f64>().unwrap());
    let from = State::new(0.0, [0.1, -0.2], [0.35, 0.25]);
    let options = Options {
        rtol: 1e9.into(),
        atol: 1e9.into(),
        first_step: Some(0.1),
        max_step: 0.1,
        dense_output: true,
        ..Options::default()
    };
    let statistics = solve(&system, from, 1.0, &Nystrom8::unproved(), &options).unwrap().statistics;
    // And four for each interpolant.
    assert_eq!((statistics.steps, statistics.evaluations), (10, 81 + 40));
    assert_eq!(system.evaluations(), 121);
}

#[test]
fn a_mechanism_with_velocities_in_its_acceleration_is_refused() {
    let from = State::new(0.0, [0.7, 1.3], [1.0, 0.0]);
    let failed = solve(&compound_pendulum(), from, 1.0, &Nystrom8::unproved(), &Options::default()).unwrap_err();
    assert!(matches!(failed.error.failure, Failure::NotApplicable { .. }), "{failed}");
    assert!(failed.to_string().contains("do not depend on velocities"), "{failed}");
}
