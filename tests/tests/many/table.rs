//! A table on a floor: the forces of its feet are not determined, and share the load.

use super::at;
use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;

/// A table on four feet, on which a weight w stands at (x, y). It pitches by a and rolls by b.
#[lagrangian {
    coordinates z, a, b;
    kinetic   = m*dot(z)^2/2 + j*(dot(a)^2 + dot(b)^2)/2;
    potential = m*g*z + w*(z + x*sin(a) + y*sin(b));
    contact foot[i in 0..4]: z + px[i]*sin(a) + py[i]*sin(b) >= 0;
}]
#[derive(Clone, Debug)]
struct Four {
    m: f64,
    j: f64,
    g: f64,
    w: f64,
    x: f64,
    y: f64,
    px: [f64; 4],
    py: [f64; 4],
}

/// The same on twelve feet.
#[lagrangian {
    coordinates z, a, b;
    kinetic   = m*dot(z)^2/2 + j*(dot(a)^2 + dot(b)^2)/2;
    potential = m*g*z + w*(z + x*sin(a) + y*sin(b));
    contact foot[i in 0..12]: z + px[i]*sin(a) + py[i]*sin(b) >= 0;
}]
#[derive(Clone, Debug)]
struct Twelve {
    m: f64,
    j: f64,
    g: f64,
    w: f64,
    x: f64,
    y: f64,
    px: [f64; 12],
    py: [f64; 12],
}

/// The forces of equal distances from the middle: Nᵢ = (P/n) (1 + n (u·eᵢ)/Σ (e·e)/2 …), where the loads act at u: the solution of least Σ Nᵢ² of
/// Σ Nᵢ = P, Σ Nᵢ eᵢ = P u for feet that are their own mirror images.
fn shares(load: f64, [x, y]: [f64; 2], feet: &[[f64; 2]]) -> Vec<f64> {
    let n = feet.len() as f64;
    let square = |axis: usize| feet.iter().map(|foot| foot[axis] * foot[axis]).sum::<f64>();
    let share = |foot: &[f64; 2]| load * (1.0 / n + x * foot[0] / square(0) + y * foot[1] / square(1));
    feet.iter().map(share).collect()
}

#[test]
fn four_feet_share_the_load_by_the_least_norm() {
    let (px, py) = ([1.0, -1.0, -1.0, 1.0], [1.5, 1.5, -1.5, -1.5]);
    let feet: Vec<_> = px.into_iter().zip(py).map(|(x, y)| [x, y]).collect();
    for (x, y) in [(0.0, 0.0), (0.3, 0.0), (0.25, -0.4)] {
        let table = Four { m: 3.0, j: 0.7, g: 10.0, w: 20.0, x, y, px, py }.prepare::<f64>().expect("valid");
        // It falls onto its feet one after the other, and stands.
        let start = State::new(0.0, [0.1, 0.02, 0.01], [0.0; 3]);
        let solution = solve(&table, start, 3.0, &Dop853::new(), &at(1e-10)).expect("it stands");
        let last = solution.last().expect("steps");
        assert!(last.q.amax() < 1e-12 && last.v.amax() < 1e-12, "{last:?}");
        let found = contact::forces(&table, &last, &SVector::from([])).expect("regular");
        // The weights 30 in the middle and 20 at (x, y).
        let expected = shares(50.0, [0.4 * x, 0.4 * y], &feet);
        for (found, expected) in found.forces.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        }
        assert!(found.sticks[..4] == [true; 4]);
    }
}

#[test]
fn a_foot_that_would_have_to_pull_bears_nothing() {
    let (px, py) = ([1.0, -1.0, -1.0, 1.0], [1.0, 1.0, -1.0, -1.0]);
    // The load is within the feet, but so near to one of them that the opposite one would pull on the floor: u = (0.7, 0.7).
    let table = Four { m: 1.0, j: 0.7, g: 10.0, w: 90.0, x: 0.7 / 0.9, y: 0.7 / 0.9, px, py };
    let table = table.prepare::<f64>().expect("valid");
    let solution = solve(&table, State::new(0.0, [0.0; 3], [0.0; 3]), 2.0, &Dop853::new(), &at(1e-10)).expect("stands");
    let last = solution.last().expect("steps");
    assert!(last.q.amax() < 1e-12 && last.v.amax() < 1e-12, "{last:?}");
    let found = contact::forces(&table, &last, &SVector::from([])).expect("regular");
    // Three feet: N₀ + N₁ + N₃ = 100, N₀ − N₁ + N₃ = 70, N₀ + N₁ − N₃ = 70.
    for (found, expected) in found.forces.iter().zip([70.0, 15.0, 0.0, 15.0]) {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }
}

#[test]
fn twelve_feet_share_the_load_and_tip_over_its_edge() {
    let angle = |i: usize| std::f64::consts::TAU * (i as f64 + 0.25) / 12.0;
    let (px, py) = (std::array::from_fn(|i| angle(i).cos()), std::array::from_fn(|i| angle(i).sin()));
    let feet: Vec<_> = (0..12).map(|i| [angle(i).cos(), angle(i).sin()]).collect();
    let table =
        |x: f64, y: f64| Twelve { m: 3.0, j: 0.7, g: 10.0, w: 20.0, x, y, px, py }.prepare::<f64>().expect("valid");
    let dropped = State::new(0.0, [0.1, 0.0, 0.0], [0.0; 3]);
    let solution = solve(&table(0.3, 0.5), dropped, 3.0, &Dop853::new(), &at(1e-10)).expect("it stands");
    let last = solution.last().expect("steps");
    assert!(last.q.amax() < 1e-12 && last.v.amax() < 1e-12, "{last:?}");
    let found = contact::forces(&table(0.3, 0.5), &last, &SVector::from([])).expect("regular");
    for (found, expected) in found.forces.iter().zip(shares(50.0, [0.12, 0.2], &feet)) {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }
    // Near the edge some feet bear nothing; what is determined stays: the sum of the forces and their moments.
    let near = table(0.95 / 0.4, 0.0);
    let rest = State::new(0.0, [0.0; 3], [0.0; 3]);
    let found = contact::forces(&near, &rest, &SVector::from([])).expect("regular").forces;
    let sums = (0..12).fold([0.0; 3], |[n, x, y], i| [n + found[i], x + found[i] * px[i], y + found[i] * py[i]]);
    assert!((sums[0] - 50.0).abs() < 1e-9 && (sums[1] - 47.5).abs() < 1e-9 && sums[2].abs() < 1e-9, "{sums:?}");
    assert!(found.iter().all(|force| *force >= 0.0) && found[6] == 0.0, "{found:?}");
    // Beyond the edge it tips about the two feet nearest to the load, or one of them: the others rise.
    let beyond = table(1.2 / 0.4, 0.0);
    let accelerations = beyond.acceleration_of(&rest).expect("regular").acceleration;
    let rise = |i: usize| accelerations[0] + px[i] * accelerations[1] + py[i] * accelerations[2];
    assert!((0..12).all(|i| rise(i) > -1e-12) && rise(6) > 1.0, "{accelerations:?}");
}

/// A rigid bar on three rough feet, which is pushed along, and turns by y. No two feet hold without the third.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    force x = f;
    friction left: x - y = b;
    friction middle: x = c;
    friction right: x + y = b;
}]
#[derive(Clone, Debug)]
struct Bar {
    m: f64,
    f: f64,
    b: f64,
    c: f64,
}

#[test]
fn frictions_of_one_body_share_a_push_up_to_their_bounds() {
    let rest = State::new(0.0, [0.0; 2], [0.0; 2]);
    // The push, and the forces at rest: those of least 2 f₀² + f₁² + 2 f₂², and beyond its bound the middle one has its bound.
    for (f, shared) in [(3.0, Some([-0.75, -1.5, -0.75])), (7.0, Some([-2.5, -2.0, -2.5])), (9.0, None)] {
        let system = Bar { m: 1.0, f, b: 3.0, c: 2.0 }.prepare::<f64>().expect("valid");
        let last = solve(&system, rest, 1.0, &Dop853::new(), &at(1e-10)).expect("regular").last().expect("steps");
        let rate = if shared.is_some() { 0.0 } else { 1.0 };
        assert!((last.v[0] - rate).abs() < 1e-12 && (last.q[0] - rate / 2.0).abs() < 1e-12, "{last:?}");
        assert!(last.q[1].abs() < 1e-12 && last.v[1].abs() < 1e-12, "{last:?}");
        let found = contact::forces(&system, &last, &SVector::from([])).expect("regular").forces;
        for (found, expected) in found.iter().zip(shared.unwrap_or([-3.0, -2.0, -3.0])) {
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
    }
}
