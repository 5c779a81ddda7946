//! Impacts at the same time and a few roundings apart: none is lost, with any method, against each ball's closed form.

use crate::common::{COASTING, FALLING};
use lagrange_runtime::prelude::*;

const BALLS: usize = 6;
const T_END: f64 = 1.9;
const G: f64 = 10.0;

type Balls = dyn System<f64, BALLS, 0, 0>;

/// An integration of the balls from a state under options.
type Run<'a> = &'a dyn Fn(
    State<f64, BALLS>,
    &Options<'_, f64, BALLS>,
) -> Result<Solution<f64, BALLS>, Box<PartialSolution<f64, BALLS>>>;

/// The motion of one ball, in closed form.
pub(crate) struct Motion {
    pub(crate) height: f64,
    pub(crate) speed: f64,
    impacts: usize,
    /// The time to the nearest impact, before or after.
    pub(crate) away: f64,
}

/// The height over its floor, the upward speed and the number of impacts of a ball that is dropped from `height` and keeps
/// the part `restitution` of its speed at each impact.
pub(crate) fn closed_form(height: f64, restitution: f64, t: f64) -> Motion {
    let mut speed = (2.0 * G * height).sqrt();
    let (mut from, mut impacts) = (speed / G, 1);
    if t < from {
        return Motion { height: height - G * t * t / 2.0, speed: -G * t, impacts: 0, away: from - t };
    }
    loop {
        speed *= restitution;
        let flight = 2.0 * speed / G;
        if t < from + flight {
            let since = t - from;
            let (height, speed) = (speed * since - G * since * since / 2.0, speed - G * since);
            return Motion { height, speed, impacts, away: since.min(flight - since) };
        }
        (from, impacts) = (from + flight, impacts + 1);
    }
}

/// Drops the balls onto floors of their own, and compares their motion with the closed form.
fn drop_balls(
    (name, run): (&str, Run<'_>),
    floors: [f64; BALLS],
    heights: [f64; BALLS],
    restitution: [f64; BALLS],
    tolerance: f64,
) {
    let height: Vec<_> = (0..BALLS)
        .map(|ball| move |_: f64, q: &SVector<f64, BALLS>, _: &SVector<f64, BALLS>| q[ball] - floors[ball])
        .collect();
    let impact: Vec<_> = (0..BALLS)
        .map(|ball| {
            move |state: &State<f64, BALLS>| {
                let mut state = *state;
                state.v[ball] *= -restitution[ball];
                state
            }
        })
        .collect();
    let events: Vec<_> =
        (0..BALLS).map(|ball| Event::new(&height[ball]).going(Direction::Falling).mapping(&impact[ball])).collect();
    let options = Options {
        rtol: 1e-9.into(),
        atol: 1e-12.into(),
        max_steps: Some(50_000),
        events: &events,
        ..Options::default()
    };
    let start = State { t: 0.0, q: SVector::from_fn(|ball, _| floors[ball] + heights[ball]), v: SVector::repeat(0.0) };
    let case = || format!("{name}, floors {floors:?}, heights {heights:?}");
    let solution = run(start, &options).unwrap_or_else(|failed| panic!("{}: {failed}", case()));
    let last = solution.last().expect("steps");
    for ball in 0..BALLS {
        assert!(solution.q.iter().all(|q| q[ball] - floors[ball] > -1e-9), "ball {ball}, {}", case());
        let exact = closed_form(start.q[ball] - floors[ball], restitution[ball], T_END);
        if exact.away < tolerance {
            // Within the method's own error, the last impact may be on either side of the end.
            continue;
        }
        let found = solution.events.iter().filter(|occurrence| occurrence.event == ball).count();
        assert_eq!(found, exact.impacts, "ball {ball}, {}", case());
        let error = (last.q[ball] - floors[ball] - exact.height).abs().max((last.v[ball] - exact.speed).abs());
        assert!(error < tolerance, "ball {ball} off by {error:e}, {}", case());
    }
}

/// Numbers in [0, 1), the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Cases of nearly simultaneous impacts: every ball's height differs from the first one's by 0, 1 ulp, 1e-16 to 1e-3.
fn cases(run: (&str, Run<'_>), count: usize, tolerance: f64) {
    let mut random = Random(2026);
    for case in 0..count {
        let mut floors = [0.0; BALLS];
        let mut heights = [1.0; BALLS];
        let mut restitution = [1.0; BALLS];
        for ball in 0..BALLS {
            let away = match (random.next() * 4.0) as u32 {
                0 => 0.0,
                1 => f64::EPSILON,
                _ => 10.0_f64.powf(-3.0 - 13.0 * random.next()),
            };
            heights[ball] += away;
            if case % 2 == 1 {
                floors[ball] = (random.next() * 8.0).floor() - 4.0 + random.next();
                restitution[ball] = 0.7 + 0.3 * random.next();
            }
        }
        drop_balls(run, floors, heights, restitution, tolerance);
    }
}

/// So many cases with each of these methods.
macro_rules! lose_no_impact {
    ($count:literal, $tolerance:literal; $($method:expr),* $(,)?) => {$({
        let (method, system): (_, &Balls) = ($method, &FALLING);
        let run = |start: State<f64, BALLS>, options: &Options<'_, f64, BALLS>| {
            solve(system, start, T_END, &method, options)
        };
        cases((Method::<f64, BALLS, 0>::name(&method), &run), $count, $tolerance);
    })*};
}

#[test]
fn explicit_methods_lose_no_impact() {
    lose_no_impact!(40, 1e-8;
        Rk4::new(0.05), Verlet::new(0.05), Dop853::new(), Verner9::new(), Extrapolation::new(), Nystrom8::unproved(),
    );
    lose_no_impact!(20, 1e-8;
        Rkf45::new(), BogackiShampine3::new(), DormandPrince5::new(), Tsitouras5::new(), Verner6::new(),
        Projected::new(DormandPrince5::new()),
    );
}

#[test]
fn canonical_methods_lose_no_impact() {
    lose_no_impact!(20, 1e-8;
        ImplicitMidpoint::new(0.05), Gauss::<f64, 2>::new(0.05), Gauss::<f64, 6>::new(0.05), VariationalMidpoint::new(0.05),
        VariationalTrapezoid::new(0.05), Rattle::new(0.05), Impulses::new(ImplicitMidpoint::new(0.05)),
    );
}

#[test]
fn splittings_and_compositions_lose_no_impact() {
    lose_no_impact!(12, 1e-8;
        StormerVerlet::unproved(0.05), Composition::suzuki(StormerVerlet::unproved(0.05)),
        Composition::kahan_li(VariationalMidpoint::new(0.05)),
    );
}

/// It is of order 1. With steps of 0.3 ms, the error is a few times h g t / 2, depending on where in a step an impact falls.
#[test]
fn symplectic_euler_loses_no_impact() {
    lose_no_impact!(6, 0.05; SymplecticEuler::unproved(3e-4));
}

/// Its error is that of symplectic Euler.
#[test]
fn adjoint_symplectic_euler_loses_no_impact() {
    lose_no_impact!(6, 0.05; AdjointSymplecticEuler::unproved(3e-4));
}

/// A row of balls on a line: neighbours that meet exchange their momenta, elastically.
fn collide(
    direction: Direction,
    masses: [f64; BALLS],
    positions: [f64; BALLS],
    speeds: [f64; BALLS],
) -> (Solution<f64, BALLS>, [f64; BALLS]) {
    let gap: Vec<_> = (0..BALLS - 1)
        .map(|ball| move |_: f64, q: &SVector<f64, BALLS>, _: &SVector<f64, BALLS>| q[ball + 1] - q[ball])
        .collect();
    let blow: Vec<_> = (0..BALLS - 1)
        .map(|ball| {
            move |state: &State<f64, BALLS>| {
                let mut state = *state;
                let (a, b) = (masses[ball], masses[ball + 1]);
                let mean = (a * state.v[ball] + b * state.v[ball + 1]) / (a + b);
                (state.v[ball], state.v[ball + 1]) = (2.0 * mean - state.v[ball], 2.0 * mean - state.v[ball + 1]);
                state
            }
        })
        .collect();
    let events: Vec<_> =
        (0..BALLS - 1).map(|pair| Event::new(&gap[pair]).going(direction).mapping(&blow[pair])).collect();
    let options = Options { max_steps: Some(10_000), events: &events, ..Options::default() };
    let start = State::new(0.0, positions, speeds);
    let solution = solve(&COASTING as &Balls, start, 1.7, &Rk4::new(0.05), &options).expect("regular");
    let last = solution.last().expect("steps");
    (solution, last.v.into())
}

#[test]
fn a_blow_goes_through_a_row_of_balls_in_contact() {
    // Equal masses: the blow leaves at the other end, however small the gaps are.
    for gap in [0.0, 1e-17, 1e-16, 1e-15, 1e-12, 1e-6, 1e-3] {
        for direction in [Direction::Falling, Direction::Any] {
            let positions = core::array::from_fn(|ball| if ball == 0 { -1.0 } else { (ball - 1) as f64 * gap });
            let mut speeds = [0.0; BALLS];
            speeds[0] = 2.0;
            let (solution, last) = collide(direction, [1.0; BALLS], positions, speeds);
            let error = last.iter().zip([0.0, 0.0, 0.0, 0.0, 0.0, 2.0]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-13, "gap {gap:e}, {direction:?}: {last:?}");
            assert_eq!(solution.events.len(), BALLS - 1, "gap {gap:e}, {direction:?}");
        }
    }
}

#[test]
fn a_body_that_stops_on_its_zero_has_one_event() {
    let place = |_: f64, q: &SVector<f64, BALLS>, _: &SVector<f64, BALLS>| q[0];
    let stop = |state: &State<f64, BALLS>| State { q: SVector::repeat(0.0), v: SVector::repeat(0.0), ..*state };
    let events = [Event::new(&place).mapping(&stop)];
    let options = Options { max_steps: Some(100), events: &events, ..Options::default() };
    let start = State { t: 0.0, q: SVector::repeat(1.0), v: SVector::repeat(-1.0) };
    let solution = solve(&COASTING as &Balls, start, 3.0, &Rk4::new(0.3), &options).expect("one event");
    assert_eq!(solution.events.len(), 1);
    assert_eq!(solution.last().expect("steps").q, SVector::<f64, BALLS>::repeat(0.0));
}

#[test]
fn blows_from_both_sides_at_once_pass_each_other() {
    for late in [0.0, 1e-16, -1e-16, 1e-13, 1e-9, -1e-4] {
        let positions = [-1.0, 0.0, 0.0, 0.0, 0.0, 1.0 + late];
        let (_, last) = collide(Direction::Falling, [1.0; BALLS], positions, [1.0, 0.0, 0.0, 0.0, 0.0, -1.0]);
        assert_eq!(last, [-1.0, 0.0, 0.0, 0.0, 0.0, 1.0], "{late:e} late");
    }
}

#[test]
fn the_same_blow_from_both_sides_on_one_ball_is_passed_on_and_back() {
    // The middle one of three is met from both sides at once: the outer ones fly back. So do the next three.
    let positions = [-1.0, 0.0, 1.0, 9.0, 10.0, 11.0];
    let (_, last) = collide(Direction::Falling, [1.0; BALLS], positions, [1.0, 0.0, -1.0, 1.0, 0.0, -1.0]);
    assert_eq!(last, [-1.0, 0.0, 1.0, -1.0, 0.0, 1.0]);
}

#[test]
fn unequal_balls_keep_their_order_momentum_and_energy() {
    let mut random = Random(7);
    for _ in 0..40 {
        let masses: [f64; BALLS] = core::array::from_fn(|_| 0.2 + 2.0 * random.next());
        let gaps: [f64; BALLS] = core::array::from_fn(|_| [0.0, 0.1, 0.1, 0.2][(4.0 * random.next()) as usize]);
        let positions = core::array::from_fn(|ball| gaps[..ball].iter().sum());
        let speeds: [f64; BALLS] = core::array::from_fn(|ball| 1.0 - 0.5 * ball as f64 + 0.2 * random.next());
        let (solution, last) = collide(Direction::Falling, masses, positions, speeds);
        let total =
            |v: &[f64; BALLS], power: i32| -> f64 { (0..BALLS).map(|ball| masses[ball] * v[ball].powi(power)).sum() };
        assert!((total(&last, 1) - total(&speeds, 1)).abs() < 1e-12);
        assert!((total(&last, 2) - total(&speeds, 2)).abs() < 1e-12);
        assert!(solution.q.iter().all(|q| q.as_slice().windows(2).all(|pair| pair[1] - pair[0] > -1e-12)));
    }
}
