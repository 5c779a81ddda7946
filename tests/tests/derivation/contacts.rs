//! The derivatives of accelerations and multipliers of mechanisms with contacts, against differences of `acceleration` along random
//! directions. Parameters, inputs, time and coordinates vary where contacts are at rest; velocities vary too where all slip.

use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use lagrange_runtime::system::Linearise;
use lagrange_tests::random::Random;

/// Rows that slip with bounds of their own.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*dot(x)^2/2 + (m + mu*cos(x)^2)*dot(y)^2/2 + c*dot(x)*dot(y)*sin(x - y);
    potential = m*g*sin(y);
    force x = push*cos(t);
    friction floor: x + c*y^2 = mu*m*g*(1 + push^2 + x^2);
    friction wall: y = mu*g*exp(-dot(y)^2);
}]
#[derive(Clone, Debug)]
struct Scalars {
    m: f64,
    g: f64,
    mu: f64,
    c: f64,
    #[input]
    push: f64,
}

/// The mechanism of the smallest case.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = k*x^2/2;
    friction p: [x, y] = mu*m*g;
}]
#[derive(Clone, Debug)]
struct Puck {
    m: f64,
    k: f64,
    mu: f64,
    g: f64,
}

/// Vectors that act on each other, beside a scalar slip and a state.
#[lagrangian {
    coordinates p[2], r[2], slide;
    state heat: dot(heat) == mu*norm2(dot(p)) - c*heat;
    kinetic   = m*norm2(dot(p))/2 + norm2(dot(r))/2 + dot(slide)^2/2 + c*dot(p[0])*dot(r[1])*cos(p[1]);
    potential = k*norm2(p - r)/2 + slide^2/2;
    friction floor: p = mu*m/(1 + heat^2);
    friction pad: [r[0] - slide, r[1]] = mu*(1 + r[0]^2);
    friction rail: slide = mu/2;
    force p = push*[cos(t), sin(2*t)];
}]
#[derive(Clone, Debug)]
struct Vectors {
    m: f64,
    k: f64,
    mu: f64,
    c: f64,
    #[input]
    push: f64,
}

/// A bead on a rough wire, whose bound contains a multiplier.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    force x = push;
    constraint wire: norm([x, y]) == r*(1 + c*sin(t));
    friction rub: atan2(y, x) = mu*r*abs(multiplier(wire));
}]
#[derive(Clone, Debug)]
struct Bead {
    m: f64,
    g: f64,
    r: f64,
    mu: f64,
    c: f64,
    #[input]
    push: f64,
}

/// A bead on a helix, whose bound is the length of two reactions, which its friction changes.
#[lagrangian {
    coordinates x, y, z;
    kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    potential = m*g*z;
    constraint first: x == r*cos(z/p);
    constraint second: y == r*sin(z/p);
    friction rub: z*sqrt(1 + r^2/p^2) = mu*norm(reaction(first) + reaction(second));
}]
#[derive(Clone, Debug)]
struct Helix {
    m: f64,
    r: f64,
    p: f64,
    g: f64,
    mu: f64,
}

/// A rod whose lower end touches a floor that swells.
#[lagrangian {
    coordinates x, y, theta;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2 + m*l^2/3*dot(theta)^2/2;
    potential = m*g*y;
    force x = push;
    contact tip: y - l*sin(theta) >= 0, restitution = e, friction = mu, slip = x - l*cos(theta);
}]
#[derive(Clone, Debug)]
struct Rod {
    m: f64,
    g: f64,
    l: f64,
    e: f64,
    mu: f64,
    #[input]
    push: f64,
}

/// Where a state is, and which of its variables may vary.
struct Case<const N: usize, const U: usize> {
    t: f64,
    q: [f64; N],
    v: [f64; N],
    u: [f64; U],
    /// How much t, q and v vary.
    along: (f64, [f64; N], [f64; N]),
    /// The parameters that may not vary.
    fixed: &'static [usize],
}

impl<const N: usize, const U: usize> Case<N, U> {
    /// A state at which every variable may vary.
    fn slipping(t: f64, q: [f64; N], v: [f64; N], u: [f64; U]) -> Self {
        Self { t, q, v, u, along: (1.0, [1.0; N], [1.0; N]), fixed: &[] }
    }

    /// A state at rest, where velocities may not vary.
    fn at_rest(t: f64, q: [f64; N], u: [f64; U]) -> Self {
        Self { t, q, v: [0.0; N], u, along: (1.0, [1.0; N], [0.0; N]), fixed: &[] }
    }
}

/// Differences of `function` at ±h and ±h/2, extrapolated.
fn difference<const K: usize>(function: impl Fn(f64) -> SVector<f64, K>) -> SVector<f64, K> {
    let h = 2e-4;
    let central = |h: f64| (function(h) - function(-h)) / (2.0 * h);
    (central(h / 2.0) * 4.0 - central(h)) / 3.0
}

/// Compares all derivatives of a mechanism at a state. Returns the largest one, so that a test sees that there are any.
fn compare<M, const N: usize, const C: usize, const U: usize>(mechanism: &M, case: &Case<N, U>) -> f64
where
    M: Mechanism<N, C, U>,
{
    let mut random = Random::new(7);
    let system = mechanism.prepare::<f64>().unwrap();
    let duals = mechanism.prepare::<Dual<f64, 1>>().unwrap();
    let Case { t, along: (along_t, along_q, along_v), .. } = *case;
    let (q, v, u) = (SVector::from(case.q), SVector::from(case.v), SVector::from(case.u));
    let jacobian = system.acceleration_jacobian(t, &q, &v, &u).unwrap();
    let solved = System::acceleration(&system, t, &q, &v, &u).unwrap();
    assert!((jacobian.acceleration - solved.acceleration).norm() <= 1e-14 * solved.acceleration.norm());
    assert!((jacobian.multipliers - solved.multipliers).norm() <= 1e-14 * solved.multipliers.norm());
    let same = system.acceleration_jacobian_at(t, &q, &v, &u, &solved, 0.0).unwrap();
    assert_eq!(same, jacobian);
    let scale = 1.0 + solved.acceleration.norm() + solved.multipliers.norm();
    let mut largest = 0.0_f64;
    for _ in 0..6 {
        let mut direction = || random.between(-1.0, 1.0);
        let dt = along_t * direction();
        let dq = SVector::from_fn(|i, _| along_q[i] * direction());
        let dv = SVector::from_fn(|i, _| along_v[i] * direction());
        let du = SVector::<f64, U>::from_fn(|_, _| direction());
        let a = jacobian.acceleration_q * dq
            + jacobian.acceleration_v * dv
            + jacobian.acceleration_t * dt
            + jacobian.acceleration_u * du;
        let multipliers = jacobian.multipliers_q * dq
            + jacobian.multipliers_v * dv
            + jacobian.multipliers_t * dt
            + jacobian.multipliers_u * du;
        let at =
            |h: f64| System::acceleration(&system, t + h * dt, &(q + dq * h), &(v + dv * h), &(u + du * h)).unwrap();
        let (by_a, by_multipliers) = (difference(|h| at(h).acceleration), difference(|h| at(h).multipliers));
        assert!((a - by_a).norm() < 1e-8 * scale, "∂a: {a} instead of {by_a}");
        assert!((multipliers - by_multipliers).norm() < 1e-8 * scale, "∂λ: {multipliers} instead of {by_multipliers}");
        largest = largest.max(a.norm());
        // Dual numbers also cover velocities that may not vary.
        let dv = SVector::<f64, N>::from_fn(|_, _| direction());
        let seed = |value: f64, derivative: f64| Dual { value, derivatives: [derivative] };
        let along = SVector::<_, N>::from_fn(|i, _| seed(v[i], dv[i]));
        let found =
            System::acceleration(&duals, Dual::constant(t), &q.map(Dual::constant), &along, &u.map(Dual::constant));
        let by_v = found.unwrap().acceleration.map(|a| a.derivatives[0]);
        assert!((jacobian.acceleration_v * dv - by_v).norm() < 1e-12 * (scale + by_v.norm()));
    }
    let parameters = system.parameters().values.to_vec();
    let none = lagrange_runtime::system::Acceleration {
        acceleration: SVector::repeat(f64::NAN),
        multipliers: SVector::repeat(f64::NAN),
    };
    let mut columns = vec![none; parameters.len()];
    system.acceleration_parameters(t, &q, &v, &u, &mut columns).unwrap();
    for (k, column) in columns.iter().enumerate().filter(|(k, _)| !case.fixed.contains(k)) {
        let at = |h: f64| {
            let mut varied = parameters.clone();
            varied[k] += h;
            let system = M::prepare_from::<f64>(&varied, &u).unwrap();
            System::acceleration(&system, t, &q, &v, &u).unwrap()
        };
        let (by_a, by_multipliers) = (difference(|h| at(h).acceleration), difference(|h| at(h).multipliers));
        assert!(
            (column.acceleration - by_a).norm() < 1e-8 * scale,
            "parameter {k}: {} not {by_a}",
            column.acceleration
        );
        assert!((column.multipliers - by_multipliers).norm() < 1e-8 * scale, "parameter {k}: {}", column.multipliers);
        largest = largest.max(column.acceleration.norm());
    }
    // Room for fewer columns than there are parameters.
    let mut first = [none];
    system.acceleration_parameters(t, &q, &v, &u, &mut first).unwrap();
    assert_eq!(first[0], columns[0]);
    largest
}

#[test]
fn a_sliding_puck_has_the_derivatives_of_its_friction() {
    let puck = Puck { m: 2.0, k: 0.0, mu: 0.5, g: 1.0 };
    let case = Case::slipping(0.0, [0.0, 0.0], [1.0, 0.0], []);
    assert!(compare(&puck, &case) > 0.9);
    let system = puck.prepare::<f64>().unwrap();
    let (q, v) = (SVector::from([0.0, 0.0]), SVector::from([1.0, 0.0]));
    let mut columns = [System::acceleration(&system, 0.0, &q, &v, &SVector::from([])).unwrap(); 4];
    system.acceleration_parameters(0.0, &q, &v, &SVector::from([]), &mut columns).unwrap();
    // a = −μ g v/|v| − k x/m: the derivatives by m, k, μ and g.
    let expected = [0.0, 0.0, -1.0, -0.5];
    assert!(columns.iter().zip(expected).all(|(column, expected)| (column.acceleration[0] - expected).abs() < 1e-15));
}

#[test]
fn derivatives_where_all_slip_agree_with_differences() {
    let mut random = Random::new(3);
    for _ in 0..8 {
        let mut any = || {
            let size = random.between(0.3, 1.5);
            if random.between(-1.0, 1.0) < 0.0 { -size } else { size }
        };
        let t = any().abs();
        let scalars = Scalars { m: 2.0, g: 3.0, mu: 0.4, c: 0.3, push: 0.0 };
        let case = Case::slipping(t, [any(), any()], [any(), any()], [any()]);
        assert!(compare(&scalars, &case) > 1e-2);
        let puck = Puck { m: 2.0, k: any().abs(), mu: 0.5, g: 9.81 };
        assert!(compare(&puck, &Case::slipping(t, [any(), any()], [any(), any()], [])) > 1e-2);
        let vectors = Vectors { m: 2.0, k: 3.0, mu: 0.7, c: 0.4, push: 0.0 };
        let (q, v) = ([(); 6].map(|()| any()), [(); 6].map(|()| any()));
        assert!(compare(&vectors, &Case::slipping(t, q, v, [any()])) > 1e-2);
        let bead = Bead { m: 1.5, g: 9.81, r: 0.8, mu: 0.3, c: 0.0, push: 0.0 };
        let (angle, speed) = (any(), any());
        let (x, y) = (bead.r * f64::cos(angle), bead.r * f64::sin(angle));
        assert!(compare(&bead, &Case::slipping(0.0, [x, y], [-speed * y, speed * x], [any()])) > 1e-2);
        let helix = Helix { m: 1.5, r: 0.5, p: 0.2, g: 9.81, mu: 0.3 };
        let (z, speed) = (any(), any());
        let (x, y) = (helix.r * f64::cos(z / helix.p), helix.r * f64::sin(z / helix.p));
        let case = Case::slipping(0.0, [x, y, z], [-speed * y / helix.p, speed * x / helix.p, speed], []);
        assert!(compare(&helix, &case) > 1e-2);
        let rod = Rod { m: 1.0, g: 9.81, l: 0.6, e: 0.2, mu: 0.3, push: 0.0 };
        let (theta, speed) = (0.8, any());
        // The tip slides: its gap and the rate of the gap are 0, so that nothing may vary but the slip, the input and parameters.
        let case = Case {
            t: 0.0,
            q: [any(), rod.l * f64::sin(theta), theta],
            v: [speed, 0.0, 0.0],
            u: [any()],
            along: (1.0, [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
            fixed: &[2],
        };
        assert!(compare(&rod, &case) > 1e-2);
        // In flight, no contact acts.
        compare(&rod, &Case::slipping(t, [any(), 3.0, theta], [any(), any(), any()], [any()]));
    }
}

#[test]
fn derivatives_where_contacts_are_at_rest_agree_with_differences() {
    let mut random = Random::new(5);
    for _ in 0..8 {
        let mut any = || random.between(-1.5, 1.5);
        let t = any().abs();
        // Held by both, by one, and by none, with a push that is larger each time.
        for push in [0.2, 2.0, 20.0] {
            let scalars = Scalars { m: 2.0, g: 0.3, mu: 0.4, c: 0.3, push: 0.0 };
            let case = Case { along: (1.0, [1.0; 2], [0.0; 2]), ..Case::at_rest(t, [any(), any()], [push * any()]) };
            compare(&scalars, &case);
            let vectors = Vectors { m: 2.0, k: 0.3, mu: 0.7, c: 0.4, push: 0.0 };
            let q = [(); 6].map(|()| any());
            compare(&vectors, &Case::at_rest(t, q, [push * any()]));
            // Along the axes, where the value of one component of the force is 0, but not its derivative.
            compare(&vectors, &Case::at_rest(0.0, [0.5, 0.0, 0.0, 0.0, 0.0, any()], [push]));
            let puck = Puck { m: 2.0, k: push, mu: 0.5, g: 1.0 };
            compare(&puck, &Case::at_rest(t, [1.7, any()], []));
            let bead = Bead { m: 1.5, g: 9.81, r: 0.8, mu: 0.3, c: 0.0, push: 0.0 };
            let angle = 2.0 * any();
            compare(&bead, &Case::at_rest(0.0, [bead.r * f64::cos(angle), bead.r * f64::sin(angle)], [push * any()]));
        }
        let rod = Rod { m: 1.0, g: 9.81, l: 0.6, e: 0.2, mu: 0.3, push: 0.0 };
        let case = Case {
            along: (1.0, [1.0, 0.0, 0.0], [0.0; 3]),
            fixed: &[2],
            ..Case::at_rest(0.0, [any(), rod.l * f64::sin(0.8), 0.8], [any()])
        };
        compare(&rod, &case);
    }
}
