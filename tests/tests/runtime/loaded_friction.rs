//! Dry friction whose bound contains multipliers, against closed forms and equations by hand.

use super::common::solve_hidden;
use lagrange_runtime::analysis::{AnalysisError, EquilibriumSearch, linearize};
use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;
use std::f64::consts::PI;

/// A block on a slope of angle a, which a constraint keeps there.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint plane: y*cos(a) == x*sin(a);
    friction pad: x*cos(a) + y*sin(a) = mu*abs(multiplier(plane));
}]
#[derive(Clone, Debug)]
struct Incline {
    m: f64,
    g: f64,
    a: f64,
    mu: f64,
}

/// The block on a slope of [`Incline`]. The two sides of its constraint are exchanged, so that the multiplier has the other sign, and the
/// bound uses the length of the reaction.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint plane: x*sin(a) == y*cos(a);
    friction pad: x*cos(a) + y*sin(a) = mu*norm(reaction(plane));
}]
#[derive(Clone, Debug)]
struct Exchanged {
    m: f64,
    g: f64,
    a: f64,
    mu: f64,
}

/// A bead on a rough circular wire.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint wire: norm([x, y]) == r;
    friction rub: atan2(y, x) = mu*r*abs(multiplier(wire));
    output normal = multiplier(wire);
    output torque = friction(rub);
}]
#[derive(Clone, Debug)]
struct Bead {
    m: f64,
    g: f64,
    r: f64,
    mu: f64,
}

/// A bead on a helix. The slip has the rate of the arc length, but its gradient lies along z, so that the friction also presses on the
/// wire. The bound, μ times the length of both reactions, is therefore not linear in the friction.
#[lagrangian {
    coordinates x, y, z;
    kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    constraint first: x == r*cos(z/p);
    constraint second: y == r*sin(z/p);
    friction rub: z*sqrt(1 + r^2/p^2) = mu*norm(reaction(first) + reaction(second));
}]
#[derive(Clone, Debug)]
struct Helix {
    m: f64,
    r: f64,
    p: f64,
    mu: f64,
}

/// A block on the ground, whose friction also presses it onto the ground: its slip is x + k y.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint ground: y == 0;
    force x = push;
    friction pad: x + k*y = mu*abs(multiplier(ground));
}]
#[derive(Clone, Debug)]
struct Wedge {
    m: f64,
    g: f64,
    k: f64,
    mu: f64,
    #[input]
    push: f64,
}

/// Two bodies with two frictions whose bounds contain the same multiplier, and that both change it.
#[lagrangian {
    coordinates x, z, y;
    kinetic   = m1*(dot(x)^2 + dot(y)^2)/2 + m2*dot(z)^2/2;
    potential = m1*g*y;
    constraint ground: y == 0;
    force z = pull;
    friction lower: x + k1*y = mu1*abs(multiplier(ground));
    friction upper: z - x + k2*y = mu2*abs(multiplier(ground));
}]
#[derive(Clone, Debug)]
struct Shared {
    m1: f64,
    m2: f64,
    g: f64,
    k1: f64,
    k2: f64,
    mu1: f64,
    mu2: f64,
    pull: f64,
}

/// A block on a spring, on a belt. Its friction falls with the slip rate, and an input presses it onto the belt.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = x^2/2;
    constraint ground: y == 0;
    force y = -press*(2 + sin(t))/2;
    friction pad: x - speed*t = (mu - c*abs(dot(x) - speed))*abs(multiplier(ground));
}]
#[derive(Clone, Debug)]
struct PressedBelt {
    mu: f64,
    c: f64,
    speed: f64,
    #[input]
    press: f64,
}

/// The mechanism of [`PressedBelt`] in one coordinate. Its bound has the load on the block written out, where the other bound has
/// the multiplier.
#[lagrangian {
    coordinates x;
    kinetic   = dot(x)^2/2;
    potential = x^2/2;
    friction pad: x - speed*t = (mu - c*abs(dot(x) - speed))*press*(2 + sin(t))/2;
}]
#[derive(Clone, Debug)]
struct PlainBelt {
    mu: f64,
    c: f64,
    speed: f64,
    #[input]
    press: f64,
}

fn at<const N: usize>(tolerance: f64) -> Options<'static, f64, N> {
    Options { rtol: tolerance.into(), atol: tolerance.into(), max_steps: Some(20_000), ..Options::default() }
}

#[test]
fn a_block_that_a_constraint_holds_slips_from_the_critical_angle_on() {
    let (m, g, mu) = (2.0, 9.81, 0.5_f64);
    let critical = mu.atan();
    for a in [0.2, critical - 1e-9, critical + 1e-6, 0.9] {
        let exact = if a < critical { 0.0 } else { g * (a.sin() - mu * a.cos()) };
        let rest = State::new(0.0, [0.0; 2], [0.0; 2]);
        let along = |state: &State<f64, 2>| state.v[0] * a.cos() + state.v[1] * a.sin();
        let check = |system: &dyn System<f64, 2, 1, 0>| {
            for solution in [
                solve(system, rest, 2.0, &Dop853::new(), &at(1e-11)),
                solve(system, rest, 2.0, &Rk4::new(0.1), &at(1e-11)),
                solve(system, rest, 2.0, &Radau5::new(), &at(1e-11)),
            ] {
                let last = solution.unwrap_or_else(|failed| panic!("{a}: {failed}")).last().expect("steps");
                // Downhill is towards negative x.
                assert!((along(&last) + 2.0 * exact).abs() < 1e-10, "{a}: {last:?} instead of {exact}");
            }
            // Thrown uphill, it stops after v²/(2 g (sin a + μ cos a)), and stays or slips back.
            let rate = g * (a.sin() + mu * a.cos());
            let thrown = State::new(0.0, [0.0; 2], [3.0 * a.cos(), 3.0 * a.sin()]);
            let last = solve(system, thrown, 2.0, &Dop853::new(), &at(1e-11)).expect("regular").last().expect("steps");
            let back = exact * (2.0 - 3.0 / rate);
            assert!((along(&last) + back).abs() < 1e-10, "{a}: {last:?} instead of {back}");
            let found = contact::forces(system, &last, &SVector::from([])).expect("regular");
            assert!((found.bounds[0] - mu * m * g * a.cos()).abs() < 1e-10, "{found:?}");
            assert!((found.forces[0] - if exact > 0.0 { found.bounds[0] } else { m * g * a.sin() }).abs() < 1e-8);
            assert_eq!(found.sticks[0], exact == 0.0);
        };
        let (one, other) = (Incline { m, g, a, mu }, Exchanged { m, g, a, mu });
        check(&one.prepare::<f64>().expect("valid"));
        check(&other.prepare::<f64>().expect("valid"));
    }
}

#[test]
fn a_bead_on_a_rough_circle_loses_speed_by_the_angle() {
    let (r, mu) = (0.7, 0.3);
    let system = Bead { m: 1.3, g: 0.0, r, mu }.prepare::<f64>().expect("valid");
    for v in [2.0, -2.0_f64] {
        // v = v₀ exp(−μ φ), so that t = r (exp(μ φ) − 1)/(μ v₀), whatever the number of turns is.
        let end = r * ((mu * 9.0 * PI).exp() - 1.0) / (mu * v.abs());
        let solution = solve_hidden(&system, State::new(0.0, [r, 0.0], [0.0, v]), end, &Dop853::new(), &at(1e-12));
        let last = solution.expect("regular").last().expect("steps");
        let exact = v.abs() * (-9.0 * PI * mu).exp();
        assert!((last.v.norm() - exact).abs() < 1e-9 * exact.max(1.0), "{last:?} instead of {exact}");
        // After 9 half turns the bead is opposite to its start.
        assert!((last.q[0] + r).abs() < 1e-8 && last.q[1].abs() < 1e-7, "{last:?}");
        let powers = system.powers_of(&last);
        let force = contact::forces(&system, &last, &SVector::from([])).expect("regular").forces[0];
        assert_eq!(system.outputs_of(&last)[1], ("torque", force));
        assert!((powers[0].1 - force * v.signum() * exact / r).abs() < 1e-12 && powers[0].1 < 0.0, "{powers:?}");
    }
}

#[test]
fn a_bead_on_a_rough_circle_with_gravity_moves_as_the_equation_by_hand() {
    let (m, g, r, mu) = (1.3, 9.81, 0.7, 0.2_f64);
    let system = Bead { m, g, r, mu }.prepare::<f64>().expect("valid");
    // r θ'' = −g cos θ − μ |r θ'² − g sin θ| sign θ'. The normal force changes its sign near the top.
    let rate = |theta: f64, omega: f64| {
        (-g * theta.cos() - mu * (r * omega * omega - g * theta.sin()).abs() * omega.signum()) / r
    };
    let (mut theta, mut omega, steps, end) = (-PI / 2.0, 8.5, 200_000, 0.5);
    let h = end / f64::from(steps);
    let mut signs = 0;
    for _ in 0..steps {
        let before = r * omega * omega - g * f64::sin(theta);
        let (k1, l1) = (omega, rate(theta, omega));
        let (k2, l2) = (omega + h / 2.0 * l1, rate(theta + h / 2.0 * k1, omega + h / 2.0 * l1));
        let (k3, l3) = (omega + h / 2.0 * l2, rate(theta + h / 2.0 * k2, omega + h / 2.0 * l2));
        let (k4, l4) = (omega + h * l3, rate(theta + h * k3, omega + h * l3));
        theta += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        omega += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
        signs += i32::from(before * (r * omega * omega - g * theta.sin()) < 0.0);
    }
    assert!(signs > 0 && omega > 0.0, "{signs} {theta} {omega}");
    let start = State::new(0.0, [0.0, -r], [8.5 * r, 0.0]);
    let last = solve_hidden(&system, start, end, &Dop853::new(), &at(1e-11)).expect("regular").last().expect("steps");
    let exact = [r * theta.cos(), r * theta.sin(), -r * theta.sin() * omega, r * theta.cos() * omega];
    for (found, exact) in last.q.iter().chain(&last.v).zip(exact) {
        assert!((found - exact).abs() < 1e-8, "{last:?} instead of {exact:?}");
    }
    // It comes to rest where gravity along the wire is within the bound: |cos θ| ≤ μ |sin θ|.
    let solution = solve_hidden(&system, start, 20.0, &Projected::new(Dop853::new()), &at(1e-9)).expect("regular");
    let last = solution.last().expect("steps");
    assert!(last.v.amax() < 1e-14 && last.q[0].abs() <= mu * last.q[1].abs() + 1e-9, "{last:?}");
}

#[test]
fn a_bead_on_a_rough_helix_loses_speed_by_the_curvature() {
    let (r, p) = (0.5, 0.3);
    // The friction f acts along z, so that its part across the wire is f r/p, and |reaction|² = (m v² κ)² + (f r/p)² with
    // κ = r/(r² + p²). So f = μ' m v² κ with μ' = μ/√(1 − μ² r²/p²), and v = v₀ exp(−μ' κ s) along the arc s.
    let (curvature, stretch) = (r / (r * r + p * p), (1.0_f64 + r * r / (p * p)).sqrt());
    let end = |mu: f64, v: f64| {
        let system = Helix { m: 1.7, r, p, mu }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [r, 0.0, 0.0], [0.0, r / p * v / stretch, v / stretch]);
        solve_hidden(&system, start, 2.0, &Dop853::new(), &at(1e-12))
    };
    for (mu, v) in [(0.05, 3.0), (0.4, 3.0), (0.4, -3.0), (0.59, 2.0_f64)] {
        let last = end(mu, v).expect("one motion").last().expect("steps");
        let decay = mu / (1.0 - (mu * r / p).powi(2)).sqrt() * curvature;
        let exact = v / (1.0 + decay * v.abs() * 2.0);
        assert!((last.v[2] * stretch - exact).abs() < 1e-10, "{mu} {v}: {last:?} instead of {exact}");
        let arc = (1.0 + decay * v.abs() * 2.0).ln() / decay * v.signum();
        assert!((last.q[2] * stretch - arc).abs() < 1e-9, "{mu} {v}: {last:?} instead of {arc}");
    }
    // At μ r/p > 1 no force is large enough for the reaction that it causes.
    let Failure::SingularMass(singular) = end(0.61, 3.0).unwrap_err().error.failure else { panic!("not the law") };
    assert_eq!(singular.of, PivotOf::Contact { index: 0, name: "rub", several: false });
}

#[test]
fn friction_that_presses_on_its_own_constraint_moves_jams_or_is_an_error() {
    let (m, g, mu) = (2.0, 9.81, 0.4);
    let end = |k: f64, v: f64, push: f64| {
        let system = Wedge { m, g, k, mu, push }.prepare::<f64>().expect("valid");
        let solution = solve_hidden(&system, State::new(0.0, [0.0; 2], [v, 0.0]), 0.1, &Dop853::new(), &at(1e-11));
        solution.map(|solution| solution.last().expect("steps")).map_err(|failed| failed.error.failure)
    };
    // λ = m g − k f: where the block slips forward, f = −μ m g/(1 − μ k), and backward f = μ m g/(1 + μ k).
    for k in [0.5, 2.0, -2.0] {
        let forward = end(k, 5.0, 1.0).expect("one motion").v[0];
        assert!((forward - 5.0 - 0.1 * (1.0 / m - mu * g / (1.0 - mu * k))).abs() < 1e-10, "{k}: {forward}");
        let backward = end(k, -5.0, 1.0).expect("one motion").v[0];
        assert!((backward + 5.0 - 0.1 * (1.0 / m + mu * g / (1.0 + mu * k))).abs() < 1e-10, "{k}: {backward}");
    }
    let named = |failure: &Failure, several: bool| match failure {
        Failure::SingularMass(singular) => singular.of == PivotOf::Contact { index: 0, name: "pad", several },
        _ => false,
    };
    // At μ k > 1, no force obeys the law where the block slips forward, and two do where it slips backward.
    let none = end(3.0, 5.0, 1.0).expect_err("no motion");
    assert!(named(&none, false) && none.to_string().contains("`pad`"), "{none}");
    let several = end(3.0, -5.0, 1.0).expect_err("several motions");
    assert!(named(&several, true), "{several}");
    // At rest it is jammed: its bound μ (m g + k push) grows faster than the push.
    assert_eq!(end(3.0, 0.0, 1e6).expect("it sticks").v[0], 0.0);
    // Where μ k < 1, it begins to slip at the push μ m g/(1 − μ k).
    let most = mu * m * g / (1.0 - mu * 2.0);
    assert_eq!(end(2.0, 0.0, most * (1.0 - 1e-9)).expect("it sticks").v[0], 0.0);
    let slow = end(2.0, 0.0, most + 0.01).expect("it slips").v[0];
    assert!((slow - 0.1 * 0.01 / m).abs() < 1e-12, "{slow}");
}

#[test]
fn two_frictions_share_a_multiplier() {
    let (m1, m2, g, k1, k2, mu1, mu2) = (2.0, 1.5, 9.81, 0.6, -0.4, 0.3, 0.45);
    for (pull, start, signs) in [
        (0.0, [1.0, 3.0], [1.0, 1.0]),
        (0.0, [1.0, -3.0], [1.0, -1.0]),
        (0.0, [-4.0, -3.0], [-1.0, 1.0]),
        (0.0, [-1.0, -3.0], [-1.0, -1.0]),
        (80.0, [0.0, 0.0], [1.0, 1.0]),
    ] {
        let system = Shared { m1, m2, g, k1, k2, mu1, mu2, pull }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.0; 3], [start[0], start[1], 0.0]);
        let found = contact::forces(&system, &start, &SVector::from([])).expect("regular");
        // λ + k₁ f₁ + k₂ f₂ = m₁ g with f = −σ μ λ.
        let load = m1 * g / (1.0 - k1 * signs[0] * mu1 - k2 * signs[1] * mu2);
        let exact = [-signs[0] * mu1 * load, -signs[1] * mu2 * load];
        let accelerated = system.acceleration(0.0, &start.q, &start.v, &SVector::from([])).expect("regular");
        assert!((accelerated.multipliers[0] - load).abs() < 1e-11, "{accelerated:?} instead of {load}");
        for (k, exact) in exact.into_iter().enumerate() {
            assert!((found.forces[k] - exact).abs() < 1e-11, "{found:?} instead of {exact}");
            assert!((found.bounds[k] - exact.abs()).abs() < 1e-11 && !found.sticks[k], "{found:?}");
        }
        let last =
            solve_hidden(&system, start, 0.05, &Dop853::new(), &at(1e-11)).expect("regular").last().expect("steps");
        let rates = [(exact[0] - exact[1]) / m1, (pull + exact[1]) / m2];
        for (k, rate) in rates.into_iter().enumerate() {
            assert!((last.v[k] - start.v[k] - 0.05 * rate).abs() < 1e-11, "{last:?} instead of {rates:?}");
        }
    }
}

#[test]
fn a_bound_of_multiplier_rate_and_input_is_that_of_its_load() {
    let (mu, c, speed, press) = (0.5, 0.15, 0.4, 1.2);
    let loaded = PressedBelt { mu, c, speed, press }.prepare::<f64>().expect("valid");
    let plain = PlainBelt { mu, c, speed, press }.prepare::<f64>().expect("valid");
    let found =
        solve(&loaded, State::new(0.0, [0.0; 2], [0.9, 0.0]), 25.0, &Dop853::new(), &at(1e-11)).expect("regular");
    let exact = solve(&plain, State::new(0.0, [0.0], [0.9]), 25.0, &Dop853::new(), &at(1e-11)).expect("regular");
    let (last, other) = (found.last().expect("steps"), exact.last().expect("steps"));
    assert!((last.q[0] - other.q[0]).abs() < 1e-9 && (last.v[0] - other.v[0]).abs() < 1e-9, "{last:?} {other:?}");
    assert!(found.statistics.phases == exact.statistics.phases && found.statistics.phases >= 6, "{found:?}");
}

#[test]
fn what_a_loaded_friction_cannot_do_is_an_error() {
    let system = Incline { m: 1.0, g: 9.81, a: 0.9, mu: 0.3 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0; 2], [0.0; 2]);
    let refused = |failed: Failure| match failed {
        Failure::NotApplicable { needs, .. } => assert!(needs.contains("multiplier"), "{needs}"),
        failed => panic!("{failed}"),
    };
    let composed = Composition::suzuki(Rattle::new(0.01));
    refused(solve_hidden(&system, start, 1.0, &composed, &at(1e-9)).unwrap_err().error.failure);
    let blind = Options { locate_switches: false, ..at(1e-9) };
    refused(solve_hidden(&system, start, 1.0, &Dop853::new(), &blind).unwrap_err().error.failure);
    let wrapped = LeastNorm::new(&system, 1e-8);
    refused(solve(&wrapped, start, 1.0, &Dop853::new(), &at(1e-9)).unwrap_err().error.failure);
    let wrapped = Baumgarte::new(&system, 5.0, 5.0);
    refused(solve(&wrapped, start, 1.0, &Dop853::new(), &at(1e-9)).unwrap_err().error.failure);
    assert!(matches!(linearize(&system, &start, &SVector::from([])), Err(AnalysisError::NotApplicable { .. })));
    let found = EquilibriumSearch::new([0.0; 2], []).find(&system);
    assert!(matches!(found, Err(AnalysisError::NotApplicable { .. })), "{found:?}");
    // A bound that forgets the sign of its multiplier.
    let signed = Signed { mu: 0.3 }.prepare::<f64>().expect("valid");
    for v in [0.0, 1.0, -1.0] {
        let failed = solve(&signed, State::new(0.0, [0.0; 2], [v, 0.0]), 1.0, &Dop853::new(), &at(1e-9)).unwrap_err();
        let Failure::NegativeBound { contact: "pad", bound, .. } = failed.error.failure else { panic!("{failed}") };
        assert!((bound + 3.0).abs() < 1e-12, "{failed}");
    }
}

/// A block whose bound is negative: the multiplier of its constraint is.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = 10*y;
    constraint ground: 0 == y;
    friction pad: x = mu*multiplier(ground);
}]
#[derive(Clone, Debug)]
struct Signed {
    mu: f64,
}
