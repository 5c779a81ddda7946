//! Pyramids of discs that stand by friction alone.

use super::at;
use lagrange_runtime::contact;
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
