//! Constraints whose terms vanish at a state, and coordinates of any scale: what is rounding there is no violation, and what is a
//! violation is told.

use super::mechanisms::{Groove, Shaker};
use lagrange_models::Parallelogram;
use lagrange_runtime::constraint::check;
use lagrange_runtime::prelude::*;

const SCALES: [f64; 7] = [1e-12, 1e-8, 1e-3, 1.0, 1e3, 1e8, 1e12];

/// Scales at which every coordinate is below the rounding of 1, or above its inverse.
const WIDE: [f64; 5] = [1e-24, 1e-18, 1.0, 1e18, 1e24];

/// A state at the origin of the groove, off by the rounding of numbers such as sin π.
fn passing(s: f64) -> State<f64, 4> {
    State::new(0.0, [0.0, 3e-17 * s, -4e-17 * s, s], [s, 0.0, 2.0 * s, 0.0])
}

fn at(s: f64) -> <Groove as Mechanism<4, 2, 0>>::Prepared<f64> {
    Groove { s, k: 3.0 }.prepare().expect("valid")
}

#[test]
fn rounding_is_no_violation_and_a_violation_is_none_of_rounding() {
    for s in SCALES.into_iter().chain(WIDE) {
        let system = at(s);
        check(&system, &passing(s)).unwrap_or_else(|failure| panic!("{s:e}: {failure}"));
        let mut slow = passing(s);
        slow.v = SVector::from([0.0, 5e-17 * s, -2e-17 * s, s]);
        check(&system, &slow).unwrap_or_else(|failure| panic!("{s:e}: {failure}"));
        for (index, is_velocity) in [(1, false), (2, false), (1, true), (2, true)] {
            let mut broken = passing(s);
            let component = if is_velocity { &mut broken.v[index] } else { &mut broken.q[index] };
            *component += 1e-6 * s;
            let failure = check(&system, &broken).expect_err("it is broken by 1e-6");
            assert!(
                matches!(failure, Failure::InconsistentInitialState { hidden, .. } if hidden == is_velocity),
                "{s:e}: {failure}"
            );
        }
    }
    // Where all coordinates are rounding, that of the groove's curvature counts.
    for s in SCALES.into_iter().chain(WIDE) {
        let nowhere = State::new(0.0, [0.0, 3e-17 * s, -4e-17 * s, 0.0], [s, 0.0, 2.0 * s, 0.0]);
        check(&at(s), &nowhere).unwrap_or_else(|failure| panic!("{s:e}: {failure}"));
        let broken = State::new(0.0, [0.0, 3e-9 * s, 0.0, 0.0], [s, 0.0, 2.0 * s, 0.0]);
        check(&at(s), &broken).expect_err("it is broken by 3e-9");
    }
}

#[test]
fn the_rounding_of_the_time_is_no_violation_in_any_unit() {
    use std::f64::consts::PI;
    for a in WIDE {
        for w in WIDE {
            let system = Shaker { a, w }.prepare::<f64>().expect("valid");
            // Where the drive passes 0, a sin π is no exact 0. Where it turns, its speed a w cos(π/2) is none.
            for turns in [0.5, 1.0, 1.5, 7.0] {
                let (t, phase) = (turns * PI / w, turns * PI);
                let exact = |x: f64| if x.abs() < 1e-9 { 0.0 } else { x };
                let at = |x: f64, v: f64| State::new(t, [a * x, 0.0], [a * w * v, 0.0]);
                let (x, v) = (exact(phase.sin()), exact(phase.cos()));
                check(&system, &at(x, v)).unwrap_or_else(|failure| panic!("{a:e}, {w:e}, {turns} π: {failure}"));
                for off in [1e-6, -1e-6] {
                    check(&system, &at(x + off, v)).expect_err("the position is wrong");
                    check(&system, &at(x, v + off)).expect_err("the velocity is wrong");
                }
            }
        }
    }
}

#[test]
fn a_projection_ends_where_the_terms_vanish() {
    for s in SCALES {
        let system = at(s);
        for x in [0.0, 6e-17, 1e-25, -1e-9, 1e-3, 0.3] {
            for off in [0.0, 4e-33, 3e-17, 1e-6, 0.01] {
                let start = State::new(0.0, [x * s, off * s, -off * s, s], [s, off * s, 0.0, 0.0]);
                let (state, _) = Projection::default()
                    .state(&system, &start)
                    .unwrap_or_else(|failure| panic!("{s:e}, {x:e}, {off:e}: {failure}"));
                let constraint = system.constraint(0.0, &state.q);
                let limits = [1e-15 * s * s, 1e-15 * s];
                for (value, limit) in constraint.value.iter().zip(limits) {
                    assert!(value.abs() <= limit, "{s:e}, {x:e}, {off:e}: {value:e}");
                }
                let rate = constraint.jacobian * state.v;
                for (value, limit) in rate.iter().zip(limits) {
                    assert!(value.abs() <= limit, "{s:e}, {x:e}, {off:e}: {value:e}");
                }
            }
        }
    }
}

/// The end of a motion through the origin, over s.
fn end<M>(s: f64, method: &M) -> SVector<f64, 4>
where
    M: Method<f64, 4, 2>,
{
    let solution = match solve(&at(s), passing(s), 2.0, method, &Options::default()) {
        Ok(solution) => solution,
        Err(failed) => panic!("{}, {s:e}: {failed}", method.name()),
    };
    let end = solution.last().expect("there are steps");
    let value = at(s).constraint(end.t, &end.q).value;
    let broken = (value[0] / (s * s)).abs().max((value[1] / s).abs());
    assert!(broken < 1e-14, "{}, {s:e}: {broken:e}", method.name());
    end.q / s
}

#[test]
fn methods_pass_where_the_terms_vanish_at_every_scale() {
    fn same<M>(method: M)
    where
        M: Method<f64, 4, 2>,
    {
        let one = end(1.0, &method);
        assert!(one[0].abs() > 0.1, "it moves: {one}");
        for s in SCALES.into_iter().chain(WIDE) {
            let difference = (end(s, &method) - one).amax();
            assert!(difference < 1e-11, "{}, {s:e}: {difference:e}", method.name());
        }
    }
    same(Rattle::new(0.01));
    same(Rattle::shake(0.01));
    same(VariationalMidpoint::new(0.01));
    same(VariationalTrapezoid::new(0.01));
    same(Gauss::<f64, 2>::new(0.01));
    same(Impulses::new(ImplicitMidpoint::new(0.01)));
    same(Projected::new(Rk4::new(0.01)));
}

#[test]
fn a_platform_that_hangs_at_rest_has_the_multipliers_of_least_norm() {
    let model = Parallelogram::default();
    let system = model.prepare::<f64>().expect("valid");
    let shared = LeastNorm::new(&system, 1e-8);
    let share = -model.m * model.g / 3.0;
    for tilt in [0.0, 1e-17, -3e-17, 2e-16] {
        let q = SVector::from([tilt, -1.0, tilt]);
        let found = shared.acceleration(0.0, &q, &SVector::zeros(), &SVector::from([])).expect("it hangs");
        assert!(found.acceleration.amax() < 1e-14, "{}", found.acceleration);
        assert!(found.multipliers.iter().all(|multiplier| (multiplier - share).abs() < 1e-13), "{}", found.multipliers);
    }
}
