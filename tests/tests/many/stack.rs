//! A stack of ten boxes: twenty contacts with friction, 40 rows.

use super::at;
use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;

/// Ten boxes of half width b and half height h on a slope of angle a. Each stands on two corners.
#[lagrangian {
    const n = 10;
    coordinates r[n][2], theta[n];
    let side[i in 0..n]  = [cos(theta[i]), sin(theta[i])];
    let up[i in 0..n]    = [-sin(theta[i]), cos(theta[i])];
    let left[i in 0..n]  = r[i] - b*side[i] - h*up[i];
    let right[i in 0..n] = r[i] + b*side[i] - h*up[i];
    kinetic   = sum(i in 0..n, m*norm2(dot(r[i]))/2 + m*(b^2 + h^2)/6*dot(theta[i])^2);
    potential = sum(i in 0..n, m*g*(r[i][1]*cos(a) - r[i][0]*sin(a)));
    contact ground: left[0][1] >= 0, friction = mu, slip = left[0][0];
    contact floor:  right[0][1] >= 0, friction = mu, slip = right[0][0];
    contact first[i in 0..9]:  inner(left[i+1] - r[i], up[i]) - h >= 0,
        friction = mu, slip = inner(left[i+1] - r[i], side[i]);
    contact second[i in 0..9]: inner(right[i+1] - r[i], up[i]) - h >= 0,
        friction = mu, slip = inner(right[i+1] - r[i], side[i]);
}]
#[derive(Clone, Debug)]
struct Stack {
    m: f64,
    g: f64,
    b: f64,
    h: f64,
    a: f64,
    mu: f64,
}

/// The boxes above each other, with these gaps between them.
fn standing(h: f64, gap: f64) -> State<f64, 30> {
    let mut q = SVector::<f64, 30>::zeros();
    for i in 0..10 {
        q[2 * i + 1] = (2 * i + 1) as f64 * h + (i + 1) as f64 * gap;
    }
    State { t: 0.0, q, v: SVector::zeros() }
}

/// The forces of the two corners under box i, and their friction: the gaps stand before the slips, `ground` and `floor` before the others.
fn rows(i: usize) -> [usize; 4] {
    let [left, right] = if i == 0 { [0, 1] } else { [1 + i, 10 + i] };
    [left, right, 20 + left, 20 + right]
}

#[test]
fn ten_boxes_stand_on_a_slope() {
    let (m, g, b, h, a) = (2.0, 10.0, 0.2, 0.1, 0.05_f64);
    let system = Stack { m, g, b, h, a, mu: 0.2 }.prepare::<f64>().expect("valid");
    let start = standing(h, 0.0);
    let solution = solve(&system, start, 0.5, &DormandPrince5::new(), &at(1e-8)).expect("it stands");
    let last = solution.last().expect("steps");
    assert!((last.q - start.q).amax() < 1e-10 && last.v.amax() < 1e-10, "{last:?}");
    let found = contact::forces(&system, &last, &SVector::from([])).expect("regular").forces;
    for i in 0..10 {
        // The boxes from i on: their weight, the friction that holds them, and the moment of both about the corners.
        let above = (10 - i) as f64;
        let weight = above * m * g;
        let [left, right] = [-1.0, 1.0].map(|side| weight / 2.0 * (a.cos() + side * above * h / b * a.sin()));
        let [l, r, fl, fr] = rows(i).map(|row| found[row]);
        assert!((l - left).abs() < 1e-8 && (r - right).abs() < 1e-8, "{i}: {l}, {r} instead of {left}, {right}");
        assert!((fl + fr + weight * a.sin()).abs() < 1e-8, "{i}: {fl} + {fr}");
        assert!(fl.abs() <= 0.2 * l + 1e-9 && fr.abs() <= 0.2 * r + 1e-9);
    }
}

#[test]
fn ten_boxes_slide_together_on_a_steep_slope() {
    let (m, g, b, h, a, mu) = (2.0, 10.0, 0.4, 0.02, 0.3_f64, 0.2);
    let system = Stack { m, g, b, h, a, mu }.prepare::<f64>().expect("valid");
    // All of them fall at the rate g (sin a − μ cos a): the lowest one slips, and whether others do is not determined.
    let start = standing(h, 0.0);
    let acceleration = system.acceleration_of(&start).expect("regular").acceleration;
    let rate = g * (a.sin() - mu * a.cos());
    for i in 0..10 {
        assert!((acceleration[2 * i] - rate).abs() < 1e-8 && acceleration[2 * i + 1].abs() < 1e-8, "{acceleration:?}");
        assert!(acceleration[20 + i].abs() < 1e-8, "{acceleration:?}");
    }
}

#[test]
fn ten_boxes_that_fall_on_each_other_come_to_rest() {
    let h = 0.1;
    let system = Stack { m: 2.0, g: 10.0, b: 0.2, h, a: 0.0, mu: 0.5 }.prepare::<f64>().expect("valid");
    let solution = solve(&system, standing(h, 1e-3), 0.3, &DormandPrince5::new(), &at(1e-8)).expect("it rests");
    let last = solution.last().expect("steps");
    let rest = standing(h, 0.0);
    assert!((last.q - rest.q).amax() < 1e-9 && last.v.amax() < 1e-9, "{last:?}");
    let found = contact::forces(&system, &last, &SVector::from([])).expect("regular").forces;
    for i in 0..10 {
        let [l, r, ..] = rows(i).map(|row| found[row]);
        let share = (10 - i) as f64 * 10.0;
        assert!((l - share).abs() < 1e-6 && (r - share).abs() < 1e-6, "{i}: {l}, {r} instead of {share}");
    }
}

#[test]
fn ten_boxes_stand_and_fall_by_time_stepping() {
    let h = 0.1;
    let system = Stack { m: 2.0, g: 10.0, b: 0.2, h, a: 0.05, mu: 0.2 }.prepare::<f64>().expect("valid");
    let start = standing(h, 0.0);
    let last = solve(&system, start, 1.0, &MoreauJean::new(1e-2), &Options::default()).expect("it stands").last();
    let last = last.expect("steps");
    assert!((last.q - start.q).amax() < 1e-13 && last.v.amax() < 1e-13, "{last:?}");
    let system = Stack { m: 2.0, g: 10.0, b: 0.2, h, a: 0.0, mu: 0.5 }.prepare::<f64>().expect("valid");
    let fallen = solve(&system, standing(h, 1e-3), 0.2, &MoreauJean::new(1e-3), &Options::default()).expect("it rests");
    let last = fallen.last().expect("steps");
    // Each of the twenty contacts is struck once, at up to 0.4 m/s.
    assert!((last.q - standing(h, 0.0).q).amax() < 20.0 * 0.4 * 1e-3 / 2.0 && last.v.amax() < 1e-12, "{last:?}");
    assert_eq!(fallen.statistics.impacts, 20);
}
