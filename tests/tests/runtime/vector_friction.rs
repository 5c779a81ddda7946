//! Isotropic friction: slips that are vectors, against closed forms, in two frames, and against the smooth law.

use super::common::solve_hidden;
use lagrange_runtime::analysis::{AnalysisError, linearize};
use lagrange_runtime::contact;
use lagrange_runtime::error::{PivotOf, SingularMass};
use lagrange_runtime::prelude::*;

/// A puck on a slope with the acceleration `a` along the first axis.
#[lagrangian {
    coordinates r[2];
    kinetic   = m*norm2(dot(r))/2;
    potential = -m*a*r[0];
    friction pad: r = b;
    output force = friction(pad);
}]
#[derive(Clone, Debug)]
struct Puck {
    m: f64,
    a: f64,
    b: f64,
}

/// A block on a turntable that spins up, in the frame of the room.
#[lagrangian {
    coordinates x, y;
    let c = cos(alpha*t^2/2);
    let s = sin(alpha*t^2/2);
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    friction pad: [x*c + y*s, y*c - x*s] = b;
}]
#[derive(Clone, Debug)]
struct Room {
    m: f64,
    alpha: f64,
    b: f64,
}

/// The block of [`Room`] in the frame of the turntable.
#[lagrangian {
    coordinates r[2];
    kinetic = m*((dot(r[0]) - alpha*t*r[1])^2 + (dot(r[1]) + alpha*t*r[0])^2)/2;
    friction pad: r = b;
}]
#[derive(Clone, Debug)]
struct Turntable {
    m: f64,
    alpha: f64,
    b: f64,
}

/// The block of [`Turntable`] with the smooth law of friction.
#[lagrangian {
    coordinates r[2];
    kinetic = m*((dot(r[0]) - alpha*t*r[1])^2 + (dot(r[1]) + alpha*t*r[0])^2)/2;
    friction pad: r = b, smooth = v0;
    output force = friction(pad);
}]
#[derive(Clone, Debug)]
struct Smooth {
    m: f64,
    alpha: f64,
    b: f64,
    v0: f64,
}

/// Two pucks with a spring between them, of which the first is pushed around, and the second lies on a slide that moves along a rail
/// with friction.
#[lagrangian {
    coordinates p[2], r[2], slide;
    kinetic   = m*norm2(dot(p))/2 + norm2(dot(r))/2 + dot(slide)^2/2;
    potential = k*norm2(p - r)/2 + slide^2/2;
    friction floor: p = a;
    friction pad: [r[0] - slide, r[1]] = b;
    friction rail: slide = c;
    force p = push*[cos(w*t), sin(2*w*t)];
}]
#[derive(Clone, Debug)]
struct Pucks {
    m: f64,
    k: f64,
    a: f64,
    b: f64,
    c: f64,
    push: f64,
    w: f64,
}

/// A puck in space, which constraints keep on a table that is turned about the vertical, and a bead on a sphere.
#[lagrangian {
    coordinates r[3], s[3];
    kinetic   = m*(norm2(dot(r)) + norm2(dot(s)))/2;
    potential = -m*pull*r[0] + m*g*s[2];
    constraint table: r[2] == 0;
    constraint sphere: norm(s) == l;
    friction pad: r = b;
    friction rub: s = c;
}]
#[derive(Clone, Debug)]
struct Surfaces {
    m: f64,
    g: f64,
    pull: f64,
    l: f64,
    b: f64,
    c: f64,
}

/// A bar on two rough feet, which cannot move independently of each other.
#[lagrangian {
    coordinates x, y, phi;
    kinetic = (dot(x)^2 + dot(y)^2 + dot(phi)^2)/2;
    friction left: [x - cos(phi), y - sin(phi)] = b;
    friction right: [x + cos(phi), y + sin(phi)] = b;
}]
#[derive(Clone, Debug)]
struct Bar {
    b: f64,
}

fn at<const N: usize>(tolerance: f64) -> Options<'static, f64, N> {
    Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() }
}

type Outcome = (State<f64, 2>, u64);

/// The end of a motion, and how many phases changed, by methods of each kind.
fn ends(system: &dyn System<f64, 2, 0, 0>, start: State<f64, 2>, end: f64) -> [Outcome; 5] {
    let options = at(1e-10);
    let found = [
        solve_hidden(system, start, end, &Dop853::new(), &options),
        solve_hidden(system, start, end, &Tsitouras5::new(), &options),
        solve_hidden(system, start, end, &Rk4::new(0.01), &options),
        solve_hidden(system, start, end, &Extrapolation::new(), &options),
        solve_hidden(system, start, end, &Radau9::new(), &options),
    ];
    found.map(|solution| {
        let solution = solution.expect("regular");
        (solution.last().expect("steps"), solution.statistics.phases)
    })
}

#[test]
fn a_puck_stops_on_a_straight_line() {
    let system = Puck { m: 2.0, a: 0.0, b: 3.0 }.prepare::<f64>().expect("valid");
    for (last, phases) in ends(&system, State::new(0.0, [1.0, 0.0], [-3.0, 4.0]), 5.0) {
        // v²/(2 b/m) along the line, and then rest.
        let way = 25.0 / 3.0;
        assert!((last.q - SVector::from([1.0 - 0.6 * way, 0.8 * way])).amax() < 1e-12, "{last:?}");
        assert_eq!((last.v, phases), (SVector::zeros(), 1));
    }
    let small = Puck { m: 2.0, a: 0.0, b: 3.0 }.prepare::<f32>().expect("valid");
    let options = Options { rtol: 1e-5.into(), atol: 1e-5.into(), ..Options::default() };
    let start = State::new(0.0_f32, [1.0, 0.0], [-3.0, 4.0]);
    let last = solve(&small, start, 5.0, &DormandPrince5::new(), &options).expect("regular").last().expect("steps");
    assert!((last.q - SVector::from([-4.0, 20.0 / 3.0])).amax() < 1e-5 && last.v.amax() < 1e-20, "{last:?}");
}

/// On a slope, with w = tan(φ/2) of the angle φ from the line of fall and k = b/(m a) > 1, |v| = K wᵏ⁻¹ (1 + w²)/2. The puck turns into the line
/// of fall while it stops, without a finite turning rate.
#[test]
fn a_puck_on_a_slope_stops_where_the_closed_form_says() {
    let (m, a, k) = (1.3, 2.0, 1.5_f64);
    let system = Puck { m, a, b: m * a * k }.prepare::<f64>().expect("valid");
    let (vx, vy) = (-1.0_f64, 2.0_f64);
    let w = (vy.atan2(vx) / 2.0).tan();
    let size = 2.0 * vx.hypot(vy) / (w.powf(k - 1.0) * (1.0 + w * w));
    let time = size / (2.0 * a) * (w.powf(k - 1.0) / (k - 1.0) + w.powf(k + 1.0) / (k + 1.0));
    let along =
        size * size / (4.0 * a) * (w.powf(2.0 * k - 2.0) / (2.0 * k - 2.0) - w.powf(2.0 * k + 2.0) / (2.0 * k + 2.0));
    let across =
        size * size / (2.0 * a) * (w.powf(2.0 * k - 1.0) / (2.0 * k - 1.0) + w.powf(2.0 * k + 1.0) / (2.0 * k + 1.0));
    let start = State::new(0.0, [0.0; 2], [vx, vy]);
    let ends_at = ends(&system, start, 2.0);
    for ((last, phases), tolerance) in ends_at.into_iter().zip([1e-9, 1e-9, 1e-5, 1e-9]) {
        assert!((last.q - SVector::from([along, across])).amax() < tolerance, "{last:?} {along} {across}");
        assert_eq!((last.v, phases), (SVector::zeros(), 1));
    }
    let before = solve_hidden(&system, start, time - 1e-4, &Dop853::new(), &at(1e-10)).expect("regular");
    let speed = before.last().expect("steps").v.norm();
    assert!((speed / (1e-4 * a * (k - 1.0)) - 1.0).abs() < 1e-2, "it stops at {time}: {speed}");
}

#[test]
fn the_force_holds_up_to_its_bound_and_then_acts_against_the_slip() {
    let held = Puck { m: 2.0, a: 1.0, b: 2.5 }.prepare::<f64>().expect("valid");
    let still = State::new(0.0, [0.3, 0.1], [0.0, 0.0]);
    let (last, phases) = ends(&held, still, 3.0)[0];
    assert_eq!((last.q, last.v, phases), (still.q, still.v, 0));
    let mut force = [0.0; 2];
    held.outputs(0.0, &still.q, &still.v, &SVector::from([]), &mut force);
    assert_eq!(force, [-2.0, 0.0]);
    let found = contact::forces(&held, &still, &SVector::from([])).expect("regular");
    assert_eq!((found.sticks[..2].to_vec(), found.bounds[..2].to_vec()), (vec![true; 2], vec![2.5; 2]));
    assert_eq!(held.row_names(), ["pad", "pad"]);

    let moving = State::new(0.0, [0.3, 0.1], [3.0, -4.0]);
    let found = contact::forces(&held, &moving, &SVector::from([])).expect("regular");
    assert_eq!((found.forces[..2].to_vec(), found.sticks[..2].to_vec()), (vec![-1.5, 2.0], vec![false; 2]));
    let power = held.powers_of(&moving).into_iter().find(|(name, _)| *name == "pad").expect("it has a power");
    assert!((power.1 + 2.5 * 5.0).abs() < 1e-12, "{power:?}");

    // Too weak to hold, the friction lets the puck go along the line of fall: x = (a − b/m) t²/2.
    let weak = Puck { m: 2.0, a: 1.0, b: 1.5 }.prepare::<f64>().expect("valid");
    for (last, _) in ends(&weak, still, 3.0) {
        assert!((last.q - SVector::from([0.3 + 0.125 * 9.0, 0.1])).amax() < 1e-9, "{last:?}");
    }
}

const SPIN: (f64, f64, f64, f64) = (1.3, 0.4, 0.65, 0.6);

/// The block slides off where r √(ω⁴ + α²) = b/m with ω = α t.
#[test]
fn a_block_on_a_turntable_slides_off_at_the_time_of_the_closed_form_and_alike_in_both_frames() {
    let (m, alpha, b, r) = SPIN;
    let time = ((b / (m * r)).powi(2) - alpha * alpha).powf(0.25) / alpha;
    let room = Room { m, alpha, b }.prepare::<f64>().expect("valid");
    let table = Turntable { m, alpha, b }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [r, 0.0], [0.0, 0.0]);
    let turned = |t: f64, q: SVector<f64, 2>| {
        let (s, c) = (alpha * t * t / 2.0).sin_cos();
        SVector::from([q[0] * c - q[1] * s, q[0] * s + q[1] * c])
    };
    // The velocities at the stages of Radau's method are solved to rounding.
    for ((last, phases), rounding) in
        ends(&table, start, time * (1.0 - 1e-9)).into_iter().zip([0.0, 0.0, 0.0, 0.0, 1e-14])
    {
        let moved = (last.q - start.q).amax().max((last.v - start.v).amax());
        assert!(moved <= rounding && phases == 0, "it sticks until {time}: {last:?}");
    }
    // Just after it, the slip rate grows with the square of the time, at the rate at which the force that is needed grows.
    let growth = 2.0 * alpha.powi(4) * time.powi(3) * r / (b / (m * r));
    for (last, phases) in ends(&table, start, time + 1e-3) {
        assert!((last.v.norm() / (growth * 1e-6 / 2.0) - 1.0).abs() < 1e-2 && phases == 1, "{last:?}");
    }
    let end = 4.0;
    let reference =
        solve_hidden(&table, start, end, &Dop853::new(), &at(1e-12)).expect("regular").last().expect("steps");
    let reference = turned(end, reference.q);
    // The third method has steps of 0.01.
    for ((last, _), tolerance) in ends(&table, start, end).into_iter().zip([2e-9, 1e-8, 2e-8, 1e-8, 1e-8]) {
        let error = (turned(end, last.q) - reference).amax();
        assert!(error < tolerance, "{error}");
    }
    for (last, _) in ends(&room, start, end) {
        let error = (last.q - reference).amax();
        assert!(error < 2e-8, "{error}");
    }
    // Nothing in the rule has a scale: a turntable of a billionth of the size, whose friction is as weak, moves alike.
    let small = Turntable { m, alpha, b: b * 1e-9 }.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-10.into(), atol: 1e-19.into(), ..Options::default() };
    let last = solve_hidden(&small, State::new(0.0, [r * 1e-9, 0.0], [0.0; 2]), end, &Dop853::new(), &options);
    let last = last.expect("regular").last().expect("steps");
    assert!((turned(end, last.q * 1e9) - reference).amax() < 1e-8, "{last:?}");
    // In single precision, the room's slip rates have the rounding of its velocities.
    let single = Room { m, alpha, b }.prepare::<f32>().expect("valid");
    let options = Options { rtol: 1e-5.into(), atol: 1e-5.into(), ..Options::default() };
    let from = State::new(0.0_f32, [r as f32, 0.0], [0.0, 0.0]);
    let last = solve(&single, from, 4.0, &DormandPrince5::new(), &options).expect("regular").last().expect("steps");
    let error = (last.q.map(f64::from) - reference).amax();
    assert!(error < 3e-3, "{error}");
    // The smooth law has no phases. Its distance from the reference falls with v₀.
    let near = [1e-3, 1e-4].map(|v0| {
        let smooth = Smooth { m, alpha, b, v0 }.prepare::<f64>().expect("valid");
        let last =
            solve_hidden(&smooth, start, end, &Dop853::new(), &at(1e-10)).expect("regular").last().expect("steps");
        (turned(end, last.q) - reference).amax()
    });
    assert!(near[1] < 3e-3 && near[1] < 0.2 * near[0], "{near:?}");
}

#[test]
fn the_smooth_force_is_that_of_its_formula_at_rest_and_in_motion() {
    let (m, alpha, b, _) = SPIN;
    let smooth = Smooth { m, alpha, b, v0: 0.1 }.prepare::<f64>().expect("valid");
    for v in [[0.0, 0.0], [0.3, -0.4]] {
        let mut force = [f64::NAN; 2];
        smooth.outputs(0.0, &SVector::zeros(), &v.into(), &SVector::from([]), &mut force);
        let length = (v[0] * v[0] + v[1] * v[1] + 0.01_f64).sqrt();
        assert!((0..2).all(|i| (force[i] + b * v[i] / length).abs() < 1e-15), "{force:?}");
    }
    let near = linearize(&smooth, &State::new(0.0, [0.0; 2], [0.0; 2]), &SVector::from([])).expect("smooth");
    assert!((near.space().a[(2, 2)] + b / (0.1 * m)).abs() < 1e-12, "at rest it is a damper of b/v₀");
}

/// Vectors and a scalar slip that hang together.
#[test]
fn random_pucks_end_alike_by_two_methods_and_lose_what_friction_takes() {
    let mut seed = 11_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut phases = 0;
    for case in 0..4 {
        let pucks = Pucks {
            m: 0.5 + random(),
            k: 1.0 + 3.0 * random(),
            a: 0.2 + 0.3 * random(),
            b: 0.2 + 0.4 * random(),
            c: 0.1 + 0.3 * random(),
            push: 0.5 + random(),
            w: 0.5 + random(),
        };
        let system = pucks.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.0; 5], [0.0, 0.3 * random(), 0.0, 0.0, 0.0]);
        let solution = solve_hidden(&system, start, 6.0, &DormandPrince5::new(), &at(1e-9))
            .unwrap_or_else(|failed| panic!("{pucks:?}: {failed}"));
        phases += solution.statistics.phases;
        for state in solution.states().step_by(25) {
            let found = contact::forces(&system, &state, &SVector::from([])).expect("regular");
            // The row of the rail comes first.
            for (first, bound) in [(1, pucks.a), (3, pucks.b)] {
                let length = |x: [f64; contact::MAX_ROWS]| x[first].hypot(x[first + 1]);
                let work = (first..first + 2).fold(0.0, |sum, row| sum + found.forces[row] * found.rates[row]);
                assert!(length(found.forces) <= bound * (1.0 + 1e-9), "case {case}: {found:?}");
                assert!((work + length(found.rates) * bound).abs() <= 1e-8 || found.sticks[first], "{found:?}");
            }
        }
        let last = solution.last().expect("steps");
        let other =
            solve_hidden(&system, start, 6.0, &Dop853::new(), &at(1e-11)).expect("regular").last().expect("steps");
        assert!((last.q - other.q).amax() < 1e-7, "case {case}, {pucks:?}: {last:?} {other:?}");
    }
    assert!(phases > 8, "{phases}");
}

#[test]
fn a_checkpoint_keeps_the_phases_of_vectors() {
    let (m, alpha, b, r) = SPIN;
    let system = Turntable { m, alpha, b }.prepare::<f64>().expect("valid");
    let (start, options, method) = (State::new(0.0, [r, 0.0], [0.0, 0.0]), at(1e-9), Dop853::new());
    let whole = solve_hidden(&system, start, 4.0, &method, &options).expect("regular");
    let steps = whole.statistics.steps;
    for cut in [2, steps / 8, steps / 3, steps - 3] {
        let mut inputs = DefaultInputs::of(&system);
        let mut stepper = Stepper::new(&system, start, 4.0, &method, &options, &mut inputs).expect("regular");
        for _ in 0..cut {
            stepper.step().expect("regular");
        }
        let text = serde_json::to_string(&stepper.checkpoint()).expect("finite");
        let checkpoint = serde_json::from_str(&text).expect("as written");
        let mut inputs = DefaultInputs::of(&system);
        let mut stepper = Stepper::resume(&system, &checkpoint, &method, &options, &mut inputs).expect("the same");
        stepper.run(&mut ()).expect("regular");
        assert_eq!(stepper.state().expect("regular"), whole.last().expect("steps"), "cut at step {cut}");
        assert_eq!(*stepper.statistics(), whole.statistics);
    }
}

/// The slips have three components, of which constraints leave two free. The friction has no part across the surface.
#[test]
fn a_slip_acts_along_the_surface_to_which_constraints_keep_it() {
    let (m, g, l) = (1.5, 9.81, 0.8);
    let surfaces = Surfaces { m, g, pull: 1.0, l, b: 2.0, c: 6.0 };
    let system = surfaces.prepare::<f64>().expect("valid");
    let angle = 0.2_f64;
    let bead = [l * angle.sin(), 0.0, -l * angle.cos()];
    let start = State::new(0.0, [0.0, 0.0, 0.0, bead[0], bead[1], bead[2]], [0.0, 0.5, 0.0, 0.0, 0.3, 0.0]);
    let ends = [
        solve_hidden(&system, start, 3.0, &Dop853::new(), &at(1e-10)),
        solve_hidden(&system, start, 3.0, &Tsitouras5::new(), &at(1e-10)),
    ];
    let [first, second] = ends.map(|solution| solution.expect("regular").last().expect("steps"));
    assert!((first.q - second.q).amax() < 1e-8 && first.v.amax() < 1e-9, "{first:?} {second:?}");
    // On the table it is the puck of a plane.
    let puck = Puck { m, a: 1.0, b: 2.0 }.prepare::<f64>().expect("valid");
    let plane = State::new(0.0, [0.0; 2], [0.0, 0.5]);
    let plane = solve_hidden(&puck, plane, 3.0, &Dop853::new(), &at(1e-10)).expect("regular").last().expect("steps");
    assert!((first.q.fixed_rows::<2>(0) - plane.q).amax() < 1e-9 && first.q[2].abs() < 1e-12, "{first:?} {plane:?}");
    // At rest, the friction on the puck is m·pull, and that on the bead is the part of its weight along the sphere.
    let found = contact::forces(&system, &first, &SVector::from([])).expect("regular");
    let bead = first.q.fixed_rows::<3>(3);
    let along = (m * g) * bead.xy().norm() / l;
    let force = SVector::<f64, 3>::from_row_slice(&found.forces[3..6]);
    assert!((found.forces[0] + m).abs() < 1e-9 && found.forces[2].abs() < 1e-9, "{found:?}");
    assert!((force.norm() - along).abs() < 1e-9 && force.dot(&bead).abs() < 1e-9, "{found:?} {along}");
}

/// No friction, and a step size that was once cut short and has doubled since more often than a number can.
#[test]
fn a_bound_of_0_and_a_long_slip_are_regular() {
    let smooth = Puck { m: 2.0, a: 1.0, b: 0.0 }.prepare::<f64>().expect("valid");
    for (last, _) in ends(&smooth, State::new(0.0, [0.0; 2], [0.0, 0.0]), 2.0) {
        assert!((last.q - SVector::from([2.0, 0.0])).amax() < 1e-9, "{last:?}");
    }
    let weak = Puck { m: 2.0, a: 1.0, b: 1.5 }.prepare::<f64>().expect("valid");
    let method = Rk4::new(1e-3);
    let (start, options) = (State::new(0.0, [0.0; 2], [0.0; 2]), Options::default());
    let mut inputs = DefaultInputs::of(&weak);
    let mut stepper = Stepper::new(&weak, start, 3.0, &method, &options, &mut inputs).expect("regular");
    while stepper.state().expect("regular").t < 2.5 {
        stepper.step().expect("regular");
    }
    let text = serde_json::to_string(&stepper.checkpoint()).expect("finite");
    let checkpoint = serde_json::from_str(&text).expect("as written");
    let mut inputs = DefaultInputs::of(&weak);
    let mut resumed = Stepper::resume(&weak, &checkpoint, &method, &options, &mut inputs).expect("the same");
    resumed.run(&mut ()).expect("regular");
    assert!((resumed.state().expect("regular").q[0] - 0.125 * 9.0).abs() < 1e-9);
}

/// An event whose map strikes the puck just after it began to slip, and one that brings it to rest.
#[test]
fn a_map_decides_the_phases_anew() {
    let weak = Puck { m: 2.0, a: 1.0, b: 1.5 }.prepare::<f64>().expect("valid");
    for (time, v) in [(1e-4, [0.0, 1.0]), (0.5, [0.0, 0.0])] {
        let struck = |state: &State<f64, 2>| State { v: v.into(), ..*state };
        let clock = move |t: f64, _: &SVector<f64, 2>, _: &SVector<f64, 2>| t - time;
        let events = [Event::new(&clock).mapping(&struck)];
        let options = Options { events: &events, ..at(1e-11) };
        let start = State::new(0.0, [0.0; 2], [0.0; 2]);
        let last = solve_hidden(&weak, start, 1.0, &Dop853::new(), &options).expect("regular").last().expect("steps");
        let before = 0.125 * time * time;
        let anew = State::new(time, [before, 0.0], v);
        let expected =
            solve_hidden(&weak, anew, 1.0, &Dop853::new(), &at(1e-11)).expect("regular").last().expect("steps");
        assert!((last.q - expected.q).amax() < 1e-9, "{last:?} {expected:?}");
    }
}

#[test]
fn what_has_no_answer_is_an_error_that_names_the_friction() {
    let puck = Puck { m: 1.0, a: 1.0, b: -0.1 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0; 2], [1.0, 1.0]);
    let failed = solve_hidden(&puck, start, 1.0, &Dop853::new(), &at(1e-9)).expect_err("negative").error.failure;
    assert!(matches!(failed, Failure::NegativeBound { contact: "pad", bound: -0.1, .. }), "{failed:?}");

    // Two feet of a rigid bar: along the bar, any forces that add up to the same hold it.
    let bar = Bar { b: 0.5 }.prepare::<f64>().expect("valid");
    let sliding = State::new(0.0, [0.0; 3], [1.0, 0.3, 0.4]);
    let failed = solve_hidden(&bar, sliding, 9.0, &Dop853::new(), &at(1e-9)).expect_err("two feet at rest").error;
    let Failure::SingularMass(SingularMass { of, .. }) = failed.failure else { panic!("{failed}") };
    assert!(matches!(of, PivotOf::DependentContact { name: "right", .. }), "{of:?}");
    assert!(failed.state.t > 0.5 && failed.state.v.amax() < 1e-6, "it slid to its rest: {:?}", failed.state);

    // Methods that do not hold contacts, switches that are not located, and analyses of derived equations.
    let puck = Puck { m: 1.0, a: 1.0, b: 0.5 }.prepare::<f64>().expect("valid");
    let refused = |failed: Failure| {
        assert!(matches!(failed, Failure::NotApplicable { needs, .. } if needs.contains("vector")), "{failed:?}");
    };
    refused(solve_hidden(&puck, start, 1.0, &Rodas5P::new(), &at(1e-9)).expect_err("linearised").error.failure);
    let loose = Options { locate_switches: false, ..at(1e-9) };
    refused(solve_hidden(&puck, start, 1.0, &Dop853::new(), &loose).expect_err("no switches").error.failure);
    let analysis = linearize(&puck, &start, &SVector::from([])).expect_err("refused");
    assert!(matches!(analysis, AnalysisError::NotApplicable { .. }) && analysis.to_string().contains("vector"));
}

/// Two pads on a floor and on each other, in a spring.
#[lagrangian {
    coordinates p[2], q[2];
    kinetic   = (norm2(dot(p)) + 2*norm2(dot(q)))/2;
    potential = k*norm2(q - p)/2 + c*(p[0]^2 + q[1]^2)/2;
    force q[0] = f*sin(w*t);
    friction below: p = b1;
    friction between: q - p = b2;
}]
#[derive(Clone, Debug)]
struct TwoPads {
    k: f64,
    c: f64,
    f: f64,
    w: f64,
    b1: f64,
    b2: f64,
}

#[test]
fn all_pairs_bring_slips_to_rest_in_about_as_many_steps() {
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let options = Options { rtol: 1e-8.into(), atol: 1e-9.into(), max_steps: Some(20_000), ..Options::default() };
    let (mut changes, mut is_first) = (0, true);
    for case in 0..8 {
        let (k, c) = (1.0 + 2.0 * random(), 0.5 + random());
        let pads = TwoPads { k, c, f: random(), w: 0.5 + random(), b1: 0.3 + random(), b2: 0.2 + 0.5 * random() };
        let system = pads.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [(); 4].map(|()| 2.0 * random() - 1.0), [0.0; 4]);
        let whole = |solved: Result<Solution<f64, 4>, Box<PartialSolution<f64, 4>>>| {
            let solution = solved.unwrap_or_else(|failed| panic!("case {case}, {pads:?}: {failed}"));
            let attempts = solution.statistics.steps + solution.statistics.rejected;
            (solution.last().expect("steps"), solution.statistics.phases, attempts)
        };
        let first = whole(solve_hidden(&system, start, 1.5, &Dop853::new(), &options));
        // Only where slips come to rest or begin do the pairs have something to agree on.
        if first.1 == 0 {
            continue;
        }
        let mut others = vec![
            whole(solve_hidden(&system, start, 1.5, &Tsitouras5::new(), &options)),
            whole(solve_hidden(&system, start, 1.5, &DormandPrince5::new(), &options)),
            whole(solve_hidden(&system, start, 1.5, &Rkf45::new(), &options)),
            whole(solve_hidden(&system, start, 1.5, &Verner6::new(), &options)),
            whole(solve_hidden(&system, start, 1.5, &Verner9::new(), &options)),
        ];
        if is_first {
            others.push(whole(solve_hidden(&system, start, 1.5, &BogackiShampine3::new(), &options)));
        }
        assert!(others.iter().all(|other| other.2 < 6_000), "case {case}: {others:?}");
        if is_first {
            let options = Options { max_steps: Some(1_000_000), ..options };
            others.push(whole(solve_hidden(&system, start, 1.5, &Rk4::new(1e-3), &options)));
        }
        is_first = false;
        for (last, phases, _) in others {
            let apart = (last.q - first.0.q).amax().max((last.v - first.0.v).amax());
            assert!(
                apart < 1e-6 && phases == first.1,
                "case {case}, {pads:?}: {apart:e}, {phases} and {} phases",
                first.1
            );
        }
        changes += first.1;
    }
    assert!(changes > 2, "{changes}");
}
