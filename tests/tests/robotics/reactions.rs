//! Reactions and momenta of virtual displacements against constraints, closed forms and sums over bodies.

use lagrange_runtime::prelude::*;

/// An arm whose elbow has virtual displacements, or coordinates that constraints hold at 0.
macro_rules! arm {
    ($name:ident, [$($declared:tt)*], [$($stated:tt)*]) => {
        #[lagrangian {
            coordinates q[3];
            $($declared)*
            let r0 = rotation_z(q[0]);
            let elbow = r0*([3/10, 0, 1/5] + shift);
            let r1 = r0*rotation_x(turn[0])*rotation_y(turn[1])*rotation_z(turn[2])*rotation_y(q[1]);
            let r2 = r1*rotation_x(q[2]);
            let tip = elbow + r1*[1/2, 0, 0] + r2*[1/10, 2/5, 1/20];
            kinetic = rigid_body_energy(m, [1/10, 1/5, 3/10], r0*[1/10, 0, 1/20], r0)
                + rigid_body_energy(m, [[1/10, 1/50, 0], [1/50, 1/5, 0], [0, 0, 3/10]], elbow + r1*[1/10, 0, 1/20], r1)
                + rigid_body_energy(m, [1/10, 1/5, 3/10], tip, r2);
            potential = 9.81*m*(elbow[2] + tip[2]);
            dissipation = dot(tip)[0]^2/2;
            force q[1] = u;
            force tip = [1, 2, 3]*sin(t);
            torque r2 = [3, 0, u];
            $($stated)*
        }]
        struct $name {
            m: f64,
            #[input]
            u: f64,
        }
    };
}

arm!(Arm, [virtual shift[3], turn[3];], [
    output holding = reaction(shift);
    output bending = reaction(turn);
    output pushed = momentum(shift);
    output turned = momentum(turn);
    output displaced = [shift[0], dot(turn)[1], dot(dot(shift))[2]];
]);
arm!(Held, [coordinates shift[3], turn[3];], [
    constraint at: shift == [0, 0, 0];
    constraint straight: turn == [0, 0, 0];
]);

#[test]
fn reactions_are_multipliers_of_constraints_that_are_not_there() {
    let system = Arm { m: 1.3, u: 0.7 }.prepare::<f64>().unwrap();
    let held = Held { m: 1.3, u: 0.7 }.prepare::<f64>().unwrap();
    for seed in 0..10 {
        let at = |k: i32| f64::from((7 * k + 3 * seed) % 11) / 4.0 - 1.2;
        let (t, u) = (0.4 + at(1), SVector::from([0.7]));
        let (q, v) = (SVector::from([at(2), at(3), at(4)]), SVector::from([at(5), at(6), at(7)]));
        let wide = |x: SVector<f64, 3>| SVector::<f64, 9>::from_fn(|i, _| if i < 3 { x[i] } else { 0.0 });
        let mut found = [0.0; 15];
        system.outputs(t, &q, &v, &u, &mut found);
        let expected = held.acceleration(t, &wide(q), &wide(v), &u).unwrap();
        let a = system.acceleration(t, &q, &v, &u).unwrap().acceleration;
        let momentum = held.balance(t, &wide(q), &wide(v), &u).momentum;
        let size = expected.multipliers.amax();
        for i in 0..6 {
            let (force, momentum) = (expected.multipliers[i], momentum[3 + i]);
            assert!((found[i] - force).abs() < 1e-12 * size, "{i}: {} {force}", found[i]);
            assert!((found[6 + i] - momentum).abs() < 1e-13 * size, "{i}: {} {momentum}", found[6 + i]);
        }
        assert_eq!(found[12..], [0.0; 3]);
        for i in 0..3 {
            assert!((a[i] - expected.acceleration[i]).abs() < 1e-11, "{a} {}", expected.acceleration);
        }
    }
}

/// At rest and held by its motors, the elbow carries the weight and its moment, and the free axis the torque of the motor.
#[test]
fn a_joint_at_rest_carries_the_weight() {
    let (m, g) = (1.3, 9.81);
    let q = SVector::from([0.3, -0.7, 1.1]);
    let still = SVector::zeros();
    let system = Arm { m, u: 0.0 }.prepare::<f64>().unwrap();
    let mut found = [0.0; 15];
    // The reaction for accelerations of 0: the outputs for the accelerations that there are, minus what they need.
    let a = system.acceleration(0.0, &q, &still, &[0.0].into()).unwrap().acceleration;
    system.outputs(0.0, &q, &still, &[0.0].into(), &mut found);
    // The mass below the elbow accelerates by J a, where the momentum is that of the mass times its velocity: p(q, v) is linear in v.
    let mut moved = [0.0; 15];
    system.outputs(0.0, &q, &a, &[0.0].into(), &mut moved);
    let force: Vec<f64> = (0..3).map(|i| found[i] - moved[6 + i]).collect();
    let moment: Vec<f64> = (0..3).map(|i| found[3 + i] - moved[9 + i]).collect();
    // In the frame r0, whose third axis is vertical. The tip has the weight m g, and so has the elbow, as the potential states.
    assert!(force[0].abs() < 1e-12 && force[1].abs() < 1e-12 && (force[2] - 2.0 * m * g).abs() < 1e-12, "{force:?}");
    let (along, about) = (q[1].cos(), q[1].sin());
    let (c, s) = (q[2].cos(), q[2].sin());
    // The tip in the frame r1: [1/2 + 1/10, 2/5 c − 1/20 s, 2/5 s + 1/20 c], turned by rotation_y into r0.
    let place = [0.6, 0.4 * c - 0.05 * s, 0.4 * s + 0.05 * c];
    let tip = [along * place[0] + about * place[2], place[1]];
    // The couple 3 about the first axis of space, which acts on the last body, is taken from the joint, in the frame r0.
    let couple = [3.0 * q[0].cos(), -3.0 * q[0].sin()];
    let expected = [tip[1] * m * g - couple[0], -tip[0] * m * g - couple[1], 0.0];
    for i in 0..3 {
        assert!((moment[i] - expected[i]).abs() < 1e-12, "{moment:?} {expected:?}");
    }
}

/// A bob on a rod that is a constraint, with a virtual displacement of the pivot.
#[lagrangian {
    coordinates x, y;
    virtual pivot[2];
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*9.81*y;
    constraint rod: norm([x, y] - pivot) == l;
    output carried = reaction(pivot);
}]
struct Pendulum {
    m: f64,
    l: f64,
}

#[test]
fn constraints_act_along_virtual_displacements() {
    let system = Pendulum { m: 2.0, l: 0.5 }.prepare::<f64>().unwrap();
    let carried = system.outputs_of(&State::new(0.0, [0.0, -0.5], [3.0, 0.0]));
    assert!(carried[0].1.abs() < 1e-13 && (carried[1].1 - 2.0 * (9.81 + 18.0)).abs() < 1e-13, "{carried:?}");
}

/// A block that lies on a table and is pushed: contacts act along virtual displacements of the table with the forces of their phases.
#[lagrangian {
    coordinates x, y;
    virtual table[2];
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*9.81*y;
    force x = push;
    contact floor: y - table[1] >= 0, friction = 1/2, slip = x - table[0];
    output carried = reaction(table);
}]
struct Block {
    m: f64,
    #[input]
    push: f64,
}

#[test]
fn contacts_act_along_virtual_displacements() {
    let carried = |push: f64, speed: f64| {
        let system = Block { m: 2.0, push }.prepare::<f64>().unwrap();
        system
            .outputs_of(&State::new(0.0, [0.0, 0.0], [speed, 0.0]))
            .iter()
            .map(|(_, force)| *force)
            .collect::<Vec<_>>()
    };
    let weight = 2.0 * 9.81;
    let close = |found: Vec<f64>, expected: [f64; 2]| {
        assert!(
            (found[0] - expected[0]).abs() < 1e-12 && (found[1] - expected[1]).abs() < 1e-12,
            "{found:?} {expected:?}"
        );
    };
    // The block sticks, and the table is held against the push; then it slips.
    close(carried(4.0, 0.0), [-4.0, weight]);
    close(carried(0.0, 1.0), [-weight / 2.0, weight]);
}

/// Two bodies on a ball joint of three angles, on a free base: momenta of the whole by virtual displacements of its root.
#[lagrangian {
    coordinates place[3], base[3], joint[3];
    virtual shift[3], turn[3];
    let all = rotation_x(turn[0])*rotation_y(turn[1])*rotation_z(turn[2]);
    let r0 = all*rotation_z(base[0])*rotation_y(base[1])*rotation_x(base[2]);
    let x0 = shift + all*place;
    let hinge = x0 + r0*[1/5, 1/10, 0];
    let r1 = r0*rotation_z(joint[0])*rotation_y(joint[1])*rotation_z(joint[2]);
    let x1 = hinge + r1*[3/10, 0, 1/20];
    kinetic = rigid_body_energy(m, [1/10, 1/5, 3/10], x0, r0) + rigid_body_energy(2*m, [[1/5, 1/50, 0], [1/50, 1/10, 0], [0, 0, 1/4]], x1, r1);
    output push = momentum(shift);
    output spin = momentum(turn);
    output first = [dot(x0), r0*[angular_velocity_body(r0)[0]/10, angular_velocity_body(r0)[1]/5, angular_velocity_body(r0)[2]*3/10]];
    output centre = (x0 + 2*x1)/3;
    output place0 = x0;
    output place1 = x1;
    output speed1 = dot(x1);
    output turned1 = r1*[[1/5, 1/50, 0], [1/50, 1/10, 0], [0, 0, 1/4]]*angular_velocity_body(r1);
    output pushed_on = dot(momentum(shift));
    output turned_on = dot(momentum(turn));
}]
struct Pair {
    m: f64,
}

#[test]
fn momenta_of_the_whole_are_sums_over_bodies_and_kept() {
    let m = 0.8;
    let system = Pair { m }.prepare::<f64>().unwrap();
    let start = State::new(
        0.0,
        [0.3, -0.2, 0.5, 0.4, -0.3, 0.7, 0.2, 0.9, -0.5],
        [0.5, 1.0, -0.4, 2.0, -1.0, 0.5, 3.0, -2.0, 1.0],
    );
    let vectors = |state: &State<f64, 9>| {
        let all: Vec<f64> = system.outputs_of(state).iter().map(|(_, value)| *value).collect();
        all.chunks(3).map(|three| SVector::from([three[0], three[1], three[2]])).collect::<Vec<SVector<f64, 3>>>()
    };
    let at = vectors(&start);
    let [push, spin, speed0, turned0, centre, x0, x1, speed1, turned1, pushed_on, turned_on] = at[..] else {
        panic!("eleven vectors")
    };
    assert!((push - (speed0 * m + speed1 * 2.0 * m)).amax() < 1e-13);
    let sum = x0.cross(&speed0) * m + x1.cross(&speed1) * 2.0 * m + turned0 + turned1;
    assert!((spin - sum).amax() < 1e-13, "{spin} {sum}");
    // Nothing acts from outside.
    assert!(pushed_on.amax() < 1e-12 && turned_on.amax() < 1e-12, "{pushed_on} {turned_on}");
    // About the centre of mass.
    let about_centre = spin - centre.cross(&push);
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let end = solve(&system, start, 1.0, &Dop853::new(), &options).unwrap().last().unwrap();
    let later = vectors(&end);
    assert!((later[0] - push).amax() < 1e-9 && (later[1] - spin).amax() < 1e-9);
    assert!((later[1] - later[4].cross(&later[0]) - about_centre).amax() < 1e-9);
    assert!((later[4] - centre - push / (3.0 * m)).amax() < 1e-9);
}

/// A bead with a mass of its place, and a spring. The momentum of the virtual displacement has a rate, and functions of it have rates.
#[lagrangian {
    coordinates x;
    virtual s;
    kinetic = m*(dot(x) + dot(s))^2/2*(1 + x^2);
    potential = k*x^2/2 + k*s;
    output rate = dot(momentum(s));
    output combined = dot(momentum(s)^2*x);
    output held = reaction(s);
}]
struct Bead {
    m: f64,
    k: f64,
}

#[test]
fn momenta_have_rates() {
    let system = Bead { m: 2.0, k: 3.0 }.prepare::<f64>().unwrap();
    let found = system.outputs_of(&State::new(0.0, [0.5], [0.7]));
    // p = m(1 + x²)v and m(1 + x²)a + m x v² = −k x: ṗ = m x v² − k x = −1.01.
    let p: f64 = 2.0 * 1.25 * 0.7;
    for ((name, found), expected) in found.into_iter().zip([-1.01, -1.01 * p + p * p * 0.7, -1.01 + 3.0]) {
        assert!((found - expected).abs() < 1e-14, "{name}: {found} {expected}");
    }
}

/// A slider, and a damper without inertia whose rate stands in the momentum of a virtual displacement.
#[lagrangian {
    coordinates x, y;
    virtual s;
    kinetic = m*dot(x)^2/2 + m*dot(s)*(dot(y) + y*dot(x));
    dissipation = c*dot(y)^2/2;
    potential = k*(y - x)^2/2;
    output moved = momentum(s);
    output held = reaction(s);
}]
struct Damped {
    m: f64,
    c: f64,
    k: f64,
}

#[test]
fn momenta_contain_rates_of_coordinates_without_inertia() {
    let (m, c, k) = (1.5, 0.8, 2.0);
    let system = Damped { m, c, k }.prepare::<f64>().unwrap();
    let (x, y, v) = (0.3, 1.1, 0.7);
    let found = system.outputs_of(&State::new(0.0, [x, 0.0], [v, y]));
    // y is a state. ẏ = −k(y − x)/c, ÿ = −k(ẏ − v)/c, a = k(y − x)/m.
    let rate = -k * (y - x) / c;
    let (second, a) = (-k * (rate - v) / c, k * (y - x) / m);
    for ((name, found), expected) in found.into_iter().zip([m * (rate + y * v), m * (second + rate * v + y * a)]) {
        assert!((found - expected).abs() < 1e-13, "{name}: {found} {expected}");
    }
}

/// Two bodies in a turning frame, with a state, dry friction, a contact and a gear that a mode switches, and virtual displacements of the place
/// where they meet, or coordinates that constraints hold at 0.
macro_rules! meeting {
    ($name:ident, [$($declared:tt)*], [$($stated:tt)*]) => {
        #[lagrangian {
            coordinates x, y, w;
            $($declared)*
            state z: dot(z) == x - z;
            let frame = rotation_z(t^2/2);
            let first = frame*[x + shift[0], y + x*shift[1], shift[0]*shift[1]];
            let second = first + frame*[0, 0, w + shift[1]^2];
            kinetic = m*norm2(dot(first))/2 + m*norm2(dot(second)) + dot(w)*dot(shift[0])*m/3;
            potential = z*x + m*first[1]*2 + m*w^2/2 + k*shift[0]*y;
            dissipation = norm2(dot(second))/3 + dot(shift[1])*dot(x);
            force second = [1, t, z];
            friction pad: x + 2*shift[0] + shift[1]*w = 3*(1 + y^2);
            contact floor: y + shift[1]*(1 + x) >= 0, friction = 1/2, slip = w - shift[0];
            mode geared = when x > 5 { 1 };
            nonholonomic gear: dot(x) + dot(shift[1])*(2 + w) == dot(w) when geared > 1/2;
            $($stated)*
        }]
        struct $name {
            m: f64,
            k: f64,
        }
    };
}

meeting!(Meeting, [virtual shift[2];], [output held = reaction(shift); output carried = momentum(shift);]);
meeting!(Met, [coordinates shift[2];], [constraint hold: shift == [0, 0];]);

#[test]
fn reactions_contain_states_frames_that_move_frictions_and_contacts() {
    let (m, k) = (1.3, 0.6);
    let system = Meeting { m, k }.prepare::<f64>().unwrap();
    let held = Met { m, k }.prepare::<f64>().unwrap();
    let none = SVector::from([]);
    // In the air and slipping; on the floor and slipping; on the floor, where what slips on the pad sticks; with the gear.
    for (y, v, on) in [
        (0.4, [0.8, -0.5, 0.3], 0.0),
        (0.0, [0.8, 0.0, 0.3], 0.0),
        (0.0, [0.0, 0.0, -0.2], 0.0),
        (0.0, [0.0; 3], 0.0),
        (0.4, [0.8, -0.5, 0.8], 1.0),
        (0.0, [0.8, 0.0, 0.8], 1.0),
    ] {
        let (x, w, z, t) = (0.3, -0.7, 0.9, 0.6);
        let (q, full_q) = (SVector::from([x, y, w, 0.0, 0.0]), SVector::from([x, y, w, 0.0, 0.0, 0.0, 0.0]));
        let rate = SVector::from([v[0], v[1], v[2], z, on]);
        let full_rate = SVector::from([v[0], v[1], v[2], 0.0, 0.0, z, on]);
        let mut found = [0.0; 4];
        system.outputs(t, &q, &rate, &none, &mut found);
        let expected = held.acceleration(t, &full_q, &full_rate, &none).unwrap();
        let momentum = held.balance(t, &full_q, &full_rate, &none).momentum;
        let a = system.acceleration(t, &q, &rate, &none).unwrap().acceleration;
        for i in 0..3 {
            assert!((a[i] - expected.acceleration[i]).abs() < 1e-11, "{a} {}", expected.acceleration);
        }
        for i in 0..2 {
            let (force, momentum) = (expected.multipliers[i], momentum[3 + i]);
            assert!((found[i] - force).abs() < 1e-11, "{y} {v:?} {i}: {} {force}", found[i]);
            assert!((found[2 + i] - momentum).abs() < 1e-13, "{y} {v:?} {i}: {} {momentum}", found[2 + i]);
        }
    }
}
