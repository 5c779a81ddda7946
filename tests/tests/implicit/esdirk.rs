//! The diagonally implicit method: its orders, published stiff problems, order reduction, its interpolant, inputs, and derivatives.

use crate::slopes;
use lagrange_runtime::analysis::{Variable, sensitivities};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::{DoubleDouble, Dual};
use lagrange_tests::stiff::{
    HIRES, Hires, OREGONATOR, Oregonator, Published, ROBERTSON, Robertson, VAN_DER_POL, VanDerPol,
};

/// Numbers over which the stages are solved to rounding, whatever the tolerance.
type Wide = Dual<DoubleDouble, 1>;

/// M depends on q and t, and everything on everything else.
#[lagrangian {
    coordinates a, b;
    let upper = [sin(a), -cos(a)];
    let lower = upper + (1 + sin(3*t)/4)*[sin(b), -cos(b)];
    kinetic = (norm2(dot(upper)) + norm2(dot(lower)))/2;
    potential = 9.81*(upper[1] + lower[1]);
    dissipation = dot(b)^4/20 + cos(t)*dot(a)^2/10;
    force a = z*sin(2*t);
    state z: dot(z) == a*cos(t) - z*dot(b);
}]
struct Driven {}

/// The motion to t = 0.6 in steps of one size, with the states at these times.
fn motion<M: Method<Wide, 3, 0>>(method: &M, count: u32, times: &[Wide]) -> Solution<Wide, 3> {
    let (huge, end) = (Tolerance::from(1e9), Wide::from_f64(0.6));
    // The rounding of the times must not leave a step of its own.
    let step = Wide::from_f64(0.6 / f64::from(count) * (1.0 + 1e-9));
    let options = Options {
        rtol: huge,
        atol: huge,
        first_step: Some(step),
        max_step: step,
        t_eval: Some(times),
        ..Options::default()
    };
    let start = State::new(Wide::ZERO, [0.7, 1.3, 0.0].map(Wide::from_f64), [1.0, 0.0, 0.4].map(Wide::from_f64));
    let system = Driven {}.prepare::<Wide>().expect("no parameters");
    let solution = solve(&system, start, end, method, &options).expect("a smooth motion");
    assert_eq!(solution.statistics.steps, u64::from(count));
    solution
}

#[test]
fn the_order_is_4_between_the_steps_too() {
    // The first time is a third of a step behind the start of one, in steps of each size.
    let times = [0.6 * (20.0 + 1.0 / 3.0) / 60.0, 0.6].map(Wide::from_f64);
    let exact = motion(&Radau13::new(), 60, &times);
    // Not the time of a step of the exact motion.
    let exact_between = motion(&Radau13::new(), 180, &times);
    let steps = [60, 240, 960];
    let errors = |sample: usize, exact: &Solution<Wide, 3>| {
        let exact = exact.states().nth(sample).expect("a state");
        steps.map(|count| {
            let found = motion(&Esdirk4::new(), count, &times).states().nth(sample).expect("a state");
            let error = |a: Wide, b: Wide| (a - b).to_f64().abs();
            let q = (0..2).map(|i| error(found.q[i], exact.q[i])).fold(0.0, f64::max);
            (0.6 / f64::from(count), (0..3).map(|i| error(found.v[i], exact.v[i])).fold(q, f64::max))
        })
    };
    let (between, end) = (errors(0, &exact_between), errors(1, &exact));
    for slope in slopes(&between).into_iter().chain(slopes(&end)) {
        assert!((slope - 4.0).abs() < 0.1, "slope {slope} instead of 4: {between:?} {end:?}");
    }
}

/// Errors at the published solutions, and the attempts at steps.
#[test]
fn published_solutions_are_met() {
    fn check<S, const N: usize>(system: &S, problem: &Published<N>, rtol: f64, most: f64, attempts: u64)
    where
        S: System<f64, N, 0, 0>,
    {
        let options =
            Options { rtol: rtol.into(), atol: (1e-6 * rtol).into(), max_steps: Some(5000), ..Options::default() };
        let solution = solve(system, problem.start(), problem.end, &Esdirk4::new(), &options);
        let solution = solution.unwrap_or_else(|error| panic!("{}: {error}", problem.name));
        let made = solution.statistics.steps + solution.statistics.rejected;
        let error = problem.error(&solution.last().expect("a stored state"));
        assert!(error < most && made < attempts, "{}: {error:e} after {made} attempts", problem.name);
    }
    let van_der_pol = VanDerPol { eps: 1e-6 }.prepare().expect("regular");
    check(&van_der_pol, &VAN_DER_POL, 1e-4, 1e-4, 320);
    check(&van_der_pol, &VAN_DER_POL, 1e-8, 1e-8, 2300);
    let robertson = Robertson {}.prepare().expect("regular");
    check(&robertson, &ROBERTSON, 1e-4, 5e-4, 200);
    check(&robertson, &ROBERTSON, 1e-8, 3e-7, 1100);
    check(&Oregonator {}.prepare().expect("regular"), &OREGONATOR, 1e-6, 1e-4, 900);
    check(&Hires {}.prepare().expect("regular"), &HIRES, 1e-6, 1e-5, 220);
}

/// ż = −(z − cos t)/τ − sin t, whose solution is cos t: in steps that are long beside τ the error is of order 2 in h and proportional to τ, whatever the order of the method.
#[test]
fn prothero_and_robinson() {
    #[lagrangian { state z: dot(z) == (cos(t) - z)/tau - sin(t); }]
    struct Following {
        tau: f64,
    }
    let error = |tau: f64, count: u32| {
        let system = Following { tau }.prepare::<f64>().expect("regular");
        let h = 2.0 / f64::from(count);
        let options = Options {
            rtol: 1e-9.into(),
            atol: 1e9.into(),
            first_step: Some(h * (1.0 + 1e-9)),
            max_step: h * (1.0 + 1e-9),
            ..Options::default()
        };
        let start = State::new(0.0, [0.0], [1.0]);
        let solution = solve(&system, start, 2.0, &Esdirk4::new(), &options).expect("it converges");
        (h, (solution.last().expect("a state").v[0] - 2.0_f64.cos()).abs())
    };
    let slow = [20, 40, 80].map(|count| error(1.0, count));
    let stiff = [20, 40, 80].map(|count| error(1e-6, count));
    let stiffer = error(1e-8, 20);
    assert!(slopes(&slow).iter().all(|slope| (slope - 4.0).abs() < 0.1), "{slow:?}");
    assert!(slopes(&stiff).iter().all(|slope| (slope - 2.0).abs() < 0.1), "{stiff:?}");
    assert!((stiff[0].1 / stiffer.1 - 100.0).abs() < 1.0, "{} and {}", stiff[0].1, stiffer.1);
}

/// A filter of a short time constant behind an oscillator that a force drives.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = x^2/2;
    force x = push;
    state z: dot(z) == (sin(x) - z)/tau;
}]
struct Filtered {
    tau: f64,
    #[input]
    push: f64,
}

/// What decays fast is damped at once, whatever its time constant. An event and the states between steps follow the interpolant.
#[test]
fn a_wrong_start_of_a_fast_state_is_forgotten() {
    let steps = [1e-5, 1e-9, 1e-12].map(|tau| {
        let system = Filtered { tau, push: 0.0 }.prepare::<f64>().expect("regular");
        let start = State::new(0.0, [0.5, 0.0], [0.0, 0.9]);
        let zero = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[0];
        let events = [Event::new(&zero)];
        let times: Vec<f64> = (1..=100).map(|i| 0.1 * f64::from(i)).collect();
        let options = Options { rtol: 1e-7.into(), events: &events, t_eval: Some(&times), ..Options::default() };
        let solution = solve(&system, start, 10.0, &Esdirk4::new(), &options).expect("it is stiff only");
        for State { t, q, v } in solution.states() {
            assert!((q[0] - 0.5 * t.cos()).abs() < 2e-6 && (v[0] + 0.5 * t.sin()).abs() < 2e-6, "at {t}");
            assert!((v[1] - q[0].sin()).abs() < 2e-5, "at {t}: {}", v[1] - q[0].sin());
        }
        assert_eq!(solution.events.len(), 3);
        for (k, found) in solution.events.iter().enumerate() {
            assert!((found.before.t - (k as f64 + 0.5) * std::f64::consts::PI).abs() < 1e-5, "{}", found.before.t);
        }
        solution.statistics.steps
    });
    assert!(steps.iter().all(|&steps| steps < 700), "{steps:?}");
}

/// Inputs may be laws of the state, which Rodas5P refuses, and may jump at samples.
#[test]
fn inputs_may_follow_the_state() {
    let system = Filtered { tau: 1e-4, push: 0.0 }.prepare::<f64>().expect("regular");
    let law = |t: f64, q: &SVector<f64, 2>, v: &SVector<f64, 2>| SVector::from([t.sin() - q[0] - v[1]]);
    fn end<M: Method<f64, 2, 0>>(
        system: &impl System<f64, 2, 0, 1>,
        method: &M,
        controller: &mut impl Controller<f64, 2, 1>,
    ) -> State<f64, 2> {
        let options = Options { rtol: 1e-9.into(), ..Options::default() };
        let start = State::new(0.0, [0.5, 0.0], [0.0, 0.3]);
        solve_with(system, start, 2.0, method, &options, controller).expect("smooth").last().expect("a state")
    }
    let by_law = [end(&system, &Esdirk4::new(), &mut { law }), end(&system, &Radau9::new(), &mut { law })];
    let sampled = || Sampled::new(0.1, law);
    let by_samples = [end(&system, &Esdirk4::new(), &mut sampled()), end(&system, &Radau9::new(), &mut sampled())];
    for [found, exact] in [by_law, by_samples] {
        assert!((found.q[0] - exact.q[0]).abs() < 1e-7 && (found.v - exact.v).amax() < 1e-7, "{found:?} {exact:?}");
    }
}

/// Two masses on a spring so stiff that the rounding of their coordinates is a velocity above the tolerance.
#[test]
fn the_rounding_of_a_stiff_spring_does_not_shorten_steps() {
    #[lagrangian {
        coordinates x, y;
        kinetic = (dot(x)^2 + dot(y)^2)/2;
        potential = k*(y - x)^2/2 + (x^2 + y^2)/2;
        dissipation = sqrt(k)*(dot(y) - dot(x))^2/2;
    }]
    struct Pair {
        k: f64,
    }
    let steps = [1e4, 1e8, 1e12].map(|k| {
        let system = Pair { k }.prepare::<f64>().expect("regular");
        let options = Options { rtol: 1e-7.into(), max_steps: Some(5000), ..Options::default() };
        let solution = solve(&system, State::new(0.0, [1.0; 2], [0.0; 2]), 10.0, &Esdirk4::new(), &options);
        let solution = solution.expect("it converges");
        let end = solution.last().expect("a state");
        assert!((end.q[0] - 10.0_f64.cos()).abs() < 1e-5 && (end.q[1] - 10.0_f64.cos()).abs() < 1e-5, "{end:?}");
        solution.statistics.steps
    });
    assert!(steps[2] < 2 * steps[0], "{steps:?}");
}

#[test]
fn derivatives_converge_with_the_motion() {
    let at = |eps: f64| {
        let system = VanDerPol { eps }.prepare::<f64>().expect("regular");
        let options = Options { rtol: 1e-11.into(), ..Options::default() };
        let solution = solve(&system, State::new(0.0, [2.0], [0.0]), 0.5, &Radau13::new(), &options);
        solution.expect("it converges").last().expect("a state").q[0]
    };
    let (eps, d) = (1e-3, 1e-5);
    let difference = (at(eps + d) - at(eps - d)) / (2.0 * d);
    let options = SharedOptions { rtol: 1e-8, ..SharedOptions::default() };
    let (start, variables) = (State::new(0.0, [2.0], [0.0]), [Variable::Parameter(0)]);
    let found = sensitivities(&VanDerPol { eps }, &start, &[0.5], &Esdirk4::new(), &options, &variables);
    let found = found.expect("it converges").derivatives[0][(0, 0)];
    assert!((found / difference - 1.0).abs() < 1e-4, "{found} instead of {difference}");
}
