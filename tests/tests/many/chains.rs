//! Rows of bodies that touch: a cradle, blocks on a floor, dominoes.

use super::at;
use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;

/// Twenty balls of diameter 1 on a line.
#[lagrangian {
    coordinates x[20];
    kinetic = m*norm2(dot(x))/2;
    contact pair[i in 0..19]: x[i+1] - x[i] - 1 >= 0, restitution = e;
}]
#[derive(Clone, Debug)]
struct Cradle {
    m: f64,
    e: f64,
}

/// Twelve blocks of width 1 on a rough floor, the first of which is pushed.
#[lagrangian {
    coordinates x[12];
    kinetic = m*norm2(dot(x))/2;
    force x[0] = f;
    contact pair[i in 0..11]: x[i+1] - x[i] - 1 >= 0;
    friction floor[i in 0..12]: x[i] = mu*m*g;
}]
#[derive(Clone, Debug)]
struct Blocks {
    m: f64,
    g: f64,
    mu: f64,
    f: f64,
}

/// Ten thin dominoes of height h at distances d. Each turns about its foot, and its tip meets the face of the next one. The last one falls onto
/// the ground.
#[lagrangian {
    coordinates a[10];
    kinetic   = m*h^2/6*norm2(dot(a));
    potential = sum(i in 0..10, m*g*h/2*cos(a[i]));
    contact next[i in 0..9]: d*cos(a[i+1]) - h*sin(a[i] - a[i+1]) >= 0;
    contact ground: pi/2 - a[9] >= 0;
}]
#[derive(Clone, Debug)]
struct Dominoes {
    m: f64,
    g: f64,
    h: f64,
    d: f64,
}

#[test]
fn balls_that_touch_share_a_blow_by_newtons_law() {
    let system = Cradle { m: 0.7, e: 1.0 }.prepare::<f64>().expect("valid");
    let mut start = State { t: 0.0, q: SVector::from_fn(|i, _| i as f64), v: SVector::zeros() };
    (start.q[0], start.v[0]) = (-0.5, 1.0);
    let last = solve(&system, start, 1.0, &Dop853::new(), &at(1e-10)).expect("an impact").last().expect("steps");
    // All rates of separation are e times those of approach: the first ball flies back, and the others go on together.
    for (i, v) in last.v.iter().enumerate() {
        let expected = if i == 0 { -18.0 / 20.0 } else { 2.0 / 20.0 };
        assert!((v - expected).abs() < 1e-12, "{i}: {v} instead of {expected}");
    }
}

#[test]
fn balls_with_gaps_pass_a_blow_on() {
    let system = Cradle { m: 0.7, e: 1.0 }.prepare::<f64>().expect("valid");
    let mut start = State { t: 0.0, q: SVector::from_fn(|i, _| 1.000_001 * i as f64), v: SVector::zeros() };
    (start.q[0], start.v[0]) = (-0.5, 1.0);
    let solution = solve(&system, start, 1.0, &Dop853::new(), &at(1e-10)).expect("impacts");
    let last = solution.last().expect("steps");
    assert_eq!(solution.statistics.impacts, 19);
    for (i, v) in last.v.iter().enumerate() {
        assert!((v - if i == 19 { 1.0 } else { 0.0 }).abs() < 1e-12, "{i}: {v}");
    }
}

#[test]
fn pushed_blocks_slide_together_or_hold_together() {
    let (m, g, mu) = (1.5, 10.0, 0.3);
    let start = State { t: 0.0, q: SVector::from_fn(|i, _| i as f64), v: SVector::zeros() };
    let held = 12.0 * mu * m * g;
    let pushed = Blocks { m, g, mu, f: 1.25 * held }.prepare::<f64>().expect("valid");
    let last = solve(&pushed, start, 1.0, &Dop853::new(), &at(1e-10)).expect("regular").last().expect("steps");
    let rate = 0.25 * held / (12.0 * m);
    let found = contact::forces(&pushed, &last, &SVector::from([])).expect("regular").forces;
    for i in 0..12 {
        assert!((last.q[i] - i as f64 - rate / 2.0).abs() < 1e-9 && (last.v[i] - rate).abs() < 1e-9, "{last:?}");
        // Rows: the frictions, then the gaps. Each block behind a gap takes a twelfth of the force.
        assert!((found[i] + mu * m * g).abs() < 1e-9, "{found:?}");
        let expected = 1.25 * held * (11 - i) as f64 / 12.0;
        assert!(i == 11 || (found[12 + i] - expected).abs() < 1e-8, "{found:?}");
    }
    let resting = Blocks { m, g, mu, f: 0.75 * held }.prepare::<f64>().expect("valid");
    let last = solve(&resting, start, 1.0, &Dop853::new(), &at(1e-10)).expect("regular").last().expect("steps");
    assert!((last.q - start.q).amax() < 1e-12 && last.v.amax() < 1e-12, "{last:?}");
    let found = contact::forces(&resting, &last, &SVector::from([])).expect("regular").forces;
    let friction: f64 = found[..12].iter().sum();
    assert!((friction + 0.75 * held).abs() < 1e-9, "{found:?}");
    assert!(found[..12].iter().all(|force| force.abs() <= mu * m * g * (1.0 + 1e-11)), "{found:?}");
}

#[test]
fn dominoes_fall_in_a_chain() {
    let (m, g, h, d) = (0.1, 9.81, 0.05, 0.02);
    let system = Dominoes { m, g, h, d }.prepare::<f64>().expect("valid");
    let mut start = State { t: 0.0, q: SVector::zeros(), v: SVector::zeros() };
    start.q[0] = 1e-3;
    let solution = solve(&system, start, 1.2, &Dop853::new(), &at(1e-10)).expect("they fall");
    // Each of the first two turns half as fast as the first one before their impact, because the tip meets an upright face at equal levers.
    let first = &solution.instants.iter().find(|instant| instant.after.v[1] != 0.0).expect("an impact");
    let angle = (d / h).asin();
    let before = (3.0 * g / h * (1e-3_f64.cos() - angle.cos())).sqrt();
    assert!((first.before.q[0] - angle).abs() < 1e-9 && (first.before.v[0] - before).abs() < 1e-7, "{first:?}");
    assert!((first.after.v[0] - before / 2.0).abs() < 1e-7 && (first.after.v[1] - before / 2.0).abs() < 1e-7);
    // At the end all lie: each on the next one, and the last on the ground.
    let last = solution.last().expect("steps");
    assert!(last.v.amax() < 1e-9 && (last.q[9] - std::f64::consts::FRAC_PI_2).abs() < 1e-12, "{last:?}");
    let mut expected = std::f64::consts::FRAC_PI_2;
    for i in (0..9).rev() {
        // d cos a' = h sin(a − a').
        expected += (d * expected.cos() / h).asin();
        assert!((last.q[i] - expected).abs() < 1e-9, "{i}: {} instead of {expected}", last.q[i]);
    }
    let mut energy = f64::INFINITY;
    for state in solution.states() {
        let next = system.energies_of(&state).energy;
        assert!(next <= energy + 1e-10, "{next} after {energy}");
        energy = next;
    }
}

/// Thirty-three blocks of width 1, all of them but the last on a rough floor: 64 rows.
#[lagrangian {
    coordinates x[33];
    kinetic = m*norm2(dot(x))/2;
    force x[0] = f;
    contact pair[i in 0..32]: x[i+1] - x[i] - 1 >= 0;
    friction floor[i in 0..32]: x[i] = b;
}]
#[derive(Clone, Debug)]
struct Train {
    m: f64,
    b: f64,
    f: f64,
}

#[test]
fn sixty_four_rows_slide_together() {
    let (m, b) = (1.5, 2.0);
    let start = State { t: 0.0, q: SVector::from_fn(|i, _| i as f64), v: SVector::zeros() };
    let system = Train { m, b, f: 80.0 }.prepare::<f64>().expect("valid");
    let last = solve(&system, start, 0.5, &DormandPrince5::new(), &at(1e-8)).expect("regular").last().expect("steps");
    let rate = (80.0 - 32.0 * b) / (33.0 * m);
    let found = contact::forces(&system, &last, &SVector::from([])).expect("regular").forces;
    for i in 0..33 {
        assert!((last.v[i] - rate / 2.0).abs() < 1e-9, "{last:?}");
        let expected = 80.0 - (i + 1) as f64 * (m * rate + b);
        assert!(i == 32 || (found[32 + i] - expected).abs() < 1e-8 && (found[i] + b).abs() < 1e-9, "{i}: {found:?}");
    }
}
