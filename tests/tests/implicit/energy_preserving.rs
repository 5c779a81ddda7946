//! The averaged vector field method: its energy, its order and that of compositions, its symmetry, and the work of forces.

use crate::slopes;
use lagrange_runtime::analysis::{Variable, power_audit, sensitivities};
use lagrange_runtime::prelude::*;

/// A double pendulum whose lower bob slides on a spring: M depends on the coordinates.
#[lagrangian {
    coordinates a, b, r;
    let upper = [sin(a), -cos(a)];
    let lower = upper + r*[sin(b), -cos(b)];
    kinetic = (norm2(dot(upper)) + norm2(dot(lower)))/2;
    potential = 9.81*(upper[1] + lower[1]) + 50*(r - 1)^2;
}]
struct Sliding {}

fn sliding() -> State<f64, 3> {
    State::new(0.0, [2.0, 1.0, 1.1], [0.0, 0.5, -0.2])
}

/// The largest error of the energy over a motion, relative to the largest kinetic energy.
fn energy_error<M: Method<f64, 3, 0>>(method: &M, end: f64) -> f64 {
    let system = Sliding {}.prepare::<f64>().expect("regular");
    let solution = solve(&system, sliding(), end, method, &Options::default()).expect("it converges");
    let energy = |state: &State<f64, 3>| system.energies_of(state).energy;
    let kinetic =
        solution.states().map(|state| system.energies_of(&state).kinetic.unwrap_or(f64::NAN)).fold(0.0, f64::max);
    solution.states().map(|state| (energy(&state) - energy(&sliding())).abs()).fold(0.0, f64::max) / kinetic
}

/// To rounding with six nodes, whatever the step, and with four in short ones. The error of the quadrature falls with twice the number of nodes.
#[test]
fn the_energy_is_preserved_to_rounding() {
    let (short, long) = (0.005, 0.01);
    let four = [long, short].map(|h| (h, energy_error(&EnergyPreserving::<f64, 4>::new(h), 20.0)));
    let three = [0.02, long].map(|h| (h, energy_error(&EnergyPreserving::<f64, 3>::new(h), 20.0)));
    assert!(four[1].1 < 5e-14 && slopes(&four)[0] > 6.0, "{four:?}");
    assert!((slopes(&three)[0] - 6.0).abs() < 0.5, "{three:?}");
    let six = energy_error(&EnergyPreserving::<f64, 6>::new(long), 100.0);
    assert!(six < 1e-13, "{six:e}");
    let composed = energy_error(&Composition::kahan_li(EnergyPreserving::<f64, 6>::new(0.02)), 20.0);
    assert!(composed < 1e-13, "{composed:e}");
    let swinging = energy_error(&VariationalMidpoint::new(long), 20.0);
    assert!(swinging > 1e-4, "{swinging:e}");
}

/// The order of the motion is 2, and that of Kahan and Li's composition 6.
#[test]
fn the_order_is_2_and_a_composition_raises_it() {
    let system = Sliding {}.prepare::<f64>().expect("regular");
    let end = |method: &dyn Fn(f64) -> State<f64, 3>, counts: [u32; 3], exact: &State<f64, 3>| {
        counts.map(|count| {
            let h = 1.0 / f64::from(count);
            let found = method(h);
            (h, (found.q - exact.q).amax().max((found.v - exact.v).amax()))
        })
    };
    fn run<M: Method<f64, 3, 0>>(system: &impl System<f64, 3, 0, 0>, method: &M) -> State<f64, 3> {
        let options = Options { rtol: 1e-13.into(), atol: 1e-13.into(), ..Options::default() };
        solve(system, sliding(), 1.0, method, &options).expect("it converges").last().expect("a state")
    }
    let exact = run(&system, &Verner9::new());
    let plain = end(&|h| run(&system, &EnergyPreserving::<f64, 4>::new(h)), [100, 200, 400], &exact);
    assert!(slopes(&plain).iter().all(|slope| (slope - 2.0).abs() < 0.1), "{plain:?}");
    let composed = |h| run(&system, &Composition::kahan_li(EnergyPreserving::<f64, 4>::new(h)));
    let composed = end(&composed, [40, 60, 90], &exact);
    assert!(slopes(&composed).iter().all(|slope| (slope - 6.0).abs() < 0.5), "{composed:?}");
}

#[test]
fn it_steps_back_to_where_it_was() {
    let system = Sliding {}.prepare::<f64>().expect("regular");
    let method = EnergyPreserving::<f64, 3>::new(0.05);
    let run = |start: State<f64, 3>, end: f64| {
        solve(&system, start, end, &method, &Options::default()).expect("it converges").last().expect("a state")
    };
    let there = run(sliding(), 1.0);
    let back = run(there, 0.0);
    let miss = (back.q - sliding().q).amax().max((back.v - sliding().v).amax());
    assert!((there.q - sliding().q).amax() > 0.5 && miss < 1e-12, "{miss:e}");
}

/// A pendulum on a cart with friction that is linear in the velocities, a constant push, and a cyclic coordinate.
#[lagrangian {
    coordinates x, a, s;
    let bob = [x + sin(a), -cos(a)];
    kinetic = dot(x)^2/2 + norm2(dot(bob))/2 + (1 + x^2)*dot(s)^2/2;
    potential = 9.81*bob[1] + x^2;
    dissipation = c*dot(x)^2/2;
    force x = push;
}]
struct Cart {
    c: f64,
    push: f64,
}

/// The energy of each step changes by (x' − x)(push − c (x' − x)/h), to rounding. The momentum of the cyclic coordinate stays.
#[test]
fn friction_and_inputs_do_their_work_in_each_step() {
    let (c, push, h) = (0.7, 3.0, 0.01);
    let system = Cart { c, push }.prepare::<f64>().expect("regular");
    let start = State::new(0.0, [0.3, 1.5, 0.0], [0.2, -0.5, 0.9]);
    let solution =
        solve(&system, start, 10.0, &EnergyPreserving::<f64, 5>::new(h), &Options::default()).expect("it converges");
    let states: Vec<State<f64, 3>> = solution.states().collect();
    let energy = |state: &State<f64, 3>| system.energies_of(state).energy;
    let momentum = |state: &State<f64, 3>| (1.0 + state.q[0] * state.q[0]) * state.v[2];
    let mut dissipated = 0.0;
    for pair in states.windows(2) {
        let moved = pair[1].q[0] - pair[0].q[0];
        let (work, loss) = (push * moved, c * moved * moved / h);
        dissipated += loss;
        let balance = energy(&pair[1]) - energy(&pair[0]) - work + loss;
        assert!(balance.abs() < 3e-14, "{balance:e} at {}", pair[0].t);
        assert!((momentum(&pair[1]) - momentum(&states[0])).abs() < 1e-13);
    }
    assert!(dissipated > 5.0, "{dissipated}");
    // The audit integrates the powers along the motion instead, and closes to the order of the method.
    let residuals = [h, h / 2.0].map(|h| {
        let options = Options { dense_output: true, ..Options::default() };
        let solution =
            solve(&system, start, 10.0, &EnergyPreserving::<f64, 5>::new(h), &options).expect("it converges");
        let audit = power_audit(&system, &solution, |_, _, _| SVector::from([])).expect("dense");
        (h, audit.residual.abs())
    });
    assert!(residuals[0].1 < 1e-2 && (slopes(&residuals)[0] - 2.0).abs() < 0.3, "{residuals:?}");
}

/// Derivatives of a motion are those of differences.
#[test]
fn motions_have_derivatives() {
    let end = |k: f64| {
        let start = State::new(0.0, [0.3, 1.5, 0.0], [k, -0.5, 0.9]);
        let system = Cart { c: 0.7, push: 3.0 }.prepare::<f64>().expect("regular");
        let method = EnergyPreserving::<f64, 3>::new(0.02);
        solve(&system, start, 1.0, &method, &Options::default()).expect("it converges").last().expect("a state").q
    };
    let difference = (end(0.2 + 1e-4) - end(0.2 - 1e-4)) / 2e-4;
    let start = State::new(0.0, [0.3, 1.5, 0.0], [0.2, -0.5, 0.9]);
    let found = sensitivities(
        &Cart { c: 0.7, push: 3.0 },
        &start,
        &[1.0],
        &EnergyPreserving::<f64, 3>::new(0.02),
        &SharedOptions::default(),
        &[Variable::Velocity(0)],
    );
    let found = found.expect("it converges");
    for i in 0..3 {
        let derivative = found.derivatives[0][(i, 0)];
        assert!((derivative - difference[i]).abs() < 1e-6, "{derivative} and {}", difference[i]);
    }
}
