//! Outputs as events, switched circuits, pulses at known times.

use lagrange_runtime::prelude::*;
use std::cell::Cell;
use std::f64::consts::{FRAC_PI_2, PI};

type One = SVector<f64, 1>;

/// A mass on a spring, with a sensor that looks ahead and one of the acceleration.
#[lagrangian {
    coordinates x;
    kinetic   = m*dot(x)^2/2;
    potential = k*x^2/2;
    output ahead = x + lead*dot(x);
    output felt  = dot(dot(x));
}]
#[derive(Clone, Debug)]
struct Spring {
    m: f64,
    k: f64,
    lead: f64,
}

/// A coil with a resistance at a switched source: the charge is the coordinate.
#[lagrangian {
    coordinates charge;
    kinetic     = l*dot(charge)^2/2;
    dissipation = r*dot(charge)^2/2;
    force charge = source;
}]
#[derive(Clone, Debug)]
struct Coil {
    l: f64,
    r: f64,
    #[input]
    source: f64,
}

fn tight<'a>(events: &'a [Event<'a, f64, 1>]) -> Options<'a, f64, 1> {
    Options { rtol: 1e-12.into(), atol: 1e-12.into(), max_steps: Some(100_000), events, ..Options::default() }
}

fn times<const U: usize>(solution: &Solution<f64, 1, U>, event: usize) -> Vec<f64> {
    solution.events.iter().filter(|found| found.event == event).map(|found| found.before.t).collect()
}

#[track_caller]
fn assert_times(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?} instead of {expected:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
    }
}

#[test]
fn outputs_are_event_functions() {
    let system = Spring { m: 2.0, k: 2.0, lead: 0.5 }.prepare::<f64>().expect("valid");
    let index = |name: &str| system.output_names().iter().position(|&output| output == name).expect("an output");
    let ahead = EventFunction::Output(index("ahead"));
    let felt = EventFunction::Output(index("felt"));
    let events = [Event::of(ahead), Event::of(ahead).going(Direction::Rising), Event::of(felt)];
    // x = cos t: x + ẋ/2 vanishes where tan t = 2, ẍ = −x where cos t = 0.
    let first = 2.0_f64.atan();
    let start = State::new(0.0, [1.0], [0.0]);
    let solution = solve(&system, start, 8.0, &Verner6::new(), &tight(&events)).expect("regular");
    assert_times(&times(&solution, 0), &[first, first + PI, first + 2.0 * PI], 1e-10);
    assert_times(&times(&solution, 1), &[first + PI], 1e-10);
    assert_times(&times(&solution, 2), &[FRAC_PI_2, 3.0 * FRAC_PI_2, 5.0 * FRAC_PI_2], 1e-10);
    // Backward, a crossing from negative to positive is one in that direction.
    let solution = solve(&system, start, -8.0, &Verner6::new(), &tight(&events)).expect("regular");
    assert_times(&times(&solution, 0), &[first - PI, first - 2.0 * PI], 1e-10);
    assert_times(&times(&solution, 1), &[first - 2.0 * PI], 1e-10);
}

#[test]
fn a_current_is_kept_between_two_bounds_by_a_switch() {
    let model = Coil { l: 0.1, r: 2.0, source: 0.0 };
    let system = model.prepare::<f64>().expect("valid");
    let (voltage, low, high) = (12.0, 2.0, 3.0);
    let on = Cell::new(true);
    let over = |_: f64, _: &One, v: &One| v[0] - high;
    let under = |_: f64, _: &One, v: &One| v[0] - low;
    let switch_off = |state: &State<f64, 1>| {
        on.set(false);
        *state
    };
    let switch_on = |state: &State<f64, 1>| {
        on.set(true);
        *state
    };
    let events = [
        Event::new(&over).going(Direction::Rising).mapping(&switch_off),
        Event::new(&under).going(Direction::Falling).mapping(&switch_on),
    ];
    let mut source = |_: f64, _: &One, _: &One| One::from([if on.get() { voltage } else { 0.0 }]);
    let start = State::new(0.0, [0.0], [0.0]);
    let solution = solve_with(&system, start, 0.5, &Tsitouras5::new(), &tight(&events), &mut source).expect("regular");
    // i → V/r with the time constant l/r while on, → 0 while off.
    let (constant, limit) = (model.l / model.r, voltage / model.r);
    let charging = |from: f64, to: f64| constant * ((limit - from) / (limit - to)).ln();
    let (rise, fall) = (charging(low, high), constant * (high / low).ln());
    let mut t = charging(0.0, high);
    let (mut offs, mut ons) = (Vec::new(), Vec::new());
    while t < 0.5 {
        offs.push(t);
        if t + fall < 0.5 {
            ons.push(t + fall);
        }
        t += fall + rise;
    }
    assert!(offs.len() > 10);
    assert_times(&times(&solution, 0), &offs, 1e-11);
    assert_times(&times(&solution, 1), &ons, 1e-11);
    assert!(solution.states().skip_while(|state| state.t < 0.05).all(|state| {
        let current = state.v[0];
        current > low - 1e-9 && current < high + 1e-9
    }));
}

/// On for a part of every period, switched at times that are known.
struct Pulses {
    period: f64,
    width: f64,
    voltage: f64,
    on: bool,
}

impl Pulses {
    /// The edge of this number: even ones switch on.
    fn edge(&self, number: i64) -> f64 {
        let start = (number.div_euclid(2)) as f64 * self.period;
        if number.rem_euclid(2) == 0 { start } else { start + self.width }
    }

    /// The number of the first edge after `t`.
    fn after(&self, t: f64) -> i64 {
        let mut number = 2 * (t / self.period).floor() as i64 - 1;
        while self.edge(number) <= t {
            number += 1;
        }
        number
    }
}

impl Controller<f64, 1, 1> for Pulses {
    fn input(&mut self, _: f64, _: &One, _: &One) -> One {
        One::from([if self.on { self.voltage } else { 0.0 }])
    }

    fn next_discontinuity(&self, from: f64, to: f64) -> Option<f64> {
        Some(self.edge(self.after(from))).filter(|&edge| edge < to)
    }

    fn arrive(&mut self, t: f64, _: &One, _: &One) {
        // After an even edge and before the odd one that follows it, it is on.
        self.on = self.after(t).rem_euclid(2) == 1;
    }
}

#[test]
fn pulses_at_known_times_are_met_exactly() {
    let model = Coil { l: 0.1, r: 2.0, source: 0.0 };
    let system = model.prepare::<f64>().expect("valid");
    let mut pulses = Pulses { period: 0.1, width: 0.03, voltage: 12.0, on: false };
    let start = State::new(0.0, [0.0], [0.0]);
    let (constant, limit) = (model.l / model.r, 12.0 / model.r);
    let mut current = 0.0;
    for _ in 0..10 {
        current = limit + (current - limit) * (-0.03_f64 / constant).exp();
        current *= (-0.07_f64 / constant).exp();
    }
    let options = tight(&[]);
    let solution = solve_with(&system, start, 1.0, &Dop853::new(), &options, &mut pulses).expect("regular");
    for number in 1..20 {
        assert!(solution.t.contains(&pulses.edge(number)), "edge {number}");
    }
    assert!((solution.last().expect("steps").v[0] - current).abs() < 1e-11);
    // No step crosses an edge, so none is rejected for it. Steps of a fixed size end on edges too.
    assert!(solution.statistics.rejected < 10, "{:?}", solution.statistics);
    let solution =
        solve_with(&system, start, 1.0, &Gauss::<f64, 4>::new(0.007), &options, &mut pulses).expect("regular");
    assert!((solution.last().expect("steps").v[0] - current).abs() < 1e-11);
}

/// A mass under a force that jumps at times of its own.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    force x = if t < 0.3 { 1 } else { if t < 0.7 { -2 } else { c } };
}]
#[derive(Clone, Debug)]
struct Kicked {
    c: f64,
}

#[test]
fn declared_stops_are_ends_of_steps() {
    let system = Kicked { c: 0.5 }.prepare::<f64>().expect("valid");
    let stops = [0.3, 0.7];
    // The stops alone end steps, not the switching functions of the force, which jumps there.
    let options = Options { stops: &stops, locate_switches: false, ..tight(&[]) };
    let start = State::new(0.0, [0.0], [0.0]);
    // v = 0.3, then 0.3 − 0.8, then −0.5 + 0.15; x by their integrals.
    let (speed, way) = (-0.35, 0.045 + (0.3 * 0.4 - 0.16) + (-0.5 * 0.3 + 0.5 * 0.09 / 2.0));
    macro_rules! check {
        ($($method:expr, $near:literal);*) => {$(
            let solution = solve(&system, start, 1.0, &$method, &options).expect("regular");
            let last = solution.last().expect("steps");
            assert!((last.v[0] - speed).abs() < $near && (last.q[0] - way).abs() < $near, "{last:?} {way}");
            assert!(stops.iter().all(|stop| solution.t.contains(stop)), "{:?}", solution.t);
        )*};
    }
    check!(Dop853::new(), 1e-13; Verner9::new(), 1e-13; Gauss::<f64, 2>::new(0.13), 1e-13; Radau9::new(), 1e-13);
    let asked = Options { t_eval: Some(&stops), ..options };
    let solution = solve(&system, start, 1.0, &Dop853::new(), &asked).expect("regular");
    assert_eq!(solution.t, stops);
    assert!((solution.v[0][0] - 0.3).abs() < 1e-14);
    // The interpolants on both sides see their own branch.
    let dense = Options { dense_output: true, ..options };
    let solution = solve(&system, start, 1.0, &Dop853::new(), &dense).expect("regular");
    for (t, exact) in [(0.29, 0.29), (0.2999, 0.2999), (0.3001, 0.2998), (0.65, -0.4)] {
        assert!((solution.sample(t).expect("inside").v[0] - exact).abs() < 1e-13, "{t}");
    }
    // No step is rejected, since none meets a jump.
    assert_eq!(solution.statistics.rejected, 0);
    for bad in [[0.7, 0.3], [0.3, 0.3], [0.3, f64::NAN]] {
        let failed = solve(&system, start, 1.0, &Dop853::new(), &Options { stops: &bad, ..options }).unwrap_err();
        assert!(matches!(failed.error.failure, Failure::BadOption { option: "stops", .. }), "{failed}");
    }
    // Those outside the span are passed over; backward they go backward.
    let wide = [-1.0, 0.0, 0.5, 1.0, 2.0];
    let solution = solve(&system, start, 1.0, &Rk4::new(0.4), &Options { stops: &wide, ..options }).expect("regular");
    assert_eq!(solution.t, [0.0, 0.4, 0.5, 0.9, 1.0]);
    let back = [0.7, 0.3];
    let from = State::new(1.0, [way], [speed]);
    let solution = solve(&system, from, 0.0, &Dop853::new(), &Options { stops: &back, ..options }).expect("regular");
    assert!(solution.last().expect("steps").q[0].abs() < 1e-13 && solution.t.contains(&0.7));
    assert_eq!(solution.statistics.rejected, 0);
    // A motion may start on a stop, too.
    let from = State::new(0.7, [way + 0.35 * 0.3 + 0.5 * 0.3 * 0.5 * 0.3], [-0.5]);
    let solution = solve(&system, from, 0.0, &Dop853::new(), &Options { stops: &back, ..options }).expect("regular");
    assert!(solution.last().expect("steps").v[0].abs() < 1e-13);
    assert_eq!(solution.statistics.rejected, 0);
}
