//! The default absolute tolerance follows the sizes that the motion reaches.

use crate::checkpoints::assert_resumes;
use lagrange_runtime::prelude::*;

/// A capacitor that a source charges through a resistor: charge = source c (1 − exp(−t/(r c))).
#[lagrangian {
    coordinates charge;
    kinetic     = 0;
    potential   = charge^2/(2*c);
    dissipation = r*dot(charge)^2/2;
    force charge = source;
}]
#[derive(Clone, Copy, Debug)]
struct Charging {
    r: f64,
    c: f64,
    source: f64,
}

/// A block on a spring and a pendulum on the block.
#[lagrangian {
    coordinates x, theta;
    kinetic   = m*dot(x)^2/2 + n*(dot(x)^2 + 2*l*dot(x)*dot(theta)*cos(theta) + l^2*dot(theta)^2)/2;
    potential = k*x^2/2 - n*g*l*cos(theta);
    dissipation = c*dot(x)^2/2;
}]
#[derive(Clone, Copy, Debug)]
struct Carried {
    m: f64,
    n: f64,
    l: f64,
    g: f64,
    k: f64,
    c: f64,
}

/// A bob on a rod, in a field that is not along an axis.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = -m*g*(x*cos(slope) + y*sin(slope));
    constraint rod: x^2 + y^2 == l^2;
}]
#[derive(Clone, Copy, Debug)]
struct Rod {
    m: f64,
    g: f64,
    l: f64,
    slope: f64,
}

/// A body under a force that is the rounding of a clock.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = f*(sqrt((t + begun)^2 + e) - begun - t);
}]
#[derive(Clone, Copy, Debug)]
struct Ticking {
    m: f64,
    f: f64,
    begun: f64,
    e: f64,
}

/// The largest error of the voltage while a capacitor is charged to 5 V, at the default tolerances.
fn volts<M: Method<f64, 1, 0>>(method: &M, c: f64) -> f64 {
    let model = Charging { r: 1e3, c, source: 5.0 };
    let system = model.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0], [0.0]);
    let solution = solve(&system, start, 8.0 * model.r * c, method, &Options::default()).expect("regular");
    assert_eq!(solution.warnings().collect::<Vec<_>>(), [], "{}, {c:e}", method.name());
    let error = |(t, v): (&f64, &SVector<f64, 1>)| (v[0] / c - 5.0 * (1.0 - (-t / (model.r * c)).exp())).abs();
    solution.t.iter().zip(&solution.v).map(error).fold(0.0, f64::max)
}

#[test]
fn a_capacitor_of_any_size_is_charged() {
    for c in [1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e-100, 1e100] {
        let errors = [
            volts(&DormandPrince5::new(), c),
            volts(&Tsitouras5::new(), c),
            volts(&Rkf45::new(), c),
            volts(&Dop853::new(), c),
            volts(&Verner9::new(), c),
            volts(&Extrapolation::new(), c),
        ];
        assert!(errors.iter().all(|error| *error < 1e-4), "{c:e}: {errors:?}");
    }
}

/// The states at five times, in units of 1, and the number of steps.
fn motion<M: Method<f64, 2, 0>>(method: &M, start: [f64; 4], [mass, length, time]: [f64; 3]) -> (Vec<f64>, u64) {
    let speed = length / time;
    let model = Carried {
        m: mass,
        n: 0.6 * mass,
        l: 0.8 * length,
        g: 9.0 * speed / time,
        k: 4.0 * mass / (time * time),
        c: 0.1 * mass / time,
    };
    let [x, theta, dx, dtheta] = start;
    let start = State::new(0.0, [x * length, theta], [dx * speed, dtheta / time]);
    let times: Vec<f64> = (1..=5).map(|k| f64::from(k) * time).collect();
    let options = Options { t_eval: Some(&times), ..Options::default() };
    let system = model.prepare::<f64>().expect("valid");
    let solution = solve(&system, start, times[4], method, &options).expect("regular");
    assert_eq!(solution.warnings().collect::<Vec<_>>(), []);
    let scaled = |(q, v): (&SVector<f64, 2>, &SVector<f64, 2>)| [q[0] / length, q[1], v[0] / speed, v[1] * time];
    (solution.q.iter().zip(&solution.v).flat_map(scaled).collect(), solution.statistics.steps)
}

/// From a motion, from rest, from a small swing, and where a coordinate stays 0.
#[test]
fn the_default_tolerances_transform_with_the_units() {
    fn check<M: Method<f64, 2, 0>>(method: &M, (within, more): (f64, u64)) {
        let name = method.name();
        for start in [[0.3, 0.5, -0.2, 0.4], [0.0, 1.0, 0.0, 0.0], [1e-7, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]] {
            let (right, steps) = motion(method, start, [1.0; 3]);
            let largest = right.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            for units in [[1e12, 1.0, 1.0], [1.0, 1e-12, 1.0], [1.0, 1e12, 1.0], [1.0, 1.0, 1e-12], [1e-12, 1e-6, 1e6]]
            {
                let (found, taken) = motion(method, start, units);
                for (found, right) in found.iter().zip(&right) {
                    assert!((found - right).abs() <= within * largest, "{name}, {start:?}, {units:?}: {found} {right}");
                }
                // The largest tolerance, 1e-9, is small in large units, so that steps are shorter where a coordinate crosses 0. The longer
                // the steps are, the larger a part of them is shorter.
                assert!(taken <= 5 + steps * more / 2, "{name}, {start:?}, {units:?}: {taken} {steps} steps");
            }
        }
    }
    // Two sequences of steps differ by the errors of the motion.
    check(&DormandPrince5::new(), (2e-5, 3));
    check(&Extrapolation::new(), (1e-4, 4));
}

/// A rod that hangs at rest moves by rounding alone. No step resolves that, and none needs to: the number of steps stays near that under an
/// absolute tolerance.
#[test]
fn rounding_at_rest_costs_few_steps() {
    rests(&DormandPrince5::new());
    rests(&Projected::new(Extrapolation::new()));
}

fn rests<M: Method<f64, 2, 1>>(method: &M) {
    for length in [1.0, 1e-4, 1e-9] {
        for slope in [0.1, 0.7, 1.3, 2.0] {
            let system = Rod { m: 1.0, g: 9.81 * length, l: length, slope }.prepare::<f64>().expect("valid");
            let start = State::new(0.0, [length * f64::cos(slope), length * f64::sin(slope)], [0.0; 2]);
            let run = |options: &Options<'_, f64, 2>| solve(&system, start, 100.0, method, options);
            let solution = run(&Options::default()).unwrap_or_else(|failed| panic!("{length:e}, {slope}: {failed}"));
            let last = solution.last().expect("states");
            assert!((last.q - start.q).norm() < 1e-9 * length, "{length:e}, {slope}: {last:?}");
            let fixed = run(&Options { atol: (1e-9 * length).into(), ..Options::default() }).expect("regular");
            let attempts = |statistics: &Statistics| statistics.steps + statistics.rejected;
            let [followed, plain] = [&solution, &fixed].map(|solution| attempts(&solution.statistics));
            assert!(followed <= 5 * plain, "{length:e}, {slope}: {followed} attempts, {plain}");
        }
    }
}

/// Rounding that no change of the state shows is told by errors that do not fall with the step size.
#[test]
fn rounding_of_the_time_costs_few_steps() {
    ticks(&DormandPrince5::new());
    ticks(&Extrapolation::new());
}

fn ticks<M: Method<f64, 1, 0>>(method: &M) {
    for begun in [1e3, 3e5, 7e8] {
        let system = Ticking { m: 1.0, f: 1e-3, begun, e: 0.0 }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.0], [0.0]);
        let attempts = |options: &Options<'_, f64, 1>| {
            let solution = solve(&system, start, 10.0, method, options);
            let Statistics { steps, rejected, .. } =
                solution.unwrap_or_else(|failed| panic!("{}", failed.error)).statistics;
            steps + rejected
        };
        let [followed, plain] =
            [Options::default(), Options { atol: 1e-9.into(), ..Options::default() }].map(|options| attempts(&options));
        assert!(followed <= 5 * plain + 100, "{begun:e}: {followed} attempts, {plain}");
    }
}

/// A motion that dies away keeps the tolerance of its largest size.
#[test]
fn a_motion_that_dies_away_costs_what_it_did() {
    let model = Carried { m: 1.0, n: 0.6, l: 0.8, g: 9.0, k: 4.0, c: 2.0 };
    let system = model.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.3, 0.5], [0.0, 0.0]);
    let steps = |options: &Options<'_, f64, 2>| {
        solve(&system, start, 400.0, &DormandPrince5::new(), options).expect("regular").statistics.steps
    };
    let (followed, plain) = (steps(&Options::default()), steps(&Options { atol: 1e-9.into(), ..Options::default() }));
    assert_eq!(followed, plain);
}

#[test]
fn a_small_motion_resumes_to_the_bit() {
    let system = Charging { r: 1e3, c: 1e-12, source: 5.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0], [0.0]);
    assert_resumes(&system, start, 1e-7, &DormandPrince5::new(), &Options::default());
    assert_resumes(&system, start, 1e-7, &Extrapolation::new(), &Options::default());
    let rod = Rod { m: 1.0, g: 9.81, l: 1.0, slope: 0.7 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.7_f64.cos(), 0.7_f64.sin()], [0.0; 2]);
    assert_resumes(&rod, start, 400.0, &Dop853::new(), &Options { max_step: 5.0, ..Options::default() });
}

#[test]
fn only_an_absolute_tolerance_can_follow() {
    let system = Charging { r: 1.0, c: 1.0, source: 5.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0], [0.0]);
    let options = Options { rtol: Tolerance::Following { most: 1e-6 }, ..Options::default() };
    let failed = solve(&system, start, 1.0, &DormandPrince5::new(), &options).expect_err("refused");
    let message = failed.error.failure.to_string();
    assert!(message.contains("`rtol`") && message.contains("only `atol` can follow"), "{message}");
    // Without a relative tolerance, the absolute one is the largest.
    let options = Options { rtol: 0.0.into(), ..Options::default() };
    let solution = solve(&system, start, 1.0, &DormandPrince5::new(), &options).expect("regular");
    assert!((solution.last().expect("states").v[0] - 5.0 * (1.0 - f64::exp(-1.0))).abs() < 1e-7);
}
