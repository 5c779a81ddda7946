//! Bodies that spin on a floor: a tippe top that inverts, and a coin that rolls in circles and settles, each under a quaternion and under Euler's angles.

use lagrange_runtime::analysis::power_audit;
use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;

type Vector = SVector<f64, 3>;

const G: f64 = 9.81;
const UP: Vector = Vector::new(0.0, 0.0, 1.0);

/// A ball whose centre of mass lies below its middle, turned by a quaternion.
#[lagrangian {
    coordinates p[3], w, x, y, z;
    let turned = rotation([w, x, y, z]);
    let spin   = angular_velocity_body(turned);
    let lever  = a*turned*[0, 0, 1] - [0, 0, r];
    let slip   = dot(p) + cross(turned*spin, lever);
    kinetic   = rigid_body_energy(m, [i1, i1, i3], p, turned);
    potential = m*g*p[2];
    constraint unit: norm2([w, x, y, z]) == 1;
    constraint floor: p[2] + lever[2] == 0;
    friction felt: rate([slip[0], slip[1]]) = mu*abs(multiplier(floor));
    output axis = turned*[0, 0, 1];
    output momentum = turned*[i1*spin[0], i1*spin[1], i3*spin[2]];
    output velocity = dot(p);
    output jellett = inner(turned*[i1*spin[0], i1*spin[1], i3*spin[2]], lever);
}]
struct Turned {
    m: f64,
    g: f64,
    r: f64,
    a: f64,
    i1: f64,
    i3: f64,
    mu: f64,
}

/// The same top, turned by Euler's angles.
#[lagrangian {
    coordinates p[3], phi, theta, psi;
    let turned = rotation_z(phi)*rotation_x(theta)*rotation_z(psi);
    let spin   = angular_velocity_body(turned);
    let lever  = a*turned*[0, 0, 1] - [0, 0, r];
    let slip   = dot(p) + cross(turned*spin, lever);
    kinetic   = rigid_body_energy(m, [i1, i1, i3], p, turned);
    potential = m*g*p[2];
    constraint floor: p[2] + lever[2] == 0;
    friction felt: rate([slip[0], slip[1]]) = mu*abs(multiplier(floor));
    output axis = turned*[0, 0, 1];
    output momentum = turned*[i1*spin[0], i1*spin[1], i3*spin[2]];
    output velocity = dot(p);
    output jellett = inner(turned*[i1*spin[0], i1*spin[1], i3*spin[2]], lever);
}]
struct Angled {
    m: f64,
    g: f64,
    r: f64,
    a: f64,
    i1: f64,
    i3: f64,
    mu: f64,
}

/// A top of 20 g and 2 cm with the moments of inertia of S. T. Glad, D. Petersson, S. Rauch-Wojciechowski, *Phase space of rolling solutions of the tippe
/// top*, SIGMA 3, 2007. It stands on its heavy side, a little tilted, and spins about the vertical.
const M: f64 = 0.02;
const R: f64 = 0.02;
const A: f64 = 0.2 * R;
const I1: f64 = 131.0 / 350.0 * M * R * R;
const I3: f64 = 0.4 * M * R * R;
const MU: f64 = 0.1;
const TILT: f64 = 0.1;
const SPIN: f64 = 155.0;

fn turned() -> (Turned, State<f64, 7>) {
    let (sin, cos) = (TILT / 2.0).sin_cos();
    let start = State::new(
        0.0,
        [0.0, 0.0, R - A * TILT.cos(), cos, sin, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, sin * SPIN / 2.0, cos * SPIN / 2.0],
    );
    (Turned { m: M, g: G, r: R, a: A, i1: I1, i3: I3, mu: MU }, start)
}

fn angled() -> (Angled, State<f64, 6>) {
    let start = State::new(0.0, [0.0, 0.0, R - A * TILT.cos(), 0.0, TILT, 0.0], [0.0, 0.0, 0.0, SPIN, 0.0, 0.0]);
    (Angled { m: M, g: G, r: R, a: A, i1: I1, i3: I3, mu: MU }, start)
}

fn tight<const N: usize>() -> Options<'static, f64, N> {
    Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() }
}

/// A classical Runge–Kutta step.
fn step<const K: usize>(
    y: &SVector<f64, K>,
    h: f64,
    f: impl Fn(&SVector<f64, K>) -> SVector<f64, K>,
) -> SVector<f64, K> {
    let one = f(y);
    let two = f(&(y + one * (h / 2.0)));
    let three = f(&(y + two * (h / 2.0)));
    let four = f(&(y + three * h));
    y + (one + two * 2.0 + three * 2.0 + four) * (h / 6.0)
}

/// The rates of (v, L, k) of the sliding top by the laws of Newton and Euler: its velocity, angular momentum and axis in space.
fn newton_euler(y: &SVector<f64, 9>) -> SVector<f64, 9> {
    let (v, l, k) =
        (Vector::from(y.fixed_rows::<3>(0)), Vector::from(y.fixed_rows::<3>(3)), Vector::from(y.fixed_rows::<3>(6)));
    let lever = k * A - UP * R;
    let along = 1.0 / I3 - 1.0 / I1;
    let omega = l / I1 + k * (along * l.dot(&k));
    let turning = omega.cross(&k);
    let mut slip = v + omega.cross(&lever);
    slip[2] = 0.0;
    let push = UP - slip * (MU / slip.norm());
    // The acceleration of the gap, affine in the normal force.
    let rates = |normal: f64| {
        let force = push * normal;
        let (dv, dl) = (force / M - UP * G, lever.cross(&force));
        let spun = dl / I1 + (k * (dl.dot(&k) + l.dot(&turning)) + turning * l.dot(&k)) * along;
        let gap = dv[2] + A * (spun.cross(&k) + omega.cross(&turning))[2];
        (dv, dl, gap)
    };
    let (without, with) = (rates(0.0).2, rates(1.0).2);
    let (dv, dl, _) = rates(without / (without - with));
    SVector::from_fn(|i, _| match i / 3 {
        0 => dv[i],
        1 => dl[i - 3],
        _ => turning[i - 6],
    })
}

/// The axis, the angular momentum and the velocity in space, and Jellett's integral.
fn seen(outputs: &[(&'static str, f64)]) -> (SVector<f64, 9>, f64) {
    (SVector::from_fn(|i, _| outputs[[6, 3, 0][i / 3] + i % 3].1), outputs[9].1)
}

#[test]
fn a_tippe_top_moves_as_newton_and_euler_say_in_a_quaternion_and_in_angles() {
    let ((turned, from), (angled, also_from)) = (turned(), angled());
    let (turned, angled) = (turned.prepare::<f64>().expect("valid"), angled.prepare::<f64>().expect("valid"));
    let (options, also_options) = (tight(), tight());
    let (end, steps) = (1.5, 50_000);
    let motion = solve(&turned, from, end, &Projected::new(Dop853::new()), &options).expect("a motion");
    let also = solve(&angled, also_from, end, &Projected::new(Dop853::new()), &also_options).expect("a motion");
    let found = [turned.outputs_of(&motion.last().expect("states")), angled.outputs_of(&also.last().expect("states"))];

    let mut y = SVector::<f64, 9>::zeros();
    let k = Vector::new(0.0, -TILT.sin(), TILT.cos());
    y.fixed_rows_mut::<3>(3).copy_from(&(UP * (I1 * SPIN) + k * ((I3 - I1) * SPIN * k[2])));
    y.fixed_rows_mut::<3>(6).copy_from(&k);
    for _ in 0..steps {
        y = step(&y, end / f64::from(steps), newton_euler);
    }
    let scale = |i: usize| if i / 3 == 1 { I3 * SPIN } else { 1.0 };
    for outputs in found {
        let (found, _) = seen(&outputs);
        assert!((0..9).all(|i| (found[i] - y[i]).abs() < 1e-8 * scale(i)), "{found} instead of {y}");
    }
}

#[test]
fn a_tippe_top_inverts_and_keeps_jelletts_integral() {
    let (top, start) = turned();
    let system = top.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), dense_output: true, ..Options::default() };
    let solution = solve(&system, start, 5.0, &Projected::new(Dop853::new()), &options).expect("a motion");
    let cos = TILT.cos();
    let jellett = SPIN * (I1 * (A * cos - R) + (I3 - I1) * cos * (A - R * cos));
    for state in solution.states() {
        let (_, found) = seen(&system.outputs_of(&state));
        assert!((found / jellett - 1.0).abs() < 3e-9, "{found} instead of {jellett} at {}", state.t);
    }
    // It slips until it stands on its light side, but for some degrees, and rolls from there on.
    let last = solution.last().expect("states");
    assert!(matches!(solution.instants.as_slice(), [rolls] if rolls.after.t > 3.0), "{:?}", solution.instants);
    assert!(seen(&system.outputs_of(&last)).0[8] < -0.99, "{last:?}");
    // The middle has risen, and the friction has taken what that and the slower spin say.
    assert!(last.q[2] - start.q[2] > 1.9 * A, "{last:?}");
    let audit = power_audit(&system, &solution, |_, _, _| SVector::from([])).expect("dense");
    assert!(audit.change < 0.0 && (audit.works[0].1 - audit.change).abs() < 1e-8 * audit.change.abs(), "{audit:?}");
}

/// A thin coin on a floor, turned by Euler's angles: its rim rolls by a friction, and a viscous torque brakes the way of the contact along the rim.
#[lagrangian {
    coordinates p[3], phi, theta, psi;
    let leaning = rotation_z(phi)*rotation_x(theta);
    let omega   = angular_velocity_space(leaning*rotation_z(psi));
    let lever   = -r*leaning*[0, 1, 0];
    let slip    = dot(p) + cross(omega, lever);
    kinetic     = rigid_body_energy(m, [m*r^2/4, m*r^2/4, m*r^2/2], p, leaning*rotation_z(psi));
    potential   = m*g*p[2];
    dissipation = c*dot(psi)^2/2;
    constraint floor: p[2] + lever[2] == 0;
    friction rim: rate([slip[0], slip[1]]) = mu*abs(multiplier(floor));
    output axis = leaning*[0, 0, 1];
    output spin = omega;
}]
struct AngledCoin {
    m: f64,
    g: f64,
    r: f64,
    c: f64,
    mu: f64,
}

/// The same coin, turned by a quaternion.
#[lagrangian {
    coordinates p[3], w, x, y, z;
    let turned = rotation([w, x, y, z]);
    let k      = turned*[0, 0, 1];
    let sine2  = 1 - k[2]^2;
    let lever  = -r*([0, 0, 1] - k[2]*k)/sqrt(sine2);
    let omega  = angular_velocity_space(turned);
    let slip   = dot(p) + cross(omega, lever);
    kinetic     = rigid_body_energy(m, [m*r^2/4, m*r^2/4, m*r^2/2], p, turned);
    potential   = m*g*p[2];
    dissipation = c*(inner(omega, k) - k[2]*(k[0]*dot(k[1]) - k[1]*dot(k[0]))/sine2)^2/2;
    constraint unit: norm2([w, x, y, z]) == 1;
    constraint floor: p[2] + lever[2] == 0;
    friction rim: rate([slip[0], slip[1]]) = mu*abs(multiplier(floor));
    output axis = k;
    output spin = omega;
}]
struct TurnedCoin {
    m: f64,
    g: f64,
    r: f64,
    c: f64,
    mu: f64,
}

const COIN: (f64, f64) = (0.0075, 0.0116);

/// The rates of (k, ω) of a coin that rolls without slipping, by the law of Newton and Euler about its moving contact.
fn rolling_coin(y: &SVector<f64, 6>, c: f64) -> SVector<f64, 6> {
    let (m, r) = COIN;
    let (k, omega) = (Vector::from(y.fixed_rows::<3>(0)), Vector::from(y.fixed_rows::<3>(3)));
    let turning = omega.cross(&k);
    let up = UP - k * k[2];
    let (sine, rising) = (up.norm(), -k * turning[2] - turning * k[2]);
    let lever = -up * (r / sine);
    let moving = (rising / sine - up * (up.dot(&rising) / sine.powi(3))) * -r;
    let (i1, more) = (m * r * r / 4.0, m * r * r / 4.0);
    let inertia = SMatrix::<f64, 3, 3>::identity() * i1 + k * k.transpose() * more;
    // The contact goes along the rim at the rate ψ̇, and is braked about the coin's axis; about the vertical and the horizontal diameter it is not.
    let rim = omega.dot(&k) - k[2] * (k[0] * turning[1] - k[1] * turning[0]) / (sine * sine);
    let brake = (k - up * (k[2] / (sine * sine))) * (-c * rim);
    let right = brake + lever.cross(&(UP * G - omega.cross(&moving))) * m - omega.cross(&(inertia * omega));
    // J ω̇ + m ρ × (ω̇ × ρ) = right.
    let whole = inertia + (SMatrix::<f64, 3, 3>::identity() * lever.norm_squared() - lever * lever.transpose()) * m;
    let spun = whole.try_inverse().expect("an inertia") * right;
    SVector::from_fn(|i, _| if i < 3 { turning[i] } else { spun[i - 3] })
}

/// The state of both coins with the axis tilted by `theta`, the precession Ω and the spin ω₃ about the axis, rolling.
fn coins(theta: f64, precession: f64, spin: f64) -> (State<f64, 6>, State<f64, 7>) {
    let (_, r) = COIN;
    let (sin, cos) = theta.sin_cos();
    // v = −r ω₃ e₁ with the horizontal diameter e₁ = x.
    let v = -r * spin;
    let turning = spin - precession * cos;
    let angled = State::new(0.0, [0.0, 0.0, r * sin, 0.0, theta, 0.0], [v, 0.0, 0.0, precession, 0.0, turning]);
    // ω in the frame of the body is (0, Ω sin θ, ω₃), and q̇ = q ω/2.
    let (s, c) = (theta / 2.0).sin_cos();
    let (w2, w3) = (precession * sin, spin);
    let rates = [0.0, 0.0, c * w2 - s * w3, c * w3 + s * w2].map(|rate| rate / 2.0);
    let turned =
        State::new(0.0, [0.0, 0.0, r * sin, c, s, 0.0, 0.0], [v, 0.0, 0.0, rates[0], rates[1], rates[2], rates[3]]);
    (angled, turned)
}

#[test]
fn a_coin_rolls_in_circles_at_the_rate_of_the_closed_form() {
    // (I₃ + m r²) ω₃ Ω sin θ − I₁ Ω² sin θ cos θ + m g r cos θ = 0, divided by m r².
    let (m, r) = COIN;
    let (theta, precession): (f64, f64) = (0.9, 40.0);
    let (sin, cos) = theta.sin_cos();
    let spin = (precession * precession * sin * cos / 4.0 - G / r * cos) / (1.5 * precession * sin);
    let (angled, turned) = coins(theta, precession, spin);
    let coin = AngledCoin { m, g: G, r, c: 0.0, mu: 2.0 }.prepare::<f64>().expect("valid");
    let also = TurnedCoin { m, g: G, r, c: 0.0, mu: 2.0 }.prepare::<f64>().expect("valid");
    let (end, options, also_options) = (1.0, tight(), tight());
    let motion = solve(&coin, angled, end, &Projected::new(Dop853::new()), &options).expect("a motion");
    let last = motion.last().expect("states");
    let also_last = solve(&also, turned, end, &Projected::new(Dop853::new()), &also_options)
        .expect("a motion")
        .last()
        .expect("states");
    // The middle goes round a circle of the radius r ω₃/Ω.
    let angle = precession * end;
    let radius = r * spin / precession;
    let place = [-radius * angle.sin(), -radius * (1.0 - angle.cos())];
    let axis = [angle.sin() * sin, -angle.cos() * sin, cos];
    for (q, outputs) in
        [(last.q.as_slice(), coin.outputs_of(&last)), (also_last.q.as_slice(), also.outputs_of(&also_last))]
    {
        assert!((0..2).all(|i| (q[i] - place[i]).abs() < 1e-11), "{q:?} instead of {place:?}");
        assert!((0..3).all(|i| (outputs[i].1 - axis[i]).abs() < 1e-9), "{outputs:?} instead of {axis:?}");
    }
    let forces = contact::forces(&coin, &last, &SVector::from([])).expect("forces");
    let centripetal = m * r * spin * precession;
    assert!(
        forces.sticks[0] && (forces.forces[0].hypot(forces.forces[1]) - centripetal.abs()).abs() < 1e-10,
        "{forces:?}"
    );
}

#[test]
fn a_coin_settles_as_newton_and_euler_say() {
    let (m, r) = COIN;
    let theta: f64 = 0.5;
    // It spins about its diameter at first, with its middle at rest.
    let precession = (4.0 * G / (r * theta.sin())).sqrt();
    let (angled, turned) = coins(theta, precession, 0.0);
    let c = 2e-8;
    let coin = AngledCoin { m, g: G, r, c, mu: 1.0 }.prepare::<f64>().expect("valid");
    let also = TurnedCoin { m, g: G, r, c, mu: 1.0 }.prepare::<f64>().expect("valid");
    let (end, steps, options, also_options) = (1.0, 20_000, tight(), tight());
    let motion = solve(&coin, angled, end, &Projected::new(Dop853::new()), &options).expect("a motion");
    let last = motion.last().expect("states");
    let also_last = solve(&also, turned, end, &Projected::new(Dop853::new()), &also_options)
        .expect("a motion")
        .last()
        .expect("states");
    let k = Vector::new(0.0, -theta.sin(), theta.cos());
    let omega = UP * precession - k * (precession * theta.cos());
    let mut y = SVector::from_fn(|i, _| if i < 3 { k[i] } else { omega[i - 3] });
    for _ in 0..steps {
        y = step(&y, end / f64::from(steps), |y| rolling_coin(y, c));
    }
    for outputs in [coin.outputs_of(&last), also.outputs_of(&also_last)] {
        assert!((0..3).all(|i| (outputs[i].1 - y[i]).abs() < 1e-9), "{outputs:?} instead of {y}");
        assert!((3..6).all(|i| (outputs[i].1 - y[i]).abs() < 1e-8 * precession), "{outputs:?} instead of {y}");
    }
    // Where the coin settles slowly, its energy 3/2 m g r sin θ falls by c Ω² cos² θ with Ω² = 4 g/(r sin θ): cos θ grows as exp(8 c t/(3 m r²)).
    let slowly = theta.cos() * (8.0 * c * end / (3.0 * m * r * r)).exp();
    assert!((y[2] / slowly - 1.0).abs() < 0.01 && y[2] > theta.cos() + 0.04, "{y} instead of {slowly}");
}
