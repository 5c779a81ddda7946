//! Dry friction: the turns of a block on a spring.

use lagrange_models::BlockWithFriction;
use lagrange_runtime::prelude::*;

#[test]
fn a_block_turns_nearer_to_the_middle_by_two_dead_zones_and_sticks() {
    let model = BlockWithFriction { m: 1.3, ..BlockWithFriction::default() };
    let system = model.prepare::<f64>().expect("valid");
    let (half, loss) = (model.half_period(), 2.0 * model.dead_zone());
    let start = BlockWithFriction::pulled();
    let turns: Vec<f64> = (1..4).map(|turn| f64::from(turn) * half).collect();
    let options = Options { rtol: 1e-12.into(), atol: 1e-12.into(), t_eval: Some(&turns), ..Options::default() };
    let solution = solve(&system, start, 3.5 * half, &Dop853::new(), &options).expect("it still slides");
    assert_eq!(solution.q.len(), turns.len());
    let mut reach = start.q[0];
    for (q, v) in solution.q.iter().zip(&solution.v) {
        reach = -reach.signum() * (reach.abs() - loss);
        assert!((q[0] - reach).abs() < 1e-10 && v[0].abs() < 1e-9, "{} at {} instead of {reach}", v[0], q[0]);
    }
    let failed = solve(&system, start, 10.0 * half, &Dop853::new(), &Options::default()).expect_err("it sticks");
    assert!(matches!(failed.error.failure, Failure::Sliding { .. }), "{failed}");
    let turns = (start.q[0] / loss).floor();
    assert!((failed.error.state.t - turns * half).abs() < 1e-4 * half, "{failed}");
}
