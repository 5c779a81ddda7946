//! Bodies in a row, by shapes: Newton's cradle with rough balls, and dominoes.

use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;

/// Five balls on strings that may spin, with gaps between them.
#[lagrangian {
    const n = 5;
    coordinates a[n], turn[n];
    let p[i in 0..n]    = [i*(2*r + gap) + l*sin(a[i]), -l*cos(a[i])];
    let ball[i in 0..n] = sphere(p[i], r, turn[i]);
    kinetic   = sum(i in 0..n, rigid_body_energy(m, 2*m*r^2/5, p[i], turn[i]));
    potential = sum(i in 0..n, m*g*p[i][1]);
    contact touch[i in 0..n - 1]: distance(ball[i], ball[i + 1]) >= 0, restitution = 1, friction = mu;
}]
struct Cradle {
    m: f64,
    g: f64,
    r: f64,
    l: f64,
    gap: f64,
    mu: f64,
}

/// The state of the cradle just after the last of its balls was struck by a first one with a speed and a spin.
fn struck(mu: f64, speed: f64, spin: f64) -> State<f64, 10> {
    let (r, l) = (0.02, 1.0);
    let system = Cradle { m: 0.1, g: 9.81, r, l, gap: 1e-9, mu }.prepare::<f64>().expect("valid");
    let mut start = State::new(0.0, [0.0; 10], [0.0; 10]);
    (start.q[0], start.v[0], start.v[5]) = (-1e-4, speed / l, spin);
    let options = Options { rtol: 1e-11.into(), atol: 1e-12.into(), ..Options::default() };
    let solution =
        solve(&system, start, 1.0, &Dop853::new(), &Options { ends_at: &[Cause::Impact("touch[3]")], ..options });
    solution.expect("the last ball is struck").last().expect("states")
}

#[test]
fn smooth_balls_of_a_cradle_pass_on_all_of_the_motion_and_none_of_the_spin() {
    let (speed, spin) = (0.3, 40.0);
    let last = struck(0.0, speed, spin);
    for i in 0..5 {
        let expected = if i == 4 { speed } else { 0.0 };
        // The balls stand still at the lowest point, but for what gravity does on the way there.
        assert!((last.v[i] - expected).abs() < 1e-5, "{i}: {last:?}");
        assert!((last.v[5 + i] - if i == 0 { spin } else { 0.0 }).abs() < 1e-9, "{i}: {last:?}");
    }
}

/// At an impact the impulse P = m v along the line of the balls comes with one across it, of at most μ P, which takes the spins' sum to 0 or towards it: 2/5 m r Δω = −T for both balls.
#[test]
fn rough_balls_of_a_cradle_halve_the_spin_at_each_impact() {
    let (speed, spin, r) = (0.3, 40.0, 0.02);
    let last = struck(10.0, speed, spin);
    let mut carried = spin;
    for i in 0..4 {
        // Both have half of it, in opposite senses.
        carried /= 2.0;
        assert!((last.v[5 + i] - carried).abs() < 1e-6, "{i}: {last:?}");
        carried = -carried;
    }
    assert!((last.v[9] - carried).abs() < 1e-6, "{last:?}");
    assert!((last.v[4] - speed).abs() < 1e-5, "{last:?}");
    // Balls that slip change their spins by 5 μ v/(2 r), as long as there is so much.
    let mu = 0.02;
    let change = 5.0 * mu * speed / (2.0 * r);
    let last = struck(mu, speed, spin);
    assert!((last.v[5] - (spin - change)).abs() < 1e-4, "{last:?}");
    // The second one has got all of the change, and then gives half of it away: it sticks.
    assert!((last.v[6] + change / 2.0).abs() < 1e-4 && (last.v[7] - change / 4.0).abs() < 1e-4, "{change}: {last:?}");
}

/// Ten dominoes, each of which turns about its lower right edge; the angles are positive to the right.
#[lagrangian {
    const n = 10;
    coordinates a[n];
    let edge[i in 0..n]    = [i*s, 0];
    let middle[i in 0..n]  = edge[i] + [-w*cos(a[i]) + h*sin(a[i]), w*sin(a[i]) + h*cos(a[i])]/2;
    let domino[i in 0..n]  = box(middle[i], [w/2, h/2], -a[i]);
    let side[i in 0..n]    = plane(edge[i] + w*[-cos(a[i]), sin(a[i])], [-cos(a[i]), sin(a[i])], -a[i]);
    kinetic   = sum(i in 0..n, rigid_body_energy(m, m*(w^2 + h^2)/12, middle[i], -a[i]));
    potential = sum(i in 0..n, m*g*middle[i][1]);
    contact ground[i in 0..n]:   a[i] >= 0;
    contact push[i in 0..n - 1]: distance(vertex(domino[i], 3), side[i + 1]) >= 0, friction = mu;
    output first = distance(vertex(domino[0], 3), side[1]);
}]
struct Dominoes {
    m: f64,
    g: f64,
    w: f64,
    h: f64,
    s: f64,
    mu: f64,
}

/// The times at which each domino is first struck.
fn wave(mu: f64, push: f64) -> Vec<f64> {
    let system = Dominoes { m: 0.01, g: 9.81, w: 0.008, h: 0.048, s: 0.024, mu }.prepare::<f64>().expect("valid");
    let mut start = State::new(0.0, [0.0; 10], [0.0; 10]);
    start.v[0] = push;
    let options =
        Options { rtol: 1e-8.into(), atol: 1e-8.into(), ends_at: &[Cause::Impact("push[8]")], ..Options::default() };
    let solution = solve(&system, start, 5.0, &Dop853::new(), &options).expect("they fall");
    let names = ["push[0]", "push[1]", "push[2]", "push[3]", "push[4]", "push[5]", "push[6]", "push[7]", "push[8]"];
    let struck = |name| solution.instants.iter().find(|instant| instant.cause == Cause::Impact(name)).expect("struck");
    names.map(|name| struck(name).after.t).to_vec()
}

/// A wave of falling dominoes takes a speed of its own, whatever begins it (W. J. Stronge, *The domino effect: a wave of destabilizing collisions in a periodic array*, Proc. R. Soc. A 409, 1987).
#[test]
fn a_wave_of_dominoes_has_a_speed_of_its_own() {
    for mu in [0.0, 0.2] {
        let [gentle, hard] = [6.0, 14.0].map(|push| {
            let times = wave(mu, push);
            times.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>()
        });
        assert!((gentle[0] / hard[0] - 1.0).abs() > 0.2, "{gentle:?} {hard:?}");
        assert!((gentle[7] / hard[7] - 1.0).abs() < 0.01, "{gentle:?} {hard:?}");
        // What is left to this speed shrinks by a factor from each domino to the next.
        let changes: Vec<f64> = gentle.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(changes.windows(2).all(|pair| (0.0..0.75).contains(&(pair[1] / pair[0]))), "{gentle:?}");
    }
}
