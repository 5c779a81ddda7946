//! Members with end times and with controllers of their own.

use crate::{Driven, LANES, alone, members};
use lagrange_runtime::controller::Sampled;
use lagrange_runtime::ensemble::{Ensemble, Member, MemberError, Random};
use lagrange_runtime::error::Failure;
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

/// End times on both sides of the starts, which lie between −1 and 1. One of them is not a number.
fn end_time(index: u64) -> f64 {
    if index == 7 { f64::NAN } else { Random::new(5, index).uniform(-3.0..4.0) }
}

/// Every member ends at its own time: where it stays in its lane, where it is computed again because an event is near, and without lanes.
fn ends_at_its_own_time(method: &(impl Method<f64, 2, 0> + lagrange_runtime::method::Explicit<2> + Sync)) {
    let options = SharedOptions { rtol: 1e-9, atol: 1e-9, ..SharedOptions::default() };
    let unreached = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[1] + 1e3;
    for lanes in LANES {
        for is_searched in [false, true] {
            let ensemble = Ensemble::new(method, 0.0).with_options(options).with_lanes(lanes).with_end_times(&end_time);
            let event = is_searched.then_some((Direction::Any, &unreached as _));
            let mut received = 0;
            let summary = ensemble.run(members(40), event, |trajectory| {
                received += 1;
                let t_end = end_time(trajectory.index);
                let end = match trajectory.result {
                    Ok(end) => end,
                    Err(MemberError::Solve(error)) => {
                        assert!(matches!(error.failure, Failure::BadOption { option: "t_end", .. }), "{error}");
                        assert_eq!(trajectory.index, 7);
                        return ControlFlow::Continue(());
                    }
                    Err(error) => panic!("{error}"),
                };
                let member = members(40).nth(trajectory.index as usize).unwrap();
                let (state, _) = alone(&member, t_end, method, options);
                assert_eq!((end.state.t, end.outcome), (t_end, Outcome::Finished));
                assert!((end.state.q - state.q).amax() < 1e-7, "{lanes:?}, {}", trajectory.index);
                ControlFlow::Continue(())
            });
            assert_eq!((received, summary.members, summary.failed), (40, 40, 1));
        }
    }
}

#[test]
fn members_end_at_their_own_times() {
    ends_at_its_own_time(&Rk4::new(5e-3));
    ends_at_its_own_time(&Dop853::new());
}

/// A law that pushes against the first angle with the gain of its member.
fn law(gain: f64) -> impl FnMut(f64, &SVector<f64, 2>, &SVector<f64, 2>) -> SVector<f64, 1> + Send {
    move |_, q, v| SVector::from([-gain * (q[0] + v[0])])
}

/// Sampled controllers with gains of their own give the motions of `integrate` to the bit, for any number of threads, and come back with the
/// value that they keep.
#[test]
fn members_have_controllers_of_their_own() {
    let options = SharedOptions { rtol: 1e-9, atol: 1e-9, ..SharedOptions::default() };
    let method = Dop853::new();
    let controlled = || members(24).enumerate().map(|(k, member)| (member, Sampled::of(0.1, law(0.1 * k as f64))));
    for threads in [1, 2] {
        let ensemble = Ensemble::new(&method, 3.0).with_options(options).with_threads(threads);
        let mut expected = controlled();
        let mut sum = Statistics::default();
        let summary = ensemble.run_controlled(controlled(), None, |trajectory, controller| {
            let (member, mut alone) = expected.next().unwrap();
            let system = member.mechanism.prepare::<f64>().unwrap();
            let mut state = member.initial;
            let report = integrate(&system, &mut state, 3.0, &method, &options.into(), &mut alone, &mut ()).unwrap();
            let end = trajectory.result.unwrap();
            assert_eq!((end.state, end.outcome, end.statistics), (state, report.outcome, report.statistics));
            assert_eq!((controller.value(), controller.origin()), (alone.value(), alone.origin()));
            assert!(controller.value().is_some());
            sum += end.statistics;
            ControlFlow::Continue(())
        });
        assert_eq!((summary.members, summary.failed, summary.statistics), (24, 0, sum));
    }
}

/// A controller goes with its own member although threads finish in another order, an event ends a controlled trajectory, and a mechanism that
/// cannot be prepared hands its controller back unused.
#[test]
fn controllers_come_back_with_their_members() {
    let method = Rk4::new(1e-2);
    let members = (0..50_u64).map(|index| {
        let l = if index == 3 { f64::NAN } else { 1.0 };
        let mechanism = Driven { m: 1.0, l, push: 0.0 };
        let mut uses = 0_u64;
        let count = move |_: f64, _: &SVector<f64, 2>, _: &SVector<f64, 2>| {
            uses += 1;
            SVector::from([if uses == u64::MAX { 1.0 } else { index as f64 }])
        };
        (Member { mechanism, initial: State::new(0.0, [0.1, 0.1], [0.0; 2]) }, count)
    });
    let far = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[0].abs() - 0.5;
    let (mut ended, mut refused) = (0, 0);
    let ensemble = Ensemble::new(&method, 5.0).with_threads(2);
    let summary = ensemble.run_controlled(members, Some((Direction::Rising, &far)), |trajectory, mut controller| {
        let input = controller(0.0, &SVector::zeros(), &SVector::zeros());
        assert_eq!(input[0], trajectory.index as f64);
        match trajectory.result {
            Ok(end) if end.outcome == Outcome::Event(0) => {
                assert!((end.state.q[0].abs() - 0.5).abs() < 1e-9);
                ended += 1;
            }
            Ok(_) => {}
            Err(MemberError::Prepare(_)) => {
                assert_eq!(trajectory.index, 3);
                refused += 1;
            }
            Err(error) => panic!("{error}"),
        }
        ControlFlow::Continue(())
    });
    assert_eq!((summary.members, refused, summary.failed), (50, 1, 1));
    assert!(ended > 30, "{ended}");
}
