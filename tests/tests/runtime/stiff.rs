//! Radau's methods: orders, damping, events, outputs, derivatives, and first-order equations.

use crate::common::slopes;
use lagrange_runtime::analysis::{Variable, sensitivities};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::{DoubleDouble, Dual};
use lagrange_tests::stiff::VanDerPol;

#[lagrangian {
    coordinates a, b;
    let upper = [sin(a), -cos(a)];
    let lower = upper + [sin(b), -cos(b)];
    kinetic = (norm2(dot(upper)) + norm2(dot(lower)))/2;
    potential = 9.81*(upper[1] + lower[1]);
}]
struct Double {}

/// A filter of a short time constant behind an oscillator.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = x^2/2;
    state z: dot(z) == (sin(x) - z)/tau;
}]
struct Filtered {
    tau: f64,
}

/// Three vortices: L is linear in the velocities.
#[lagrangian {
    coordinates x[3], y[3];
    kinetic = sum(i in 0..3, gamma[i]*(x[i]*dot(y[i]) - y[i]*dot(x[i]))/2);
    potential = -sum(i in 0..3, sum(j in 0..i, gamma[i]*gamma[j]*ln((x[i] - x[j])^2 + (y[i] - y[j])^2)))/(4*pi);
}]
struct Vortices {
    gamma: [f64; 3],
}

/// Integrates, and gives the last state and the number of steps.
fn last<S, M, const N: usize>(
    system: &S,
    (start, end): (State<f64, N>, f64),
    method: &M,
    rtol: f64,
    atol: Option<f64>,
) -> (State<f64, N>, u64)
where
    S: System<f64, N, 0, 0>,
    M: Method<f64, N, 0>,
{
    let mut options = Options { rtol: rtol.into(), max_steps: Some(100_000), ..Options::default() };
    if let Some(atol) = atol {
        options.atol = atol.into();
    }
    let solution = solve(system, start, end, method, &options).unwrap_or_else(|error| panic!("{error}"));
    (solution.last().expect("a stored state"), solution.statistics.steps)
}

/// Orders by steps of one size. Over dual numbers the stages are solved to rounding, whatever the tolerance, and in double-double the errors
/// of order 13 are far above it.
#[test]
fn the_orders_are_5_9_and_13() {
    type Wide = Dual<DoubleDouble, 1>;
    fn end<M: Method<Wide, 2, 0>>(method: &M, count: u32) -> (f64, State<Wide, 2>) {
        let h = 0.6 / f64::from(count);
        let huge = Tolerance::from(1e9);
        // The rounding of the times must not leave a step of its own.
        let step = Wide::from_f64(h * (1.0 + 1e-9));
        let options = Options { rtol: huge, atol: huge, first_step: Some(step), max_step: step, ..Options::default() };
        let start = State::new(Wide::ZERO, [0.7, 1.3].map(Wide::from_f64), [1.0, 0.0].map(Wide::from_f64));
        let system = Double {}.prepare::<Wide>().expect("no parameters");
        let solution = solve(&system, start, Wide::from_f64(0.6), method, &options).expect("a smooth motion");
        assert_eq!(solution.statistics.steps, u64::from(count));
        (h, solution.last().expect("a stored state"))
    }
    let (_, exact) = end(&Radau13::new(), 40);
    let check = |order: f64, ends: [(f64, State<Wide, 2>); 3]| {
        let errors = ends.map(|(h, end)| {
            let error = |a: &Wide, b: &Wide| (*a - *b).to_f64().abs();
            let q = end.q.iter().zip(&exact.q).map(|(a, b)| error(a, b)).fold(0.0, f64::max);
            (h, end.v.iter().zip(&exact.v).map(|(a, b)| error(a, b)).fold(q, f64::max))
        });
        for slope in slopes(&errors) {
            assert!((slope - order).abs() < 0.2, "slope {slope} instead of {order}: {errors:?}");
        }
    };
    check(5.0, [32, 64, 128].map(|count| end(&Radau5::new(), count)));
    check(9.0, [12, 18, 24].map(|count| end(&Radau9::new(), count)));
    check(13.0, [10, 14, 20].map(|count| end(&Radau13::new(), count)));
}

/// At a loose tolerance the steps cost as those of order 5, and at a tight one they are as few as those of order 13. Neither method is good at both.
#[test]
fn the_order_follows_the_tolerance() {
    let system = VanDerPol { eps: 1e-6 }.prepare::<f64>().expect("regular");
    fn made<M: Method<f64, 1, 0>>(system: &impl System<f64, 1, 0, 0>, method: &M, rtol: f64) -> Statistics {
        let options = Options { rtol: rtol.into(), atol: (rtol * 1e-6).into(), ..Options::default() };
        let solution = solve(system, State::new(0.0, [2.0], [0.0]), 2.0, method, &options).expect("it converges");
        let found = solution.last().expect("a stored state").q[0];
        assert!((found / 1.706167732170483 - 1.0).abs() < rtol, "{}: {found}", method.name());
        solution.statistics
    }
    let [loose, tight] = [1e-4, 1e-10].map(|rtol| made(&system, &VariableRadau::new(), rtol));
    assert!(10 * loose.evaluations < 11 * made(&system, &Radau5::new(), 1e-4).evaluations, "{loose:?}");
    assert!(10 * tight.evaluations < 11 * made(&system, &Radau13::new(), 1e-10).evaluations, "{tight:?}");
}

/// What decays fast is damped in the first steps, whatever their size. Gauss's methods keep it, because |R(∞)| = 1.
#[test]
fn a_wrong_start_of_a_fast_state_is_forgotten() {
    let system = Filtered { tau: 1e-9 }.prepare::<f64>().expect("regular");
    let start = State::new(0.0, [0.5, 0.0], [0.0, 0.9]);
    let exact = 0.5 * 10.0_f64.cos();
    let check = |(end, steps): (State<f64, 2>, u64), most: u64| {
        assert!((end.q[0] - exact).abs() < 1e-9, "{}", end.q[0]);
        assert!((end.v[1] - end.q[0].sin()).abs() < 1e-8, "{}", end.v[1]);
        assert!(steps < most, "{steps} steps");
    };
    check(last(&system, (start, 10.0), &Radau5::new(), 1e-8, None), 480);
    check(last(&system, (start, 10.0), &Radau9::new(), 1e-8, None), 95);
    check(last(&system, (start, 10.0), &Radau13::new(), 1e-8, None), 42);
    let options = Options::default();
    let kept = solve(&system, start, 10.0, &Gauss::<f64, 2>::new(0.1), &options).expect("it converges");
    let kept = kept.last().expect("a stored state");
    assert!((kept.v[1] - kept.q[0].sin()).abs() > 0.1, "Gauss's method keeps the error of the start");
}

/// A first step that is long beside the fast state is accepted: what the step damps does not count as its error.
#[test]
fn a_long_step_over_what_decays_is_accepted() {
    let system = Filtered { tau: 1e-9 }.prepare::<f64>().expect("regular");
    let start = State::new(0.0, [0.5, 0.0], [0.0, 0.9]);
    let options = Options { rtol: 1e-6.into(), first_step: Some(1e-2), ..Options::default() };
    let solution = solve(&system, start, 1.0, &Radau5::new(), &options).expect("it converges");
    assert!((solution.t[1] - 1e-2).abs() < 1e-12, "{:?}", solution.t);
    assert!((solution.v[1][1] - solution.q[1][0].sin()).abs() < 1e-6, "{:?}", solution.v[1]);
}

/// An error of a fast component does not shorten the steps: from 1e-3 to 1e-12, the time constant makes no difference.
#[test]
fn the_number_of_steps_does_not_depend_on_the_stiffness() {
    let steps = |tau: f64| {
        let system = Filtered { tau }.prepare::<f64>().expect("regular");
        let start = State::new(0.0, [0.5, 0.0], [0.0, 0.5_f64.sin()]);
        last(&system, (start, 20.0), &Radau9::new(), 1e-8, None).1
    };
    let (slow, fast, faster) = (steps(1e-3), steps(1e-7), steps(1e-12));
    assert!(fast < 2 * slow && faster < 2 * slow, "{slow}, {fast} and {faster} steps");
}

/// Events and outputs between steps follow the collocation polynomial.
#[test]
fn events_and_outputs_are_located_between_long_steps() {
    let system = Filtered { tau: 1e-9 }.prepare::<f64>().expect("regular");
    let start = State::new(0.0, [0.5, 0.0], [0.0, 0.5_f64.sin()]);
    let zero = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[0];
    let events = [Event::new(&zero)];
    let times: Vec<f64> = (0..=100).map(|i| 0.1 * f64::from(i)).collect();
    let options = Options { rtol: 1e-10.into(), events: &events, t_eval: Some(&times), ..Options::default() };
    let solution = solve(&system, start, 10.0, &Radau9::new(), &options).expect("it converges");
    let found: Vec<f64> = solution.events.iter().map(|occurrence| occurrence.before.t).collect();
    let exact: Vec<f64> = (0..3).map(|k| (f64::from(k) + 0.5) * std::f64::consts::PI).collect();
    assert_eq!(found.len(), 3);
    for (found, exact) in found.iter().zip(&exact) {
        assert!((found - exact).abs() < 1e-8, "{found} instead of {exact}");
    }
    for (t, q) in solution.t.iter().zip(&solution.q) {
        assert!((q[0] - 0.5 * t.cos()).abs() < 1e-8, "at {t}");
    }
    for (t, (q, v)) in solution.t.iter().zip(solution.q.iter().zip(&solution.v)) {
        assert!((v[0] + 0.5 * t.sin()).abs() < 1e-7, "at {t}");
        assert!((v[1] - q[0].sin()).abs() < 1e-7, "at {t}");
    }
}

/// ∂x/∂ε at the end of a motion on dual numbers is that of a central difference of two motions.
#[test]
fn derivatives_converge_with_the_motion() {
    let at = |eps: f64| {
        let system = VanDerPol { eps }.prepare::<f64>().expect("regular");
        last(&system, (State::new(0.0, [2.0], [0.0]), 0.5), &Radau9::new(), 1e-13, None).0.q[0]
    };
    let (eps, d) = (1e-3, 1e-5);
    let difference = (at(eps + d) - at(eps - d)) / (2.0 * d);
    let options = SharedOptions { rtol: 1e-9, ..SharedOptions::default() };
    let (start, variables) = (State::new(0.0, [2.0], [0.0]), [Variable::Parameter(0)]);
    let found = sensitivities(&VanDerPol { eps }, &start, &[0.5], &Radau5::new(), &options, &variables);
    let found = found.expect("it converges").derivatives[0][(0, 0)];
    assert!((found / difference - 1.0).abs() < 1e-5, "{found} instead of {difference}");
}

/// A mechanism whose L is linear in the velocities has equations of first order.
#[test]
fn equations_of_first_order_are_integrated() {
    let system = Vortices { gamma: [1.0, 2.0, -0.7] }.prepare::<f64>().expect("regular");
    let q = [0.0, 1.0, 0.3, 0.0, 0.2, 1.1];
    let start = State::new(0.0, [0.0; 6], q);
    let exact = solve(&system, start, 2.0, &Gauss::<f64, 6>::new(0.01), &Options::default()).expect("it converges");
    let exact = exact.last().expect("a stored state");
    let (found, _) = last(&system, (start, 2.0), &Radau9::new(), 1e-11, None);
    assert!((found.v - exact.v).amax() < 1e-9, "{} instead of {}", found.v, exact.v);
}

/// A stiff spring that acts on one side only: the time between two contacts and the energy are known.
#[test]
fn steps_end_where_a_stiff_contact_begins() {
    #[lagrangian {
        coordinates x;
        kinetic = dot(x)^2/2;
        potential = 9.81*x + if x < 0 { k*x^2/2 } else { 0 };
    }]
    struct Bouncing {
        k: f64,
    }
    let k: f64 = 1e10;
    let system = Bouncing { k }.prepare::<f64>().expect("regular");
    let (fall, omega) = ((2.0_f64 / 9.81).sqrt(), k.sqrt());
    let speed = 9.81 * fall;
    // In contact, x = (v/ω) sin ωt + (g/ω²)(cos ωt − 1) from v = −speed on; it ends where x = 0 again.
    let contact = 2.0 * (std::f64::consts::PI - (omega * speed / 9.81).atan()) / omega;
    let end = 2.0 * (2.0 * fall + contact);
    let start = State::new(0.0, [1.0], [0.0]);
    let (found, steps) = last(&system, (start, end), &Radau9::new(), 1e-11, None);
    assert!((found.q[0] - 1.0).abs() < 1e-8 && found.v[0].abs() < 1e-6, "{found:?}");
    assert!(steps < 1000, "{steps} steps");
}

#[test]
fn single_precision_suffices() {
    let system = VanDerPol { eps: 1e-4 }.prepare::<f32>().expect("regular");
    let options = Options { rtol: 1e-4.into(), ..Options::default() };
    let solution = solve(&system, State::new(0.0, [2.0], [0.0]), 0.5, &Radau5::new(), &options).expect("it converges");
    let double = VanDerPol { eps: 1e-4 }.prepare::<f64>().expect("regular");
    let (exact, _) = last(&double, (State::new(0.0, [2.0], [0.0]), 0.5), &Radau9::new(), 1e-10, None);
    let found = f64::from(solution.last().expect("a stored state").q[0]);
    assert!((found - exact.q[0]).abs() < 1e-4, "{found} instead of {}", exact.q[0]);
}

/// An iteration that cannot converge rejects the step; where no step helps, the failure says so.
#[test]
fn a_force_without_a_value_ends_with_its_failure() {
    #[lagrangian { coordinates x; kinetic = dot(x)^2/2; force x = sqrt(1 - x); }]
    struct Ending {}
    let system = Ending {}.prepare::<f64>().expect("regular");
    let error = solve(&system, State::new(0.0, [0.0], [1.0]), 5.0, &Radau5::new(), &Options::default());
    let error = error.expect_err("beyond x = 1 there is no force");
    assert!(error.error.state.q[0] > 0.99 && error.error.state.q[0] <= 1.0, "{}", error.error);
}

/// An explicit method on a filter says that the equations are stiff, and stops where it would take hours.
#[test]
fn explicit_methods_tell_that_equations_are_stiff() {
    let start = |z: f64| State::new(0.0, [0.5, 0.0], [0.0, z]);
    fn check<M: Method<f64, 2, 0>>(method: &M, start: State<f64, 2>) {
        let name = method.name();
        let system = Filtered { tau: 1e-4 }.prepare::<f64>().expect("regular");
        let solution = solve(&system, start, 2.0, method, &Options::default()).expect("it only takes long");
        assert!(solution.statistics.stiff_checks > 0, "{name}: {:?}", solution.statistics);
        let warned = solution.warnings().any(|warning| matches!(warning, Warning::Stiff { .. }));
        assert!(warned && solution.warnings().any(|warning| warning.to_string().contains("`Radau5`")), "{name}");
        let system = Filtered { tau: 1e-9 }.prepare::<f64>().expect("regular");
        let failed = solve(&system, start, 10.0, method, &Options::default()).expect_err("it would take hours");
        let Failure::Stiff { steps, rate } = failed.error.failure else { panic!("{name}: {failed}") };
        assert!(steps >= 1e8 && (rate / 1e9 - 1.0).abs() < 0.1, "{name}: {steps} steps, {rate} /s");
        let made = failed.error.statistics;
        assert!(made.steps + made.rejected <= 1000, "{name}: {made:?}");
        assert!(!failed.solution.t.is_empty());
        let text = failed.to_string();
        assert!(text.contains("the equations are stiff") && text.contains("take `Radau5`"), "{text}");
    }
    for z in [0.5_f64.sin(), 0.9] {
        check(&BogackiShampine3::new(), start(z));
        check(&DormandPrince5::new(), start(z));
        check(&Tsitouras5::new(), start(z));
        check(&Dop853::new(), start(z));
        check(&Verner9::new(), start(z));
    }
}

/// A filter whose motion has died out limits explicit steps as before.
#[test]
fn equations_are_stiff_at_rest_too() {
    let system = Filtered { tau: 1e-4 }.prepare::<f64>().expect("regular");
    let start = State::new(0.0, [0.0, 0.0], [0.0, 1.0]);
    for rtol in [1e-4, 1e-6, 1e-9] {
        let options = Options { rtol: rtol.into(), ..Options::default() };
        let solution = solve(&system, start, 1.0, &Dop853::new(), &options).expect("it only takes long");
        assert!(solution.statistics.stiff_checks > 0, "{rtol}: {:?}", solution.statistics);
    }
}

/// What is fast but no decay at rest is not stiff: oscillations, small beside an offset too, a decay that is followed, a tight tolerance.
#[test]
fn motions_that_are_not_stiff_are_not_called_so() {
    #[lagrangian {
        coordinates x, y;
        kinetic = (dot(x)^2 + dot(y)^2)/2;
        potential = k*(x - offset)^2/2 + y^2/2;
        dissipation = c*dot(x)^2/2;
    }]
    struct Springs {
        k: f64,
        c: f64,
        offset: f64,
    }
    fn check<M: Method<f64, 2, 0>>(method: &M) {
        let cases = [
            ("two frequencies", Springs { k: 1e4, c: 0.0, offset: 0.0 }, 0.1),
            ("a fast spring at rest", Springs { k: 1e4, c: 0.0, offset: 0.0 }, 0.0),
            ("an offset", Springs { k: 1e4, c: 0.0, offset: 100.0 }, 0.1),
            ("a slow decay", Springs { k: 1e4, c: 0.1, offset: 0.0 }, 0.1),
        ];
        let mut checked = 0;
        for (name, springs, x) in cases {
            let start = State::new(0.0, [springs.offset + x, 1.0], [0.0, 0.0]);
            let system = springs.prepare::<f64>().expect("regular");
            for rtol in [1e-3, 1e-6, 1e-8] {
                let options = Options { rtol: rtol.into(), ..Options::default() };
                let solution = solve(&system, start, 30.0, method, &options).expect("regular");
                let statistics = solution.statistics;
                assert_eq!(statistics.stiff_checks, 0, "{}, {name}, {rtol}", method.name());
                checked += u32::from(statistics.steps > 1000);
            }
        }
        assert!(checked >= 4, "{}: the check was made in {checked} motions", method.name());
    }
    check(&DormandPrince5::new());
    check(&Dop853::new());
    check(&Verner9::new());
}

/// A mass on a stiff spring, a decaying state, and a slow mass. Units are those of metres, or of nanometres where `small` is 1e-9.
#[lagrangian {
    coordinates x, y;
    state z: dot(z) == (small*sin(t) - z)*rate;
    kinetic = m*dot(x)^2/2 + dot(y)^2/2;
    potential = m*omega^2*x^2/2 + m*(y - x)^2/2 - small*y;
    dissipation = c*dot(x)^2/2;
}]
struct Fast {
    m: f64,
    omega: f64,
    rate: f64,
    c: f64,
    small: f64,
}

/// Fixed steps beyond the stability of an explicit method give numbers that grow, or are wrong, and no failure before the numbers end.
#[test]
fn fixed_steps_beyond_stability_are_told() {
    fn is_told<M: Method<f64, 3, 0>>(method: &M, fast: &Fast) -> bool {
        let system = fast.prepare::<f64>().expect("regular");
        let start = State::new(0.0, [0.0, 0.3 * fast.small, 0.0], [0.0; 3]);
        let solution = match solve(&system, start, 0.9, method, &Options::default()) {
            Ok(solution) => solution,
            // The numbers ended before the first check.
            Err(failed) => return matches!(failed.error.failure, Failure::NotFinite { .. }),
        };
        assert!(solution.statistics.steps > 280, "{}: {:?}", method.name(), solution.statistics);
        let warned = solution.warnings().any(|warning| matches!(warning, Warning::Unstable));
        assert_eq!(warned, solution.statistics.unstable_checks > 0);
        warned
    }
    for small in [1.0, 1e-9, 1e9] {
        for m in [1.0, 1e-6] {
            let spring = |omega: f64| Fast { m, omega, rate: 1.0, c: 0.0, small };
            let damped = |rate: f64| Fast { m, omega: 1.0, rate: 1.0, c: rate * m, small };
            let filter = |rate: f64| Fast { m, omega: 1.0, rate, c: 0.0, small };
            for (fast, of_four, of_two) in [
                (spring(1200.0), true, true),
                (spring(800.0), false, true),
                (spring(500.0), false, false),
                (damped(1200.0), true, true),
                (damped(700.0), false, true),
                (damped(500.0), false, false),
                (filter(1200.0), true, true),
                (filter(850.0), false, true),
                (filter(500.0), false, false),
            ] {
                let found = is_told(&Rk4::new(0.003), &fast);
                assert_eq!(found, of_four, "{} {} {} {small} {m}", fast.omega, fast.rate, fast.c);
                let found = is_told(&Verlet::new(0.003), &fast);
                assert_eq!(found, of_two, "{} {} {} {small} {m}", fast.omega, fast.rate, fast.c);
            }
        }
    }
}

/// Steps that are cut short, forces that jump, and slips that turn fast near their rest are no reason for the warning.
#[test]
fn steps_that_are_short_enough_are_not_called_too_long() {
    fn is_quiet<S, const N: usize>(system: &S, start: State<f64, N>, h: f64, options: &Options<'_, f64, N>)
    where
        S: System<f64, N, 0, 0>,
    {
        let solution = solve(system, start, 3.0, &Rk4::new(h), options).expect("regular");
        assert!(solution.statistics.steps >= 512, "{:?}", solution.statistics);
        assert_eq!(solution.statistics.unstable_checks, 0, "{:?}", solution.statistics);
    }
    // Stops cut steps of 0.01, which would be too long, to 0.001.
    let spring = Fast { m: 1.0, omega: 500.0, rate: 1.0, c: 0.0, small: 1.0 }.prepare::<f64>().expect("regular");
    let stops: Vec<f64> = (1..3000).map(|k| f64::from(k) * 1e-3).collect();
    let options = Options { stops: &stops, ..Options::default() };
    is_quiet(&spring, State::new(0.0, [0.1, 0.3, 0.0], [0.0; 3]), 0.01, &options);

    #[lagrangian {
        coordinates x, y;
        kinetic = (dot(x)^2 + dot(y)^2)/2;
        potential = 50*(x - sin(7*t))^2 + 20*(y - x)^2;
        dissipation = (dot(x)^2 + dot(y)^2)/2;
        force x = -0.4*sign(dot(x));
        force y = if x > 0 { 3 } else { -2 };
    }]
    struct Jumping {}
    let jumping = Jumping {}.prepare::<f64>().expect("regular");
    for shift in 0..20 {
        let start = State::new(0.0, [0.3 + 0.01 * f64::from(shift), -0.1], [0.0, 1.0]);
        is_quiet(&jumping, start, 0.005, &Options::default());
    }

    #[lagrangian {
        coordinates x, y;
        kinetic = norm2(dot([x, y]))/2;
        potential = 15*norm2([x, y] - [sin(t), sin(t)/5 + sin(2*t)/10]);
        friction felt: rate([dot(x), dot(y)]) = 10;
    }]
    struct Puck {}
    let puck = Puck {}.prepare::<f64>().expect("regular");
    is_quiet(&puck, State::new(0.0, [0.0; 2], [0.0; 2]), 1e-3, &Options::default());
}
