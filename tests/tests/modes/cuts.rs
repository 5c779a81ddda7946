//! Nothing that shortens a step changes what is found: stops, times of evaluation, events, samples of a controller, ends, and checkpoints.

use crate::mechanisms::{Room, TwoSprings};
use lagrange_runtime::ensemble::{Ensemble, Member};
use lagrange_runtime::instant::{Cause, Instant};
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

type Changes = Vec<(Cause, f64, f64)>;

fn told<const N: usize>(instants: &[Instant<f64, N>]) -> Changes {
    let of_modes = instants.iter().filter(|instant| matches!(instant.cause, Cause::Mode(_)));
    of_modes.map(|instant| (instant.cause, instant.before.t, instant.after.v[N - 1])).collect()
}

/// Both lists have the same changes, at times that differ by what the accuracy of the steps allows.
fn assert_same(found: &Changes, expected: &Changes, within: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} instead of {expected:?}");
    for (one, other) in found.iter().zip(expected) {
        assert!(one.0 == other.0 && one.2 == other.2, "{what}: {one:?} instead of {other:?}");
        assert!((one.1 - other.1).abs() < within, "{what}: {one:?} instead of {other:?}");
    }
}

#[test]
fn stops_times_ends_and_events_leave_the_changes_as_they_are() {
    let system = Room::COLD.prepare::<f64>().expect("positive");
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let whole = solve(&system, Room::start(), 20.0, &Dop853::new(), &options).expect("a motion");
    let expected = told(&whole.instants);
    assert!(expected.len() > 8);
    let mut stops: Vec<f64> = (1..200).map(|k| f64::from(k) * 0.1).collect();
    // Also at a change, and a rounding before and after it.
    let change = expected[2].1;
    stops.extend([change, change.next_down(), change.next_up()]);
    stops.sort_by(f64::total_cmp);
    let with_stops = Options { stops: &stops, ..options };
    let cut = solve(&system, Room::start(), 20.0, &Dop853::new(), &with_stops).expect("a motion");
    assert_same(&told(&cut.instants), &expected, 1e-8, "stops");
    let at_times = Options { t_eval: Some(&stops), ..options };
    let shown = solve(&system, Room::start(), 20.0, &Dop853::new(), &at_times).expect("a motion");
    assert_eq!(told(&shown.instants), expected, "times of evaluation");
    let warm = |_: f64, _: &SVector<f64, 2>, v: &SVector<f64, 2>| v[0] - 22.0;
    let tepid = |_: f64, _: &SVector<f64, 2>, v: &SVector<f64, 2>| v[0] - 20.0;
    let events = [Event::new(&warm), Event::new(&tepid).restarting()];
    let with_events = Options { events: &events, ..options };
    let met = solve(&system, Room::start(), 20.0, &Dop853::new(), &with_events).expect("a motion");
    assert_same(&told(&met.instants), &expected, 1e-8, "events");
    for (k, &(_, t, _)) in expected.iter().enumerate().skip(1) {
        // A change at which an integration ends is found, and one behind its end is not.
        for (end, count) in [(t + 1e-6, k + 1), (t - 1e-6, k)] {
            let ended = solve(&system, Room::start(), end, &Dop853::new(), &options).expect("a motion");
            assert_same(&told(&ended.instants), &expected[..count].to_vec(), 1e-8, "an end");
        }
        // From a state of the motion the rest of the changes follow.
        let from = State::new(t + 0.05, [0.0; 2], exact_at(t + 0.05));
        let rest = solve(&system, from, 20.0, &Dop853::new(), &options).expect("a motion");
        assert_same(&told(&rest.instants), &expected[k + 1..].to_vec(), 1e-6, "a start");
    }
}

/// The temperature and the mode at a time, by the exponentials.
fn exact_at(t: f64) -> [f64; 2] {
    let times = Room::switched(30);
    let last = times.iter().rposition(|time| *time <= t).expect("a change before");
    let (start, heating) = match last {
        0 => (10.0, 1.0),
        k if k % 2 == 1 => (22.0, 0.0),
        _ => (18.0, 1.0),
    };
    let towards = 50.0 * heating;
    [towards + (start - towards) * f64::exp(-(t - times[last]) / 10.0), heating]
}

#[test]
fn a_checkpoint_resumes_to_the_bit_across_changes() {
    let system = TwoSprings { m: 1.0, k: 1.0 }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [1.0, 0.0], [0.0, 1.0]);
    let method = Dop853::new();
    let options = Options { rtol: 1e-9.into(), atol: 1e-9.into(), ..Options::default() };
    let mut inputs = DefaultInputs::of(&system);
    let mut whole = Stepper::new(&system, start, 20.0, &method, &options, &mut inputs).expect("a valid start");
    whole.run(&mut ()).expect("a motion");
    let (end, steps) = (whole.state().expect("a state"), whole.statistics().steps);
    for part in 0..steps {
        let mut inputs = DefaultInputs::of(&system);
        let mut first = Stepper::new(&system, start, 20.0, &method, &options, &mut inputs).expect("a valid start");
        for _ in 0..part {
            first.step().expect("a motion");
        }
        let text = serde_json::to_string(&first.checkpoint()).expect("numbers");
        let read = serde_json::from_str(&text).expect("what was written can be read");
        let mut inputs = DefaultInputs::of(&system);
        let mut second = Stepper::resume(&system, &read, &method, &options, &mut inputs).expect("a valid checkpoint");
        second.run(&mut ()).expect("a motion");
        assert_eq!(second.state().expect("a state"), end, "after {part} of {steps} steps");
    }
}

#[test]
fn an_ensemble_gives_each_member_its_own_changes() {
    let starts = (0..19).map(|k| State::new(0.0, [0.0; 2], [10.0 + f64::from(k), 0.0]));
    let members = starts.clone().map(|initial| Member { mechanism: Room::COLD, initial });
    let method = Rk4::new(1e-2);
    let mut ends = Vec::new();
    Ensemble::new(&method, 20.0).run(members, None, |trajectory| {
        ends.push(trajectory.result.expect("a motion").state);
        ControlFlow::Continue(())
    });
    let system = Room::COLD.prepare::<f64>().expect("positive");
    for (start, end) in starts.zip(ends) {
        let alone = solve(&system, start, 20.0, &method, &Options::default()).expect("a motion");
        assert_eq!(end, alone.last().expect("states"));
    }
}
