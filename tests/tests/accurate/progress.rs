//! Steps that go back and forth over a jump fail and name it; a close encounter, which needs many small steps, succeeds.

use lagrange_models::{BlockWithFriction, Kepler};
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

/// A block that rubs, pushed by an input, and an oscillator beside it.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    potential = w^2*x^2/2;
    dissipation = b*abs(dot(y));
    force y = push;
}]
#[derive(Clone, Debug)]
struct Shop {
    w: f64,
    b: f64,
    #[input]
    push: f64,
}

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

#[test]
fn a_constant_input_is_no_culprit() {
    let system = Shop { w: 1.0, b: 1.0, push: 0.3 }.prepare::<f64>().expect("valid");
    let options = Options { locate_switches: false, ..at(1e-9) };
    let start = State::new(0.0, [0.0, 0.0], [0.0, 1.0]);
    let failed = solve(&system, start, 10.0, &Dop853::new(), &options).expect_err("it sticks");
    let Failure::NoProgress { jump: Some(jump), .. } = failed.error.failure else { panic!("{failed}") };
    assert_eq!((jump.coordinate, jump.input, jump.switch), (1, None, Some("dot(y)")), "{failed}");
}

#[test]
fn the_first_step_from_almost_0_is_that_from_0() {
    let system = Shop { w: 1.0, b: 0.0, push: 1.0 }.prepare::<f64>().expect("valid");
    let first = |y: f64| {
        let (method, options, mut inputs) = (Dop853::new(), at(1e-6), DefaultInputs::of(&system));
        let start = State::new(0.0, [0.0, y], [0.0, 0.0]);
        let mut stepper = Stepper::new(&system, start, 10.0, &method, &options, &mut inputs).expect("regular");
        stepper.step().expect("regular");
        stepper.time()
    };
    let from_rest = first(0.0);
    assert!(from_rest > 1e-7, "{from_rest:e}");
    for y in [1e-300, 1e-30, 1e-20, 1e-12] {
        assert!((first(y) / from_rest - 1.0).abs() < 1e-6, "{y:e}: {:e}, not {from_rest:e}", first(y));
    }
}

#[test]
fn a_jump_far_ahead_is_not_what_slows_small_steps() {
    // The oscillator takes 10⁴ steps within 10⁻⁵ of the span. The block comes to rest after 2 s only, far beyond the steps.
    let system = Shop { w: 3e9, b: 0.5, push: 0.0 }.prepare::<f64>().expect("valid");
    let options = Options { locate_switches: false, ..at(1e-6) };
    let (method, mut inputs) = (DormandPrince5::new(), DefaultInputs::of(&system));
    let start = State::new(0.0, [1e-9, 0.0], [0.0, 1.0]);
    let mut stepper = Stepper::new(&system, start, 1.0, &method, &options, &mut inputs).expect("regular");
    let mut enough = |view: &StepView<f64, 2>| match view.number {
        50_000.. => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    assert_eq!(stepper.run(&mut enough).expect("slow, but regular"), Outcome::Stopped);
}
