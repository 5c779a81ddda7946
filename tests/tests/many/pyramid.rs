//! Pyramids of discs that stand by friction alone.

use super::at;
use lagrange_runtime::contact;
use lagrange_runtime::instant::{Cause, Instant};
use lagrange_runtime::prelude::*;

/// Three equal discs, two on a floor and one upon them. All turn.
#[lagrangian {
    const n = 3;
    coordinates p[n][2], turn[n];
    kinetic   = sum(i in 0..n, m*norm2(dot(p[i]))/2 + m*r^2*dot(turn[i])^2/4);
    potential = sum(i in 0..n, m*g*p[i][1]);
    contact floor[i in 0..2]: p[i][1] - r >= 0, friction = mu_floor, slip = p[i][0] + r*turn[i];
    let d[0] = p[1] - p[0];
    let d[1] = p[2] - p[0];
    let d[2] = p[2] - p[1];
    let turned[0] = turn[0] + turn[1];
    let turned[1] = turn[0] + turn[2];
    let turned[2] = turn[1] + turn[2];
    contact pair[k in 0..3]: norm(d[k]) - 2*r >= 0, friction = mu,
        slip = rate((d[k][0]*dot(d[k][1]) - d[k][1]*dot(d[k][0]))/norm(d[k]) - r*dot(turned[k]));
}]
#[derive(Clone, Debug)]
struct Three {
    m: f64,
    r: f64,
    g: f64,
    mu: f64,
    mu_floor: f64,
}

/// Six equal discs in three rows, of which neighbours touch: twelve contacts with friction, 24 rows.
#[lagrangian {
    const n = 6;
    coordinates p[n][2], turn[n];
    kinetic   = sum(i in 0..n, m*norm2(dot(p[i]))/2 + m*r^2*dot(turn[i])^2/4);
    potential = sum(i in 0..n, m*g*p[i][1]);
    contact floor[i in 0..3]: p[i][1] - r >= 0, friction = mu, slip = p[i][0] + r*turn[i];
    let d[0] = p[1] - p[0];
    let d[1] = p[2] - p[1];
    let d[2] = p[3] - p[0];
    let d[3] = p[3] - p[1];
    let d[4] = p[4] - p[1];
    let d[5] = p[4] - p[2];
    let d[6] = p[4] - p[3];
    let d[7] = p[5] - p[3];
    let d[8] = p[5] - p[4];
    let turned[0] = turn[0] + turn[1];
    let turned[1] = turn[1] + turn[2];
    let turned[2] = turn[0] + turn[3];
    let turned[3] = turn[1] + turn[3];
    let turned[4] = turn[1] + turn[4];
    let turned[5] = turn[2] + turn[4];
    let turned[6] = turn[3] + turn[4];
    let turned[7] = turn[3] + turn[5];
    let turned[8] = turn[4] + turn[5];
    contact pair[k in 0..9]: norm(d[k]) - 2*r >= 0, friction = mu,
        slip = rate((d[k][0]*dot(d[k][1]) - d[k][1]*dot(d[k][0]))/norm(d[k]) - r*dot(turned[k]));
}]
#[derive(Clone, Debug)]
struct Six {
    m: f64,
    r: f64,
    g: f64,
    mu: f64,
}

/// Three equal discs that a hand throws and catches: it moves up and down by a sin(w t).
#[lagrangian {
    const n = 3;
    coordinates p[n][2], turn[n];
    let disc[i in 0..n] = sphere(p[i], r, turn[i]);
    let hand = plane([0, a*sin(w*t)], [0, 1], 0);
    kinetic   = sum(i in 0..n, m*norm2(dot(p[i]))/2 + m*r^2*dot(turn[i])^2/4);
    potential = sum(i in 0..n, m*g*p[i][1]);
    contact palm[i in 0..2]: distance(disc[i], hand) >= 0, friction = mu;
    contact base: distance(disc[1], disc[0]) >= 0, friction = mu;
    contact top[i in 0..2]: distance(disc[2], disc[i]) >= 0, friction = mu;
}]
#[derive(Clone, Debug)]
struct Juggled {
    m: f64,
    r: f64,
    g: f64,
    mu: f64,
    a: f64,
    w: f64,
}

/// The discs at rest, with their centres at these multiples of r.
fn at_rest<const N: usize>(r: f64, centres: &[[f64; 2]]) -> State<f64, N> {
    let mut start = State { t: 0.0, q: SVector::<f64, N>::zeros(), v: SVector::zeros() };
    for (i, [x, y]) in centres.iter().enumerate() {
        (start.q[2 * i], start.q[2 * i + 1]) = (x * r, y * r);
    }
    start
}

/// How far any coordinate has moved from rest after a time.
fn moved<const N: usize>(system: &impl System<f64, N, 0, 0>, start: State<f64, N>) -> f64 {
    let solution = solve(system, start, 0.3, &DormandPrince5::new(), &at(1e-9)).expect("it stands, or falls");
    (solution.last().expect("steps").q - start.q).amax()
}

#[test]
fn three_discs_stand_from_the_closed_forms_on() {
    let (least, height) = (15.0_f64.to_radians().tan(), 3.0_f64.sqrt());
    // The upper disc presses on the lower ones along the line of their centres, 30° from upright, and the force at the contact points halfway between
    // that and upright: μ = tan 15° between discs, and a third of it on the floor, which bears three weights where the upper contacts bear one.
    let cases = [(1.01, 1.01, true), (0.99, 3.0, false), (3.0, 0.99, false), (3.0, 1.01, true), (1.01, 3.0, true)];
    for (between, below, stands) in cases {
        let (mu, mu_floor) = (between * least, below * least / 3.0);
        let system = Three { m: 2.0, r: 0.5, g: 9.81, mu, mu_floor }.prepare::<f64>().expect("valid");
        let moved = moved(&system, at_rest(0.5, &[[-1.0, 1.0], [1.0, 1.0], [0.0, 1.0 + height]]));
        assert_eq!(stands, moved < 1e-12, "{between} {below}: {moved}");
        assert!(stands || moved > 1e-4, "{between} {below}: {moved}");
    }
}

#[test]
fn six_discs_stand_from_the_least_coefficient_of_statics_on() {
    // The least μ at which forces within the cones of friction balance all weights, by linear programming (SciPy, HiGHS).
    let least = 0.433_987_428;
    let height = 3.0_f64.sqrt();
    let centres =
        [[-2.0, 1.0], [0.0, 1.0], [2.0, 1.0], [-1.0, 1.0 + height], [1.0, 1.0 + height], [0.0, 1.0 + 2.0 * height]];
    for (part, stands) in [(0.5, false), (0.999, false), (1.001, true), (1.2, true), (2.0, true)] {
        let system = Six { m: 2.0, r: 0.5, g: 9.81, mu: part * least }.prepare::<f64>().expect("valid");
        let start = at_rest(0.5, &centres);
        let moved = moved(&system, start);
        assert_eq!(stands, moved < 1e-12, "{part}: {moved}");
        assert!(stands || moved > 1e-2, "{part}: {moved}");
        if stands {
            let found = contact::forces(&system, &start, &SVector::from([])).expect("regular").forces;
            let carried: f64 = found[..3].iter().sum();
            assert!((carried - 6.0 * 2.0 * 9.81).abs() < 1e-9, "{carried}");
            // Twelve forces, then twelve frictions.
            for k in 0..12 {
                assert!(
                    found[k] > -1e-9 && found[12 + k].abs() <= part * least * found[k] + 1e-9,
                    "{part} {k}: {found:?}"
                );
            }
        }
    }
}

/// Until the hand falls faster than free bodies, all forces are those at rest times a factor, so that the same friction holds the pyramid. It then flies
/// without forces, and where it is caught, its impulses are again the forces at rest times a factor. So it is one body that is thrown and caught.
#[test]
fn a_juggled_pyramid_is_thrown_and_caught_as_one_body() {
    let (r, g, a) = (0.1, 9.81, 0.05);
    let w = (1.5 * g / a).sqrt();
    // The height and the velocity of one body on the hand, from its release at sin wt = g/(a w²) to where its parabola meets the hand again.
    let hand = |t: f64| (a * (w * t).sin(), a * w * (w * t).cos());
    let released = (g / (a * w * w)).asin() / w;
    let from = hand(released);
    let flight = |t: f64| from.0 + from.1 * (t - released) - 0.5 * g * (t - released).powi(2);
    let (mut low, mut high) = (released + 0.5 / w, released + 6.0 / w);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if flight(middle) > hand(middle).0 { low = middle } else { high = middle }
    }
    let caught = low;
    let system = Juggled { m: 0.4, r, g, mu: 0.5, a, w }.prepare::<f64>().expect("valid");
    let mut start = at_rest::<9>(r, &[[-1.0, 1.0], [1.0, 1.0], [0.0, 1.0 + 3.0_f64.sqrt()]]);
    let rest = start.q;
    [1, 3, 5].into_iter().for_each(|i| start.v[i] = a * w);
    let again = released + std::f64::consts::TAU / w;
    let times = [0.5 * released, 0.5 * (released + caught), 0.9 * again];
    let options = Options { t_eval: Some(&times), ..at(1e-11) };
    let solution = solve(&system, start, times[2], &Dop853::new(), &options).expect("it stands");
    // Where the hand lets go, the rounding of velocities may have impulses.
    let is_impact =
        |instant: &&Instant<f64, 9>| matches!(instant.cause, Cause::Impact(_)) && instant.impulse.abs() > 1e-12;
    let impact = solution.instants.iter().find(is_impact).expect("it is caught");
    assert!((impact.after.t - caught).abs() < 1e-9, "{} {caught}", impact.after.t);
    let heights = [hand(times[0]).0, flight(times[1]), hand(times[2]).0];
    for (state, height) in solution.states().zip(heights) {
        for i in 0..9 {
            let expected = if [1, 3, 5].contains(&i) { rest[i] + height } else { rest[i] };
            assert!((state.q[i] - expected).abs() < 1e-9, "{i}: {} {expected} at {}", state.q[i], state.t);
        }
    }
    // The impulses on the hand bring three bodies to its velocity.
    let palms = solution.instants.iter().filter_map(|instant| match instant.cause {
        Cause::Impact(name) if name.starts_with("palm") && !name.contains("slip") => Some(instant.impulse),
        _ => None,
    });
    let falls = from.1 - g * (caught - released);
    let expected = 3.0 * 0.4 * (hand(caught).1 - falls);
    assert!((palms.sum::<f64>() - expected).abs() < 1e-8, "{expected}");
}
