//! Members that fail, and runs that end early.

use crate::{LANES, members, run};
use lagrange_runtime::ensemble::{Ensemble, Member, MemberError, RunOutcome};
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// x'' = 6 x² for unit mass, which reaches infinity in finite time from x > 0.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = -2*x^3;
}]
#[derive(Clone, Copy)]
struct Runaway {
    m: f64,
}

#[test]
fn a_member_that_fails_is_named_and_the_others_go_on() {
    let members = || {
        (0..60).map(|index| {
            let m = if index == 7 { f64::NAN } else { 1.0 };
            let x = if index == 11 {
                f64::NAN
            } else if index % 5 == 3 {
                1.0
            } else {
                -0.01
            };
            Member { mechanism: Runaway { m }, initial: State::new(0.0, [x], [0.0]) }
        })
    };
    for lanes in LANES {
        let (rk4, pair) = (Rk4::new(1e-3), Tsitouras5::new());
        let runs = [
            run(&Ensemble::new(&rk4, 3.0).with_lanes(lanes).with_threads(2), members()),
            run(&Ensemble::new(&pair, 3.0).with_lanes(lanes).with_threads(2), members()),
        ];
        for (trajectories, summary) in runs {
            assert_eq!((trajectories.len(), summary.failed), (60, 14));
            for (index, trajectory) in trajectories.iter().enumerate() {
                match (index, &trajectory.result) {
                    (7, Err(MemberError::Prepare(PrepareError::NotFinite { parameter: "m", .. }))) => {}
                    (11, Err(MemberError::Solve(error))) => {
                        assert!(matches!(error.failure, Failure::BadState { .. }), "{error}");
                    }
                    (_, Err(MemberError::Solve(error))) if index % 5 == 3 => {
                        assert!(error.state.t > 1.0 && error.state.t < 1.5, "{error}");
                    }
                    (_, Ok(end)) if index % 5 != 3 => assert_eq!(end.state.t, 3.0),
                    (index, result) => panic!("{index}: {result:?}"),
                }
            }
        }
    }
}

#[test]
fn a_wrong_option_is_an_error_of_each_member() {
    for lanes in LANES {
        let (trajectories, summary) = run(&Ensemble::new(&Rk4::new(-1.0), 1.0).with_lanes(lanes), members(3));
        assert_eq!(summary.failed, 3);
        for trajectory in trajectories {
            let Err(MemberError::Solve(error)) = trajectory.result else { panic!("no error") };
            assert!(matches!(error.failure, Failure::BadOption { option: "h", .. }));
        }
    }
}

/// Where one thread panics, the others end too: after at most as many members as they have at that time.
#[test]
fn a_panic_ends_the_run() {
    for lanes in LANES {
        let method = Rk4::new(1e-2);
        let ensemble = Ensemble::new(&method, 1.0).with_lanes(lanes).with_threads(2);
        let received = AtomicU64::new(0);
        let run = || {
            ensemble.run(members(u64::MAX), None, |trajectory| {
                received.fetch_add(1, Ordering::Relaxed);
                assert!(trajectory.index != 30, "the caller's own panic");
                ControlFlow::Continue(())
            })
        };
        assert!(std::panic::catch_unwind(AssertUnwindSafe(run)).is_err());
        assert_eq!(received.into_inner(), 31);

        let broken = members(u64::MAX).enumerate().map(|(index, mut member)| {
            assert!(index != 50, "the panic of the caller's iterator");
            member.mechanism.m += 1.0;
            member
        });
        let run = || ensemble.run(broken, None, |_| ControlFlow::Continue(()));
        assert!(std::panic::catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}

#[test]
fn a_run_that_ends_early_has_given_the_first_members() {
    let endless = || members(u64::MAX);
    for lanes in LANES {
        let method = Rk4::new(1e-2);
        let ensemble = Ensemble::new(&method, 1.0).with_lanes(lanes).with_threads(2);
        let mut count = 0;
        let summary = ensemble.run(endless(), None, |trajectory| {
            assert_eq!(trajectory.index, count);
            count += 1;
            if count == 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((summary.outcome, summary.members, count), (RunOutcome::Stopped, 50, 50));

        let flag = AtomicBool::new(false);
        let summary = ensemble.with_cancel(&flag).run(endless(), None, |trajectory| {
            flag.store(trajectory.index == 30, Ordering::Relaxed);
            ControlFlow::Continue(())
        });
        assert_eq!(summary.outcome, RunOutcome::Cancelled);
        assert!(summary.members >= 31);

        let summary = ensemble.with_deadline(Instant::now()).run(endless(), None, |_| ControlFlow::Continue(()));
        assert_eq!((summary.outcome, summary.members), (RunOutcome::Deadline, 0));
    }
}
