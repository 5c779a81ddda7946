//! What a failure says helps, does help; and every number in a message can be read.

use crate::common::{oscillator, pendulum};
use lagrange_runtime::error::{Component, Jump, Number};
use lagrange_runtime::options::AnyOptions;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::{DoubleDouble, Dual, Real, Taped};

type Vector = SVector<f64, 1>;

const START: [f64; 2] = [1.0, 0.0];

fn start() -> State<f64, 1> {
    State::new(0.0, [START[0]], [START[1]])
}

/// How the oscillator ends under this input: its failure, if any, with the message.
fn under<M: Method<f64, 1, 0>>(
    mut input: impl FnMut(f64, &Vector, &Vector) -> Vector,
    initial: State<f64, 1>,
    t_end: f64,
    method: &M,
    options: &Options<'_, f64, 1>,
) -> Option<(Failure, String)> {
    let result = solve_with(&oscillator(), initial, t_end, method, options, &mut input);
    result.err().map(|failed| (failed.error.failure, failed.to_string()))
}

fn quiet(_: f64, _: &Vector, _: &Vector) -> Vector {
    SVector::from([0.0])
}

fn limited<'a>(max_steps: u64) -> Options<'a, f64, 1> {
    Options { max_steps: Some(max_steps), ..Options::default() }
}

#[test]
fn reaching_max_steps_is_helped_by_more_or_longer_steps() {
    let (failure, text) = under(quiet, start(), 10.0, &Rk4::new(0.1), &limited(20)).expect("too few");
    assert_eq!(failure, Failure::MaxSteps { max_steps: 20 });
    assert!(text.contains("raise `max_steps`") && text.contains("step size"), "{text}");
    assert_eq!(under(quiet, start(), 10.0, &Rk4::new(0.1), &limited(100)), None);
    assert_eq!(under(quiet, start(), 10.0, &Rk4::new(0.5), &limited(20)), None);

    let tight = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..limited(200) };
    let (failure, text) = under(quiet, start(), 20.0, &Rkf45::new(), &tight).expect("too few");
    assert_eq!(failure, Failure::MaxSteps { max_steps: 200 });
    assert!(text.contains("looser tolerances"), "{text}");
    assert_eq!(under(quiet, start(), 20.0, &Rkf45::new(), &Options { max_steps: Some(20_000), ..tight }), None);
    assert_eq!(under(quiet, start(), 20.0, &Rkf45::new(), &limited(200)), None);
}

#[test]
fn more_steps_are_not_advised_where_they_do_not_help() {
    // q̈ = 2 q³ from (1, 1) is q = 1/(1 − t).
    let cubic = |_: f64, q: &Vector, _: &Vector| SVector::from([q[0] + 2.0 * q[0].powi(3)]);
    let from = State::new(0.0, [1.0], [1.0]);
    let tight = Options { rtol: 1e-7.into(), ..limited(300) };
    let (failure, text) = under(cubic, from, 2.0, &Rkf45::new(), &tight).expect("it has no end");
    assert!(matches!(failure, Failure::ShrunkenSteps { max_steps: 300, .. }), "{text}");
    assert!(!text.contains("raise `max_steps`") && text.contains("grows without bound"), "{text}");
    let (failure, text) = under(cubic, from, 2.0, &Rkf45::new(), &limited(200_000)).expect("it has no end");
    assert!(!matches!(failure, Failure::MaxSteps { .. }), "{text}");
}

#[test]
fn a_smaller_step_is_advised_where_it_helps() {
    let stiff = |_: f64, q: &Vector, _: &Vector| SVector::from([-1e4 * q[0]]);
    let (failure, text) = under(stiff, start(), 50.0, &Rk4::new(0.1), &Options::default()).expect("unstable");
    assert!(matches!(failure, Failure::NotFinite { .. }), "{text}");
    assert!(text.contains("a fixed step must be smaller"), "{text}");
    assert_eq!(under(stiff, start(), 50.0, &Rk4::new(0.01), &Options::default()), None);

    // Tolerances that no step meets.
    let noise = |t: f64, _: &Vector, _: &Vector| SVector::from([1e6 * (1e12 * t).sin()]);
    let late = State { t: 1e6, ..start() };
    let (failure, text) = under(noise, late, 1e6 + 1e-3, &Rkf45::new(), &Options::default()).expect("too fast");
    assert!(matches!(failure, Failure::StepTooSmall { .. }) && text.contains("loosen the tolerances"), "{text}");
    let loose = Options { rtol: 1e9.into(), atol: 1e9.into(), ..Options::default() };
    assert_eq!(under(noise, late, 1e6 + 1e-3, &Rkf45::new(), &loose), None);

    // A fixed step that rounding swallows.
    let (failure, text) = under(quiet, late, 1e6 + 1.0, &Rk4::new(1e-10), &Options::default()).expect("too small");
    assert!(matches!(failure, Failure::BadOption { option: "h", .. }) && text.contains("above the rounding"), "{text}");
    assert_eq!(under(quiet, late, 1e6 + 1.0, &Rk4::new(1e-3), &Options::default()), None);
}

#[test]
fn no_step_size_is_advised_where_the_equations_have_no_value() {
    let pole = |_: f64, q: &Vector, _: &Vector| SVector::from([1.0 / (q[0] - 1.0)]);
    let elsewhere = State::new(0.0, [1.5], [0.0]);
    let (options, rk4) = (Options::default(), Rk4::new(0.01));
    for (failure, text) in [
        under(pole, start(), 0.1, &rk4, &options).expect("1/0"),
        under(pole, start(), 0.1, &Rkf45::new(), &options).expect("1/0"),
        under(pole, start(), 0.1, &Dop853::new(), &options).expect("1/0"),
        under(pole, State::new(0.0, [1.0], [0.0]), -0.1, &Tsitouras5::new(), &options).expect("1/0"),
    ] {
        assert_eq!(failure, Failure::NoAcceleration { coordinate: 0 }, "{text}");
        assert!(text.contains("`x`") && text.contains("start elsewhere"), "{text}");
    }
    assert_eq!(under(pole, elsewhere, 0.1, &rk4, &options), None);
    assert_eq!(under(pole, elsewhere, 0.1, &Rkf45::new(), &options), None);
}

#[test]
fn options_and_spans_that_cannot_be_met_are_refused_at_once() {
    let plain = Options::default();
    let failure = |options: &Options<'_, f64, 1>, from: f64, to: f64| {
        let initial = State { t: from, ..start() };
        let failed = solve(&pendulum(), initial, to, &Dop853::new(), options).expect_err("refused");
        assert_eq!(failed.error.statistics.evaluations, 0, "{failed}");
        failed.to_string()
    };
    for rtol in [1e-16, 1e-19, 5e-324] {
        let text = failure(&Options { rtol: rtol.into(), ..plain }, 0.0, 1.0);
        assert!(text.starts_with("`rtol` is ") && text.contains("at least the rounding"), "{text}");
    }
    let each = Tolerance::Each { q: SVector::from([1e-6]), v: SVector::from([1e-17]) };
    assert!(failure(&Options { rtol: each, ..plain }, 0.0, 1.0).starts_with("`rtol` is 1e-17"));
    for (from, to) in [(f64::MIN, f64::MAX), (f64::MAX, f64::MIN), (-1e308, 1e308)] {
        let text = failure(&plain, from, to);
        assert!(text.starts_with("`t_end` is ") && text.contains("at a finite distance"), "{text}");
    }
    // What the messages allow is taken.
    for rtol in [0.0, f64::EPSILON] {
        let options = Options { rtol: rtol.into(), max_steps: Some(1), ..plain };
        let failed = solve(&pendulum(), start(), 1.0, &Dop853::new(), &options).map_err(|failed| failed.error.failure);
        assert!(!matches!(failed, Err(Failure::BadOption { .. })), "{failed:?}");
    }
}

#[test]
fn an_event_on_a_function_that_is_missing_says_what_there_is() {
    const NAMES: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let output = |index, outputs| Failure::UnknownOutput { event: 2, index, outputs }.to_string();
    assert_eq!(output(0, &[]), "event 2 asks for output 0; the system has no output");
    assert_eq!(
        output(2, &["tension", "height"]),
        "event 2 asks for output 2; the system has 0: `tension`, 1: `height`"
    );
    assert!(output(10, &NAMES).ends_with("7: `h`, and 2 more outputs"), "{}", output(10, &NAMES));
    let many: &'static [&'static str] = &["x"; 70];
    assert_eq!(output(64, many), "event 2 asks for output 64; only the first 64 outputs can serve as events");
    let switch = |index, count| Failure::UnknownSwitch { event: 0, index, count }.to_string();
    assert_eq!(switch(1, 0), "event 0 asks for switching function 1; the system has none");
    assert_eq!(switch(5, 3), "event 0 asks for switching function 5; the system has those from 0 to 2");

    let events = [Event::of(EventFunction::Switch(1))];
    let options = Options { events: &events, ..Options::default() };
    let failed = solve(&pendulum(), start(), 1.0, &Rk4::new(0.1), &options).expect_err("it has none");
    assert_eq!(failed.error.failure, Failure::UnknownSwitch { event: 0, index: 1, count: 0 });
}

#[test]
fn messages_about_contacts_name_one_or_several() {
    let names: &'static [&'static str] = &["left", "right"];
    let chatter = |contacts| Failure::Chatter { contacts, names }.to_string();
    let ends = "phases again and again, while the motion advances by almost nothing";
    assert_eq!(chatter(0b10), format!("the contact `right` changes between its {ends}"));
    assert_eq!(chatter(0b11), format!("the contacts `left` and `right` change between their {ends}"));
    let impacts = Failure::ManyImpacts { contacts: 0b11, names }.to_string();
    assert!(impacts.ends_with("without an end, the last at the contacts `left` and `right`"), "{impacts}");
}

#[test]
fn remedies_at_switches_do_not_ask_only_for_what_is_there() {
    // A friction that slips under a method that does not hold it, or whose rate stands in other terms too, has this failure.
    let sliding = Failure::Sliding { index: 0, switch: Some("dot(x)") }.remedy();
    assert!(
        sliding.contains("methods that hold contacts") && sliding.contains("such a friction or contact sticks already")
    );
    let jump = Jump { coordinate: 0, input: None, switch: Some("dot(x)") };
    let slow = Failure::NoProgress { advance: 0.0, attempts: 10, jump: Some(jump) }.remedy();
    assert!(slow.contains("`locate_switches`, if it is false") && slow.contains("if they do already"), "{slow}");
}

/// The longest run of digits and points.
fn longest_number(text: &str) -> usize {
    text.split(|c: char| !c.is_ascii_digit() && c != '.').map(str::len).max().unwrap_or(0)
}

#[test]
fn no_message_has_hundreds_of_digits() {
    for value in [f64::MAX, -1e300, 1e300 / 3.0, 5e-324, -1e-300, 1e22, 0.1 + 0.2, -0.0, f64::NAN, f64::NEG_INFINITY] {
        let option = "rtol";
        let failures = [
            Failure::BadOption { option, value, allowed: "positive" },
            Failure::BadState { component: Component::Velocity(0), value },
            Failure::BadEvaluationTime { index: 0, value, allowed: "finite" },
            Failure::SingularMass(SingularMass::at(0, value)),
            Failure::SingularMass(SingularMass::of_constraint(0, &["rod"], value)),
            Failure::InconsistentInitialState { constraint: "rod", residual: value, hidden: true },
            Failure::NewtonFailed { iterations: 20, increment: value },
            Failure::FeedbackFailed { iterations: 20, increment: value },
            Failure::StepTooSmall { step: value },
            Failure::BelowMinStep { min_step: value, step: value },
            Failure::NoProgress { advance: value, attempts: 10, jump: None },
            Failure::UndefinedEvent { event: 0, t: value },
            Failure::UndefinedSwitch { index: 0, switch: None, t: value },
            Failure::ShrunkenSteps { max_steps: 10, step: value },
            Failure::NoAcceleration { coordinate: 0 },
        ];
        let mut texts: Vec<String> = failures.iter().map(ToString::to_string).collect();
        for failure in failures {
            let state = State { t: value, q: SVector::repeat(value), v: SVector::repeat(value) };
            let error = SolveError::<f64, 20> {
                failure,
                state,
                statistics: Statistics::default(),
                coordinates: &[],
                states: 0,
            };
            texts.push(error.to_string());
            assert!(error.to_string().len() < 1200, "{error}");
        }
        texts.extend([
            PrepareError::NotFinite { parameter: "m", value }.to_string(),
            PrepareError::NotPositive { parameter: "m", value }.to_string(),
            PrepareError::AssumptionFails { assumption: "m > n", value }.to_string(),
            SampleError::Outside { t: value, from: value, to: value }.to_string(),
            SingularMass::at(0, value).to_string(),
        ]);
        for text in texts {
            assert!(longest_number(&text) <= 22, "{text}");
        }
        let read: f64 = Number(value).to_string().parse().expect("a number");
        assert_eq!(read.to_bits() << 1, value.to_bits() << 1, "{value:e} comes back");
    }
    let state = State { t: 0.0, q: SVector::repeat(1.0), v: SVector::repeat(0.0) };
    let failure = Failure::MaxSteps { max_steps: 1 };
    let error =
        SolveError::<f64, 20> { failure, state, statistics: Statistics::default(), coordinates: &["x"], states: 0 };
    let text = error.to_string();
    assert!(text.contains(", x = 1 (velocity 0), q[1] = ") && text.contains("q[7]"), "{text}");
    assert!(text.contains(", and 12 more coordinates, after ") && !text.contains("q[8]"), "{text}");
}

/// One value in plain numbers, for mechanisms of one and of three coordinates, and for every number type.
#[test]
fn shared_options_serve_any_mechanism_and_any_numbers() {
    fn check<R: Real>(shared: &SharedOptions) {
        let one: Options<'_, R, 1> = shared.options();
        let three: Options<'_, R, 3> = (*shared).into();
        assert_eq!((one.rtol, one.atol), (Tolerance::Uniform(R::from_f64(1e-5)), 1e-6.into()));
        assert_eq!(three.rtol.of_velocity(2).to_f64(), R::from_f64(1e-5).to_f64());
        assert_eq!(
            (one.max_step.to_f64(), one.first_step.map(R::to_f64), three.min_step.to_f64()),
            (0.5, Some(0.25), 0.125)
        );
        assert_eq!(
            (one.max_steps, one.locate_switches, three.dense_output, one.event_samples),
            (Some(7), false, true, 16)
        );
        // The defaults of both are the same.
        let (shared, own): (Options<'_, R, 2>, Options<'_, R, 2>) =
            (SharedOptions::default().into(), Options::default());
        assert_eq!(format!("{shared:?}"), format!("{own:?}"));
    }
    let shared = SharedOptions {
        rtol: 1e-5,
        atol: 1e-6,
        max_step: 0.5,
        first_step: Some(0.25),
        min_step: 0.125,
        max_steps: Some(7),
        locate_switches: false,
        dense_output: true,
        event_samples: 16,
    };
    check::<f64>(&shared);
    check::<f32>(&shared);
    check::<DoubleDouble>(&shared);
    check::<Dual<f64, 3>>(&shared);
    check::<Dual<Dual<f64, 1>, 2>>(&shared);
    check::<Taped>(&shared);
    // A function takes them as it takes options of one mechanism.
    let loose = SharedOptions { rtol: 1e-3, ..SharedOptions::default() };
    let own = Options { rtol: 1e-3.into(), ..Options::default() };
    let found = [
        solve(&oscillator(), start(), 2.0, &Dop853::new(), &loose),
        solve(&oscillator(), start(), 2.0, &Dop853::new(), &own),
    ]
    .map(|solution| solution.expect("regular").q);
    assert!(found.iter().all(|q| *q == found[0]));
}

#[test]
fn a_restarting_event_changes_nothing_but_where_steps_end() {
    let crossing = |_: f64, q: &Vector, _: &Vector| q[0];
    let events = [Event::new(&crossing).restarting()];
    let tight = SharedOptions { rtol: 1e-12, atol: 1e-12, ..SharedOptions::default() };
    let options = Options { events: &events, ..tight.into() };
    let solution = solve(&oscillator(), start(), 5.0, &Dop853::new(), &options).expect("regular");
    assert_eq!(solution.events.len(), 2, "at π/2 and 3π/2");
    for occurrence in &solution.events {
        assert_eq!(occurrence.before, occurrence.after);
        assert!(solution.t.contains(&occurrence.after.t), "a step ends there");
    }
    assert!((solution.last().expect("stored").q[0] - 5.0_f64.cos()).abs() < 1e-10);
}

#[test]
fn the_quantities_of_a_state_are_those_of_the_default_inputs() {
    let system: &dyn System<f64, 1, 0, 0> = &pendulum();
    let state = State::new(0.5, [1.0], [0.7]);
    let u = system.default_inputs();
    assert_eq!(system.energies_of(&state), system.energies(0.5, &state.q, &state.v, &u));
    assert_eq!(system.acceleration_of(&state), system.acceleration(0.5, &state.q, &state.v, &u));
    assert_eq!(system.powers_of(&state).len(), system.power_names().len());
    assert!(system.outputs_of(&state).is_empty());
}
