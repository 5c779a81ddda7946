//! Embedded pairs on constrained mechanisms: the estimate before the projection, the next stage after it, interpolants that
//! join the projected ends, samples and events.

use lagrange_models::{CartesianPendulum, SphericalPendulumCartesian};
use lagrange_runtime::evaluator::Evaluator;
use lagrange_runtime::method::{Estimate, Trial};
use lagrange_runtime::prelude::*;

type Pair = SVector<f64, 2>;

fn tolerance<'a>(value: f64) -> Options<'a, f64, 2> {
    Options { rtol: value.into(), atol: value.into(), dense_output: true, ..Options::default() }
}

/// How far a state is off the rod, in length and in its rate.
fn off(system: &dyn System<f64, 2, 1, 0>, state: &State<f64, 2>) -> f64 {
    let at = system.constraint(state.t, &state.q);
    at.value.amax().max((at.jacobian * state.v + at.drift).amax())
}

#[test]
fn the_error_is_estimated_before_the_projection() {
    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    let (start, h) = (CartesianPendulum::released(), 0.3);
    let trial = |projected: bool| {
        let mut inputs = DefaultInputs::of(&system);
        let mut evaluator = Evaluator::new(&system, &mut inputs);
        fn step<S, M: Method<f64, 2, 1>>(
            method: &M,
            evaluator: &mut Evaluator<'_, S, DefaultInputs<f64, 0>, f64, 2, 1, 0>,
            start: &State<f64, 2>,
            h: f64,
        ) -> Trial<f64, 2, M::Memory>
        where
            S: System<f64, 2, 1, 0>,
        {
            let memory = method.start(evaluator, start).expect("regular");
            let memory = method.refresh(evaluator, start, &memory).expect("regular");
            method.step(evaluator, &mut method.workspace(), start, &memory, h, h).expect("regular")
        }
        if projected {
            step(&Projected::new(Tsitouras5::new()), &mut evaluator, &start, h)
        } else {
            step(&Tsitouras5::new(), &mut evaluator, &start, h)
        }
    };
    let (plain, projected) = (trial(false), trial(true));
    assert!(matches!(plain.estimate, Estimate::Difference(_)));
    assert_eq!(plain.estimate, projected.estimate);
    assert!(off(&system, &plain.state) > 1e-6, "this step leaves the rod");
    assert!(off(&system, &projected.state) < 1e-14);
}

#[test]
fn no_stage_is_taken_over_from_before_a_projection() {
    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    let options =
        Options { rtol: 1e9.into(), atol: 1e9.into(), first_step: Some(0.02), max_step: 0.02, ..Options::default() };
    let start = CartesianPendulum::released();
    let plain = solve(&system, start, 0.2, &Tsitouras5::new(), &options).expect("regular").statistics;
    let projected = solve(&system, start, 0.2, &Projected::new(Tsitouras5::new()), &options).expect("regular");
    // Six stages a step and one for the first of all; with the projection seven a step.
    assert_eq!((plain.steps, plain.evaluations), (10, 61));
    assert_eq!((projected.statistics.steps, projected.statistics.evaluations), (10, 70));
}

/// The largest difference of a sample close to an end of a step from that end.
fn gap<const N: usize>(solution: &Solution<f64, N>) -> f64 {
    let segments = solution.dense.as_ref().expect("dense output was asked for");
    let gap = |sample: State<f64, N>, end: &State<f64, N>| (sample.q - end.q).amax().max((sample.v - end.v).amax());
    let gaps = segments.iter().map(|segment| {
        let (start, end) = (segment.start(), segment.end());
        let near = 1e-12 * (end.t - start.t);
        gap(segment.sample(start.t + near), start).max(gap(segment.sample(end.t - near), end))
    });
    gaps.fold(0.0, f64::max)
}

#[test]
fn interpolants_join_the_projected_ends_and_keep_their_order() {
    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    let start = CartesianPendulum::released();
    let reference = solve(&system, start, 2.0, &Projected::new(Verner9::new()), &tolerance(1e-13)).expect("regular");
    macro_rules! check {
        ($($method:ident),*) => {$(
            let method = Projected::new($method::new());
            let loose = solve(&system, start, 2.0, &method, &tolerance(1e-5)).expect("regular");
            assert!(gap(&loose) < 1e-9, "{}: a gap of {:e}", stringify!($method), gap(&loose));
            // Samples are about as good as ends.
            let solution = solve(&system, start, 2.0, &method, &tolerance(1e-9)).expect("regular");
            let error = |t: f64| {
                let (found, exact) = (solution.sample(t).expect("inside"), reference.sample(t).expect("inside"));
                (found.q - exact.q).amax().max((found.v - exact.v).amax())
            };
            let ends = solution.t.iter().map(|&t| error(t)).fold(1e-9, f64::max);
            let samples = (0..400).map(|k| error(f64::from(k) * 0.005)).fold(0.0, f64::max);
            assert!(samples < 20.0 * ends, "{}: {samples:e} inside, {ends:e} at the ends", stringify!($method));
        )*};
    }
    check!(BogackiShampine3, DormandPrince5, Tsitouras5, Verner6, Dop853, Verner9);
}

#[test]
fn samples_are_projected_on_request() {
    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    let method = Projected::new(Tsitouras5::new());
    let solution = solve(&system, CartesianPendulum::released(), 2.0, &method, &tolerance(1e-6)).expect("regular");
    let projection = Projection::default();
    let mut largest = 0.0_f64;
    for k in 1..200 {
        let t = f64::from(k) * 0.01;
        let (plain, projected) =
            (solution.sample(t).expect("inside"), solution.sample_on(&system, &projection, t).expect("near the rod"));
        largest = largest.max(off(&system, &plain));
        assert!(off(&system, &projected) < 1e-14, "{projected:?}");
        assert!((plain.q - projected.q).amax() < 1e-5);
    }
    assert!(largest > 1e-9, "samples are off by the interpolant's error: {largest:e}");
    assert!(solution.states().all(|state| off(&system, &state) < 1e-14));
    assert!(matches!(solution.sample_on(&system, &projection, 3.0), Err(SampleError::Outside { .. })));
    let fixed = Projection::default().keep(CartesianPendulum::INDEX.x).keep(CartesianPendulum::INDEX.y);
    let failed = solution.sample_on(&system, &fixed, 0.777);
    assert!(matches!(failed, Err(SampleError::Constraint(Failure::ConstraintFailed { constraint: "rod", .. }))));
}

#[test]
fn events_are_zeros_of_what_samples_show() {
    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    let below = |_: f64, q: &Pair, _: &Pair| q[0] - 0.3;
    let events = [Event::new(&below)];
    let options = Options { events: &events, ..tolerance(1e-5) };
    let method = Projected::new(Dop853::new());
    let solution = solve(&system, CartesianPendulum::released(), 4.0, &method, &options).expect("regular");
    assert!(solution.events.len() >= 3, "{}", solution.events.len());
    for Occurrence { before, after, .. } in &solution.events {
        assert_eq!(before, after);
        assert_eq!(*before, solution.sample(before.t).expect("inside"));
        assert!((before.q[0] - 0.3).abs() < 1e-14, "{before:?}");
    }
}

#[test]
fn a_map_leads_back_onto_the_constraints_and_is_not_found_again() {
    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    // A wall beside the lowest point; the impact as the user states it leaves the rod's direction.
    let wall = |_: f64, q: &Pair, _: &Pair| q[0] + 0.2;
    let impact = |state: &State<f64, 2>| State { v: Pair::from([-0.7 * state.v[0], state.v[1]]), ..*state };
    let events = [Event::new(&wall).mapping(&impact)];
    let start = CartesianPendulum::released();
    macro_rules! check {
        ($($method:expr, $tolerance:literal, $loss:literal);*) => {$(
            let options = Options { events: &events, max_steps: Some(20_000), ..tolerance($tolerance) };
            let solution = solve(&system, start, 6.0, &$method, &options).expect("no Zeno point, no failure");
            assert!(solution.events.len() >= 3, "{:?}", solution.events);
            for pair in solution.events.windows(2) {
                assert!(pair[1].before.t - pair[0].before.t > 0.3, "found again: {pair:?}");
            }
            for Occurrence { before, after, .. } in &solution.events {
                assert!((before.q[0] + 0.2).abs() < 1e-13, "{before:?}");
                assert!(off(&system, after) < 1e-13, "{after:?} is off by {:e}", off(&system, after));
                assert!(before.v[0] < 0.0 && after.v[0] > 0.0);
            }
            // Energy is lost at the impacts and nowhere else.
            let energy = |state: &State<f64, 2>| system.energies(0.0, &state.q, &state.v, &SVector::zeros()).energy;
            let after = energy(&solution.events[0].after);
            let before = energy(&solution.events[1].before);
            assert!((after - before).abs() < $loss, "{after} {before}");
        )*};
    }
    check!(
        Projected::new(Tsitouras5::new()), 1e-8, 1e-5;
        Projected::new(Dop853::new()), 1e-5, 1e-2;
        Gauss::<f64, 2>::new(0.01), 1e-8, 1e-2;
        Rattle::new(0.005), 1e-8, 1e-2
    );
}

#[test]
fn methods_agree_on_a_constrained_motion() {
    let system = SphericalPendulumCartesian { m: 1.0, g: 9.8, l: 1.0 }.prepare::<f64>().expect("valid");
    let x = 2.0_f64.sqrt() / 4.0;
    let start = State::new(0.0, [x, x, 3.0_f64.sqrt() / 2.0], [1.0, -1.0, 0.0]);
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    macro_rules! ends {
        ($($method:expr),*) => {
            [$(solve(&system, start, 3.0, &$method, &options).expect("regular").last().expect("steps")),*]
        };
    }
    let ends = ends!(
        Projected::new(Dop853::new()),
        Projected::new(Verner6::new()),
        Projected::new(Extrapolation::new()),
        Projected::new(DormandPrince5::new()),
        Composition::kahan_li(Rattle::new(0.01))
    );
    for end in &ends[1..] {
        assert!((end.q - ends[0].q).amax() < 1e-8 && (end.v - ends[0].v).amax() < 1e-8, "{ends:?}");
    }
}
