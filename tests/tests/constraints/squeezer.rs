//! Andrews' squeezing mechanism, seven bodies in a plane with six constraints, against its published solution.

use lagrange_runtime::prelude::*;
use lagrange_tests::stiff::{SQUEEZER, Squeezer};

fn check<M: Method<f64, 7, 6>>(method: &M, rtol: f64, most: f64) {
    let system = Squeezer {}.prepare::<f64>().expect("regular");
    let options = Options { rtol: rtol.into(), ..Options::default() };
    let start = SQUEEZER.start();
    let at_rest = system.acceleration(0.0, &start.q, &start.v, &[].into()).expect("regular");
    for (found, exact) in at_rest.acceleration.iter().zip([14222.443919954114, -10666.832939965585]) {
        assert!((found / exact - 1.0).abs() < 1e-9, "{found} instead of {exact}");
    }
    let solution = solve(&system, start, SQUEEZER.end, method, &options).unwrap_or_else(|error| panic!("{error}"));
    let end = solution.last().expect("a stored state");
    let angles = SQUEEZER.q.expect("published");
    for (i, angle) in angles.into_iter().enumerate() {
        assert!((end.q[i] - angle).abs() < most, "{}: angle {i} is {}", method.name(), end.q[i]);
        // The first two turn at 1140 and 1420 rad/s.
        assert!((end.v[i] - SQUEEZER.v[i]).abs() < 2000.0 * most, "{}: rate {i} is {}", method.name(), end.v[i]);
    }
    assert!(system.constraint(end.t, &end.q).value.amax() < 1e-16, "{}", method.name());
}

#[test]
fn the_squeezer_is_met_by_implicit_steps() {
    check(&Radau5::new(), 1e-7, 1e-4);
    check(&Radau9::new(), 1e-10, 1e-7);
}

#[test]
fn the_squeezer_is_met_by_projected_steps() {
    check(&Projected::new(Dop853::new()), 1e-11, 1e-7);
}
