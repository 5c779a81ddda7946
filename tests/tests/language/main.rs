//! Arrays, rotations, tables, functions of the user's own: whole mechanisms, against formulas written by hand.

extern crate lagrange_runtime as renamed;

mod tables;

use lagrange_runtime::nalgebra::{SMatrix, SVector};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Scalar;

/// Point masses on rods in series, each driven at its hinge.
#[lagrangian {
    const n = 3;
    coordinates theta[n];

    let p[0] = l[0]*[sin(theta[0]), -cos(theta[0])];
    let p[i in 1..n] = p[i - 1] + l[i]*[sin(theta[i]), -cos(theta[i])];

    kinetic   = sum(i in 0..n, m[i]*norm2(dot(p[i]))/2);
    potential = g*sum(i in 0..n, m[i]*p[i][1]);
    dissipation = sum(i in 1..n, c[0][i]*(dot(theta[i]) - dot(theta[i - 1]))^2/2);
    force theta[0] = torque[0];
    force theta[i in 1..n] - theta[i - 1] = torque[i];

    verify mass[theta[0], theta[2]] == m[2]*l[0]*l[2]*cos(theta[0] - theta[2]);
    verify mass[theta[1], 1] == (m[1] + m[2])*l[1]^2;
    verify forcing[theta[2]] == torque[2] - m[2]*g*l[2]*sin(theta[2]) - c[0][2]*(dot(theta[2]) - dot(theta[1]))
        + m[2]*l[2]*sum(j in 0..2, l[j]*sin(theta[j] - theta[2])*dot(theta[j])^2);
}]
#[derive(Clone, Debug)]
struct Chain {
    m: [f64; 3],
    l: [f32; 3],
    c: [[f64; 3]; 1],
    g: f64,
    #[input]
    torque: [f64; 3],
}

/// An oscillator whose claim needs the sign of its stiffness.
#[lagrangian {
    coordinates x;
    kinetic   = m*dot(x)^2/2;
    potential = k*x^2/2 + s*x;
    invariant e = m*dot(x)^2/2 + abs(k)*x^2/2 + s*x;
    verify sqrt(c^2)*sign(c) == c^2/sqrt(c^2);
}]
#[derive(Clone, Debug)]
struct Claimed {
    m: f64,
    k: f64,
    s: f64,
    c: f64,
}

#[test]
fn prepare_refuses_the_signs_with_which_a_claim_is_wrong() {
    let right = Claimed { m: 1.0, k: 1.0, s: 1.0, c: 1.0 };
    assert!(right.prepare::<f64>().is_ok());
    assert!(Claimed { k: 0.0, s: -1.0, ..right.clone() }.prepare::<f64>().is_ok());
    let refused = |claimed: Claimed, name: &str| match claimed.prepare::<f64>() {
        Err(PrepareError::NotPositive { parameter, .. }) => assert_eq!(parameter, name),
        other => panic!("{other:?}"),
    };
    refused(Claimed { k: -1.0, ..right.clone() }, "k");
    refused(Claimed { c: -1.0, ..right }, "c");
}

#[test]
fn arrays_are_named_element_by_element() {
    let mut chain =
        Chain { m: [1.0, 2.0, 3.0], l: [0.5, 0.25, 1.0], c: [[0.0, 0.1, 0.2]], g: 9.81, torque: [0.0, 0.0, 1.5] };
    assert_eq!(Chain::INDEX.theta, [0, 1, 2]);
    assert_eq!(Chain::COORDINATES, ["theta[0]", "theta[1]", "theta[2]"]);
    assert_eq!(chain.parameter("m[1]"), Ok(2.0));
    assert_eq!(chain.parameter("c[0][2]"), Ok(0.2));
    assert_eq!(chain.parameter("torque[2]"), Ok(1.5));
    assert!(chain.parameter("m[3]").is_err() && chain.parameter("m").is_err());
    chain.set_parameter("l[2]", 2.0).expect("an element is a parameter");
    assert_eq!(chain.l, [0.5, 0.25, 2.0]);
    let initial = State::new(0.0, [0.3, -0.2, 0.1], [0.0; 3]);
    let swing = |chain: &Chain| {
        let system = chain.prepare::<f64>().expect("the parameters are finite");
        let solution = solve(&system, initial, 1e-3, &Rk4::new(1e-4), &Options::default()).expect("M is definite");
        solution.last().expect("a solution has an end").q[Chain::INDEX.theta[2]]
    };
    let driven = swing(&chain);
    chain.torque[2] = 0.0;
    // From rest the torque turns the links by M⁻¹(0, −τ, τ) t²/2.
    let (q, l, rest) = ([0.3_f64, -0.2, 0.1], [0.5, 0.25, 2.0], [6.0, 5.0, 3.0]);
    let mass = SMatrix::<f64, 3, 3>::from_fn(|i, j| rest[i.max(j)] * l[i] * l[j] * (q[i] - q[j]).cos());
    let turning = mass.lu().solve(&SVector::from([0.0, -1.5, 1.5])).expect("M is definite");
    let (further, expected) = (driven - swing(&chain), turning[2] * 1e-3 * 1e-3 / 2.0);
    assert!((further / expected - 1.0).abs() < 2e-3, "{further} {expected}");
}

/// A heavy top in Euler's angles z, x, z: its kinetic energy is the textbook's.
#[lagrangian {
    coordinates phi, theta, psi;

    let turned = rotation_z(phi)*rotation_x(theta)*rotation_z(psi);
    let center = turned*[0, 0, h];

    kinetic   = rigid_body_energy(m, [a, a, c], center, turned);
    potential = m*g*center[2];

    verify kinetic == ((a + m*h^2)*(dot(theta)^2 + dot(phi)^2*sin(theta)^2) + c*(dot(psi) + dot(phi)*cos(theta))^2)/2;
    verify momentum[psi] == c*(dot(psi) + dot(phi)*cos(theta));
    verify angular_velocity_body(transpose(turned)) == -angular_velocity_space(turned);
    verify turned*transpose(turned) == [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
}]
#[derive(Clone, Debug)]
struct Top {
    m: f64,
    g: f64,
    h: f64,
    a: f64,
    c: f64,
}

/// One rotation, written by an axis and an angle, as a quaternion, and about a coordinate axis.
#[lagrangian {
    crate = renamed;
    coordinates alpha, x;

    let axis = [2/3, 1/3, 2/3];
    let quaternion = [cos(alpha/2), axis[0]*sin(alpha/2), axis[1]*sin(alpha/2), axis[2]*sin(alpha/2)];
    let vertical = [cos(alpha/2), 0, 0, sin(alpha/2)];

    kinetic = j*norm2(angular_velocity_body(quaternion))/2 + rigid_body_energy(m, j, [x, alpha], alpha);

    verify rotation(quaternion) == rotation(axis, alpha);
    verify rotation(vertical) == rotation_z(alpha);
    verify rotation([0, 1, 0], alpha) == rotation_y(alpha);
    verify angular_velocity_body(quaternion) == axis*dot(alpha);
    verify angular_velocity_space(quaternion) == axis*dot(alpha);
    verify angular_velocity_space(rotation(axis, alpha)) == axis*dot(alpha);
    verify angular_velocity_body([[cos(alpha), -sin(alpha), 0], [sin(alpha), cos(alpha), 0], [0, 0, 1]])
        == angular_velocity_body(rotation_z(alpha));
    verify mass == [[2*j + m, 0], [0, m]];
}]
#[derive(Clone, Debug)]
struct Rotations {
    j: f64,
    m: f64,
}

#[test]
fn what_the_compiler_proved_of_rotations_can_be_prepared() {
    let top = Top { m: 1.0, g: 9.81, h: 0.5, a: 1.0, c: 2.0 };
    assert!(top.prepare::<f64>().is_ok() && Top::FACTS.unconstrained);
    assert!(Rotations { j: 1.0, m: 2.0 }.prepare::<f64>().is_ok() && Rotations::FACTS.unconstrained);
}

fn well<R: Scalar>(x: R, depth: R) -> R {
    -depth * (-x * x).exp()
}

mod slopes {
    use super::Scalar;

    pub(super) fn by_x<R: Scalar>(x: R, depth: R) -> R {
        (x + x) * depth * (-x * x).exp()
    }

    pub(super) fn by_depth<R: Scalar>(x: R, _: R) -> R {
        -(-x * x).exp()
    }

    pub(super) fn by_x_and_depth<R: Scalar>(x: R, _: R) -> R {
        (x + x) * (-x * x).exp()
    }

    pub(super) fn by_x_twice<R: Scalar>(x: R, depth: R) -> R {
        (R::from_f64(2.0) - R::from_f64(4.0) * x * x) * depth * (-x * x).exp()
    }
}

/// The same well twice: as a function of the user's own, and written out.
#[lagrangian {
    coordinates x, y, z;
    extern well(x, d) = well, d(x) = slopes::by_x, d(d) = self::slopes::by_depth,
        d(x, d) = slopes::by_x_and_depth, d(x, x) = slopes::by_x_twice;
    table hill(x) = spline(places, [0, h, 0]);
    lagrangian = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - well(x, depth) + depth*exp(-y^2) - hill(z);
}]
#[derive(Clone, Debug)]
struct Wells {
    m: f64,
    depth: f64,
    h: f64,
    places: [f64; 3],
}

#[test]
fn functions_of_the_user_are_differentiated_as_stated() {
    let system = Wells { m: 2.0, depth: 3.0, h: 1.0, places: [0.0, 1.0, 2.0] }.prepare::<f64>().expect("all is finite");
    let (q, v) = (SVector::from([0.7, 0.7, 0.5]), SVector::from([0.1, 0.1, 0.0]));
    let result = system.acceleration_jacobian(0.0, &q, &v, &SVector::zeros()).expect("the mass matrix is definite");
    let close = |a: f64, b: f64| (a - b).abs() < 1e-15 * (1.0 + b.abs());
    assert!(close(result.acceleration[0], result.acceleration[1]), "{:?}", result.acceleration);
    assert!(close(result.acceleration_q[(0, 0)], result.acceleration_q[(1, 1)]), "{:?}", result.acceleration_q);
    // The spline through (0, 0), (1, 1), (2, 0) is (3z − z³)/2 on its first half.
    assert!(
        close(result.acceleration[2], -1.125 / 2.0) && close(result.acceleration_q[(2, 2)], 1.5 / 2.0),
        "{:?}",
        result.acceleration
    );
}

/// Functions with removable singularities, at rest in the origin.
#[lagrangian {
    coordinates x, y;
    lagrangian = m*(dot(x)^2 + dot(y)^2)/2 - k*norm([x, y])^3 - sinc(x) - hypot(x, y)^2 - smoothstep(y/h);
}]
#[derive(Clone, Debug)]
struct Origin {
    m: f64,
    k: f64,
    h: f64,
}

#[test]
fn removable_singularities_have_finite_derivatives() {
    let system = Origin { m: 1.0, k: 2.0, h: 0.5 }.prepare::<f64>().expect("all is finite");
    let zero = SVector::zeros();
    let result = system.acceleration_jacobian(0.0, &zero, &zero, &SVector::zeros()).expect("M is definite");
    assert_eq!(result.acceleration, zero);
    // −(norm³)″ = 0, −(sinc)″ = 1/3, −(x² + y²)″ = −2.
    let expected = [[1.0 / 3.0 - 2.0, 0.0], [0.0, -2.0]];
    for (i, row) in expected.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            assert!((result.acceleration_q[(i, j)] - entry).abs() < 1e-15, "{:?}", result.acceleration_q);
        }
    }
}

/// A quadrature asked for, of a function without a closed form.
#[lagrangian {
    coordinates x;
    lagrangian = m*dot(x)^2/2 - integral(s in 0..l, sin(s*x), nodes = 12);
}]
#[derive(Clone, Debug)]
struct Quadrature {
    m: f64,
    l: f64,
}

#[test]
fn quadrature_is_exact_to_rounding() {
    let (m, l, x) = (2.0, 1.5, 0.8_f64);
    let system = Quadrature { m, l }.prepare::<f64>().expect("all is finite");
    let (q, zero) = (SVector::from([x]), SVector::zeros());
    let a = system.acceleration(0.0, &q, &zero, &SVector::zeros()).expect("M is definite").acceleration[0];
    // V = (1 − cos lx)/x, so V′ = l sin(lx)/x − (1 − cos lx)/x².
    let slope = l * (l * x).sin() / x - (1.0 - (l * x).cos()) / (x * x);
    assert!((a + slope / m).abs() < 1e-15, "{a} {}", -slope / m);
}

/// A point pushed by a sawtooth of the time, by a square wave, and by a force that falls by steps along its way.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = saw*mod(t, period) + (if mod(t, 2*period) < period { pulse } else { 0 }) - stair*floor(x/l);
}]
#[derive(Clone, Debug)]
struct Periodic {
    m: f64,
    saw: f64,
    pulse: f64,
    stair: f64,
    period: f64,
    l: f64,
}

#[test]
fn periodic_forces_repeat_and_switch_where_they_jump() {
    let periodic = Periodic { m: 2.0, saw: 3.0, pulse: 5.0, stair: 7.0, period: 0.75, l: 1.5 };
    let system = periodic.prepare::<f64>().expect("all is finite");
    let zero = SVector::zeros();
    let force = |t: f64, x: f64| {
        let a = system.acceleration(t, &SVector::from([x]), &zero, &SVector::zeros()).expect("M is definite");
        2.0 * a.acceleration[0]
    };
    let written = |t: f64, x: f64| {
        let pulse = if t.rem_euclid(1.5) < 0.75 { 5.0 } else { 0.0 };
        3.0 * t.rem_euclid(0.75) + pulse - 7.0 * (x / 1.5).floor()
    };
    let mut signs = std::collections::BTreeSet::new();
    for step in -40..40 {
        // Off the jumps, on both sides of 0.
        let (t, x) = (0.17 * f64::from(step) + 0.01, 0.31 * f64::from(step) + 0.02);
        assert!((force(t, x) - written(t, x)).abs() < 1e-12, "{t} {x}: {} {}", force(t, x), written(t, x));
        let mut values = vec![0.0; system.switch_count()];
        system.switches(t, &SVector::from([x]), &zero, &SVector::zeros(), &mut values);
        signs.extend(values.iter().enumerate().map(|(index, value)| (index, *value > 0.0)));
    }
    // Each switching function was seen on both sides, and none vanishes but at a jump.
    assert_eq!(signs.len(), 2 * system.switch_count());
    for k in -3..=3 {
        let jump = 0.75 * f64::from(k);
        let at = |t: f64| {
            let mut values = vec![0.0; system.switch_count()];
            system.switches(t, &SVector::from([0.4]), &zero, &SVector::zeros(), &mut values);
            values
        };
        let (before, after) = (at(jump - 1e-9), at(jump + 1e-9));
        assert!(before.iter().zip(&after).any(|(a, b)| a * b < 0.0), "no switch at {jump}: {before:?} {after:?}");
    }
}

/// Functions that need definitions of their own, at every level at which a value is computed: constants, parameters, inputs, time,
/// coordinates and velocities.
#[allow(unreachable_pub)]
mod levels {
    use lagrange_runtime::prelude::*;
    use lagrange_runtime::scalar::Scalar;

    /// x² of the user's own.
    fn square<R: Scalar>(x: R) -> R {
        x * x
    }

    /// Its derivative.
    fn twice<R: Scalar>(x: R) -> R {
        x + x
    }

    /// Its second derivative.
    fn two<R: Scalar>(_: R) -> R {
        R::from_f64(2.0)
    }

    macro_rules! level {
        ($name:ident, $argument:expr) => {
            /// Functions of one argument: tables of numbers and of parameters, an integral, and functions of the user's own.
            #[lagrangian {
                                        coordinates x;
                                        table f(z) = spline([0, 1, 2], [0, 1, 0]);
                                        table h(z) = spline([0, 1, 2], [0, a, 0]);
                                        extern s(z) = square, d(z) = twice, d(z, z) = two;
                                        kinetic = m*dot(x)^2/2;
                                        force x = f($argument) + 10*h($argument) + 100*s($argument)
                                            + u + 1000*integral(z in 0..1, f(z*$argument)*exp(z), nodes = 3);
                                        output seen = f($argument);
                                        assume f(a/2) + a > 0;
                                    }]
            #[derive(Clone, Debug)]
            pub struct $name {
                pub m: f64,
                pub a: f64,
                #[input]
                pub u: f64,
            }
        };
    }

    level!(AtConstant, (1 / 2));
    level!(AtParameter, a);
    level!(AtInput, u);
    level!(AtTime, t);
    level!(AtCoordinate, x);
    level!(AtVelocity, dot(x));

    /// a of each mechanism where every argument is ½.
    pub fn accelerations() -> Vec<f64> {
        fn at<M: Mechanism<1, 0, 1>>(mechanism: &M) -> f64 {
            let system = mechanism.prepare::<f64>().expect("valid");
            let half = SVector::from([0.5]);
            system.acceleration(0.5, &half, &half, &half).expect("regular").acceleration[0]
        }
        let (m, a, u) = (1.0, 0.5, 0.5);
        vec![
            at(&AtConstant { m, a, u }),
            at(&AtParameter { m, a, u }),
            at(&AtInput { m, a, u }),
            at(&AtTime { m, a, u }),
            at(&AtCoordinate { m, a, u }),
            at(&AtVelocity { m, a, u }),
        ]
    }
}

#[test]
fn functions_with_definitions_stand_at_every_level() {
    let found = levels::accelerations();
    // The natural spline through (0, 0), (1, 1), (2, 0) is 3x/2 − x³/2 up to 1.
    let f = |x: f64| 1.5 * x - 0.5 * x * x * x;
    let nodes = [(-0.6_f64.sqrt(), 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.6_f64.sqrt(), 5.0 / 9.0)];
    let integral: f64 =
        nodes.iter().map(|(x, w)| (0.5 + x / 2.0, w / 2.0)).map(|(z, w)| w * f(z / 2.0) * z.exp()).sum();
    let expected = f(0.5) + 10.0 * 0.5 * f(0.5) + 100.0 * 0.25 + 0.5 + 1000.0 * integral;
    assert!(found.iter().all(|a| (a - expected).abs() < 1e-12 * expected), "{found:?}, not {expected}");
}

/// Constants, beside a mechanism, with the names that its arguments and variables could have.
#[allow(non_upper_case_globals, dead_code, missing_docs, unreachable_pub)]
mod constants {
    use lagrange_runtime::prelude::*;

    pub const value: f64 = 9.81;
    pub const name: f64 = 9.81;
    pub const inputs: f64 = 9.81;
    pub const parameters: f64 = 9.81;
    pub const x1: f64 = 9.81;
    pub const x: f64 = 9.81;
    pub const t: f64 = 9.81;
    pub const q: f64 = 9.81;
    pub const v: f64 = 9.81;
    pub const u: f64 = 9.81;
    pub const number: f64 = 9.81;
    pub const error: f64 = 9.81;
    pub const out: f64 = 9.81;

    fn square<S: lagrange_runtime::scalar::Scalar>(y: S) -> S {
        y * y
    }

    fn twice<S: lagrange_runtime::scalar::Scalar>(y: S) -> S {
        y + y
    }

    #[lagrangian {
        coordinates y;
        extern f(z) = square, d(z) = twice;
        kinetic = m*dot(y)^2/2;
        force y = k + f(y);
    }]
    pub struct Named<R, T> {
        pub m: R,
        #[input]
        pub k: R,
        #[skip]
        pub tag: T,
    }
}

#[test]
fn constants_of_the_user_s_and_skipped_types_do_not_matter() {
    let named = constants::Named { m: 2.0, k: 1.0, tag: "a type that is no number" };
    let system = named.prepare::<f64>().expect("valid");
    let at = SVector::from([0.0]);
    assert_eq!(system.acceleration(0.0, &at, &at, &SVector::from([1.0])).unwrap().acceleration[0], 0.5);
    assert_eq!(named.tag.len() + named.parameter("m").unwrap() as usize, 26);
}
