//! Many contacts by the time-stepping scheme, and beside it the motion with located contacts where that one is found in a reasonable time.

use lagrange_runtime::prelude::*;
use std::time::{Duration, Instant};

/// What took how long. The first motion of a mechanism pays for pages of memory, so that the second one is measured.
fn timed<T>(work: impl Fn() -> T) -> (T, Duration) {
    work();
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// The largest growth of the energy in a step.
fn growth<S, const N: usize>(system: &S, solution: &Solution<f64, N>) -> f64
where
    S: System<f64, N, 0, 0>,
{
    let energies: Vec<f64> = solution.states().map(|state| system.energies_of(&state).energy).collect();
    energies.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
}

/// Eleven small masses, joined by ten rods, which fall onto a rough table: 22 rows.
#[lagrangian {
    const n = 10;
    coordinates x, y, a[n];
    let p[0] = [x, y];
    let p[i in 1..11] = p[i-1] + l*[cos(a[i-1]), sin(a[i-1])];
    kinetic   = sum(i in 0..11, m*norm2(dot(p[i]))/2);
    potential = sum(i in 0..11, m*g*p[i][1]);
    contact table[i in 0..11]: p[i][1] >= 0, friction = mu, slip = p[i][0];
}]
struct Chain {
    m: f64,
    g: f64,
    l: f64,
    mu: f64,
}

#[test]
fn a_chain_falls_onto_a_table_as_with_located_contacts() {
    let system = Chain { m: 0.1, g: 9.81, l: 0.1, mu: 0.4 }.prepare::<f64>().expect("valid");
    let mut q = SVector::<f64, 12>::zeros();
    q[1] = 0.2;
    for i in 0..10 {
        q[2 + i] = 0.8 - 0.05 * i as f64;
    }
    let start = State { t: 0.0, q, v: SVector::zeros() };
    let options = Options { rtol: 1e-6.into(), atol: 1e-6.into(), ..Options::default() };
    let located = || solve(&system, start, 1.5, &DormandPrince5::new(), &options).expect("it comes to rest");
    let (exact, time) = timed(|| located().last().expect("steps"));
    println!("chain, located: {time:?}");
    let mut last = f64::INFINITY;
    for k in 0..4 {
        let h = 1e-3 / f64::from(1 << k);
        let stepped = || solve(&system, start, 1.5, &MoreauJean::new(h), &Options::default()).expect("resolved");
        let (solution, time) = timed(stepped);
        let state = solution.last().expect("steps");
        let error = (state.q[0] - exact.q[0]).abs();
        println!("chain, h = {h:e}: {time:?}, {error:.1e} m");
        assert!(state.v.amax() < 1e-12 && error < 9.0 * h && error < 0.6 * last, "{h}: {error:e}");
        assert!(growth(&system, &solution) < 20.0 * h * h);
        last = error;
    }
}

/// Six discs in a box: 54 rows.
#[lagrangian {
    const n = 6;
    coordinates c[n][2], turn[n];
    kinetic   = sum(i in 0..n, m*norm2(dot(c[i]))/2 + m*r^2/4*dot(turn[i])^2);
    potential = sum(i in 0..n, m*g*c[i][1]);
    contact floor[i in 0..n]: distance(sphere(c[i], r, turn[i]), plane([0, 0], [0, 1], 0)) >= 0, friction = mu, restitution = e;
    contact left[i in 0..n]:  c[i][0] >= r, restitution = e;
    contact right[i in 0..n]: w - r >= c[i][0], restitution = e;
    contact first[i in 1..n]:  distance(sphere(c[0], r, turn[0]), sphere(c[i], r, turn[i])) >= 0, friction = mu, restitution = e;
    contact second[i in 2..n]: distance(sphere(c[1], r, turn[1]), sphere(c[i], r, turn[i])) >= 0, friction = mu, restitution = e;
    contact third[i in 3..n]:  distance(sphere(c[2], r, turn[2]), sphere(c[i], r, turn[i])) >= 0, friction = mu, restitution = e;
    contact fourth[i in 4..n]: distance(sphere(c[3], r, turn[3]), sphere(c[i], r, turn[i])) >= 0, friction = mu, restitution = e;
    contact last: distance(sphere(c[4], r, turn[4]), sphere(c[5], r, turn[5])) >= 0, friction = mu, restitution = e;
}]
struct Heap {
    m: f64,
    g: f64,
    r: f64,
    w: f64,
    mu: f64,
    e: f64,
}

/// The discs in a grid that is a little askew.
fn strewn() -> State<f64, 18> {
    let mut q = SVector::<f64, 18>::zeros();
    for i in 0..6 {
        q[2 * i] = 0.15 + 0.22 * (i % 2) as f64 + 0.013 * i as f64;
        q[2 * i + 1] = 0.15 + 0.23 * (i / 2) as f64;
    }
    State { t: 0.0, q, v: SVector::zeros() }
}

#[test]
fn a_heap_of_discs_settles() {
    let (r, w) = (0.1, 0.55);
    let system = Heap { m: 1.0, g: 9.81, r, w, mu: 0.4, e: 0.2 }.prepare::<f64>().expect("valid");
    let run = |h: f64, end: f64| timed(|| solve(&system, strewn(), end, &MoreauJean::new(h), &Options::default()));
    for h in [2e-3, 1e-3, 5e-4] {
        let (solution, time) = run(h, 2.0);
        let solution = solution.expect("resolved");
        println!(
            "heap, h = {h:e}: {time:?}, {} impacts, {} phases",
            solution.statistics.impacts, solution.statistics.phases
        );
        let state = solution.last().expect("steps");
        assert!(state.v.amax() < 1e-12 && growth(&system, &solution) < 200.0 * h * h);
        // No disc is deeper in another one, or in a wall, than the way of an impact in half a step.
        let below = 2.0 * h;
        for i in 0..6 {
            let (x, y) = (state.q[2 * i], state.q[2 * i + 1]);
            assert!(y > r - below && x > r - below && x < w - r + below, "{i}: {x}, {y}");
            for j in 0..i {
                assert!((x - state.q[2 * j]).hypot(y - state.q[2 * j + 1]) > 2.0 * r - below, "{i} and {j}");
            }
        }
    }
    // The first 54 impacts are those of the motion with located contacts. Later ones separate neighbouring motions.
    let options = Options { rtol: 1e-8.into(), atol: 1e-8.into(), ..Options::default() };
    let (exact, time) = timed(|| solve(&system, strewn(), 0.16, &DormandPrince5::new(), &options));
    let exact = exact.expect("located");
    println!("heap, located until 0.16 s: {time:?}, {} impacts", exact.statistics.impacts);
    let exact = exact.last().expect("steps");
    let mut last = f64::INFINITY;
    for h in [1e-3, 5e-4, 2.5e-4, 1.25e-4] {
        let (solution, time) = run(h, 0.16);
        let error = (solution.expect("resolved").last().expect("steps").q - exact.q).amax();
        println!("heap until 0.16 s, h = {h:e}: {time:?}, {error:.1e} m");
        assert!(error < 5.0 * h && error < last, "{h}: {error:e} after {last:e}");
        last = error;
    }
}
