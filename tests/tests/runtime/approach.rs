//! Restitution as a function of the speed of approach, against recursions v⁺ = e(v⁻) v⁻ in closed form.

use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;

const G: f64 = 10.0;

/// A ball that loses more of a fast impact: e = 1 − c v^(1/5), as bodies that yield.
#[lagrangian {
    coordinates y;
    kinetic   = dot(y)^2/2;
    potential = g*y;
    contact floor: y >= 0, restitution = 1 - c*approach(floor)^(1/5);
}]
struct Yielding {
    g: f64,
    c: f64,
}

/// A ball with e = exp(−v/v₀).
#[lagrangian {
    coordinates y;
    kinetic   = dot(y)^2/2;
    potential = g*y;
    contact floor: y >= 0, restitution = exp(-approach(floor)/v0);
}]
struct Fading {
    g: f64,
    v0: f64,
}

/// A ball that stays on the floor after an impact below a speed.
#[lagrangian {
    coordinates y;
    kinetic   = dot(y)^2/2;
    potential = g*y;
    contact floor: y >= level, restitution = if approach(floor) < v0 { 0 } else { e };
}]
struct Sticky {
    g: f64,
    level: f64,
    v0: f64,
    e: f64,
}

/// A body in front of a wall that oscillates.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    contact wall: x >= a*sin(w*t), restitution = exp(-approach(wall)/v0);
}]
struct Driven {
    a: f64,
    w: f64,
    v0: f64,
}

/// Three balls on a line.
#[lagrangian {
    coordinates x[3];
    kinetic = (dot(x[0])^2 + dot(x[1])^2 + dot(x[2])^2)/2;
    contact touch[i in 0..2]: x[i + 1] - x[i] >= 1, restitution = exp(-approach(touch[i])/v0);
}]
struct Cradle {
    v0: f64,
}

/// A restitution that grows with the speed, beyond 1, and is no number below a speed.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    contact left: x >= 0, restitution = approach(left)/v0;
    contact floor: y >= 0, restitution = sqrt(approach(floor) - v0);
}]
struct Wrong {
    v0: f64,
}

/// The times of the first impacts of a ball let go at a height, and the speeds before and after each.
fn bounces(height: f64, restitution: impl Fn(f64) -> f64, count: usize) -> Vec<[f64; 3]> {
    let (mut before, mut t) = ((2.0 * G * height).sqrt(), (2.0 * height / G).sqrt());
    let mut all = Vec::new();
    for _ in 0..count {
        let after = restitution(before) * before;
        all.push([t, before, after]);
        t += 2.0 * after / G;
        before = after;
    }
    all
}

fn options<'a>() -> Options<'a, f64, 1> {
    Options { rtol: 1e-12.into(), atol: 1e-13.into(), ..Options::default() }
}

/// The times of the impacts of a motion, and the speeds before and after each.
fn impacts(solution: &Solution<f64, 1>) -> Vec<[f64; 3]> {
    let impacts = solution.instants.iter().filter(|instant| matches!(instant.cause, Cause::Impact(_)));
    impacts.map(|instant| [instant.after.t, -instant.before.v[0], instant.after.v[0]]).collect()
}

fn compare(found: &[[f64; 3]], exact: &[[f64; 3]], within: f64) {
    assert!(found.len() >= exact.len(), "{} impacts of {}", found.len(), exact.len());
    for (found, exact) in found.iter().zip(exact) {
        for (found, exact) in found.iter().zip(exact) {
            assert!((found - exact).abs() < within, "{found} {exact}");
        }
    }
}

#[test]
fn bounces_follow_the_recursion_of_their_restitution() {
    let c = 0.1;
    let exact = bounces(5.0, |v| 1.0 - c * v.powf(0.2), 8);
    let end = exact[7][0] + exact[7][2] / G;
    let yielding = Yielding { g: G, c }.prepare::<f64>().expect("valid");
    let dropped = State::new(0.0, [5.0], [0.0]);
    let solution = solve(&yielding, dropped, end, &Dop853::new(), &options()).expect("no failure");
    compare(&impacts(&solution), &exact, 1e-9);
    // The top of the flight after the eighth impact.
    let last = solution.last().expect("an end");
    assert!((last.q[0] - exact[7][2].powi(2) / (2.0 * G)).abs() < 1e-9 && last.v[0].abs() < 1e-9);
    let v0 = 12.0;
    let exact = bounces(5.0, |v: f64| (-v / v0).exp(), 6);
    let fading = Fading { g: G, v0 }.prepare::<f64>().expect("valid");
    let solution = solve(&fading, dropped, exact[5][0] + 0.01, &Rk4::new(0.003), &options()).expect("no failure");
    compare(&impacts(&solution), &exact, 1e-9);
}

/// The ball rests after the first impact below v₀, without the infinitely many bounces of a constant e. The level is a place far from the
/// origin, where a gap is the difference of large terms.
#[test]
fn a_ball_rests_after_the_first_slow_impact() {
    for (e, v0) in [(0.8, 3.0), (0.5, 2.6), (0.9, 9.9)] {
        let law = |v| if v < v0 { 0.0 } else { e };
        let count = 1
            + (1..)
                .scan(10.0, |v, _| {
                    *v *= e;
                    Some(*v)
                })
                .take_while(|&v| v >= v0)
                .count();
        let exact = bounces(5.0, law, count + 1);
        assert_eq!(exact[count][2], 0.0);
        let system = Sticky { g: G, level: 100.0, v0, e }.prepare::<f64>().expect("valid");
        let dropped = State::new(0.0, [105.0], [0.0]);
        let solution = solve(&system, dropped, exact[count][0] + 1.0, &Dop853::new(), &options()).expect("no failure");
        compare(&impacts(&solution), &exact, 1e-8);
        assert_eq!(solution.statistics.impacts, exact.len() as u64);
        assert_eq!(solution.last().map(|last| (last.q[0], last.v[0])), Some((100.0, 0.0)));
    }
}

/// The speed of approach is that of the gap, and not of the body: x = d − u t meets a sin(ω t).
#[test]
fn a_moving_wall_counts_with_its_own_speed() {
    let (a, w, v0, d, u) = (0.1, 7.0, 4.0, 1.0, 0.8);
    let (mut low, mut high) = (1.0, 1.4);
    let gap = |t: f64| d - u * t - a * f64::sin(w * t);
    assert!(gap(low) > 0.0 && gap(high) < 0.0 && (0..1000).all(|i| gap(f64::from(i) * 1e-3) > 0.0));
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if gap(middle) > 0.0 { low = middle } else { high = middle }
    }
    let wall = a * w * (w * low).cos();
    let approach = u + wall;
    let after = wall + approach * (-approach / v0).exp();
    let system = Driven { a, w, v0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [d], [-u]);
    let solution = solve(&system, start, low + 0.02, &Dop853::new(), &options()).expect("no failure");
    let [[t, _, found]] = impacts(&solution)[..] else { panic!("one impact") };
    assert!((t - low).abs() < 1e-10 && (found - after).abs() < 1e-9, "{found} {after}");
}

/// At one instant each contact has the speed of its own approach before the impact. With the impulses P and p,
/// 2 P − p = (1 + e(u)) u and 2 p − P = (1 + e(w)) w.
#[test]
fn contacts_that_are_hit_at_once_have_their_own_speeds() {
    let (u, w, v0) = (1.0, 0.7, 3.0);
    let law = |v: f64| (1.0 + (-v / v0).exp()) * v;
    let (first, second) = ((2.0 * law(u) + law(w)) / 3.0, (law(u) + 2.0 * law(w)) / 3.0);
    let system = Cradle { v0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [-2.0, 0.0, 1.0 + w], [u, 0.0, -w]);
    let last = solve(&system, start, 1.5, &Dop853::new(), &Options::default()).expect("no failure").last();
    let exact = SVector::from([u - first, first - second, -w + second]);
    assert!((last.expect("an end").v - exact).amax() < 1e-12);
    // A contact that is at rest before the impact bears its share, without restitution.
    let start = State::new(0.0, [-2.0, 0.0, 1.0], [u, 0.0, 0.0]);
    let last = solve(&system, start, 1.5, &Dop853::new(), &Options::default()).expect("no failure").last();
    let first = 2.0 * law(u) / 3.0;
    assert!((last.expect("an end").v - SVector::from([u - first, first / 2.0, first / 2.0])).amax() < 1e-12);
}

/// A restitution that is not from 0 to 1, or no number, is an error only at an impact that it decides.
#[test]
fn a_wrong_restitution_is_named_with_the_speed() {
    let system = Wrong { v0: 2.0 }.prepare::<f64>().expect("valid");
    let run = |x: f64, y: f64| {
        let start = State::new(0.0, [1.0, 1.0], [x, y]);
        solve(&system, start, 3.0, &Dop853::new(), &Options::default()).map_err(|partial| partial.error.failure)
    };
    let last = run(-1.0, 1.0).expect("a restitution of 1/2").last().expect("an end");
    assert!((last.v[0] - 0.5).abs() < 1e-12);
    let failure = run(-4.0, 1.0).expect_err("a restitution of 2");
    let Failure::BadRestitution { contact: "left", restitution, approach, t } = failure else { panic!("{failure}") };
    assert!((restitution - 2.0).abs() < 1e-12 && (approach - 4.0).abs() < 1e-12 && (t - 0.25).abs() < 1e-12);
    let text = failure.to_string();
    assert!(text.contains("`left` is 2 at t = 0.2") && text.contains("speed 4"), "{text}");
    let failure = run(1.0, -1.0).expect_err("the root of −1");
    let Failure::BadRestitution { contact: "floor", restitution, .. } = failure else { panic!("{failure}") };
    assert!(restitution.is_nan());
}
