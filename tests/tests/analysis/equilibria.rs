//! Equilibria, steady motions and their stability.

use super::mechanisms::Balance;
use lagrange_models::{CartesianPendulum, HeavyTop, Parallelogram, SphericalPendulum};
use lagrange_runtime::analysis::{AnalysisError, EquilibriumSearch, Stability, Verdict, stability};
use lagrange_runtime::prelude::*;

/// A mass on a rod, pulled by a spring towards (d, 0) and by a force along x.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y + k*(norm([x - d, y]) - l)^2/2;
    constraint rod: norm([x, y]) == l;
    force x = push;
}]
#[derive(Clone, Debug)]
struct Cable {
    m: f64,
    g: f64,
    k: f64,
    d: f64,
    l: f64,
    #[input]
    push: f64,
}

#[test]
fn a_pendulum_on_a_rod_hangs_stably_and_stands_unstably() {
    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    let hanging = EquilibriumSearch::new([0.3, -0.8], []).find(&system).expect("near");
    assert!((hanging.state.q - SVector::from([0.0, -1.0])).norm() < 1e-12);
    // The tension −λ of the rod is the weight m g.
    assert!((hanging.multipliers[0] + 9.81).abs() < 1e-12);
    let found = stability(&system, &hanging).expect("regular");
    assert_eq!(found.verdict, Verdict::Stable);
    assert!(found.hessian.is_some_and(|smallest| (smallest - 1.0).abs() < 1e-12));
    let standing = EquilibriumSearch::new([0.1, 0.9], []).find(&system).expect("near");
    assert!((standing.state.q - SVector::from([0.0, 1.0])).norm() < 1e-12);
    let found = stability(&system, &standing).expect("regular");
    assert_eq!(found.verdict, Verdict::Unstable);
    assert!((found.eigenvalues[0].re - 9.81_f64.sqrt()).abs() < 1e-13);
}

/// A platform hangs from three parallel cranks, of which two would be enough. The search finds its
/// lowest position, and the multipliers of least norm share the load equally.
#[test]
fn redundant_constraints_share_the_load() {
    let parallelogram = Parallelogram::default();
    let system = parallelogram.prepare::<f64>().expect("valid");
    let found = EquilibriumSearch::new([0.2, -0.9, 0.0], []).find(&system).expect("near");
    assert!((found.state.q - SVector::from([0.0, -1.0, 0.0])).norm() < 1e-9, "{found:?}");
    for load in &found.multipliers {
        assert!((load + parallelogram.m * parallelogram.g / 3.0).abs() < 1e-8, "{found:?}");
    }
    let judged = stability(&system, &found).expect("one degree of freedom");
    assert_eq!((judged.verdict, judged.eigenvalues.len()), (Verdict::Stable, 2));
    let frequency = (parallelogram.g / parallelogram.r).sqrt();
    assert!((judged.eigenvalues[0].im.abs() - frequency).abs() < 1e-8, "{judged:?}");
}

/// Without a force the cart may rest at every position. The search returns the equilibrium nearest
/// to the guess.
#[test]
fn a_family_of_equilibria_gives_the_nearest() {
    let system = Balance::book().prepare::<f64>().expect("valid");
    let found = EquilibriumSearch::new([0.7, 0.1], [0.0]).find(&system).expect("near");
    assert!((found.state.q - SVector::from([0.7, 0.0])).norm() < 1e-12);
    let seen = stability(&system, &found).expect("regular");
    assert_eq!((seen.verdict, seen.eigenvalues.len()), (Verdict::Unstable, 3));
}

/// The expected values follow from the balance of forces at (x, y). Let r be the length of the
/// spring, and pull = k (r − l)/r, so that the spring exerts the force −pull (x − d, y). For
/// l = 1 m they are λ = (m g + pull y)/y and push = pull (x − d) − λ x.
#[test]
fn an_input_is_found_that_keeps_a_coordinate() {
    let cable = Cable { m: 2.0, g: 9.81, k: 50.0, d: 1.5, l: 1.0, push: 0.0 };
    let system = cable.prepare::<f64>().expect("valid");
    let search = EquilibriumSearch::new([0.6, -0.5], [0.0]).with_fixed_coordinate(0).with_free_input(0);
    let found = search.find(&system).expect("near");
    let (x, y) = (0.6_f64, -0.8_f64);
    let distance = (x - cable.d).hypot(y);
    let pull = cable.k * (distance - cable.l) / distance;
    let multiplier = (cable.m * cable.g + pull * y) / y;
    assert!((found.state.q[1] - y).abs() < 1e-12);
    assert!((found.multipliers[0] - multiplier).abs() < 1e-11, "{found:?}");
    assert!((found.inputs[0] - (pull * (x - cable.d) - multiplier * x)).abs() < 1e-11, "{found:?}");
}

/// The rate Ω of a steady precession solves i₁ Ω² cos θ − i₃ ω₃ Ω + m g l = 0. Small nutations
/// about it have ω² = (i₃ ω₃/i₁ − 2 Ω cos θ)² + Ω² sin² θ, which follows from the effective
/// potential. Source: L. D. Landau, E. M. Lifshitz, *Mechanics*, §35 and its problem 1.
#[test]
fn a_top_precesses_steadily() {
    let top = HeavyTop::default();
    let system = top.prepare::<f64>().expect("valid");
    let (theta, spin) = (0.5_f64, 150.0);
    let precession = top.precession(theta, spin);
    let search = EquilibriumSearch::new([theta, 0.0, 0.0], [])
        .with_fixed_coordinate(0)
        .with_free_velocity(1, 0.5 * precession)
        .with_momentum(2, top.i3 * spin, spin);
    let found = search.find(&system).expect("near");
    assert!((found.state.v[1] - precession).abs() < 1e-12 * precession, "{found:?}");
    assert!((found.state.v[2] + found.state.v[1] * theta.cos() - spin).abs() < 1e-10);
    let seen = stability(&system, &found).expect("regular");
    assert_eq!(seen.verdict, Verdict::Stable, "{seen:?}");
    let nutation = (top.i3 * spin / top.i1 - 2.0 * precession * theta.cos()).hypot(precession * theta.sin());
    assert!((seen.eigenvalues[0].im.abs() - nutation).abs() < 1e-9 * nutation, "{seen:?} {nutation}");
}

/// The rate Ω of a steady revolution solves Ω² cos θ = g/l, with θ measured from the downward
/// vertical. Small oscillations about it have ω² = Ω² (1 + 3 cos² θ). Source: L. D. Landau, E. M.
/// Lifshitz, *Mechanics*, §14, problem 1.
#[test]
fn a_conical_pendulum_circles_steadily() {
    let pendulum = SphericalPendulum::default();
    let system = pendulum.prepare::<f64>().expect("valid");
    let (theta, phi) = (SphericalPendulum::INDEX.theta, SphericalPendulum::INDEX.phi);
    let mut guess = SVector::from([0.0, 0.0]);
    guess[theta] = 0.8;
    let search = EquilibriumSearch::new(guess, []).with_velocity(phi, 6.0);
    let found = search.find(&system).expect("near");
    let cos = found.state.q[theta].cos();
    assert!((36.0 * cos.abs() - pendulum.g / pendulum.l).abs() < 1e-11, "{found:?}");
    let seen = stability(&system, &found).expect("regular");
    assert_eq!(seen.verdict, Verdict::Stable);
    let frequency = seen.eigenvalues.iter().map(|value| value.im).fold(0.0, f64::max);
    assert!((frequency - 6.0 * (1.0 + 3.0 * cos * cos).sqrt()).abs() < 1e-11, "{seen:?}");
}

/// A wheel with an eccentric weight and a steady torque.
#[lagrangian {
    coordinates angle;
    kinetic = j*dot(angle)^2/2;
    potential = -weight*cos(angle) - torque*angle;
}]
#[derive(Clone, Debug)]
struct Wheel {
    j: f64,
    weight: f64,
    torque: f64,
}

/// After 2·10⁹ turns the angle is known to 10⁻⁶, which is enough for the equilibrium near it: sin angle = torque/weight.
#[test]
fn a_wheel_after_many_turns_has_an_equilibrium_near_by() {
    let system = Wheel { j: 1.0, weight: 2.0, torque: 1.0 }.prepare::<f64>().expect("valid");
    let turned = 2e9 * std::f64::consts::TAU;
    let found = EquilibriumSearch::new([turned + 0.2], []).find(&system).expect("near");
    assert!((found.state.q[0].sin() - 0.5).abs() < 1e-5 && (found.state.q[0] - turned).abs() < 1.0, "{found:?}");
}

/// A bead on a wire that turns: the constraint alone contains the angle of the wire.
#[lagrangian {
    coordinates x, y, angle;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2 + j*dot(angle)^2/2;
    potential = m*g*y;
    constraint wire: y*cos(angle) == x*sin(angle);
}]
#[derive(Clone, Debug)]
struct Wire {
    m: f64,
    g: f64,
    j: f64,
}

/// A bead on a level wire that turns steadily at this instant is in no steady motion: the force of the wire on it has the direction that the
/// angle gives.
#[test]
fn a_steady_motion_needs_constraints_that_do_not_contain_it() {
    let system = Wire { m: 1.0, g: 9.81, j: 1.0 }.prepare::<f64>().expect("valid");
    let search = EquilibriumSearch::new([0.0, 0.0, 0.0], []).with_fixed_coordinate(0).with_velocity(2, 2.0);
    let error = search.find(&system).expect_err("the wire turns");
    assert!(error.to_string().contains("`angle`"), "{error}");
}

/// A bowl of height (x² + y²)². All second derivatives vanish at its lowest point, so that neither
/// the linearisation nor the Hessian of the energy decides about its stability.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = k*(x^2 + y^2)^2;
}]
#[derive(Clone, Debug)]
struct FlatBowl {
    m: f64,
    k: f64,
}

/// A mass that a spring pulls along x and its weight pulls along y. No force balances the weight, so that there is no equilibrium.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = k*x^2/2 - m*g*y;
}]
#[derive(Clone, Debug)]
struct Falling {
    m: f64,
    k: f64,
    g: f64,
}

#[test]
fn what_cannot_be_decided_or_found_is_said() {
    let bowl = FlatBowl { m: 1.0, k: 2.0 }.prepare::<f64>().expect("valid");
    let found = EquilibriumSearch::new([0.0, 0.0], []).find(&bowl).expect("it is there");
    assert_eq!(stability(&bowl, &found).expect("regular").verdict, Verdict::Undecided);

    let falling = Falling { m: 1.0, k: 2.0, g: 9.81 }.prepare::<f64>().expect("valid");
    let error = EquilibriumSearch::new([0.1, 0.0], []).find(&falling).expect_err("nothing bears the weight");
    let AnalysisError::NotConverged { worst, residual, .. } = &error else { panic!("{error}") };
    assert!(worst == "balance of y" && (residual - 9.81).abs() < 1e-12, "{error}");

    let system = HeavyTop::default().prepare::<f64>().expect("valid");
    let nodding = EquilibriumSearch::new([0.5, 0.0, 0.0], []).with_fixed_coordinate(0).with_velocity(0, 1.0);
    let error = nodding.with_free_velocity(1, 1.0).find(&system).expect_err("it nods");
    assert!(matches!(error, AnalysisError::NotConverged { .. } | AnalysisError::NotApplicable { .. }), "{error}");

    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    let error = EquilibriumSearch::new([f64::NAN, 0.0], []).find(&system).expect_err("no number");
    assert!(matches!(error, AnalysisError::NotFinite { .. }), "{error}");
}

/// Viscous friction makes the lowest point attractive.
#[test]
fn friction_makes_stability_asymptotic() {
    let system = Damped { m: 1.0, k: 4.0, c: 0.4 }.prepare::<f64>().expect("valid");
    let found = EquilibriumSearch::new([0.3], []).find(&system).expect("near");
    let seen = stability(&system, &found).expect("regular");
    assert_eq!((found.state.q[0], seen.verdict), (0.0, Verdict::AsymptoticallyStable));
    assert!((seen.eigenvalues[0].re + 0.2).abs() < 1e-15);
}

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    dissipation = c*dot(x)^2/2;
}]
#[derive(Clone, Debug)]
struct Damped {
    m: f64,
    k: f64,
    c: f64,
}

/// A bead on a ring in an inclined plane. A spring pulls the bead towards the centre of the ring.
/// Along the ring, the reaction of the ring cancels the stiffness of the spring. The bead may
/// therefore rest at every position.
#[lagrangian {
    coordinates r[3];
    kinetic = m*norm2(dot(r))/2;
    potential = k*norm2(r)/2;
    constraint ring: norm(r) == l;
    constraint plane: n[0]*r[0] + n[1]*r[1] + n[2]*r[2] == 0;
}]
#[derive(Clone, Debug)]
struct Bead {
    m: f64,
    k: f64,
    l: f64,
    n: [f64; 3],
}

/// The computed stiffness along the ring is only a rounding error. The verdict must not depend on
/// its sign.
#[test]
fn a_stiffness_that_is_rounding_decides_nothing() {
    for (k, m, l) in [(1.0, 1.0, 1.0), (3.0e6, 0.7, 0.13), (2.0e-6, 5.0, 40.0)] {
        let n = [0.31, -0.47, 0.83];
        let bead = Bead { m, k, l, n }.prepare::<f64>().expect("valid");
        for attempt in 0..40 {
            let angle = 0.157 * f64::from(attempt);
            let guess = [l * angle.cos(), l * angle.sin(), 0.3 * l * (2.0 * angle).sin()];
            let Ok(found) = EquilibriumSearch::new(guess, []).find(&bead) else { continue };
            let Stability { verdict, hessian, .. } = stability(&bead, &found).expect("regular");
            assert_eq!(verdict, Verdict::Undecided, "{k} {l} at {}: {hessian:?}", found.state.q);
        }
    }
}

/// A bead on a sinusoidal floor. Far from a crest or a trough, a step of Newton's method can be
/// very long. It may end where the rounding of x is larger than a period of the floor.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint floor: y == a*sin(k*x);
}]
#[derive(Clone, Debug)]
struct Floor {
    m: f64,
    g: f64,
    a: f64,
    k: f64,
}

/// A search that runs away must not return a state that is not an equilibrium. In every state that
/// is returned, the bead is on the floor, at a crest or a trough.
#[test]
fn a_search_that_runs_away_returns_nothing() {
    let (a, k) = (0.2, 3.0);
    let floor = Floor { m: 2.0, g: 9.81, a, k }.prepare::<f64>().expect("valid");
    let mut found = 0;
    for start in 0..400 {
        let x = 0.01 * f64::from(start) + 1e-9;
        let Ok(at) = EquilibriumSearch::new([x, a * (k * x).sin()], []).find(&floor) else { continue };
        let [x, y] = [at.state.q[0], at.state.q[1]];
        assert!((y - a * (k * x).sin()).abs() < 1e-9 && (y.abs() - a).abs() < 1e-9, "{start}: {x} {y}");
        found += 1;
    }
    assert!(found > 300, "{found}");
}

/// An oscillator whose stiffness varies: Mathieu's equation with damping.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = (1 + h*cos(w*t))*x^2/2;
    dissipation = c*dot(x)^2/2;
}]
#[derive(Clone, Debug)]
struct Mathieu {
    h: f64,
    w: f64,
    c: f64,
}

/// A mass on a spring that a force, a wall or a constant input acts on.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = k*(x - y)^2/2 + k*x^2/2;
    dissipation = c*(dot(x)^2 + dot(y)^2)/2;
    constraint wall: y == a*cos(w*t);
    force x = push;
}]
#[derive(Clone, Debug)]
struct Shaken {
    m: f64,
    k: f64,
    c: f64,
    a: f64,
    w: f64,
    #[input]
    push: f64,
}

/// For h = 0.9, w = 2 and c = 0.02, deviations grow by a factor of 10⁹ until t = 100, though all eigenvalues of each instant have negative real
/// parts.
#[test]
fn equations_that_depend_on_time_are_not_judged_by_one_instant() {
    for (h, w) in [(0.9, 2.0), (0.9, 2e-6), (1e-9, 2.0), (0.9, 2e6)] {
        let system = Mathieu { h, w, c: 0.02 }.prepare::<f64>().expect("valid");
        let rest = EquilibriumSearch::new([0.0], []).find(&system).expect("at 0");
        let error = stability(&system, &rest).expect_err("Floquet's multipliers decide").to_string();
        assert!(error.contains("linearised equations at the equilibrium change between t = 0 and"), "{h} {w}: {error}");
        assert!(error.contains("`Shooting`"), "{error}");
    }
    // Without its variation, the same equation is judged.
    let system = Mathieu { h: 0.0, w: 2.0, c: 0.02 }.prepare::<f64>().expect("valid");
    let rest = EquilibriumSearch::new([0.0], []).find(&system).expect("at 0");
    assert_eq!(stability(&system, &rest).expect("constant").verdict, Verdict::AsymptoticallyStable);
    // A wall that moves leaves A constant, but no equilibrium remains. One at rest may be pushed by a constant input.
    for (a, push) in [(1e-3, 0.0), (0.0, 2.0)] {
        let shaken = Shaken { m: 1.0, k: 2.0, c: 0.1, a, w: 3.0, push };
        let system = shaken.prepare::<f64>().expect("valid");
        // At t = 0 the wall turns back.
        let found = EquilibriumSearch::new([0.1, a], [push]).find(&system).expect("near");
        match stability(&system, &found) {
            Ok(found) => assert!(a == 0.0 && found.verdict == Verdict::AsymptoticallyStable, "{found:?}"),
            Err(error) => assert!(a != 0.0 && error.to_string().contains("depend on time explicitly"), "{error}"),
        }
    }
}

/// Two directions with rates many decades apart, turned by an angle, so that each state takes part in both.
#[lagrangian {
    coordinates x, y;
    let along = cos(turn)*x + sin(turn)*y;
    let across = cos(turn)*y - sin(turn)*x;
    kinetic = m*(dot(along)^2 + dot(across)^2)/2;
    potential = slow*along^2/2 + fast*across^2/2;
    dissipation = friction*dot(along)^2/2 + damping*dot(across)^2/2;
}]
#[derive(Clone, Debug)]
struct Valley {
    m: f64,
    slow: f64,
    fast: f64,
    friction: f64,
    damping: f64,
    turn: f64,
}

/// s² + s − a = 0 has the root +a/(1 + …) whatever moves beside it: judged in its own scale, in any units of mass and time.
#[test]
fn slow_growth_beside_fast_decay_is_unstable() {
    for (mass, rate) in [(1.0, 1.0), (1e-12, 1e9), (1e9, 1e-12), (1e12, 1e6)] {
        for (slow, turn) in
            [(-1e-3, 0.0), (-1e-3, 0.5), (1e-3, 0.0), (1e-3, 0.5), (-1e-6, 0.0), (-1e-6, 0.5), (1e-6, 0.5)]
        {
            let (stiff, viscous) = (mass * rate * rate, mass * rate);
            let valley = Valley {
                m: mass,
                slow: slow * stiff,
                fast: 1e6 * stiff,
                friction: viscous,
                damping: 1e6 * viscous,
                turn,
            };
            let system = valley.prepare::<f64>().expect("valid");
            let rest = EquilibriumSearch::new([0.0, 0.0], []).find(&system).expect("at 0");
            let found = stability(&system, &rest).expect("regular");
            let expected = if slow < 0.0 { Verdict::Unstable } else { Verdict::AsymptoticallyStable };
            assert_eq!(found.verdict, expected, "{mass} {rate} {slow} {turn}: {found:?}");
            assert!(found.on_axis.is_empty(), "{found:?}");
            let root = -2.0 * slow / (1.0 + (1.0 - 4.0 * slow).sqrt());
            assert!((found.eigenvalues[0].re / rate - root).abs() < 1e-9, "{root} {found:?}");
        }
    }
}

/// A stiffness that is rounding of the two forces that cancel in it is on the axis, whatever moves beside it.
#[test]
fn what_cancels_is_on_the_axis_in_any_units() {
    for (mass, rate) in [(1.0, 1.0), (1e-12, 1e9), (1e9, 1e-12)] {
        let valley = Valley {
            m: mass,
            slow: 0.0,
            fast: 3.0 * mass * rate * rate,
            friction: 0.0,
            damping: 0.7 * mass * rate,
            turn: 0.4,
        };
        let system = valley.prepare::<f64>().expect("valid");
        let rest = EquilibriumSearch::new([0.0, 0.0], []).find(&system).expect("at 0");
        let found = stability(&system, &rest).expect("regular");
        assert_eq!((found.verdict, found.on_axis.len()), (Verdict::Undecided, 2), "{found:?}");
    }
}
