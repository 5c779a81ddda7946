//! Hermite interpolation: its order, its ends, and times outside.

use crate::common::{compound_pendulum, distance, oscillator, pendulum, run, slopes};
use lagrange_runtime::dense::Hermite;
use lagrange_runtime::prelude::*;

/// The interpolant of q = sin t over [t, t + h] from exact values.
fn of_sine(t: f64, h: f64) -> Hermite<f64, 1> {
    let state = |t: f64| State::new(t, [t.sin()], [t.cos()]);
    let acceleration = |t: f64| SVector::from([-t.sin()]);
    Hermite {
        start: state(t),
        end: state(t + h),
        start_acceleration: acceleration(t),
        end_acceleration: acceleration(t + h),
    }
}

#[test]
fn q_has_order_6_and_v_order_5() {
    let (mut q_errors, mut v_errors) = (Vec::new(), Vec::new());
    for h in [0.4, 0.2, 0.1] {
        let (mut q_error, mut v_error) = (0.0_f64, 0.0_f64);
        for part in 1..20 {
            let t = 1.2 + h * (f64::from(part) / 20.0 - 0.5);
            let sample = of_sine(1.2 - h / 2.0, h).interpolate(t);
            q_error = q_error.max((sample.q[0] - t.sin()).abs());
            v_error = v_error.max((sample.v[0] - t.cos()).abs());
        }
        q_errors.push((h, q_error));
        v_errors.push((h, v_error));
    }
    assert!(slopes(&q_errors).iter().all(|slope| (slope - 6.0).abs() < 0.1), "{q_errors:?}");
    assert!(slopes(&v_errors).iter().all(|slope| (slope - 5.0).abs() < 0.1), "{v_errors:?}");
}

#[test]
fn a_short_step_does_not_magnify_rounding() {
    let t = 0.3 + 0.4e-4;
    let sample = of_sine(0.3, 1e-4).interpolate(t);
    assert!((sample.q[0] - t.sin()).abs() < 2e-16);
    assert!((sample.v[0] - t.cos()).abs() < 1e-15, "{:e}", sample.v[0] - t.cos());
}

#[test]
fn samples_are_as_good_as_the_method() {
    let options = Options { dense_output: true, ..Options::default() };
    let errors: Vec<_> = [0.02, 0.01, 0.005]
        .into_iter()
        .map(|h| {
            let start = State::new(0.0, [0.7, 1.3], [1.0, 0.0]);
            let solution = solve(&compound_pendulum(), start, 0.5, &Rk4::new(h), &options).unwrap();
            let worst = [0.123_456, 0.251_3, 0.487_1]
                .map(|t| distance(&solution.sample(t).unwrap(), &run(&compound_pendulum(), start, t, &Rk4::new(1e-4))));
            (h, worst.into_iter().fold(0.0, f64::max))
        })
        .collect();
    assert!(slopes(&errors).iter().all(|slope| *slope > 3.8), "{errors:?}");
}

#[test]
fn a_method_in_q_and_p_interpolates_too() {
    let options = Options { dense_output: true, ..Options::default() };
    let solution =
        solve(&oscillator(), State::new(0.0, [1.0], [0.0]), 3.0, &ImplicitMidpoint::new(1e-3), &options).unwrap();
    let sample = solution.sample(1.234_56).unwrap();
    assert!((sample.q[0] - 1.234_56_f64.cos()).abs() < 1e-6);
    assert!((sample.v[0] + 1.234_56_f64.sin()).abs() < 1e-6);
    assert_eq!(solution.sample(3.0).unwrap(), solution.last().unwrap());
}

#[test]
fn ends_are_the_stored_states_and_times_outside_are_errors() {
    let options = Options { dense_output: true, ..Options::default() };
    let start = State::new(1.0, [1.0], [0.0]);
    for t_end in [3.0, -1.0] {
        let solution = solve(&pendulum(), start, t_end, &Rk4::new(0.3), &options).unwrap();
        for state in solution.states() {
            assert_eq!(solution.sample(state.t).unwrap(), state);
        }
        assert_eq!(solution.state(0), Some(start));
        for t in [t_end + (t_end - 1.0), 1.0 - (t_end - 1.0), f64::NAN] {
            let error = solution.sample(t).unwrap_err();
            assert!(matches!(error, SampleError::Outside { from: 1.0, to, .. } if to == t_end), "{error}");
        }
    }
    let solution = solve(&pendulum(), start, 2.0, &Rk4::new(0.3), &Options::default()).unwrap();
    assert_eq!(solution.sample(1.5), Err(SampleError::NoDenseOutput));
}

#[test]
fn a_step_as_short_as_the_rounding_of_the_time_has_two_ends() {
    let options = Options { dense_output: true, ..Options::default() };
    let start = State::new(1.0, [1.0], [1e6]);
    for roundings in [1.0, 2.0, 5.0, 9.0, 40.0] {
        for way in [1.0, -1.0] {
            let t_end = 1.0 + way * roundings * f64::EPSILON;
            let solution = solve(&oscillator(), start, t_end, &Rk4::new(0.3), &options).unwrap();
            let last = solution.last().unwrap();
            assert!(last.q != start.q && last.t == t_end, "{last:?}");
            assert_eq!((solution.sample(1.0).unwrap(), solution.sample(t_end).unwrap()), (start, last), "{roundings}");
        }
    }
}
