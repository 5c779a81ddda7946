//! Units that are powers of two change no bit of a motion: nothing in a step is compared with a number that has a unit of its own.

use lagrange_runtime::prelude::*;

/// Units of mass, length and time.
type Units = [f64; 3];

/// A block on a spring and a pendulum on the block.
#[lagrangian {
    coordinates x, theta;
    kinetic   = m*dot(x)^2/2 + n*(dot(x)^2 + 2*l*dot(x)*dot(theta)*cos(theta) + l^2*dot(theta)^2)/2;
    potential = k*x^2/2 - n*g*l*cos(theta);
    force x = push*cos(w*t);
}]
#[derive(Clone, Debug)]
struct Carried {
    m: f64,
    n: f64,
    l: f64,
    g: f64,
    k: f64,
    push: f64,
    w: f64,
}

/// A pendulum.
#[lagrangian {
    coordinates theta;
    kinetic   = dot(theta)^2/2;
    potential = -9*cos(theta);
}]
#[derive(Clone, Debug)]
struct Pendulum {}

/// A pendulum, and an oscillator that it knows nothing of.
#[lagrangian {
    coordinates x, theta;
    kinetic   = m*dot(x)^2/2 + dot(theta)^2/2;
    potential = k*x^2/2 - 9*cos(theta);
}]
#[derive(Clone, Debug)]
struct Strangers {
    m: f64,
    k: f64,
}

/// A bob on a rod.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: x^2 + y^2 == l^2;
}]
#[derive(Clone, Debug)]
struct Rod {
    m: f64,
    g: f64,
    l: f64,
}

/// A ball that bounces until it rests, beside a body that a wall turns back.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    contact floor: y >= level, restitution = e;
    contact wall: edge >= x, restitution = 1;
}]
#[derive(Clone, Debug)]
struct Ball {
    m: f64,
    g: f64,
    e: f64,
    level: f64,
    edge: f64,
}

/// A block on a rough belt, held by a spring.
#[lagrangian {
    coordinates x;
    kinetic   = m*dot(x)^2/2;
    potential = k*x^2/2;
    friction belt: x - speed*t = mu*m*g;
}]
#[derive(Clone, Debug)]
struct Block {
    m: f64,
    k: f64,
    mu: f64,
    g: f64,
    speed: f64,
}

/// A puck on a rough floor.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = k*x^2/2;
    friction floor: [x, y] = mu*m*g;
}]
#[derive(Clone, Debug)]
struct Puck {
    m: f64,
    k: f64,
    mu: f64,
    g: f64,
}

/// All stored times and states in units of 1, and the counters.
type Trace = (Vec<f64>, Statistics);

/// Runs a motion in units of 1 and in powers of two, alone and together. The unit of mass is a power of four, because roots of masses occur.
/// Numbers and counters are the same, or the numbers agree to `within` of their magnitude or 1.
fn check(name: &str, (least, within): (u64, f64), run: impl Fn(Units) -> Trace) {
    let power = |exponent: i32| 2.0_f64.powi(exponent);
    let right = run([1.0; 3]);
    assert!(right.1.steps >= least, "{name}: {:?}", right.1);
    for units in [
        [power(40), 1.0, 1.0],
        [power(-40), 1.0, 1.0],
        [1.0, power(40), 1.0],
        [1.0, power(-40), 1.0],
        [1.0, 1.0, power(40)],
        [1.0, 1.0, power(-40)],
        [power(14), power(-31), power(-22)],
    ] {
        let found = run(units);
        let same = |(a, b): (&f64, &f64)| (a - b).abs() <= within * b.abs().max(1.0);
        let first = found.0.iter().zip(&right.0).position(|pair| !same(pair));
        if let Some(first) = first {
            let [found, right] =
                [&found, &right].map(|trace| (&trace.0[first.saturating_sub(9)..=first], trace.1.steps));
            panic!("{name}, {units:?}: number {first}: {found:?}, {right:?}");
        }
        assert_eq!(found.0.len(), right.0.len(), "{name}, {units:?}");
        assert!(within > 0.0 || found.1 == right.1, "{name}, {units:?}: {:?}, {:?}", found.1, right.1);
    }
}

/// The motion in these units, for 3 units of time. A coordinate is a length where `lengths` says so, and else an angle.
fn motion<M, Y, const N: usize, const C: usize>(
    mechanism: &M,
    ([q, v], lengths): ([[f64; N]; 2], [bool; N]),
    method: &Y,
    [_, length, time]: Units,
) -> Trace
where
    M: Mechanism<N, C, 0>,
    Y: Method<f64, N, C>,
{
    let system = mechanism.prepare::<f64>().expect("valid");
    let size = SVector::from(lengths.map(|is_length| if is_length { length } else { 1.0 }));
    let start =
        State { t: 0.0, q: SVector::from(q).component_mul(&size), v: SVector::from(v).component_mul(&size) / time };
    let options = Options {
        rtol: 1e-8.into(),
        atol: Tolerance::Each { q: size * 1e-8, v: size * 1e-8 / time },
        ..Options::default()
    };
    let solution = solve(&system, start, 3.0 * time, method, &options);
    let solution = solution.unwrap_or_else(|failed| panic!("{}: {}", method.name(), failed.error));
    let numbers = |(t, (q, v)): (&f64, (&SVector<f64, N>, &SVector<f64, N>))| {
        let (q, v) = (q.component_div(&size), v.component_div(&size) * time);
        std::iter::once(t / time)
            .chain(q.iter().copied().collect::<Vec<_>>())
            .chain(v.iter().copied().collect::<Vec<_>>())
    };
    let states = solution.q.iter().zip(&solution.v);
    (solution.t.iter().zip(states).flat_map(numbers).collect(), solution.statistics)
}

fn carried([mass, length, time]: Units) -> Carried {
    let rate = 1.0 / time;
    Carried {
        m: mass,
        n: 0.6 * mass,
        l: 0.8 * length,
        g: 9.0 * length * rate * rate,
        k: 4.0 * mass * rate * rate,
        push: 0.5 * mass * length * rate * rate,
        w: 3.0 * rate,
    }
}

fn swings<Y: Method<f64, 2, 0>>(within: f64, method: impl Fn(f64) -> Y) {
    for start in [[[0.3, 0.5], [-0.2, 0.4]], [[0.0, 0.0], [0.7, 0.0]], [[0.0, 0.0], [0.0, 0.0]]] {
        check(method(1.0).name(), (6, within), |units| {
            motion(&carried(units), (start, [true, false]), &method(units[2]), units)
        });
    }
}

#[test]
fn of_pairs() {
    swings(0.0, |_| BogackiShampine3::new());
    swings(0.0, |_| DormandPrince5::new());
    swings(0.0, |_| Tsitouras5::new());
    swings(0.0, |_| Rkf45::new());
    swings(0.0, |_| Verner6::new());
    swings(0.0, |_| Dop853::new());
    swings(0.0, |_| Verner9::new());
    swings(0.0, |_| Extrapolation::new());
    swings(0.0, |_| Radau5::new());
    swings(0.0, |_| Radau13::new());
    swings(0.0, |_| VariableRadau::new());
    swings(0.0, |_| Rodas5P::new());
    swings(0.0, |_| Esdirk4::new());
}

#[test]
fn of_fixed_steps() {
    swings(0.0, |time| Rk4::new(0.02 * time));
    swings(0.0, |time| Verlet::new(0.02 * time));
    swings(1e-11, |time| ImplicitMidpoint::new(0.02 * time));
    swings(1e-11, |time| Gauss::<f64, 3>::new(0.1 * time));
    swings(1e-11, |time| Gauss::<f64, 3>::new(0.1 * time).with_iteration(Iteration::FixedPoint));
    swings(1e-11, |time| VariationalMidpoint::new(0.02 * time));
    swings(1e-11, |time| VariationalTrapezoid::new(0.02 * time));
    swings(1e-11, |time| EnergyPreserving::<f64, 4>::new(0.05 * time));
    swings(1e-11, |time| GeneralizedAlpha::new(0.02 * time, 0.8));
    swings(0.0, |time| MoreauJean::new(0.02 * time));
}

fn rods<Y: Method<f64, 2, 1>>(within: f64, method: impl Fn(f64) -> Y) {
    let start = [[0.6, -0.8], [0.4, 0.3]];
    check(method(1.0).name(), (6, within), |units| {
        let [mass, length, time] = units;
        let rod = Rod { m: 1.5 * mass, g: 9.0 * length / (time * time), l: length };
        motion(&rod, (start, [true, true]), &method(time), units)
    });
}

#[test]
fn of_constraints() {
    rods(0.0, |_| Dop853::new());
    rods(0.0, |_| Projected::new(DormandPrince5::new()));
    rods(0.0, |_| Projected::new(Extrapolation::new()));
    rods(0.0, |_| Radau5::new());
    rods(0.0, |_| Radau13::new());
    rods(0.0, |_| VariableRadau::new());
    rods(0.0, |time| Projected::new(Rk4::new(0.02 * time)));
    rods(1e-11, |time| Rattle::new(0.02 * time));
    rods(1e-11, |time| Rattle::shake(0.02 * time));
    rods(1e-11, |time| GeneralizedAlpha::new(0.02 * time, 0.8));
    rods(1e-11, |time| Impulses::new(Gauss::<f64, 2>::new(0.05 * time)));
    rods(1e-11, |time| VariationalMidpoint::new(0.02 * time));
}

#[test]
fn of_contacts() {
    fn bounces<Y: Method<f64, 2, 0>>(least: u64, method: impl Fn(f64) -> Y) {
        for level in [0.0, 0.7] {
            let start = [[0.0, level + 0.3], [1.0, 0.0]];
            check(method(1.0).name(), (least, 0.0), |units| {
                let [mass, length, time] = units;
                let ball = Ball {
                    m: 1.5 * mass,
                    g: 9.0 * length / (time * time),
                    e: 0.5,
                    level: level * length,
                    edge: 1.25 * length,
                };
                motion(&ball, (start, [true, true]), &method(time), units)
            });
        }
    }
    bounces(6, |_| DormandPrince5::new());
    bounces(6, |_| Dop853::new());
    bounces(20, |time| Rk4::new(0.05 * time));
    bounces(6, |time| MoreauJean::new(0.02 * time));
}

#[test]
fn of_frictions() {
    fn slips<Y: Method<f64, 1, 0>>(method: impl Fn(f64) -> Y) {
        check(method(1.0).name(), (6, 0.0), |units| {
            let [mass, length, time] = units;
            let rate = 1.0 / time;
            let (g, speed) = (9.0 * length * rate * rate, 0.5 * length * rate);
            let block = Block { m: mass, k: 6.0 * mass * rate * rate, mu: 0.3, g, speed };
            motion(&block, ([[0.9], [0.1]], [true]), &method(time), units)
        });
    }
    slips(|_| DormandPrince5::new());
    slips(|_| Dop853::new());
    slips(|time| Rk4::new(0.05 * time));
    slips(|time| MoreauJean::new(0.02 * time));
    fn slides<Y: Method<f64, 2, 0>>(method: impl Fn(f64) -> Y) {
        check(method(1.0).name(), (6, 0.0), |units| {
            let [mass, length, time] = units;
            let rate = 1.0 / time;
            let puck = Puck { m: mass, k: 6.0 * mass * rate * rate, mu: 0.3, g: 9.0 * length * rate * rate };
            motion(&puck, ([[0.9, 0.0], [0.1, 2.0]], [true, true]), &method(time), units)
        });
    }
    slides(|_| DormandPrince5::new());
    slides(|_| Dop853::new());
    slides(|time| MoreauJean::new(0.02 * time));
}

/// A coordinate whose numbers are large does not decide alone when an iteration ends: the pendulum moves as it does without the oscillator.
/// The oscillator is softer, so that its part of the iteration converges first.
#[test]
fn large_numbers_hide_no_other_coordinate() {
    fn check<A: Method<f64, 1, 0>, B: Method<f64, 2, 0>>(alone: &A, both: &B) {
        let (start, options) = (State::new(0.0, [1.0], [0.3]), Options::default());
        let right = solve(&Pendulum {}.prepare().expect("valid"), start, 5.0, alone, &options).expect("regular");
        let right = right.last().expect("states");
        for size in [1.0, 1e9, 1e-9, 1e15] {
            let system = Strangers { m: 1.0, k: 0.3 }.prepare::<f64>().expect("valid");
            let start = State::new(0.0, [size, 1.0], [0.0, 0.3]);
            let found = solve(&system, start, 5.0, both, &Options::default()).expect("regular");
            let found = found.last().expect("states");
            let distance = (found.q[1] - right.q[0]).abs().max((found.v[1] - right.v[0]).abs());
            assert!(distance < 1e-12, "{}, {size:e}: {distance:e}", both.name());
        }
    }
    for iteration in [Iteration::Automatic, Iteration::Newton, Iteration::SimplifiedNewton, Iteration::FixedPoint] {
        let gauss = Gauss::<f64, 3>::new(0.05).with_iteration(iteration);
        check(&gauss, &gauss);
        let midpoint = ImplicitMidpoint::new(0.01).with_iteration(iteration);
        check(&midpoint, &midpoint);
        let midpoint = VariationalMidpoint::new(0.01).with_iteration(iteration);
        check(&midpoint, &midpoint);
        let trapezoid = VariationalTrapezoid::new(0.01).with_iteration(iteration);
        check(&trapezoid, &trapezoid);
    }
}

/// The fixed-point iteration of a stiff coordinate goes on when that of a coordinate with far larger numbers has ended. The large one moves
/// almost freely, so that two iterations are enough for it; the pendulum needs some twenty in a step of this length.
#[test]
fn a_fixed_point_iteration_ends_coordinate_by_coordinate() {
    fn last<Y: Method<f64, 2, 0>>(method: &Y, size: f64) -> [f64; 2] {
        let system = Strangers { m: 1.0, k: 1e-14 }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [size, 1.0], [0.3 * size, 0.3]);
        let found = solve(&system, start, 5.0, method, &Options::default()).expect("regular");
        let found = found.last().expect("states");
        [found.q[1], found.v[1]]
    }
    fn check<A: Method<f64, 1, 0>, B: Method<f64, 2, 0>>(alone: &A, both: &B) {
        let start = State::new(0.0, [1.0], [0.3]);
        let right = solve(&Pendulum {}.prepare().expect("valid"), start, 5.0, alone, &Options::default());
        let right = right.expect("regular");
        let right = right.last().expect("states");
        for size in [1.0, 1e12, 1e-12] {
            let [q, v] = last(both, size);
            let distance = (q - right.q[0]).abs().max((v - right.v[0]).abs());
            assert!(distance < 1e-12, "{}, {size:e}: {distance:e}", both.name());
        }
    }
    let gauss = Gauss::<f64, 3>::new(0.25).with_iteration(Iteration::FixedPoint);
    check(&gauss, &gauss);
    let midpoint = ImplicitMidpoint::new(0.2).with_iteration(Iteration::FixedPoint);
    check(&midpoint, &midpoint);
    let variational = VariationalMidpoint::new(0.2).with_iteration(Iteration::FixedPoint);
    check(&variational, &variational);
}
