//! The mechanisms of the catalog against their known solutions.

use lagrange_models::{
    BeadOnRotatingHoop, CartesianPendulum, FourBarLinkage, HeavyTop, HeavyTopQuaternion, Kepler, KnifeEdge,
    RigidPendulum, RollingDisc, SphericalPendulum, SphericalPendulumCartesian,
};
use lagrange_runtime::prelude::*;

/// The end of a precise integration.
fn end<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    initial: State<f64, N>,
    t_end: f64,
) -> State<f64, N> {
    let options = Options { rtol: 1e-12.into(), atol: 1e-13.into(), ..Options::default() };
    match solve(system, initial, t_end, &Projected::new(Rkf45::new()), &options) {
        Ok(solution) => solution.last().expect("there are steps"),
        Err(failed) => panic!("{failed}"),
    }
}

fn energy<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    state: &State<f64, N>,
) -> f64 {
    system.energies(state.t, &state.q, &state.v, &system.default_inputs()).energy
}

#[test]
fn the_pendulum_has_its_elliptic_period_and_its_tension() {
    let model = CartesianPendulum::default();
    let system = model.prepare::<f64>().expect("valid");
    // K(sin 45°) = 1.854074677301372.
    let period = 4.0 * (model.l / model.g).sqrt() * 1.854_074_677_301_372;
    assert!((model.period(std::f64::consts::FRAC_PI_2) - period).abs() < 1e-14);
    let initial = CartesianPendulum::released();
    let round = end(&system, initial, period);
    assert!((round.q - initial.q).norm() + round.v.norm() < 1e-9, "{} {}", round.q, round.v);
    // At the bottom: m g + m v²/l = 3 m g.
    let bottom = end(&system, initial, period / 4.0);
    let mut tension = [0.0];
    system.outputs(bottom.t, &bottom.q, &bottom.v, &SVector::from([]), &mut tension);
    assert!((tension[0] - 3.0 * model.m * model.g).abs() < 1e-8, "{}", tension[0]);
}

#[test]
fn both_spherical_pendulums_swing_alike() {
    let (angles, cartesian) = (SphericalPendulum::default(), SphericalPendulumCartesian::default());
    let (first, second) = (angles.prepare::<f64>().expect("valid"), cartesian.prepare::<f64>().expect("valid"));
    let (one, two) =
        (end(&first, SphericalPendulum::pushed(), 3.0), end(&second, SphericalPendulumCartesian::pushed(), 3.0));
    let ((st, ct), (sp, cp)) = (one.q[0].sin_cos(), one.q[1].sin_cos());
    assert!((two.q - SVector::from([st * cp, st * sp, -ct])).norm() < 1e-9, "{}", two.q);
    // The angular momentum, and the conical motion at constant height.
    let start = SphericalPendulumCartesian::pushed();
    let turn = |state: &State<f64, 3>| state.q[0] * state.v[1] - state.q[1] * state.v[0];
    assert!((turn(&two) - turn(&start)).abs() < 1e-10);
    let rate = (angles.g / (angles.l * 0.8_f64.cos())).sqrt();
    let conical = end(&first, State::new(0.0, [0.8, 0.0], [0.0, rate]), 2.0);
    assert!((conical.q - SVector::from([0.8, 2.0 * rate])).norm() < 1e-10);
}

#[test]
fn a_rigid_pendulum_swings_like_a_compound_one() {
    let model = RigidPendulum::default();
    let system = model.prepare::<f64>().expect("valid");
    // About the first axis alone: i₁ θ̈ = −m g l sin θ, a pendulum of length i₁/(m l).
    let equivalent = CartesianPendulum { l: model.i1 / (model.m * model.l), ..CartesianPendulum::default() };
    let initial = RigidPendulum::turning(1.2, [0.0; 3]);
    let round = end(&system, initial, equivalent.period(1.2));
    assert!((round.q - initial.q).norm() + round.v.norm() < 1e-9, "{} {}", round.q, round.v);
    // In space: the energy and the quaternion's length.
    let start = RigidPendulum::spinning();
    let later = end(&system, start, 2.0);
    assert!((energy(&system, &later) - energy(&system, &start)).abs() < 1e-9);
    assert!((later.q.norm() - 1.0).abs() < 1e-15);
    let rates = {
        let ([a, b, c, d], [p, x, y, z]) = (start.q.data.0[0], start.v.data.0[0]);
        [
            2.0 * (a * x - b * p + d * y - c * z),
            2.0 * (a * y - c * p + b * z - d * x),
            2.0 * (a * z - d * p + c * x - b * y),
        ]
    };
    assert!((SVector::from(rates) - SVector::from([0.0, 0.5, 4.0])).norm() < 1e-15, "{rates:?}");
}

#[test]
fn a_bead_rests_on_its_hoop_where_it_should() {
    let model = BeadOnRotatingHoop::default();
    let system = model.prepare::<f64>().expect("valid");
    let rest = (model.g / (model.omega * model.omega * model.r)).acos();
    let steady = end(&system, model.at(rest, 0.0), 1.0);
    assert!((steady.q[2] + model.r * rest.cos()).abs() < 1e-10);
    // E − ω J_z is constant, E is not.
    let start = BeadOnRotatingHoop::released();
    let later = end(&system, start, 0.3);
    let spin = |s: &State<f64, 3>| model.m * (s.q[0] * s.v[1] - s.q[1] * s.v[0]);
    let jacobi = |s: &State<f64, 3>| energy(&system, s) - model.omega * spin(s);
    assert!((jacobi(&later) - jacobi(&start)).abs() < 1e-9);
    assert!((energy(&system, &later) - energy(&system, &start)).abs() > 0.1);
}

#[test]
fn nonholonomic_motions_follow_their_exact_solutions() {
    let knife = KnifeEdge::default();
    let found = end(&knife.prepare::<f64>().expect("valid"), KnifeEdge::turning(), 4.0);
    let exact = knife.cycloid(2.0, 4.0);
    assert!((found.q - exact.q).norm() + (found.v - exact.v).norm() < 1e-9, "{} {}", found.q, exact.q);
    let disc = RollingDisc::default();
    let found = end(&disc.prepare::<f64>().expect("valid"), RollingDisc::rolling(), 5.0);
    let exact = disc.circle(1.0, 4.0, 5.0);
    assert!((found.q - exact.q).norm() + (found.v - exact.v).norm() < 1e-9, "{} {}", found.q, exact.q);
}

#[test]
fn a_linkage_without_load_keeps_its_energy_and_comes_round() {
    let model = FourBarLinkage::default();
    let system = model.prepare::<f64>().expect("valid");
    let start = FourBarLinkage::cranked();
    let later = end(&system, start, 2.0);
    assert!((energy(&system, &later) / energy(&system, &start) - 1.0).abs() < 1e-10);
    assert!(later.q[0] > 2.0 * std::f64::consts::PI + start.q[0], "the crank goes round: {}", later.q[0]);
    // The joint seen along both ways round the loop, by hand.
    let [crank, coupler, rocker] = later.q.data.0[0];
    let joint = [model.a * crank.cos() + model.b * coupler.cos(), model.a * crank.sin() + model.b * coupler.sin()];
    let other = [model.base + model.c * rocker.cos(), model.c * rocker.sin()];
    let off = (joint[0] - other[0]).abs() + (joint[1] - other[1]).abs();
    // A projection ends within 4 ε of the sum of what cancels in each constraint, and cosine, product and sum round by 1.5 ε
    // of it, there and here; |cos| + |sin| is at most √2.
    let lengths = 2.0_f64.sqrt() * (model.a + model.b + model.c) + model.base;
    assert!(off <= 7.0 * f64::EPSILON * lengths, "{off:e}");
}

#[test]
fn an_orbit_closes_after_its_period() {
    let model = Kepler::default();
    let system = model.prepare::<f64>().expect("valid");
    let start = Kepler::eccentric();
    let round = end(&system, start, 2.0 * std::f64::consts::PI);
    assert!((round.q - start.q).norm() < 1e-8, "{}", round.q);
    assert!((energy(&system, &start) + 0.5).abs() < 1e-15, "the half axis is 1");
    let half = end(&system, start, std::f64::consts::PI);
    assert!((half.q - SVector::from([-1.6, 0.0])).norm() < 1e-9, "{}", half.q);
}

#[test]
fn a_top_precesses_steadily_in_both_descriptions() {
    let (angles, quaternion) = (HeavyTop::default(), HeavyTopQuaternion::default());
    let (first, second) = (angles.prepare::<f64>().expect("valid"), quaternion.prepare::<f64>().expect("valid"));
    let steady = angles.steady(0.6, 150.0);
    let rate = steady.v[1];
    // The torque balance of steady precession.
    let balance = angles.i1 * rate * rate * 0.6_f64.cos() - angles.i3 * 150.0 * rate + angles.m * angles.g * angles.l;
    assert!(balance.abs() < 1e-15 && rate > 3.0, "{balance} {rate}");
    let later = end(&first, steady, 0.5);
    assert!((later.q - SVector::from([0.6, rate / 2.0, steady.v[2] / 2.0])).norm() < 1e-9, "{}", later.q);
    let turned = end(&second, HeavyTopQuaternion::of_angles(&steady), 0.5);
    let same = HeavyTopQuaternion::of_angles(&later);
    assert!((turned.q - same.q).norm() < 1e-9 && (turned.v - same.v).norm() < 1e-7, "{} {}", turned.q, same.q);
    let mut tilt = [0.0];
    second.outputs(turned.t, &turned.q, &turned.v, &SVector::from([]), &mut tilt);
    assert!((tilt[0] - 0.6).abs() < 1e-10);
    assert_eq!(HeavyTop::FACTS.cyclic, ["phi", "psi"]);
    assert!(angles.precession(0.6, 10.0).is_nan(), "too slow a spin");
}
