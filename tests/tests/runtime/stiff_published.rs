//! Stiff problems against their published solutions.

use lagrange_runtime::prelude::*;
use lagrange_tests::stiff::*;

/// Integrates, and checks the error of every component at the end and the number of attempts.
fn check<S, M, const N: usize, const C: usize>(
    (problem, system): (&Published<N>, &S),
    (method, rtol): (&M, f64),
    (most, attempts): (f64, u64),
) where
    S: System<f64, N, C, 0>,
    M: Method<f64, N, C>,
{
    let options =
        Options { rtol: rtol.into(), atol: (rtol * 1e-6).into(), max_steps: Some(100_000), ..Options::default() };
    let mut state = problem.start();
    let mut inputs = DefaultInputs::of(system);
    let report = integrate(system, &mut state, problem.end, method, &options, &mut inputs, &mut ())
        .unwrap_or_else(|error| panic!("{}: {error}", problem.name));
    let made = report.statistics.steps + report.statistics.rejected;
    let error = problem.error(&state);
    assert!(error < most, "{}, {}: an error of {error:e}", problem.name, method.name());
    assert!(made < attempts, "{}, {}: {made} attempts", problem.name, method.name());
}

/// By all methods without constraints.
macro_rules! free {
    ($problem:expr, $rtol:expr, $most:expr, $attempts:expr) => {
        let [fifth, ninth, thirteenth, variable, rosenbrock] = $attempts;
        check($problem, (&Radau5::new(), $rtol), ($most, fifth));
        check($problem, (&Radau9::new(), $rtol), ($most, ninth));
        check($problem, (&Radau13::new(), $rtol), ($most, thirteenth));
        check($problem, (&VariableRadau::new(), $rtol), ($most, variable));
        check($problem, (&Rodas5P::new(), $rtol / 10.0), ($most, rosenbrock));
    };
}

#[test]
fn the_oscillator_is_met() {
    let system = VanDerPol { eps: 1e-6 }.prepare::<f64>().expect("regular");
    free!((&VAN_DER_POL, &system), 1e-8, 1e-9, [4100, 700, 320, 690, 4300]);
}

#[test]
fn the_reactions_are_met() {
    let robertson = Robertson {}.prepare::<f64>().expect("regular");
    free!((&ROBERTSON, &robertson), 1e-8, 1e-8, [1800, 410, 170, 190, 1300]);
    let oregonator = Oregonator {}.prepare::<f64>().expect("regular");
    free!((&OREGONATOR, &oregonator), 1e-8, 1e-9, [4400, 760, 430, 850, 6000]);
    let hires = Hires {}.prepare::<f64>().expect("regular");
    free!((&HIRES, &hires), 1e-8, 1e-9, [950, 180, 100, 180, 1900]);
    let pollution = Pollution {}.prepare::<f64>().expect("regular");
    free!((&POLLUTION, &pollution), 1e-8, 1e-9, [510, 140, 60, 80, 510]);
}

/// Kirchhoff's law at two nodes is an algebraic equation with an exponential of the voltage.
#[test]
fn the_amplifier_is_met() {
    let system = TransistorAmplifier {}.prepare::<f64>().expect("regular");
    free!((&TRANSISTOR_AMPLIFIER, &system), 1e-8, 1e-8, [3100, 800, 480, 660, 4500]);
    let options = Options { rtol: 1e-9.into(), atol: 1e-12.into(), ..Options::default() };
    let end = solve(&system, TRANSISTOR_AMPLIFIER.start(), 0.2, &Radau9::new(), &options).expect("it converges");
    let end = end.last().expect("a stored state");
    let rates = system.acceleration_of(&end).expect("regular").acceleration;
    for (rate, exact) in [5, 6, 7].iter().zip([1, 4, 7]) {
        assert!((rates[*rate] - AMPLIFIER_VOLTAGES[exact]).abs() < 1e-8, "y{} is {}", exact + 1, rates[*rate]);
    }
}

/// The published solution has lost 2·10⁻³ of the fastest vibration, which is 1.3·10⁻⁴ of an elastic velocity.
#[test]
fn the_slider_crank_is_met() {
    let system = SliderCrank {}.prepare::<f64>().expect("regular");
    check((&SLIDER_CRANK, &system), (&Radau13::new(), 1e-8), (2e-4, 2400));
    let problem = (&SLIDER_CRANK_CONVERGED, &system);
    check(problem, (&Radau9::new(), 1e-8), (1e-6, 6600));
    check(problem, (&Radau13::new(), 1e-8), (1e-6, 2400));
    check(problem, (&VariableRadau::new(), 1e-8), (1e-6, 2400));
}

/// The continuity at eleven nodes is a constraint whose multipliers are pressures.
#[test]
fn the_water_tubes_are_met() {
    let run = std::thread::Builder::new().stack_size(64 << 20).spawn(flow_for_seventeen_hours).expect("a thread");
    run.join().expect("the flows are met");
}

fn flow_for_seventeen_hours() {
    let system = WaterTubes {}.prepare::<f64>().expect("regular");
    let options = Options { rtol: 1e-8.into(), atol: 1e-10.into(), ..Options::default() };
    let mut state = State::new(0.0, [0.0; 18], [0.0; 18]);
    let mut inputs = DefaultInputs::of(&system);
    let report = integrate(&system, &mut state, 17.0 * 3600.0, &Radau5::new(), &options, &mut inputs, &mut ())
        .unwrap_or_else(|error| panic!("{error}"));
    let made = report.statistics.steps + report.statistics.rejected;
    let flows = state.v.iter().zip(WATER_FLOWS).map(|(flow, exact)| (flow / exact - 1.0).abs());
    let (tanks, nodes) = WATER_PRESSURES;
    let multipliers = system.acceleration_of(&state).expect("regular").multipliers;
    let outputs = system.outputs_of(&state);
    let tanks = outputs.iter().zip(tanks).map(|((_, pressure), exact)| (pressure - exact).abs());
    let nodes = multipliers.iter().zip(nodes).map(|(multiplier, exact)| (multiplier + exact).abs());
    let (flows, pressures) = (flows.fold(0.0, f64::max), nodes.chain(tanks).fold(0.0, f64::max));
    assert!(flows < 1e-6 && pressures < 1e-5, "errors of {flows:e} and of {pressures:e} Pa");
    assert!(made < 2800, "{made} attempts");
}

/// The points come to rest where the forces of the others are along their radii. There 2λ = −Σ (pᵢ − pⱼ)·pᵢ/|pᵢ − pⱼ|² = −19/2, because each term is 1/2.
#[test]
fn the_points_on_a_sphere_are_met() {
    // A step with 60 coordinates and five stages takes more than the 2 MB of a test's stack.
    let run = std::thread::Builder::new().stack_size(64 << 20).spawn(rest_on_a_sphere).expect("a thread");
    run.join().expect("the points are met");
}

fn rest_on_a_sphere() {
    let system = Fekete {}.prepare::<f64>().expect("regular");
    let points = fekete_start();
    let start = State { t: 0.0, q: SVector::from_fn(|k, _| points[k % 20][k / 20]), v: SVector::zeros() };
    let options = Options { rtol: 1e-8.into(), atol: 1e-10.into(), ..Options::default() };
    let mut state = start;
    let mut inputs = DefaultInputs::of(&system);
    let report = integrate(&system, &mut state, 1000.0, &Radau9::new(), &options, &mut inputs, &mut ())
        .unwrap_or_else(|error| panic!("{error}"));
    let made = report.statistics.steps + report.statistics.rejected;
    let error = (0..60).map(|k| (state.q[k] - FEKETE[k % 20][k / 20]).abs()).fold(0.0, f64::max);
    assert!(error < 1e-10, "an error of {error:e}");
    assert!(made < 450, "{made} attempts");
    let multipliers = system.acceleration_of(&state).expect("regular").multipliers;
    assert!(multipliers.iter().all(|multiplier| (multiplier + 4.75).abs() < 1e-9), "{multipliers}");
}
