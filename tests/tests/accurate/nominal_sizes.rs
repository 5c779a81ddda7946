//! Absolute tolerances in proportion to nominal sizes: a motion of micrometres has the steps of the same motion in metres.

use lagrange_runtime::prelude::*;

/// 2⁻²⁰, by which products are exact.
const MICRO: f64 = 9.5367431640625e-7;

/// A mass between hardening springs, with a friction that dies out, in units of its size.
#[lagrangian {
    coordinates x: m in -1..1, y: m;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = k*(x^2 + y^2)/2 + hard*(x^4 + x^2*y^2)/4;
    dissipation = c*dot(x)^2/2;
}]
struct Metres {
    m: f64,
    k: f64,
    hard: f64,
    c: f64,
}

/// The same, where x and y are numbers of a millionth of its size.
#[lagrangian {
    coordinates x: m in -9.5367431640625e-7..9.5367431640625e-7, y: m in -9.5367431640625e-7..4.76837158203125e-7;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = k*(x^2 + y^2)/2 + hard*(x^4 + x^2*y^2)/4;
    dissipation = c*dot(x)^2/2;
}]
struct Micrometres {
    m: f64,
    k: f64,
    hard: f64,
    c: f64,
}

/// The end and the number of steps of a motion by the default tolerances of its mechanism.
fn end<S: System<f64, 2, 0, 0>>(system: &S, size: f64, options: &Options<'_, f64, 2>) -> (State<f64, 2>, u64) {
    let mut state = State::new(0.0, [0.3 * size, -0.2 * size], [0.0, 0.9 * size]);
    let report =
        integrate(system, &mut state, 20.0, &DormandPrince5::new(), options, &mut DefaultInputs::of(system), &mut ())
            .expect("regular");
    (state, report.statistics.steps)
}

#[test]
fn micrometres_have_the_relative_accuracy_of_metres() {
    let metres = Metres { m: 2.0, k: 5.0, hard: 3.0, c: 0.1 }.prepare::<f64>().expect("valid");
    let micro = Micrometres { m: 2.0, k: 5.0, hard: 3.0 / (MICRO * MICRO), c: 0.1 }.prepare::<f64>().expect("valid");
    let (of_metres, steps) = end(&metres, 1.0, &Options::of(&metres));
    let (of_micro, micro_steps) = end(&micro, MICRO, &Options::of(&micro));
    // Scaled by a power of two, so that every bit is the same.
    assert_eq!((of_micro.q / MICRO, of_micro.v / MICRO), (of_metres.q, of_metres.v));
    assert_eq!(steps, micro_steps);
    // Tolerances without sizes see another motion.
    let (plain, _) = end(&micro, MICRO, &Options::default());
    assert_ne!(plain.q / MICRO, of_metres.q);
}

#[test]
fn tolerances_of_the_user_stay() {
    let system = Micrometres { m: 2.0, k: 5.0, hard: 3.0, c: 0.1 }.prepare::<f64>().expect("valid");
    let each = Tolerance::Each { q: SVector::from([1e-3, 1e-4]), v: SVector::from([1e-5, 1e-6]) };
    assert_eq!(each.at_sizes_of(&system), each);
    let followed = Options::of(&system).atol;
    assert_eq!(followed.of_velocity(1), 1e-9 * MICRO);
    assert_eq!(followed.at_sizes_of(&system), followed);
}

#[test]
fn without_ranges_the_defaults_stay() {
    #[lagrangian { coordinates x; kinetic = dot(x)^2/2; }]
    struct Body;
    let system = Body.prepare::<f64>().expect("valid");
    assert_eq!(Options::of(&system).atol, Options::<f64, 1>::default().atol);
}
