//! Rosenbrock's method: its order with momenta, times and states, its interpolant, what it refuses, and stiff springs.

use crate::common::{ByHand, Hand, slopes};
use lagrange_runtime::analysis::{Variable, sensitivities};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::DoubleDouble;
use lagrange_runtime::system::{BalanceJacobian, Facts};

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

fn driven() -> State<DoubleDouble, 3> {
    State::new(
        DoubleDouble::ZERO,
        [0.7, 1.3, 0.0].map(DoubleDouble::from_f64),
        [1.0, 0.0, 0.4].map(DoubleDouble::from_f64),
    )
}

/// The errors of a and b, of their velocities and of z.
fn error(found: &State<DoubleDouble, 3>, exact: &State<DoubleDouble, 3>) -> f64 {
    let error = |a: DoubleDouble, b: DoubleDouble| (a - b).to_f64().abs();
    let q = (0..2).map(|i| error(found.q[i], exact.q[i])).fold(0.0, f64::max);
    (0..3).map(|i| error(found.v[i], exact.v[i])).fold(q, f64::max)
}

/// The motion to t = 0.6 in steps of one size, with the states at these times.
fn motion<M: Method<DoubleDouble, 3, 0>>(method: &M, count: u32, times: &[DoubleDouble]) -> Solution<DoubleDouble, 3> {
    let (huge, end) = (Tolerance::from(1e9), DoubleDouble::from_f64(0.6));
    // The rounding of the times must not leave a step of its own.
    let step = end / DoubleDouble::from_f64(f64::from(count)) * DoubleDouble::from_f64(1.0 + 1e-9);
    let options = Options {
        rtol: huge,
        atol: huge,
        first_step: Some(step),
        max_step: step,
        t_eval: Some(times),
        ..Options::default()
    };
    let system = Driven {}.prepare::<DoubleDouble>().expect("no parameters");
    let solution = solve(&system, driven(), end, method, &options).expect("a smooth motion");
    assert_eq!(solution.statistics.steps, u64::from(count));
    solution
}

/// The order is 5 where p = M v with a changing M, which takes a step's own momentum: with that of the velocity alone it would be 4.
#[test]
fn the_order_is_5_and_that_of_the_interpolant_4() {
    // The first time is a third of a step behind the start of one, in steps of each size.
    let times = [0.6 * (20.0 + 1.0 / 3.0) / 60.0, 0.6].map(DoubleDouble::from_f64);
    let exact = motion(&Verner9::new(), 2000, &times);
    let steps = [60, 240, 960];
    let errors = |sample: usize| {
        let at = |solution: &Solution<DoubleDouble, 3>| solution.states().nth(sample).expect("a state at each time");
        steps.map(|count| (0.6 / f64::from(count), error(&at(&motion(&Rodas5P::new(), count, &times)), &at(&exact))))
    };
    let (between, end) = (errors(0), errors(1));
    for slope in slopes(&end) {
        assert!((slope - 5.0).abs() < 0.2, "slope {slope} instead of 5: {end:?}");
    }
    for slope in slopes(&between) {
        assert!((slope - 4.0).abs() < 0.2, "slope {slope} instead of 4: {between:?}");
    }
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

/// What decays fast is damped at once, and does not make the steps short. An event and the states between steps follow the interpolant.
#[test]
fn a_wrong_start_of_a_fast_state_is_forgotten() {
    let system = Filtered { tau: 1e-9, push: 0.0 }.prepare::<f64>().expect("regular");
    let start = State::new(0.0, [0.5, 0.0], [0.0, 0.9]);
    let zero = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[0];
    let events = [Event::new(&zero)];
    let times: Vec<f64> = (1..=100).map(|i| 0.1 * f64::from(i)).collect();
    let options = Options { rtol: 1e-9.into(), events: &events, t_eval: Some(&times), ..Options::default() };
    let solution = solve(&system, start, 10.0, &Rodas5P::new(), &options).expect("it is stiff only");
    assert!(solution.statistics.steps < 500, "{:?}", solution.statistics);
    for state in solution.states() {
        let State { t, q, v } = state;
        assert!((q[0] - 0.5 * t.cos()).abs() < 1e-7 && (v[0] + 0.5 * t.sin()).abs() < 1e-7, "at {t}");
        assert!((v[1] - q[0].sin()).abs() < 1e-6, "at {t}: {}", v[1] - q[0].sin());
    }
    assert_eq!(solution.events.len(), 3);
    for (k, found) in solution.events.iter().enumerate() {
        assert!((found.before.t - (k as f64 + 0.5) * std::f64::consts::PI).abs() < 1e-7, "{}", found.before.t);
    }
}

/// Between samples an input is constant, so that the derivatives are exact. Any other controller is refused, since its derivatives are not known.
#[test]
fn inputs_are_constant_between_samples() {
    let system = Filtered { tau: 1e-3, push: 0.0 }.prepare::<f64>().expect("regular");
    let law = |t: f64, q: &SVector<f64, 2>, v: &SVector<f64, 2>| SVector::from([t.sin() - q[0] - v[1]]);
    let options = Options { rtol: 1e-9.into(), ..Options::default() };
    let end = |method: &dyn Fn(&mut State<f64, 2>) -> Result<u64, Failure>| {
        let mut state = State::new(0.0, [0.5, 0.0], [0.0, 0.3]);
        method(&mut state).map(|steps| (state, steps))
    };
    let by_rosenbrock = end(&|state| {
        let mut sampled = Sampled::new(0.25, law);
        integrate(&system, state, 3.0, &Rodas5P::new(), &options, &mut sampled, &mut ())
            .map(|report| report.statistics.steps)
            .map_err(|error| error.failure)
    });
    let by_radau = end(&|state| {
        let mut sampled = Sampled::new(0.25, law);
        integrate(&system, state, 3.0, &Radau9::new(), &options, &mut sampled, &mut ())
            .map(|report| report.statistics.steps)
            .map_err(|error| error.failure)
    });
    let ((found, _), (exact, _)) = (by_rosenbrock.expect("sampled"), by_radau.expect("sampled"));
    assert!((found.q[0] - exact.q[0]).abs() < 1e-8 && (found.v - exact.v).amax() < 1e-8, "{found:?} and {exact:?}");
    let refused = end(&|state| {
        let mut law = law;
        integrate(&system, state, 3.0, &Rodas5P::new(), &options, &mut law, &mut ())
            .map(|report| report.statistics.steps)
            .map_err(|error| error.failure)
    });
    let text = refused.expect_err("the law is no sample").to_string();
    assert!(text.contains("Rodas5P") && text.contains("`Sampled`") && text.contains("`Radau5`"), "{text}");
}

/// A system by hand of which nothing is proved may depend on the time, in a way that it does not state.
#[test]
fn a_system_without_derivatives_by_the_time_is_refused() {
    struct Swing;
    impl ByHand<f64, 1, 0> for Swing {
        const FACTS: Facts = Facts { unconstrained: true, ..Facts::NONE };
        const COORDINATES: &'static [&'static str] = &["x"];
        fn balance_jacobian(
            &self,
            t: f64,
            q: &SVector<f64, 1>,
            v: &SVector<f64, 1>,
            _: &SVector<f64, 0>,
        ) -> BalanceJacobian<f64, 1> {
            let entry = SMatrix::<f64, 1, 1>::new;
            let (momentum, balance) = (*v, SVector::from([t.sin() - q[0]]));
            let (momentum_q, mass_matrix, balance_q, balance_v) = (entry(0.0), entry(1.0), entry(-1.0), entry(0.0));
            BalanceJacobian { momentum, balance, momentum_q, mass_matrix, balance_q, balance_v }
        }
        fn energy(&self, q: &SVector<f64, 1>, v: &SVector<f64, 1>) -> f64 {
            (q[0] * q[0] + v[0] * v[0]) / 2.0
        }
    }
    let start = State::new(0.0, [1.0], [0.0]);
    let refused = solve(&Hand(Swing), start, 1.0, &Rodas5P::new(), &Options::default());
    let text = refused.expect_err("its derivatives by the time are not known").to_string();
    assert!(text.contains("`System::balance_by_time`"), "{text}");
}

/// Over a stiff spring the rounding of the matrix is an error of the method, which step control notices.
#[test]
fn steps_over_a_stiff_spring_keep_the_tolerance() {
    #[lagrangian {
        coordinates x, y;
        kinetic = (dot(x)^2 + dot(y)^2)/2;
        potential = k*(x - y)^2/2 + x^2/2;
        dissipation = c*(dot(x) - dot(y))^2/2;
    }]
    struct Pair {
        k: f64,
        c: f64,
    }
    // Two masses as one: x = cos(t/√2).
    let exact = (5.0 / 2.0_f64.sqrt()).cos();
    let end = |k: f64| {
        let system = Pair { k, c: 1e-3 * k }.prepare::<f64>().expect("regular");
        let options = Options { rtol: 1e-9.into(), ..Options::default() };
        let start = State::new(0.0, [1.0, 1.0], [0.0, 0.0]);
        let solution = solve(&system, start, 5.0, &Rodas5P::new(), &options).expect("some hundred steps");
        (solution.last().expect("a stored state").q[0] - exact, solution.statistics.steps)
    };
    for (k, error, most) in [(1e7, 2e-8, 100), (1e9, 2e-8, 100), (1e12, 1e-6, 400)] {
        let (found, steps) = end(k);
        assert!(found.abs() < error && steps < most, "k = {k}: an error of {found} in {steps} steps");
    }
}

/// ∂z/∂τ at the end of a motion on dual numbers is that of a central difference of two motions.
#[test]
fn derivatives_are_those_of_the_motion() {
    let start = State::new(0.0, [0.5, 0.0], [0.0, 0.9]);
    let at = |tau: f64| {
        let system = Filtered { tau, push: 0.1 }.prepare::<f64>().expect("regular");
        let options = Options { rtol: 1e-12.into(), ..Options::default() };
        let solution = solve(&system, start, 3.0, &Radau13::new(), &options).expect("it is stiff only");
        solution.last().expect("a stored state").v[1]
    };
    let (tau, d) = (1e-3, 1e-5);
    let difference = (at(tau + d) - at(tau - d)) / (2.0 * d);
    let options = SharedOptions { rtol: 1e-9, ..SharedOptions::default() };
    let (mechanism, variables) = (Filtered { tau, push: 0.1 }, [Variable::Parameter(0)]);
    let found = sensitivities(&mechanism, &start, &[3.0], &Rodas5P::new(), &options, &variables);
    let found = found.expect("it is stiff only").derivatives[0][(3, 0)];
    assert!((found / difference - 1.0).abs() < 1e-5, "{found} instead of {difference}");
}

#[test]
fn single_precision_suffices() {
    let start = |x: f32, z: f32| State::new(0.0_f32, [x, 0.0], [0.0, z]);
    let system = Filtered { tau: 1e-4, push: 0.0 }.prepare::<f32>().expect("regular");
    let options = Options { rtol: 1e-4.into(), ..Options::default() };
    let solution = solve(&system, start(0.5, 0.9), 3.0, &Rodas5P::new(), &options).expect("it is stiff only");
    let end = solution.last().expect("a stored state");
    assert!((end.q[0] - 0.5 * 3.0_f32.cos()).abs() < 1e-4, "{end:?}");
    assert!((end.v[1] - end.q[0].sin()).abs() < 1e-3, "{end:?}");
}

/// A matrix of five rows is factored, one of four is inverted: the same chain has the same motion with one mass more that hangs on nothing.
#[test]
fn factors_and_inverses_agree() {
    macro_rules! chain {
        ($Name:ident, $n:literal) => {
            #[lagrangian {
                coordinates x[$n];
                kinetic = sum(i in 0..$n, m[i]*dot(x[i])^2)/2;
                potential = 1e6*((x[1] - x[0])^2 + (x[2] - x[1])^2)/2 + (x[0]^2 + sum(i in 3..$n, x[i]^2))/2;
                dissipation = 1e3*((dot(x[1]) - dot(x[0]))^2 + (dot(x[2]) - dot(x[1]))^2)/2;
            }]
            struct $Name {
                m: [f64; $n],
            }
        };
    }
    chain!(Four, 4);
    chain!(Five, 5);
    let options = SharedOptions { rtol: 1e-10, atol: 1e-10, ..SharedOptions::default() };
    let four = Four { m: [1.0, 2.0, 0.5, 1.0] }.prepare::<f64>().expect("regular");
    let five = Five { m: [1.0, 2.0, 0.5, 1.0, 1.0] }.prepare::<f64>().expect("regular");
    let start = State::new(0.0, [1.0, 1.1, 1.1, 0.3], [0.0; 4]);
    let four = solve(&four, start, 2.0, &Rodas5P::new(), &options).expect("it is stiff only");
    let start = State::new(0.0, [1.0, 1.1, 1.1, 0.3, 0.0], [0.0; 5]);
    let five = solve(&five, start, 2.0, &Rodas5P::new(), &options).expect("it is stiff only");
    let (four, five) = (four.last().expect("a stored state"), five.last().expect("a stored state"));
    for i in 0..4 {
        assert!((four.q[i] - five.q[i]).abs() < 1e-9, "{four:?} and {five:?}");
    }
}
