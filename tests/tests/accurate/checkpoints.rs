//! An integration that is interrupted, stored as text, read and resumed gives the same bits.

use lagrange_models::{
    BlockWithFriction, CompoundDoublePendulum, DoublePendulum, RockingBlock, SphericalPendulumCartesian,
};
use lagrange_runtime::prelude::*;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Through JSON and back.
fn stored<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("a checkpoint is made of numbers");
    serde_json::from_str(&text).expect("what was written can be read")
}

/// Every number of a state, bit by bit.
fn bits<const N: usize>(state: &State<f64, N>) -> Vec<u64> {
    std::iter::once(&state.t).chain(&state.q).chain(&state.v).map(|number| number.to_bits()).collect()
}

/// Integrates in one go, and again with an interruption after each of several numbers of steps.
pub(crate) fn assert_resumes<M, const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    start: State<f64, N>,
    t_end: f64,
    method: &M,
    options: &Options<'_, f64, N>,
) where
    M: Method<f64, N, C>,
    M::Memory: Serialize + DeserializeOwned + PartialEq,
{
    let mut inputs = DefaultInputs::of(system);
    let mut whole = Stepper::new(system, start, t_end, method, options, &mut inputs).expect("a valid start");
    let outcome = whole.run(&mut ()).expect("a motion without failure");
    let (end, statistics) = (whole.state().expect("a regular mass matrix"), *whole.statistics());
    assert!(statistics.steps > 20, "{statistics:?}");
    let few = [0, 1, 7, statistics.steps / 2, statistics.steps - 1];
    let parts = if statistics.steps < 200 { (0..statistics.steps).collect() } else { few.to_vec() };
    for part in parts {
        let mut inputs = DefaultInputs::of(system);
        let mut first = Stepper::new(system, start, t_end, method, options, &mut inputs).expect("a valid start");
        for _ in 0..part {
            first.step().expect("a motion without failure");
        }
        let checkpoint = first.checkpoint();
        let read = stored(&checkpoint);
        assert_eq!(read, checkpoint, "{} after {part} steps", method.name());
        let mut inputs = DefaultInputs::of(system);
        let mut second = Stepper::resume(system, &read, method, options, &mut inputs).expect("a valid checkpoint");
        assert_eq!(second.time(), checkpoint.time());
        assert_eq!(second.run(&mut ()).expect("a motion without failure"), outcome);
        let last = second.state().expect("a regular mass matrix");
        assert_eq!(bits(&last), bits(&end), "{} after {part} steps: {last:?} instead of {end:?}", method.name());
        assert_eq!(*second.statistics(), statistics, "{} after {part} steps", method.name());
    }
}

#[test]
fn every_kind_of_method_resumes_to_the_bit() {
    let system = CompoundDoublePendulum::default().prepare::<f64>().expect("valid");
    let start = CompoundDoublePendulum::released_at_45_degrees();
    let options = Options::default();
    assert_resumes(&system, start, 1.05, &Rk4::new(0.02), &options);
    assert_resumes(&system, start, 1.05, &Verlet::new(0.02), &options);
    assert_resumes(&system, start, 5.0, &Rkf45::new(), &options);
    assert_resumes(&system, start, 5.0, &Tsitouras5::new(), &options);
    let tight = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..options };
    assert_resumes(&system, start, 5.0, &Dop853::new(), &tight);
    assert_resumes(&system, start, 30.0, &Extrapolation::new(), &tight);
    assert_resumes(&system, start, 5.0, &Radau5::new(), &options);
    assert_resumes(&system, start, 5.0, &Radau13::new(), &tight);
    assert_resumes(&system, start, 5.0, &VariableRadau::new(), &tight);
    assert_resumes(&system, start, 5.0, &Rodas5P::new(), &options);
    assert_resumes(&system, start, 5.0, &Esdirk4::new(), &options);
    assert_resumes(&system, start, 5.0, &Verner9::new().with_law(ToleranceLaw::ProportionalIntegralDerivative), &tight);
}

#[test]
fn methods_with_momenta_and_carried_guesses_resume_to_the_bit() {
    let system = DoublePendulum::default().prepare::<f64>().expect("valid");
    let (start, options) = (DoublePendulum::demo(), Options::default());
    assert_resumes(&system, start, 0.505, &Gauss::<f64, 3>::new(0.02), &options);
    assert_resumes(&system, start, 0.505, &ImplicitMidpoint::new(0.01), &options);
    assert_resumes(&system, start, 0.505, &EnergyPreserving::<f64, 4>::new(0.02), &options);
    assert_resumes(&system, start, 0.505, &GeneralizedAlpha::new(0.01, 0.8), &options);
    assert_resumes(&system, start, 0.505, &MoreauJean::new(0.01), &options);
    assert_resumes(&system, start, 0.505, &VariationalTrapezoid::new(0.01), &options);
    assert_resumes(&system, start, 0.505, &Composition::suzuki(VariationalMidpoint::new(0.02)), &options);
    let system = SphericalPendulumCartesian { m: 1.0, g: 9.8, l: 1.0 }.prepare::<f64>().expect("valid");
    let x = 2.0_f64.sqrt() / 4.0;
    let (start, options) = (State::new(0.0, [x, x, 3.0_f64.sqrt() / 2.0], [1.0, -1.0, 0.0]), Options::default());
    assert_resumes(&system, start, 0.505, &Rattle::new(0.01), &options);
    assert_resumes(&system, start, 0.505, &GeneralizedAlpha::new(0.01, 0.8), &options);
    assert_resumes(&system, start, 3.0, &Radau5::new(), &options);
    assert_resumes(&system, start, 0.505, &Gauss::<f64, 2>::new(0.01), &options);
    assert_resumes(&system, start, 5.0, &Projected::new(Tsitouras5::new()), &options);
}

#[test]
fn events_and_stops_resume_to_the_bit() {
    let system = DoublePendulum::default().prepare::<f64>().expect("valid");
    // The lower bob bounces off a wall below it, with a loss; the integration ends where the upper one turns late.
    let wall = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[1] + 0.3;
    let bounce = |state: &State<f64, 2>| State { v: SVector::from([state.v[0], -0.9 * state.v[1]]), ..*state };
    let late = |t: f64, _: &SVector<f64, 2>, v: &SVector<f64, 2>| if t < 6.0 { 1.0 } else { v[0] };
    let events = [
        Event::new(&wall).going(Direction::Falling).mapping(&bounce),
        Event::new(&late).going(Direction::Falling).terminal(),
    ];
    let stops = [0.4, 1.7, 2.9];
    let options = Options { events: &events, stops: &stops, ..Options::default() };
    let start = State::new(0.0, [0.6, 0.4], [0.0, 0.0]);
    let solution = solve(&system, start, 20.0, &DormandPrince5::new(), &options).expect("no failure");
    assert!(solution.events.len() > 3 && matches!(solution.outcome, Outcome::Event(1)), "{:?}", solution.outcome);
    assert!(stops.iter().all(|stop| solution.t.contains(stop)));
    assert_resumes(&system, start, 20.0, &DormandPrince5::new(), &options);
    assert_resumes(&system, start, 20.0, &Rk4::new(0.01), &options);
    assert_resumes(&system, start, 20.0, &Gauss::<f64, 2>::new(0.01), &options);
}

#[test]
fn steps_towards_a_switch_resume_to_the_bit() {
    let model = BlockWithFriction::default();
    let system = model.prepare::<f64>().expect("valid");
    let (start, options) = (BlockWithFriction::pulled(), Options::default());
    // Two turns.
    let t_end = 2.2 * model.half_period();
    assert_resumes(&system, start, t_end, &Dop853::new(), &options);
    assert_resumes(&system, start, t_end, &Rk4::new(t_end / 70.0), &options);
    assert_resumes(&system, start, t_end, &MoreauJean::new(t_end / 70.0), &options);
}

#[test]
fn a_sampled_controller_resumes_with_its_zero_order_hold() {
    use lagrange_models::CompoundDoublePendulumWithDrag as Model;
    let system = Model::default().prepare::<f64>().expect("valid");
    let start = Model::released_at_45_degrees();
    let law = |_: f64, q: &SVector<f64, 2>, v: &SVector<f64, 2>| SVector::from([-q[0] - 0.3 * v[0]]);
    let (options, method) = (Options::default(), Tsitouras5::new());
    let mut whole = Sampled::new(0.37, law);
    let mut stepper = Stepper::new(&system, start, 4.0, &method, &options, &mut whole).expect("a valid start");
    stepper.run(&mut ()).expect("no failure");
    let end = stepper.state().expect("regular");

    let mut first = Sampled::new(0.37, law);
    let mut stepper = Stepper::new(&system, start, 4.0, &method, &options, &mut first).expect("a valid start");
    for _ in 0..15 {
        stepper.step().expect("no failure");
    }
    let checkpoint = stored(&stepper.checkpoint());
    let (origin, value) = stored(&(first.origin(), first.value().copied()));
    let mut second = Sampled::new(0.37, law).resumed(origin, value);
    let mut stepper =
        Stepper::resume(&system, &checkpoint, &method, &options, &mut second).expect("a valid checkpoint");
    stepper.run(&mut ()).expect("no failure");
    assert_eq!(bits(&stepper.state().expect("regular")), bits(&end));
}

#[test]
fn what_makes_no_sense_is_named() {
    let system = CompoundDoublePendulum::default().prepare::<f64>().expect("valid");
    let start = CompoundDoublePendulum::released_at_45_degrees();
    let (options, method) = (Options::default(), Tsitouras5::new());
    let mut inputs = DefaultInputs::of(&system);
    let stepper = Stepper::new(&system, start, 4.0, &method, &options, &mut inputs).expect("a valid start");
    let text = serde_json::to_string(&stepper.checkpoint()).expect("numbers");
    // Another number of coordinates.
    assert!(serde_json::from_str::<Checkpoint<f64, 3, 0, lagrange_runtime::method::Carried<f64, 3>>>(&text).is_err());
    let bad = Options { rtol: (-1.0).into(), ..options };
    let checkpoint = stepper.checkpoint();
    let mut inputs = DefaultInputs::of(&system);
    let error = Stepper::resume(&system, &checkpoint, &method, &bad, &mut inputs).expect_err("a negative tolerance");
    assert!(matches!(error.failure, Failure::BadOption { option: "rtol", .. }), "{error}");
}

/// A checkpoint of `method` after a few steps, as JSON.
fn written<M>(system: &dyn System<f64, 2, 0, 0>, method: &M) -> Value
where
    M: Method<f64, 2, 0>,
    M::Memory: Serialize,
{
    let (start, options) = (DoublePendulum::demo(), Options::default());
    let mut inputs = DefaultInputs::of(system);
    let mut stepper = Stepper::new(system, start, 4.0, method, &options, &mut inputs).expect("a valid start");
    for _ in 0..5 {
        stepper.step().expect("no failure");
    }
    serde_json::to_value(stepper.checkpoint()).expect("numbers")
}

/// Reads an altered checkpoint with the checksum of its contents, which the error without it states.
fn forged<T: DeserializeOwned>(mut checkpoint: Value) -> Result<T, serde_json::Error> {
    let refused = match serde_json::from_value(checkpoint.clone()) {
        Ok(unaltered) => return Ok(unaltered),
        Err(refused) => refused,
    };
    let text = refused.to_string();
    let Some((_, rest)) = text.split_once("that of its contents ") else { return Err(refused) };
    let digits = rest.split(')').next().expect("a number follows");
    checkpoint["checksum"] = digits.parse::<u64>().expect("a checksum").into();
    serde_json::from_value(checkpoint)
}

/// Why an altered checkpoint is not resumed, if it has the checksum of its contents.
fn refusal<M>(system: &dyn System<f64, 2, 0, 0>, method: &M, checkpoint: &Value) -> Option<Failure>
where
    M: Method<f64, 2, 0>,
    M::Memory: Serialize + DeserializeOwned,
{
    let checkpoint: Checkpoint<f64, 2, 0, M::Memory> = forged(checkpoint.clone()).expect("the right form");
    let (options, mut inputs) = (Options::default(), DefaultInputs::of(system));
    Stepper::resume(system, &checkpoint, method, &options, &mut inputs).err().map(|error| error.failure)
}

#[test]
fn what_another_integration_wrote_is_refused_by_name() {
    use lagrange_runtime::error::CheckpointPart::{Mechanism as Model, Method as Other, Parameters, Step, Version};
    let mismatch = |failure: Option<Failure>| match failure {
        Some(Failure::CheckpointMismatch { of }) => of,
        other => panic!("{other:?}"),
    };
    let system = DoublePendulum::default().prepare::<f64>().expect("valid");
    let checkpoint = written(&system, &Rk4::new(0.01));
    assert_eq!(refusal(&system, &Rk4::new(0.01), &checkpoint), None);
    assert_eq!(mismatch(refusal(&system, &Rk4::new(0.02), &checkpoint)), Step);
    let heavier = DoublePendulum { m1: 2.0, ..Default::default() }.prepare::<f64>().expect("valid");
    assert_eq!(mismatch(refusal(&heavier, &Rk4::new(0.01), &checkpoint)), Parameters);
    let rods = CompoundDoublePendulum::default().prepare::<f64>().expect("valid");
    assert_eq!(mismatch(refusal(&rods, &Rk4::new(0.01), &checkpoint)), Model);
    let mut older = checkpoint.clone();
    older["contents"]["origin"]["version"] = 1.into();
    assert_eq!(mismatch(refusal(&system, &Rk4::new(0.01), &older)), Version);
    // Pairs whose memories have one form.
    let checkpoint = written(&system, &Tsitouras5::new());
    assert_eq!(mismatch(refusal(&system, &DormandPrince5::new(), &checkpoint)), Other);
    assert_eq!(mismatch(refusal(&system, &Tsitouras5::new().with_law(ToleranceLaw::Elementary), &checkpoint)), Step);
}

#[test]
fn numbers_that_no_integration_can_have_written_are_refused() {
    let system = DoublePendulum::default().prepare::<f64>().expect("valid");
    let refused = |failure: Option<Failure>, path: &str, value: &Value| match failure {
        Some(Failure::BadCheckpoint { .. } | Failure::BadOption { .. } | Failure::CheckpointMismatch { .. }) => {}
        other => panic!("{path} = {value}: {other:?}"),
    };
    let (method, adaptive) = (Rk4::new(0.01), Tsitouras5::new());
    let (fixed_steps, adaptive_steps) = (written(&system, &method), written(&system, &adaptive));
    let number = |value: f64| serde_json::json!(value);
    for field in ["start", "end", "h", "last"] {
        for value in [-1.0, -1e300, 1e300, 0.005].map(number) {
            let mut checkpoint = fixed_steps.clone();
            checkpoint["contents"]["section"][field] = value.clone();
            refused(refusal(&system, &method, &checkpoint), field, &value);
        }
    }
    for field in ["whole", "done"] {
        for value in [0, 4, 402, u64::MAX - 1, u64::MAX] {
            let mut checkpoint = fixed_steps.clone();
            checkpoint["contents"]["section"][field] = value.into();
            refused(refusal(&system, &method, &checkpoint), field, &value.into());
        }
    }
    for value in [-1.0, 0.0].map(number) {
        let mut checkpoint = adaptive_steps.clone();
        checkpoint["contents"]["proposal"] = value.clone();
        refused(refusal(&system, &adaptive, &checkpoint), "proposal", &value);
    }
    for field in ["error", "before"] {
        for value in [-1e300, -14.0].map(number) {
            let mut checkpoint = adaptive_steps.clone();
            checkpoint["contents"]["history"][field] = value.clone();
            refused(refusal(&system, &adaptive, &checkpoint), field, &value);
        }
    }
    // The checkpoints are of times between 0 and 4 s.
    let (now, past) = (adaptive_steps["contents"]["now"]["state"]["t"].clone(), number(0.0));
    let beyond = number(3.99);
    for (part, field, value) in [
        ("events", "mapped_at", &beyond),
        ("switching", "hopped_at", &beyond),
        ("switching", "until", &past),
        ("switching", "until", &number(4.5)),
        ("switching", "attempted", &number(-1.0)),
    ] {
        let mut checkpoint = adaptive_steps.clone();
        checkpoint["contents"][part][field] = value.clone();
        refused(refusal(&system, &adaptive, &checkpoint), field, value);
    }
    for (part, field, value) in
        [("events", "mapped_at", &now), ("switching", "hopped_at", &past), ("switching", "until", &beyond)]
    {
        let mut checkpoint = adaptive_steps.clone();
        checkpoint["contents"][part][field] = value.clone();
        assert_eq!(refusal(&system, &adaptive, &checkpoint), None, "{field} = {value}");
    }
    for value in [-1.0, 5.0].map(number) {
        for (written, fixed) in [(&fixed_steps, true), (&adaptive_steps, false)] {
            let mut checkpoint = written.clone();
            checkpoint["contents"]["now"]["state"]["t"] = value.clone();
            let failure =
                if fixed { refusal(&system, &method, &checkpoint) } else { refusal(&system, &adaptive, &checkpoint) };
            refused(failure, "t", &value);
            let mut checkpoint = written.clone();
            checkpoint["contents"]["now"]["evaluated_at"] = value.clone();
            let failure =
                if fixed { refusal(&system, &method, &checkpoint) } else { refusal(&system, &adaptive, &checkpoint) };
            refused(failure, "evaluated_at", &value);
        }
    }
}

/// Calls `visit` on every number, truth value and absent value inside `value`, with the way to it.
fn each_leaf(value: &Value, way: &str, visit: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Array(parts) => {
            parts.iter().enumerate().for_each(|(index, part)| each_leaf(part, &format!("{way}/{index}"), visit));
        }
        Value::Object(parts) => parts.iter().for_each(|(name, part)| each_leaf(part, &format!("{way}/{name}"), visit)),
        leaf => visit(way, leaf),
    }
}

/// The values that differ from a number in one bit, of which every n-th is taken, from a truth value, or from an absent value.
fn flips(value: &Value, every: usize) -> Vec<Value> {
    match value {
        Value::Bool(value) => vec![(!value).into()],
        Value::Null => vec![0.0.into(), 0.5.into()],
        Value::Number(number) => match number.as_u64() {
            Some(count) => (0..64).step_by(every).map(|bit| (count ^ 1 << bit).into()).collect(),
            None => {
                let bits = number.as_f64().expect("a float").to_bits();
                // JSON has no NaN and no infinity.
                let flipped = (0..64).step_by(every).map(|bit| f64::from_bits(bits ^ 1 << bit));
                flipped.filter(|flipped| flipped.is_finite()).map(Value::from).collect()
            }
        },
        other => panic!("{other} in a checkpoint"),
    }
}

/// A checkpoint of a motion as JSON, after this number of steps.
fn written_after<M, const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    start: State<f64, N>,
    (method, steps): (&M, u32),
) -> Value
where
    M: Method<f64, N, C>,
    M::Memory: Serialize,
{
    let (options, mut inputs) = (Options::default(), DefaultInputs::of(system));
    let mut stepper = Stepper::new(system, start, 4.0, method, &options, &mut inputs).expect("a valid start");
    (0..steps).for_each(|_| stepper.step().expect("no failure"));
    serde_json::to_value(stepper.checkpoint()).expect("numbers")
}

/// No checkpoint of this motion can be read with a bit flipped, and none with a counter at its limit panics, even if it has the
/// checksum of its contents.
fn assert_no_flip_is_read<M, const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    start: State<f64, N>,
    method: &M,
    every: usize,
) where
    M: Method<f64, N, C>,
    M::Memory: Serialize + DeserializeOwned,
{
    let checkpoint = written_after(system, start, (method, 60));
    let read = |altered: &Value| Checkpoint::<f64, N, C, M::Memory>::deserialize(altered);
    read(&checkpoint).expect("unaltered");
    let (mut altered, mut count, mut counters) = (checkpoint.clone(), 0, Vec::new());
    each_leaf(&checkpoint, "", &mut |way, value| {
        for flipped in flips(value, every) {
            *altered.pointer_mut(way).expect("it is there") = flipped;
            let place = altered.pointer(way);
            assert!(read(&altered).is_err(), "{}: {way} = {place:?} in place of {value}", method.name());
            count += 1;
        }
        *altered.pointer_mut(way).expect("it is there") = value.clone();
        if value.is_u64() {
            counters.push(way.to_owned());
        }
    });
    assert!(count * every > 2000 && altered == checkpoint, "{count}");
    let mut refused = 0;
    for way in &counters {
        for most in [u64::MAX, u64::MAX / 2, u32::MAX.into(), u8::MAX.into()] {
            let mut altered = checkpoint.clone();
            *altered.pointer_mut(way).expect("it is there") = most.into();
            // The counter may have fewer bits.
            let Ok(read) = forged::<Checkpoint<f64, N, C, M::Memory>>(altered) else { continue };
            let (options, mut inputs) = (Options::default(), DefaultInputs::of(system));
            match Stepper::resume(system, &read, method, &options, &mut inputs) {
                Ok(mut stepper) => {
                    for _ in 0..20 {
                        // A step may fail, but not panic.
                        let _ = stepper.step();
                    }
                }
                Err(error) if way.contains("statistics") => {
                    assert!(most == u64::MAX && error.to_string().contains("less than 2^63"), "{error}");
                    refused += 1;
                }
                Err(_) => {}
            }
        }
    }
    assert_eq!(refused, 12);
}

#[test]
fn a_flipped_bit_is_refused_and_no_counter_overflows() {
    let system = RockingBlock::default().prepare::<f64>().expect("valid");
    let start = RockingBlock::let_go();
    assert_no_flip_is_read(&system, start, &Rk4::new(0.01), 1);
    assert_no_flip_is_read(&system, start, &Dop853::new(), 1);
    assert_no_flip_is_read(&system, start, &Extrapolation::new(), 1);
    let system = DoublePendulum::default().prepare::<f64>().expect("valid");
    assert_no_flip_is_read(&system, DoublePendulum::demo(), &Gauss::<f64, 2>::new(0.01), 9);
    assert_no_flip_is_read(&system, DoublePendulum::demo(), &VariationalTrapezoid::new(0.01), 9);
    let system = SphericalPendulumCartesian { m: 1.0, g: 9.8, l: 1.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, 0.6, 0.8], [1.0, 0.0, 0.0]);
    assert_no_flip_is_read(&system, start, &Rattle::new(0.01), 9);
}

#[test]
fn an_altered_checkpoint_says_so() {
    let system = DoublePendulum::default().prepare::<f64>().expect("valid");
    let mut checkpoint = written(&system, &Rk4::new(0.01));
    let v = &mut checkpoint["contents"]["now"]["state"]["v"][0];
    *v = v.as_f64().expect("a velocity").next_up().into();
    let error = serde_json::from_value::<Checkpoint<f64, 2, 0, SVector<f64, 2>>>(checkpoint).expect_err("altered");
    let text = error.to_string();
    assert!(text.starts_with("the checkpoint was altered") && text.contains("resume from another one"), "{text}");
}
