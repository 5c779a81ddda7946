//! Steps that go back and forth over a jump fail and name it; a close encounter, which needs many small steps, succeeds.

use lagrange_models::{BlockWithFriction, Kepler};
use lagrange_runtime::prelude::*;

fn at<const N: usize>(tolerance: f64) -> Options<'static, f64, N> {
    Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() }
}

#[test]
fn chatter_at_a_switch_that_steps_do_not_end_on_names_the_switch() {
    let model = BlockWithFriction::default();
    let system = model.prepare::<f64>().expect("valid");
    let (start, t_end) = (BlockWithFriction::pulled(), 13.0 * model.half_period());
    let options = Options { locate_switches: false, ..at(1e-9) };
    let failed = solve(&system, start, t_end, &Dop853::new(), &options).expect_err("it sticks");
    let Failure::NoProgress { jump: Some(jump), .. } = failed.error.failure else { panic!("{failed}") };
    assert_eq!((jump.input, jump.switch), (None, Some("dot(x)")), "{failed}");
    assert!(failed.to_string().contains("`locate_switches`"), "{failed}");
    // With the option that the message advises, the failure says at once that the block sticks.
    let failed = solve(&system, start, t_end, &Dop853::new(), &at(1e-9)).expect_err("it sticks");
    assert!(matches!(failed.error.failure, Failure::Sliding { .. }), "{failed}");
}

#[test]
fn a_close_encounter_is_no_chatter() {
    let system = Kepler::default().prepare::<f64>().expect("valid");
    // At the apocentre of an orbit of half axis 1.
    let e: f64 = 0.999_999;
    let start = State::new(0.0, [1.0 + e, 0.0], [0.0, ((1.0 - e) / (1.0 + e)).sqrt()]);
    let period = 2.0 * std::f64::consts::PI;
    for tolerance in [1e-9, 1e-12] {
        // A method of low order takes hundreds of thousands of steps within 10⁻⁸ of the span.
        let solution =
            solve(&system, start, period, &BogackiShampine3::new(), &at(tolerance)).expect("hard, but regular");
        assert!(tolerance > 1e-10 || solution.statistics.steps > 50_000, "{:?}", solution.statistics);
    }
    let end = solve(&system, start, period, &Dop853::new(), &at(1e-13)).expect("regular").last().expect("states");
    assert!((end.q - start.q).amax() < 1e-3, "{end:?}");
}
