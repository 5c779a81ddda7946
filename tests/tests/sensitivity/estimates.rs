//! Parameters from samples.

use lagrange_runtime::analysis::{AnalysisError, Estimation, Recording, Sample};
use lagrange_runtime::method::DERIVATIVES;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use lagrange_tests::random::Random;
use std::f64::consts::PI;

type Two = Dual<f64, DERIVATIVES>;

/// A body that viscous friction stops: x = v₀/c (1 − exp(−c t)) for m = 1.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    dissipation = c*dot(x)^2/2;
}]
#[derive(Clone, Debug)]
struct Stopping {
    m: f64,
    c: f64,
}

/// The data set Misra1a.
const MISRA: [(f64, f64); 14] = [
    (77.6, 10.07),
    (114.9, 14.73),
    (141.1, 17.94),
    (190.8, 23.93),
    (239.9, 29.61),
    (289.0, 35.18),
    (332.8, 40.02),
    (378.4, 44.82),
    (434.8, 50.76),
    (477.3, 55.05),
    (536.8, 61.01),
    (593.1, 66.40),
    (689.1, 75.47),
    (760.0, 81.78),
];

/// The data set Misra1a of NIST's *Statistical Reference Datasets*: y = b₁ (1 − exp(−b₂ x)), with certified values and standard
/// deviations. Here x is the time, b₂ = c and b₁ = v₀/c.
#[test]
fn a_reference_data_set_has_its_certified_values() {
    let samples = MISRA.map(|(t, value)| Sample { t, measured: 0, value, deviation: 1.0 });
    let tight = Two::constant(1e-13);
    let options = Options { rtol: tight.into(), atol: tight.into(), ..Options::default() };
    let start = State::new(0.0, [0.0], [0.1]);
    let found = Estimation::new(&["dot(x)", "c"], &samples)
        .run(&Stopping { m: 1.0, c: 1e-4 }, &start, &Dop853::new(), &options)
        .expect("determined");
    let (speed, friction) = (found.values[0], found.values[1]);
    assert!((friction - 5.501_564_318_1e-4).abs() < 1e-9 * friction, "{found:?}");
    assert!((speed / friction - 238.942_129_18).abs() < 1e-9 * 238.9, "{found:?}");
    assert!((found.chi_square - 0.124_551_388_94).abs() < 1e-9, "{found:?}");
    assert!((found.residuals.norm_squared() - found.chi_square).abs() < 1e-12, "{found:?}");
    let errors = found.scaled_errors(samples.len());
    assert!((errors[1] - 7.266_868_843_6e-6).abs() < 1e-6 * errors[1], "{errors}");
    // b₁ = v₀/c: its deviation from the covariance.
    let by = [1.0 / friction, -speed / (friction * friction)];
    let covariance = &found.covariance * (found.chi_square / 12.0);
    let variance: f64 = (0..2).map(|i| (0..2).map(|j| by[i] * covariance[(i, j)] * by[j]).sum::<f64>()).sum();
    assert!((variance.sqrt() - 2.707_007_524_1).abs() < 1e-6 * 2.7, "{}", variance.sqrt());
}

/// A pendulum with friction.
#[lagrangian {
    coordinates theta;
    kinetic = m*l^2*dot(theta)^2/2;
    potential = -m*g*l*cos(theta);
    dissipation = c*dot(theta)^2/2;
}]
#[derive(Clone, Debug)]
struct Pendulum {
    m: f64,
    l: f64,
    g: f64,
    c: f64,
}

/// Noise of standard deviation 1, by Box and Muller.
fn noise(random: &mut Random) -> f64 {
    (-2.0 * random.between(1e-12, 1.0).ln()).sqrt() * (2.0 * PI * random.between(0.0, 1.0)).cos()
}

/// Over many recordings the errors, squared and weighted by the covariance, have the mean of χ² with as many degrees of freedom as values.
#[test]
fn friction_and_length_are_found_within_the_covariance() {
    let truth = Pendulum { m: 0.5, l: 0.7, g: 9.81, c: 0.02 };
    let (start, deviation) = (State::new(0.0, [1.0], [0.0]), 0.01);
    let times: Vec<f64> = (1..=80).map(|k| f64::from(k) * 0.05).collect();
    let options = Options { t_eval: Some(&times), rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let system = truth.prepare::<f64>().expect("valid");
    let exact = solve(&system, start, 4.0, &Dop853::new(), &options).expect("no failure");
    let mut random = Random::new(15);
    let (mut total, runs) = (0.0, 40);
    let tolerance = Two::constant(1e-8);
    let options = Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() };
    for _ in 0..runs {
        let samples: Vec<Sample> = exact
            .states()
            .map(|state| Sample {
                t: state.t,
                measured: 0,
                value: state.q[0] + deviation * noise(&mut random),
                deviation,
            })
            .collect();
        let guess = Pendulum { l: 0.66, c: 0.05, ..truth.clone() };
        let found = Estimation::new(&["l", "c", "theta"], &samples)
            .run(&guess, &State::new(0.0, [0.9], [0.0]), &Dop853::new(), &options)
            .expect("determined");
        let errors = SVector::from([found.values[0] - truth.l, found.values[1] - truth.c, found.values[2] - 1.0]);
        let weight = found.covariance.clone().try_inverse().expect("regular");
        total += (0..3).map(|i| (0..3).map(|j| errors[i] * weight[(i, j)] * errors[j]).sum::<f64>()).sum::<f64>();
        assert!((found.chi_square / 77.0 - 1.0).abs() < 0.7, "{found:?}");
    }
    // The mean of χ² with 3 degrees of freedom over 40 runs is 3 ± √(6/40).
    let mean = total / f64::from(runs);
    assert!((mean - 3.0).abs() < 4.0 * (6.0 / f64::from(runs)).sqrt(), "{mean}");
}

#[test]
fn what_the_samples_do_not_determine_is_said() {
    let sample = |t| Sample { t, measured: 0, value: 1.0, deviation: 0.1 };
    let body = Stopping { m: 1.0, c: 0.1 };
    let start = State::new(0.0, [0.0], [0.5]);
    let run = |names: &[&str], samples: &[Sample]| {
        let method = Rk4::new(1e-2);
        Estimation::new(names, samples).run(&body, &start, &method, &Options::default()).expect_err("undetermined")
    };
    let error = run(&["c", "x"], &[sample(1.0)]);
    assert!(error.to_string().contains("at least as many samples"), "{error}");
    let error = run(&["c"], &[Sample { deviation: 0.0, ..sample(1.0) }]);
    assert!(error.to_string().contains("positive deviations; that of sample 0"), "{error}");
    let error = run(&["c"], &[Sample { measured: 2, ..sample(1.0) }]);
    assert!(error.to_string().contains("sample 0 is of component 2"), "{error}");
    assert!(matches!(run(&["friction"], &[sample(1.0)]), AnalysisError::UnknownName { .. }));
}

/// One sample determines one value: of x = v₀/c (1 − exp(−c t)).
#[test]
fn as_many_samples_as_values_are_enough() {
    let value = 0.5 / 0.8 * (1.0 - (-0.8_f64).exp());
    let sample = Sample { t: 1.0, measured: 0, value, deviation: 0.1 };
    let start = State::new(0.0, [0.0], [0.5]);
    let method = Rk4::new(1e-2);
    let body = Stopping { m: 1.0, c: 0.5 };
    let samples = [sample];
    let found = Estimation::new(&["c"], &samples).run(&body, &start, &method, &Options::default()).expect("determined");
    assert!((found.values[0] - 0.8).abs() < 1e-8, "{found:?}");
}

/// A mass on a spring that only pulls back.
#[lagrangian {
    coordinates x;
    assume k > 0;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    dissipation = c*dot(x)^2/2;
}]
#[derive(Clone, Debug)]
struct Spring {
    m: f64,
    k: f64,
    c: f64,
}

/// Samples of x = 0.3 f(t) at 40 times.
fn recording(deviation: f64, f: impl Fn(f64) -> f64) -> Vec<Sample> {
    let at = |i: u32| 0.05 * f64::from(i);
    (1..=40).map(|i| Sample { t: at(i), measured: 0, value: 0.3 * f(at(i)), deviation }).collect()
}

/// The data grow as under k = −1, which `assume k > 0` forbids. In any units of stiffness.
#[test]
fn a_bound_that_the_samples_press_against_is_named() {
    for unit in [1.0, 1e-9, 1e9] {
        let samples = recording(1e-2, f64::cosh);
        let spring = Spring { m: unit, k: unit, c: 0.0 };
        let (start, method) = (State::new(0.0, [0.3], [0.0]), Rk4::new(1e-2));
        let error = Estimation::new(&["k"], &samples)
            .run(&spring, &start, &method, &Options::default())
            .expect_err("the least sum of squares is beyond the bound");
        let text = error.to_string();
        assert!(text.contains("pull `k` to values that are refused") && text.contains("k > 0"), "{unit}: {text}");
        // With a value whose bound is not met, only the other is named.
        let error = Estimation::new(&["k", "x"], &samples)
            .run(&spring, &State::new(0.0, [0.25], [0.0]), &method, &Options::default())
            .expect_err("the least sum of squares is beyond the bound");
        assert!(error.to_string().contains("pull `k` to values"), "{unit}: {error}");
    }
}

/// A free motion depends on m : k : c only. The samples determine two of them if one is known.
#[test]
fn values_of_which_only_ratios_count_are_named() {
    let truth = |t: f64| {
        // ẍ + 0.4 ẋ + 4 x = 0 from rest.
        let rate = (4.0_f64 - 0.04).sqrt();
        (-0.2 * t).exp() * ((rate * t).cos() + 0.2 / rate * (rate * t).sin())
    };
    let tolerance = Two::constant(1e-11);
    let options = Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() };
    for unit in [1.0, 1e-12, 1e12] {
        let samples = recording(1e-3, truth);
        let spring = Spring { m: unit, k: 3.0 * unit, c: 0.5 * unit };
        let start = State::new(0.0, [0.3], [0.0]);
        let run = |names: &[&str]| Estimation::new(names, &samples).run(&spring, &start, &Dop853::new(), &options);
        let error = run(&["m", "k", "c"]).expect_err("only ratios count").to_string();
        assert!(
            error.contains("relative changes of `m`, `k`, `c` in the proportion 1 : 1 : 1 change no sample"),
            "{unit}: {error}"
        );
        let found = run(&["k", "c"]).expect("determined");
        assert!(
            (found.values[0] / unit - 4.0).abs() < 1e-6 && (found.values[1] / unit - 0.4).abs() < 1e-6,
            "{found:?}"
        );
    }
    // At rest in the equilibrium nothing tells k.
    let samples = recording(1e-3, |_| 0.0);
    let rest = State::new(0.0, [0.0], [0.0]);
    let error = Estimation::new(&["k"], &samples)
        .run(&Spring { m: 1.0, k: 3.0, c: 0.5 }, &rest, &Dop853::new(), &options)
        .expect_err("k moves nothing");
    assert!(error.to_string().contains("`k` changes no sample"), "{error}");
}

/// A body that does not slow down, as far as the samples tell: larger masses fit better and better.
#[test]
fn a_value_that_runs_away_is_named() {
    let samples: Vec<Sample> = (1..=10)
        .map(|i| Sample { t: 0.1 * f64::from(i), measured: 0, value: 0.05 * f64::from(i), deviation: 1e-3 })
        .collect();
    for unit in [1.0, 1e-12, 1e12] {
        let error = Estimation::new(&["m"], &samples)
            .run(
                &Stopping { m: unit, c: 0.1 * unit },
                &State::new(0.0, [0.0], [0.5]),
                &Rk4::new(1e-2),
                &Options::default(),
            )
            .expect_err("no mass is large enough")
            .to_string();
        assert!(error.contains("along m`") && error.contains("runs away"), "{error}");
    }
}

#[test]
fn samples_out_of_order_are_named() {
    let body = Stopping { m: 1.0, c: 0.1 };
    let run = |times: [f64; 3]| {
        let samples = times.map(|t| Sample { t, measured: 0, value: 1.0, deviation: 0.1 });
        let (start, method) = (State::new(0.0, [0.0], [0.5]), Rk4::new(1e-2));
        Estimation::new(&["c"], &samples).run(&body, &start, &method, &Options::default())
    };
    let error = run([1.0, 3.0, 2.0]).expect_err("backward").to_string();
    assert!(error.contains("the time 2 of sample 2 follows that of sample 1, which is 3"), "{error}");
    let error = run([-1.0, 1.0, 2.0]).expect_err("before the start").to_string();
    assert!(error.contains("the time -1 of sample 0 follows that of the initial state, which is 0"), "{error}");
    // Backward in time, and with equal times.
    assert!(run([-1.0, -1.0, -2.0]).is_ok());
}

/// Two of the data are wrong. The values at the least loss of Huber are those of SciPy 1.17.1's `least_squares(loss="huber", f_scale=1.345)`,
/// and near the certified ones; those of the least squares are not.
#[test]
fn outliers_pull_no_harder_than_samples_at_the_limit() {
    let mut samples = MISRA.map(|(t, value)| Sample { t, measured: 0, value, deviation: 0.1 });
    (samples[4].value, samples[11].value) = (33.0, 60.0);
    let options = SharedOptions { rtol: 1e-13, atol: 1e-13, ..SharedOptions::default() };
    let start = State::new(0.0, [0.0], [0.1]);
    let (body, method) = (Stopping { m: 1.0, c: 1e-4 }, Dop853::new());
    let squares = Estimation::new(&["dot(x)", "c"], &samples);
    let plain = squares.run(&body, &start, &method, &options).expect("determined");
    let robust = squares.clone().with_huber(1.345).run(&body, &start, &method, &options).expect("determined");
    for (found, [speed, friction, loss]) in [
        (&plain, [0.134_300_827_710_689_38, 0.000_671_268_407_579_840_1, 4_869.146_107_141_478]),
        (&robust, [0.131_532_730_772_166_6, 0.000_552_299_042_079_762, 275.266_295_290_288_9]),
    ] {
        let near = |found: f64, right: f64| (found - right).abs() < 1e-6 * right;
        let values = &found.values;
        assert!(near(values[0], speed) && near(values[1], friction) && near(found.chi_square, loss), "{found:?}");
    }
    for limit in [0.0, f64::NAN, f64::INFINITY] {
        let error = squares.clone().with_huber(limit).run(&body, &start, &method, &options).expect_err("no limit");
        assert!(error.to_string().contains("limit of the loss"), "{error}");
    }
}

/// A value at its bound counts as known: the others, their errors and the loss are those of the estimation without it. A bound that the
/// samples do not reach changes nothing.
#[test]
fn a_value_at_its_bound_counts_as_known() {
    let samples = MISRA.map(|(t, value)| Sample { t, measured: 0, value, deviation: 0.1 });
    let options = SharedOptions { rtol: 1e-12, atol: 1e-12, ..SharedOptions::default() };
    let start = State::new(0.0, [0.0], [0.1]);
    let method = Dop853::new();
    let fit = |names: &[&str], c: f64, bounds: Option<[f64; 2]>| {
        let estimation = Estimation::new(names, &samples);
        let estimation = match bounds {
            Some([low, high]) => estimation.with_bounds("c", low, high),
            None => estimation,
        };
        estimation.run(&Stopping { m: 1.0, c }, &start, &method, &options)
    };
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-7 * b.abs();
    let free = fit(&["dot(x)", "c"], 4e-4, None).expect("determined");
    let wide = fit(&["dot(x)", "c"], 4e-4, Some([1e-4, 6e-4])).expect("determined");
    assert!(near(wide.values[1], free.values[1]) && near(wide.errors()[1], free.errors()[1]), "{wide:?}");
    assert_eq!(wide.at_bounds, [false, false]);
    for (bounds, at) in [([1e-4, 5e-4], 5e-4), ([6e-4, f64::INFINITY], 6e-4)] {
        let bounded = fit(&["dot(x)", "c"], if at < 5.5e-4 { 4e-4 } else { 8e-4 }, Some(bounds)).expect("determined");
        let known = fit(&["dot(x)"], at, None).expect("determined");
        assert_eq!((bounded.values[1], bounded.mechanism.c), (at, at));
        assert_eq!(bounded.at_bounds, [false, true]);
        assert!(near(bounded.values[0], known.values[0]) && near(bounded.chi_square, known.chi_square), "{bounded:?}");
        assert!(near(bounded.errors()[0], known.errors()[0]) && bounded.errors()[1] == 0.0, "{bounded:?}");
    }
    let error = fit(&["dot(x)", "c"], 9e-4, Some([1e-4, 5e-4])).expect_err("outside").to_string();
    assert!(error.contains("`c` within its bounds, 0.0001 to 0.0005; it is 0.0009"), "{error}");
    let error = fit(&["dot(x)", "c"], 4e-4, Some([5e-4, 1e-4])).expect_err("crossed").to_string();
    assert!(error.contains("lower bound of `c` below its upper one"), "{error}");
    let error = fit(&["dot(x)"], 4e-4, Some([1e-4, 5e-4])).expect_err("not estimated");
    assert!(matches!(&error, AnalysisError::UnknownName { name, .. } if name == "c"), "{error}");
}

/// A block on a spring in front of a damped wall, whose sensors see the spring's force and a mirrored place.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    dissipation = c*dot(x)^2/2;
    output force = -k*x - c*dot(x);
    output place = [gain*x, -x];
}]
#[derive(Clone, Debug)]
struct Sensed {
    m: f64,
    k: f64,
    c: f64,
    gain: f64,
}

/// x = x₀ e^(−δt) cos(ωt + φ) and ẋ, from x₀ at rest.
fn swing(truth: &Sensed, x: f64, t: f64) -> [f64; 2] {
    let (decay, square) = (truth.c / (2.0 * truth.m), truth.k / truth.m);
    let rate = (square - decay * decay).sqrt();
    let ((s, c), size) = ((rate * t).sin_cos(), x * (-decay * t).exp());
    [size * (c + decay / rate * s), -size * square / rate * s]
}

/// The mass, the stiffness and the damping from the force of one recording and the place in another one, with both releases. Without a place
/// in the first recording, a stiffer mechanism with a smaller release has the same forces; the second one alone sees no force.
#[test]
fn several_recordings_of_outputs_determine_what_one_does_not() {
    let truth = Sensed { m: 2.0, k: 18.0, c: 0.8, gain: 3.0 };
    let guess = Sensed { m: 1.6, k: 15.0, c: 0.5, gain: 2.5 };
    let times = (1..=40).map(|i| 0.05 * f64::from(i));
    let force = |t: f64| {
        let [x, v] = swing(&truth, 0.2, t);
        Sample::named(&guess, "force", t, -truth.k * x - truth.c * v, 1e-2).expect("an output")
    };
    let places = |t: f64| {
        let [x, v] = swing(&truth, 0.5, t);
        let sample = |name: &str, value: f64| Sample::named(&guess, name, t, value, 1e-2).expect("known");
        [sample("place[0]", truth.gain * x), sample("place[1]", -x), sample("dot(x)", v)]
    };
    let forces: Vec<Sample> = times.clone().map(force).collect();
    let second: Vec<Sample> = times.flat_map(places).collect();
    let last = Sample::named(&guess, "place[1]", 2.0, -swing(&truth, 0.2, 2.0)[0], 1e-2).expect("an output");
    let first: Vec<Sample> = forces.iter().copied().chain([last]).collect();
    let start = |x: f64| State::new(0.0, [x], [0.0]);
    let recordings = [Recording::new("force", start(0.25), &first), Recording::new("place", start(0.4), &second)];
    let estimation = Estimation::new(&["m", "k", "c", "gain", "x"], &[]);
    let options = SharedOptions { rtol: 1e-11, atol: 1e-11, ..SharedOptions::default() };
    // One, two or four derivatives in a run make no difference.
    let found = estimation.run_all(&guess, &recordings, &Dop853::new(), &options).expect("determined");
    assert_eq!(found.names, ["m", "k", "c", "gain", "x of force", "x of place"]);
    for (value, right) in found.values.iter().zip([2.0, 18.0, 0.8, 3.0, 0.2, 0.5]) {
        assert!((value - right).abs() < 1e-6 * right, "{found:?}");
    }
    assert_eq!((found.initial, found.initials[1].q[0]), (found.initials[0], found.values[5]));
    let one = estimation.run_all(&guess, &recordings, &Dop853::new(), &options).expect("determined");
    assert!((one.errors() - found.errors()).norm() < 1e-6 * found.errors().norm(), "{one:?}");
    let blind = [Recording::new("force", start(0.25), &forces), recordings[1]];
    let error = estimation.run_all(&guess, &blind, &Dop853::new(), &options).expect_err("a scale is free");
    assert!(error.to_string().contains("`m`, `k`, `c`, `x of force` in the proportion 1 : 1 : 1 : -1"), "{error}");
    // The second recording alone sees no forces, so that the motion determines k/m and c/m only.
    let error = estimation.run_all(&guess, &recordings[1..], &Dop853::new(), &options).expect_err("a scale is free");
    assert!(error.to_string().contains("`m`, `k`, `c` in the proportion 1 : 1 : 1"), "{error}");
}

#[test]
fn recordings_are_named_in_errors() {
    let body = Stopping { m: 1.0, c: 0.1 };
    let samples = |times: [f64; 2]| times.map(|t| Sample { t, measured: 0, value: 1.0, deviation: 0.1 });
    let (good, bad) = (samples([1.0, 2.0]), samples([2.0, 1.0]));
    let run = |recordings: &[Recording<'_, 1>]| {
        let found = Estimation::new(&["c"], &[]).run_all(&body, recordings, &Rk4::new(1e-2), &Options::default());
        found.expect_err("refused").to_string()
    };
    let start = State::new(0.0, [0.0], [0.5]);
    let recording = |name: &'static str, samples| Recording::new(name, start, samples);
    let text = run(&[recording("monday", &good), recording("tuesday", &bad)]);
    assert!(text.contains("sample 1 of recording `tuesday` follows that of sample 0, which is 2"), "{text}");
    let text = run(&[recording("monday", &good), recording("monday", &good)]);
    assert!(text.contains("two are named `monday`"), "{text}");
    assert!(run(&[]).contains("at least one recording"));
    let beyond = [Sample { measured: 2, ..good[0] }];
    assert!(
        run(&[recording("monday", &beyond)])
            .contains("the 0 outputs; sample 0 of recording `monday` is of component 2")
    );
    let unknown = Sample::named(&body, "force", 1.0, 0.0, 1.0).expect_err("no output");
    assert!(unknown.to_string().contains("force"), "{unknown}");
}
