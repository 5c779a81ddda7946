//! The published figures of the plate of a capacitor and of the triple pendulum: energy, power balance and constraints, from the
//! derived equations.

use lagrange_models::{LcPlate, RlcPlate, TriplePendulum, TriplePendulumCartesian};
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

/// The published step of the plate's motion, s.
const STEP: f64 = 1e-3;

/// The states at the end of every step, the initial one first.
fn states<S, M, const N: usize, const C: usize>(
    system: &S,
    initial: State<f64, N>,
    t_end: f64,
    method: &M,
) -> Vec<State<f64, N>>
where
    S: System<f64, N, C, 0>,
    M: Method<f64, N, C>,
{
    let (mut found, mut state) = (vec![initial], initial);
    let mut observer = |step: &StepView<f64, N>| {
        found.push(step.end);
        ControlFlow::Continue(())
    };
    let mut inputs = DefaultInputs::of(system);
    integrate(system, &mut state, t_end, method, &Options::default(), &mut inputs, &mut observer)
        .expect("the integration succeeds");
    found
}

fn energy<S: System<f64, N, C, 0>, const N: usize, const C: usize>(system: &S, state: &State<f64, N>) -> f64 {
    system.energies(state.t, &state.q, &state.v, &SVector::zeros()).energy
}

/// The largest |E − E(0)|.
fn energy_error<S: System<f64, N, C, 0>, const N: usize, const C: usize>(system: &S, states: &[State<f64, N>]) -> f64 {
    let start = energy(system, &states[0]);
    states.iter().map(|state| (energy(system, state) - start).abs()).fold(0.0, f64::max)
}

fn within(value: f64, [low, high]: [f64; 2]) {
    assert!((low..=high).contains(&value), "{value:e} is not within {low:e} to {high:e}");
}

#[test]
fn gauss_keeps_the_energy_of_the_plate_and_rk4_does_not() {
    let system = LcPlate::default().prepare::<f64>().expect("the parameters are valid");
    let initial = LcPlate::released();
    // k x²/2 + (s − x) e²/(2A) with table 1: half of the last digit.
    within(energy(&system, &initial), [1.045_783_5, 1.045_784_5]);
    let gauss = energy_error(&system, &states(&system, initial, 10.0, &Gauss::<f64, 3>::new(STEP)));
    let rk4 = energy_error(&system, &states(&system, initial, 10.0, &Rk4::new(STEP)));
    within(gauss, [0.0, 5e-7]);
    assert!(rk4 > 1e3 * gauss, "RK4: {rk4:e}, Gauss: {gauss:e}");
}

#[test]
fn printed_invariants_of_the_plate_vary() {
    let system = LcPlate::default().prepare::<f64>().expect("the parameters are valid");
    let motion = states(&system, LcPlate::released(), 1.0, &Gauss::<f64, 3>::new(STEP));
    let mut ranges = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for state in &motion {
        let mut values = [f64::NAN; 2];
        system.outputs(state.t, &state.q, &state.v, &SVector::zeros(), &mut values);
        for ([low, high], value) in ranges.iter_mut().zip(values) {
            (*low, *high) = (low.min(value), high.max(value));
        }
    }
    // Recomputed from the paper's equations, independently of this program: −1.6 to 0, and −0.43 to 12.2.
    let [[least_1, greatest_1], [least_2, greatest_2]] = ranges;
    within(least_1, [-1.65, -1.55]);
    within(greatest_1, [-0.05, 0.05]);
    within(least_2, [-0.435, -0.425]);
    within(greatest_2, [12.15, 12.25]);
}

#[test]
fn power_balance_of_the_plate_closes() {
    for (e0, works) in [(0.0, false), (1.0, true)] {
        let plate = RlcPlate { e0, ..RlcPlate::default() };
        let system = plate.prepare::<f64>().expect("the parameters are valid");
        let motion = states(&system, RlcPlate::released(), 1.0, &Gauss::<f64, 3>::new(STEP));
        // The work of source and resistance, written out: E₀ sin(ωt) ė − R ė².
        let power = |state: &State<f64, 2>| {
            let current = state.v[RlcPlate::INDEX.e];
            [plate.e0 * (plate.omega * state.t).sin() * current, -plate.r * current * current]
        };
        let mut sums = [0.0; 2];
        for stretch in motion.windows(5).step_by(4) {
            for (state, weight) in stretch.iter().zip([7.0, 32.0, 12.0, 32.0, 7.0]) {
                let terms = power(state);
                sums[0] += weight * terms[0] * STEP * 2.0 / 45.0;
                sums[1] += weight * terms[1] * STEP * 2.0 / 45.0;
            }
        }
        let gain = energy(&system, &motion[motion.len() - 1]) - energy(&system, &motion[0]);
        assert!(sums[1] < -0.1, "there must be heat: {}", sums[1]);
        assert_eq!(sums[0].abs() > 0.1, works, "the source's work is {}", sums[0]);
        // The error of Boole's rule at 1 ms is 9e-9 J; ten times as much is allowed.
        assert!((gain - sums[0] - sums[1]).abs() < 1e-7, "{gain} against {sums:?}");
    }
}

/// The largest norms of g and of G v.
fn violation<S: System<f64, 6, 3, 0>>(system: &S, states: &[State<f64, 6>]) -> [f64; 2] {
    states.iter().fold([0.0; 2], |[position, velocity]: [f64; 2], State { t, q, v }| {
        let rate = system.constraint_hidden(*t, q, v, &SVector::zeros()).rate;
        [position.max(system.constraint(*t, q).value.norm()), velocity.max(rate.norm())]
    })
}

#[test]
fn constraints_of_the_triple_pendulum_hold_to_round_off() {
    let system = TriplePendulumCartesian::default().prepare::<f64>().expect("the parameters are valid");
    let initial = TriplePendulumCartesian::released();
    let composition = states(&system, initial, 60.0, &ImplicitMidpoint::new(0.12));
    let [position, velocity] = violation(&system, &composition);
    // Round-off of coordinates up to 3 m.
    assert!(position < 1e-14 && velocity < 1e-14, "{position:e}, {velocity:e}");
    let rattle = states(&system, initial, 60.0, &Rattle::new(0.12));
    let apart = composition.iter().zip(&rattle).map(|(one, other)| (one.q - other.q).amax()).fold(0.0, f64::max);
    assert!(apart < 1e-9, "with uniform gravity the composition is RATTLE: {apart:e}");
    let stabilised = Baumgarte::new(&system, 5.0, 5.0);
    let baumgarte = states(&stabilised, initial, 60.0, &Rk4::new(0.12));
    let [position, velocity] = violation(&system, &baumgarte);
    assert!(position > 1e-9 && velocity > 1e-9, "{position:e}, {velocity:e}");
}

#[test]
fn round_off_of_the_triple_pendulum_does_not_add_up() {
    let system = TriplePendulumCartesian::default().prepare::<f64>().expect("the parameters are valid");
    let motion = states(&system, TriplePendulumCartesian::released(), 1200.0, &ImplicitMidpoint::new(0.12));
    let [position, velocity] = violation(&system, &motion);
    assert!(position < 1e-14 && velocity < 1e-14, "{position:e}, {velocity:e}");
    let [early, late] = [&motion[..5_000], &motion[5_000..]].map(|half| {
        let start = energy(&system, &motion[0]);
        half.iter().map(|state| (energy(&system, state) - start).abs()).fold(0.0, f64::max)
    });
    assert!(late < 1.5 * early, "the energy drifts: {early:e}, then {late:e}");
}

#[test]
fn the_triple_pendulum_agrees_with_the_same_motion_in_angles() {
    let angles = TriplePendulum::default();
    let free = angles.prepare::<f64>().expect("the parameters are valid");
    let cartesian = TriplePendulumCartesian::default().prepare::<f64>().expect("the parameters are valid");
    let initial = TriplePendulumCartesian::released();
    assert!((angles.positions(&TriplePendulum::released()).q - initial.q).amax() < 1e-15);
    let last = |motion: Vec<State<f64, 6>>| motion[motion.len() - 1];
    let motion = states(&free, TriplePendulum::released(), 6.0, &Gauss::<f64, 3>::new(0.02));
    let exact = angles.positions(&motion[motion.len() - 1]);
    let method = Composition::kahan_li(ImplicitMidpoint::new(0.02));
    let error = last(states(&cartesian, initial, 6.0, &method));
    assert!((error.q - exact.q).amax() < 1e-8, "{:e}", (error.q - exact.q).amax());
    assert!((error.v - exact.v).amax() < 1e-8, "{:e}", (error.v - exact.v).amax());
    let errors =
        [0.04, 0.02].map(|h| (last(states(&cartesian, initial, 6.0, &ImplicitMidpoint::new(h))).q - exact.q).norm());
    within((errors[0] / errors[1]).log2(), [1.9, 2.1]);
}
