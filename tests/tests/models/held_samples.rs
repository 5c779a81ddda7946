//! States between the ends of steps, at tolerances that are not tight: what is held in a step is held at each of them, so that the forces follow from the state, and the balance of energy has the work of friction.

use lagrange_models::{
    BallisticPendulum, BeltBlock, FullWaveRectifier, MarbleOnBar, RockingBlock, StickyPad, TumblingToast,
};
use lagrange_runtime::analysis::power_audit;
use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;

/// How many states of a motion had something held at them. Each has the forces of what its step holds, and the energies of the motion are balanced as well as its tolerance allows.
fn held_states<S, const N: usize, const C: usize>(
    system: &S,
    start: State<f64, N>,
    end: f64,
    method: &impl Method<f64, N, C>,
) -> usize
where
    S: System<f64, N, C, 0>,
{
    let mut held = 0;
    for rtol in [1e-3, 1e-5, 1e-7] {
        let times: Vec<f64> = (1..400).map(|i| end * f64::from(i) / 400.1).collect();
        let options = Options {
            rtol: rtol.into(),
            atol: (1e-2 * rtol).into(),
            t_eval: Some(&times),
            dense_output: true,
            ..Options::default()
        };
        let solution = solve(system, start, end, method, &options).expect("regular");
        let steps = solution.dense.as_ref().expect("asked for");
        for state in solution.states() {
            let step = steps.iter().find(|step| step.start().t < state.t && state.t < step.end().t);
            let Some(step) = step.filter(|step| step.held() != 0) else { continue };
            let forces = contact::forces(system, &state, &SVector::zeros()).expect("regular");
            for k in (0..system.row_count()).filter(|k| step.held() >> k & 1 == 1) {
                assert!(forces.sticks[k], "{rtol:e}, row {k} of {:?}: {state:?}", system.row_names());
            }
            held += 1;
            let by_dense = contact::sample(system, step, state.t, |_, _, _| SVector::zeros()).expect("regular");
            assert!((by_dense.q - state.q).amax() + (by_dense.v - state.v).amax() < 1e-12, "{by_dense:?} {state:?}");
        }
        let audit = power_audit(system, &solution, |_, _, _| SVector::zeros()).expect("dense");
        let exchanged = audit.works.iter().map(|(_, work)| work.abs()).sum::<f64>() + audit.impacts.abs();
        assert!(audit.residual.abs() < 20.0 * rtol * (exchanged + audit.change.abs()), "{rtol:e}: {audit:?}");
    }
    held
}

/// A puck on a table, which a spring pulls along a curve; its slip is a vector.
#[lagrangian {
    coordinates x, y;
    let pulled = [sin(t), sin(t)/5 + sin(2*t)/10];
    kinetic   = m*norm2(dot([x, y]))/2;
    potential = k*norm2([x, y] - pulled)/2;
    friction felt: rate([dot(x), dot(y)]) = mu*m;
}]
struct Puck {
    m: f64,
    k: f64,
    mu: f64,
}

#[test]
fn what_is_held_in_a_step_is_held_at_its_states() {
    let method = Dop853::new();
    let puck = Puck { m: 0.5, k: 30.0, mu: 20.0 }.prepare::<f64>().expect("valid");
    let held = [
        held_states(&MarbleOnBar::default().prepare::<f64>().expect("valid"), MarbleOnBar::rolling_off(), 1.5, &method),
        held_states(&RockingBlock::default().prepare::<f64>().expect("valid"), RockingBlock::let_go(), 4.0, &method),
        held_states(&TumblingToast::default().prepare::<f64>().expect("valid"), TumblingToast::let_go(), 1.0, &method),
        held_states(&BeltBlock::default().prepare::<f64>().expect("valid"), BeltBlock::carried(), 5.0, &method),
        held_states(&StickyPad::default().prepare::<f64>().expect("valid"), StickyPad::stuck(), 4.0, &method),
        held_states(
            &BallisticPendulum::default().prepare::<f64>().expect("valid"),
            BallisticPendulum::shot(),
            2.0,
            &method,
        ),
        held_states(&puck, State::new(0.0, [0.0; 2], [0.0; 2]), 6.0, &method),
        held_states(
            &FullWaveRectifier::default().prepare::<f64>().expect("valid"),
            FullWaveRectifier::at_rest(),
            0.05,
            &method,
        ),
    ];
    assert!(held.iter().all(|count| *count > 200), "{held:?}");
}
