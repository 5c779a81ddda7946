//! Files that `lagrange import` wrote (`lagrange-cli/tests/robots`), against blocks by hand.

use lagrange_models::DoublePendulum as Catalogued;
use lagrange_runtime::prelude::*;

#[rustfmt::skip]
#[expect(unreachable_pub, reason = "the file is written for a user's crate")]
#[path = "../../../lagrange-cli/tests/robots/arm.rs"]
mod arm;
#[rustfmt::skip]
#[expect(unreachable_pub, reason = "the file is written for a user's crate")]
#[path = "../../../lagrange-cli/tests/robots/arm_with_friction.rs"]
mod arm_with_friction;
#[rustfmt::skip]
#[expect(unreachable_pub, reason = "the file is written for a user's crate")]
#[path = "../../../lagrange-cli/tests/robots/crane.rs"]
mod crane;
#[rustfmt::skip]
#[expect(unreachable_pub, reason = "the file is written for a user's crate")]
#[path = "../../../lagrange-cli/tests/robots/double_pendulum.rs"]
mod double_pendulum;
#[rustfmt::skip]
#[expect(unreachable_pub, reason = "the file is written for a user's crate")]
#[path = "../../../lagrange-cli/tests/robots/hopper.rs"]
mod hopper;
#[rustfmt::skip]
#[expect(unreachable_pub, reason = "the file is written for a user's crate")]
#[path = "../../../lagrange-cli/tests/robots/hopper_by_quaternion.rs"]
mod hopper_by_quaternion;

#[rustfmt::skip]
#[expect(unreachable_pub, reason = "the file is written for a user's crate")]
#[path = "../../../lagrange-cli/tests/robots/sled.rs"]
mod sled;

/// The second angle of the file is relative to the first, so that the torques on the angles of the catalogue are (τ₁ − τ₂, τ₂).
#[test]
fn a_plane_double_pendulum_is_that_of_the_catalogue() {
    let own = double_pendulum::DoublePendulum::default().prepare::<f64>().expect("valid");
    let model = Catalogued { m1: 1.5, m2: 0.7, l1: 1.0, l2: 0.5, g: 9.81 }.prepare::<f64>().expect("valid");
    let (q, v, torque): ([f64; 2], [f64; 2], [f64; 2]) = ([0.7, -1.9], [1.2, 0.4], [0.3, -0.8]);
    let a = own.acceleration(0.0, &q.into(), &v.into(), &torque.into()).expect("regular").acceleration;
    let sum = |x: [f64; 2]| [x[0], x[0] + x[1]].into();
    let needed = model.inverse_dynamics(0.0, &sum(q), &sum(v), &sum([a[0], a[1]]), &[].into());
    // The scale is that of the weights, m g l.
    let scale = 2.2 * 9.81;
    assert!((needed[0] - (torque[0] - torque[1])).abs() < 1e-14 * scale, "{needed}");
    assert!((needed[1] - torque[1]).abs() < 1e-14 * scale, "{needed}");
    let tip = own.outputs_of(&State::new(0.0, q, v));
    let angle = q[0] + q[1];
    let expected = [q[0].sin() + 0.5 * angle.sin(), 0.0, -q[0].cos() - 0.5 * angle.cos()];
    for ((name, value), expected) in tip.iter().zip(expected) {
        assert!((value - expected).abs() < 1e-15, "{name}");
    }
}

/// `arm.urdf` as a person reads it: each inertia along its own axes, every fixed frame stated, the oblique axes by their unit vectors.
#[lagrangian {
    coordinates a: rad, b: rad, s: m;
    let follower = 2[1/m]*s + 0.1;

    let turret = rotation_z(a);
    let up: m = [0[m], 0[m], 0.3[m]];
    let turret_center = up + turret*[0.01[m], -0.02[m], 0.05[m]];
    let turret_axes = turret*rotation_z(0.3)*rotation_y(-0.2)*rotation_x(0.1);

    let motor = turret*rotation_z(0.5)*rotation_x(0.2);
    let motor_place = up + turret*[0.1[m], 0[m], 0.02[m]];
    let motor_center = motor_place + motor*[0[m], 0.01[m], 0[m]];

    let fore = motor*rotation_x(pi/2)*rotation_z(-b);
    let fore_place = motor_place + motor*[0[m], 0.1[m], 0.2[m]];
    let fore_center = fore_place + fore*[0.15[m], 0[m], 0.02[m]];

    let slider = fore*rotation_y(0.4);
    let slider_place = fore_place + fore*[0.3[m], 0[m], 0[m]] + slider*[3*s/5, 0*s, 4*s/5];
    let slider_center = slider_place + slider*[0.05[m], 0.01[m], -0.03[m]];

    let finger = slider*rotation([1/3, 2/3, 2/3], follower);
    let finger_place = slider_place + slider*[0.1[m], 0[m], 0[m]];
    let finger_center = finger_place + finger*[0.02[m], 0[m], 0.04[m]];

    let unit = 1[kg*m^2];
    kinetic = rigid_body_energy(2[kg], unit*[[0.02, 0.001, -0.002], [0.001, 0.03, 0.003], [-0.002, 0.003, 0.025]], turret_center, turret_axes)
        + rigid_body_energy(0.5[kg], unit*[0.001, 0.002, 0.0015], motor_center, motor)
        + rigid_body_energy(1.2[kg], unit*[[0.003, 0, 0.0004], [0, 0.02, 0], [0.0004, 0, 0.021]], fore_center, fore)
        + rigid_body_energy(0.8[kg], unit*[0.002, 0.003, 0.004], slider_center, slider)
        + rigid_body_energy(0.1[kg], unit*[0.0001, 0.0002, 0.00015], finger_center, finger);
    potential = gravity*(2[kg]*turret_center[2] + 0.5[kg]*motor_center[2] + 1.2[kg]*fore_center[2] + 0.8[kg]*slider_center[2]
        + 0.1[kg]*finger_center[2]);
    dissipation = 0.3[N*m*s]*dot(a)^2 + 0.2[N*m*s]*dot(b)^2;
    force a = first;
    force b = second;
    force s = third;
    output tool: m = slider_place + slider*[0.12[m], 0[m], 0.01[m]];
    output fingertip: m = finger_place;
}]
struct ByHand {
    #[unit(m/s^2)]
    gravity: f64,
    #[input]
    first: f64,
    #[input]
    second: f64,
    #[input]
    third: f64,
}

#[test]
fn an_arm_is_that_by_hand() {
    let own = arm::RrpArm2::default().prepare::<f64>().expect("valid");
    let hand = ByHand { gravity: 9.81, first: 0.0, second: 0.0, third: 0.0 }.prepare::<f64>().expect("valid");
    let mut random = lagrange_tests::random::Random::new(3);
    let mut next = || [0; 3].map(|_| random.between(-2.0, 2.0));
    for _ in 0..20 {
        let (q, v, u) = (next(), next(), next());
        let of = |system: &dyn System<f64, 3, 0, 3>| {
            system.acceleration(0.0, &q.into(), &v.into(), &u.into()).expect("regular").acceleration
        };
        let (ours, theirs) = (of(&own), of(&hand));
        // A condition number of some hundreds.
        assert!((ours - theirs).amax() < 1e-12 * theirs.amax(), "{ours} {theirs}");
        let state = State::new(0.0, q, v);
        for ((name, ours), (_, theirs)) in own.outputs_of(&state).iter().zip(hand.outputs_of(&state)) {
            assert!((ours - theirs).abs() < 1e-14, "{name}: {ours} {theirs}");
        }
        let (ours, theirs) = (own.energies_of(&state), hand.energies_of(&state));
        // The weights times lengths of a metre.
        assert!((ours.energy - theirs.energy).abs() < 1e-13 * 9.81 * 4.6, "{ours:?} {theirs:?}");
    }
}

/// `crane.xml` as a person reads it: each shape alone, the capsule as a cylinder and two half balls, whose centres of mass are 3 r/8 beyond its ends.
#[lagrangian {
    coordinates slew: rad, luff: rad, hoist: m, spin: rad;
    let unit = 1[kg];
    let area = 1[m^2];

    let mast = rotation_z(pi/2)*rotation_z(slew);
    let place: m = [0[m], 0[m], 1[m]];
    let pin = place + mast*[0.1[m], 0[m], 0.55[m]];
    let jib = mast*rotation_y(luff - pi/18);
    let jib_place = pin + jib*[0.1[m], 0[m], -0.05[m]];
    let jib_center = jib_place + jib*[0.5[m], 0[m], 0.1[m]];
    let swung = jib*rotation_x(pi/6);
    let hook = swung*rotation_z(spin);
    let hook_place = jib_place + jib*[1[m], 0[m], 0[m]] + swung*[0*hoist, 0*hoist, -hoist];
    let middle = hook_place + hook*[0[m], 0[m], -0.2[m]];
    let upper = hook_place + hook*[0[m], 0[m], 0.01875[m]];
    let lower = hook_place + hook*[0[m], 0[m], -0.41875[m]];
    let load = hook_place + hook*[0.1[m], 0[m], -0.4[m]];

    let half_ball = [83*25/3200000, 83*25/3200000, 1/1000];
    kinetic = rigid_body_energy(5*pi*unit, 5*pi*unit*area*[1/400 + 1/12, 1/400 + 1/12, 1/200], place, mast)
        + rigid_body_energy(3[kg], unit*area*[[0.1, 0.01, -0.02], [0.01, 0.3, 0.005], [-0.02, 0.005, 0.35]], jib_center, jib)
        + rigid_body_energy(pi/2*unit, pi/2*unit*area*[1/1600 + 4/300, 1/1600 + 4/300, 1/800], middle, hook)
        + rigid_body_energy(pi/24*unit, pi/24*unit*area*half_ball, upper, hook)
        + rigid_body_energy(pi/24*unit, pi/24*unit*area*half_ball, lower, hook)
        + rigid_body_energy(0.7[kg], 0.7[kg]*area/3*[0.0104, 0.0029, 0.0125], load, hook)
        + 0.02[kg*m^2]*(dot(luff)^2 + dot(spin)^2)/2;
    potential = gravity*(3[kg]*jib_center[2] + pi/2*unit*middle[2] + pi/24*unit*(upper[2] + lower[2]) + 0.7[kg]*load[2] + 5*pi*unit*place[2])
        + 3[N*m]*((luff - pi/6)^2 + (spin - pi/6)^2)/2;
    dissipation = 0.05[N*m*s]*dot(slew)^2 + 0.05[N*s/m]*dot(hoist)^2;
    force slew = first;
    force luff = second;
    force hoist = third;
    force spin = fourth;
}]
struct CraneByHand {
    #[unit(m/s^2)]
    gravity: f64,
    #[input]
    first: f64,
    #[input]
    second: f64,
    #[input]
    third: f64,
    #[input]
    fourth: f64,
}

#[test]
fn a_crane_of_shapes_and_classes_is_that_by_hand() {
    let own = crane::Crane::default();
    let hand = CraneByHand { gravity: 9.8, first: 0.0, second: 0.0, third: 0.0, fourth: 0.0 };
    assert_eq!(own.gravity, hand.gravity);
    let (own, hand) = (own.prepare::<f64>().expect("valid"), hand.prepare::<f64>().expect("valid"));
    let mut random = lagrange_tests::random::Random::new(5);
    let mut next = || [0; 4].map(|_| random.between(-1.0, 1.0));
    for _ in 0..20 {
        let (q, v, u) = (next(), next(), next());
        let of = |system: &dyn System<f64, 4, 0, 4>| {
            system.acceleration(0.0, &q.into(), &v.into(), &u.into()).expect("regular").acceleration
        };
        let (ours, theirs) = (of(&own), of(&hand));
        // A condition number of some thousands.
        assert!((ours - theirs).amax() < 1e-12 * theirs.amax(), "{ours} {theirs}");
    }
}

/// While the turret turns on, its friction is a torque of 0.2 N m against it.
#[test]
fn friction_on_demand_acts_against_the_motion() {
    let dry = arm_with_friction::RrpArm2::default().prepare::<f64>().expect("valid");
    assert_eq!(dry.output_names()[..3], ["motor_position[0]", "motor_position[1]", "motor_position[2]"]);
    let smooth = arm::RrpArm2 { turret_torque: -0.2, ..Default::default() }.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let start = || State::new(0.0, [0.1, 0.3, 0.05], [1.0, 0.0, 0.0]);
    let ours = solve(&dry, start(), 0.05, &Dop853::new(), &options).expect("regular").last().expect("steps");
    let theirs = solve(&smooth, start(), 0.05, &Dop853::new(), &options).expect("regular").last().expect("steps");
    assert!(theirs.v[0] > 0.5, "it turns on: {theirs:?}");
    assert!((ours.q - theirs.q).amax() < 1e-9 && (ours.v - theirs.v).amax() < 1e-8, "{ours:?} {theirs:?}");
}

/// Angles and a quaternion describe the same motion: ω = (ρ̇ − ψ̇ sin θ, θ̇ cos ρ + ψ̇ cos θ sin ρ, ψ̇ cos θ cos ρ − θ̇ sin ρ) in the trunk, with
/// yaw ψ, pitch θ and roll ρ, and q̇ = q ω/2.
#[test]
fn a_free_base_moves_alike_by_angles_and_by_a_quaternion() {
    let angles = hopper::Hopper::default().prepare::<f64>().expect("valid");
    let turning = hopper_by_quaternion::Turning::default().prepare::<f64>().expect("valid");
    let (q, v) = ([0.1, -0.3, 0.7, 0.5, 0.3, -0.6, 0.8], [0.2, 0.4, -0.1, 1.1, -0.7, 0.9, 2.0]);
    let half = |k: usize| (0.5_f64 * q[k]).sin_cos();
    let ((sy, cy), (sp, cp), (sr, cr)) = (half(3), half(4), half(5));
    let turn = [
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    ];
    let ((st, ct), (s, c)) = (q[4].sin_cos(), q[5].sin_cos());
    let omega = [v[5] - v[3] * st, v[4] * c + v[3] * ct * s, v[3] * ct * c - v[4] * s];
    let [w, x, y, z] = turn;
    let [a, b, d] = omega.map(|entry| entry / 2.0);
    let rate = [-x * a - y * b - z * d, w * a + y * d - z * b, w * b + z * a - x * d, w * d + x * b - y * a];
    let whole =
        |base: [f64; 7], turn: [f64; 4]| [base[0], base[1], base[2], turn[0], turn[1], turn[2], turn[3], base[6]];
    let torque = [0.4].into();
    let ours = angles.acceleration(0.0, &q.into(), &v.into(), &torque).expect("regular").acceleration;
    let theirs = turning
        .acceleration(0.0, &whole(q, turn).into(), &whole(v, rate).into(), &torque)
        .expect("regular")
        .acceleration;
    for (first, second) in [(0, 0), (1, 1), (2, 2), (6, 7)] {
        assert!((ours[first] - theirs[second]).abs() < 1e-12 * ours.amax(), "{ours} {theirs}");
    }
}

/// The sled stays in its plane, T = m (ẋ² + ẏ²)/2 + (n·J n) ω²/2 with the normal n, and the rail turns about it.
#[test]
fn a_planar_joint_slides_across_its_axis_and_turns_about_it() {
    let system = sled::Sled::default().prepare::<f64>().expect("valid");
    let state = State::new(0.0, [0.4, -0.7, 0.9], [1.5, 0.8, -2.0]);
    let energies = system.energies_of(&state);
    let moment = (9.0 * 0.2 + 2.0 * 12.0 * 0.05 + 16.0 * 0.3) / 25.0;
    let expected = 1.5 * 1.5 + 0.8 * 0.8 + moment * 4.0 / 2.0;
    assert!((energies.kinetic.expect("it is stated") - expected).abs() < 1e-14 * expected, "{energies:?}");
    let rail = |state: &State<f64, 3>| {
        let outputs = system.outputs_of(state);
        SVector::<f64, 3>::new(outputs[0].1, outputs[1].1, outputs[2].1)
    };
    let normal = SVector::<f64, 3>::new(0.0, 0.6, 0.8);
    // The rail starts along x, which is in the plane: its end is 0.3 m from the sled.
    let straight = rail(&State::new(0.0, [0.4, -0.7, 0.0], [0.0; 3]));
    let turned = rail(&state);
    let origin = SVector::<f64, 3>::new(0.0, 0.0, 0.5);
    assert!((turned - origin).dot(&normal).abs() < 1e-15 && (straight - origin).dot(&normal).abs() < 1e-15);
    let center = straight - SVector::<f64, 3>::new(0.3, 0.0, 0.0);
    let expected =
        0.3 * (0.9_f64.cos() * SVector::<f64, 3>::x() + 0.9_f64.sin() * normal.cross(&SVector::<f64, 3>::x()));
    assert!((turned - center - expected).amax() < 1e-15, "{turned}");
    assert!(((center - origin).norm() - 0.4_f64.hypot(0.7)).abs() < 1e-15, "{center}");
}
