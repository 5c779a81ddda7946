//! Results that do not depend on lanes, threads or neighbours.

use crate::{LANES, alone, members, run};
use lagrange_runtime::ensemble::{Ensemble, Member, MemberError, Random, Vectorization, grid};
use lagrange_runtime::method::Explicit;
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

/// Compares an ensemble with integrations one at a time: to the bit without lanes, and to `tolerance` with them.
fn agrees<Y: Method<f64, 2, 0> + Explicit<2> + Sync>(method: &Y, tolerance: f64) {
    let options = SharedOptions { rtol: 1e-9, atol: 1e-9, ..SharedOptions::default() };
    for lanes in LANES {
        let ensemble = Ensemble::new(method, 3.0).with_options(options).with_lanes(lanes).with_threads(2);
        let (trajectories, summary) = run(&ensemble, members(36));
        assert_eq!((trajectories.len(), summary.members, summary.failed), (36, 36, 0));
        let mut sum = Statistics::default();
        for (member, trajectory) in members(36).zip(&trajectories) {
            let end = trajectory.result.as_ref().unwrap();
            let (state, statistics) = alone(&member, 3.0, method, options);
            let distance = (end.state.q - state.q).amax().max((end.state.v - state.v).amax());
            let allowed = if lanes == Vectorization::Off { 0.0 } else { tolerance };
            assert!(distance <= allowed, "{lanes:?}, {}: {distance:e}", trajectory.index);
            assert_eq!((end.state.t, end.outcome), (3.0, Outcome::Finished));
            if method.fixed_step().is_some() || lanes == Vectorization::Off {
                assert_eq!(end.statistics, statistics, "{lanes:?}");
            }
            sum += end.statistics;
        }
        assert_eq!(summary.statistics, sum);
    }
}

#[test]
fn fixed_steps_agree_to_rounding() {
    agrees(&Rk4::new(5e-3), 1e-10);
    agrees(&Rk4::new(7e-3), 1e-10);
    agrees(&Verlet::new(5e-3), 1e-10);
}

/// Splittings and their compositions, under a force that depends on time: compositions evaluate it at times within the step.
#[test]
fn splittings_agree_to_rounding() {
    fn agrees<Y: Method<f64, 1, 0> + Explicit<1> + Sync>(method: &Y) {
        let options = SharedOptions::default();
        let ensemble = Ensemble::new(method, 3.1);
        let members = || {
            grid([(0.5, 2.0, 5), (-2.0, 2.0, 8)]).map(|[mass, x]| Member {
                mechanism: Swing { mass, push: x },
                initial: State::new(x / 7.0, [x], [0.3]),
            })
        };
        let (trajectories, summary) = run(&ensemble, members());
        assert_eq!((summary.members, summary.failed), (40, 0));
        for (member, trajectory) in members().zip(&trajectories) {
            let end = trajectory.result.as_ref().unwrap();
            let (state, statistics) = alone(&member, 3.1, method, options);
            let distance = (end.state.q[0] - state.q[0]).abs().max((end.state.v[0] - state.v[0]).abs());
            assert!(distance < 1e-12, "{}, {}: {distance:e}", method.name(), trajectory.index);
            assert_eq!((end.state.t, end.statistics.steps), (3.1, statistics.steps));
        }
    }
    let system = Swing { mass: 1.0, push: 1.0 }.prepare::<f64>().unwrap();
    agrees(&StormerVerlet::new(&system, 0.02));
    agrees(&SymplecticEuler::new(&system, 0.03));
    agrees(&AdjointSymplecticEuler::new(&system, 0.03));
    agrees(&Composition::kahan_li(StormerVerlet::new(&system, 0.04)));
}

/// A pendulum that a force of its time pushes.
#[lagrangian {
    coordinates x;
    kinetic = mass*dot(x)^2/2;
    potential = -cos(x);
    force x = push*cos(3*t);
}]
#[derive(Clone, Copy, Debug)]
struct Swing {
    mass: f64,
    push: f64,
}

/// One pair for each way in which pairs estimate the error: by two solutions, by the difference of two with the first stage of the next
/// step as the last, and by a combination of three solutions.
#[test]
fn pairs_agree_to_their_tolerance() {
    agrees(&Rkf45::new(), 1e-5);
    agrees(&Tsitouras5::new(), 1e-5);
    agrees(&Dop853::new(), 1e-5);
}

/// The Nyström pair, and a mechanism to which it does not apply.
#[test]
fn a_nystrom_pair_agrees_to_its_tolerance() {
    let rotor = |inertia| Rotor { inertia };
    let method = Nystrom8::new(&rotor(1.0).prepare::<f64>().unwrap());
    let options = SharedOptions { rtol: 1e-10, atol: 1e-10, ..SharedOptions::default() };
    let members = || {
        grid([(1.0, 2.0, 5), (-3.0, 3.0, 7)])
            .map(move |[inertia, angle]| Member { mechanism: rotor(inertia), initial: State::new(0.0, [angle], [0.1]) })
    };
    let ensemble = Ensemble::new(&method, 5.0).with_options(options);
    let (trajectories, summary) = run(&ensemble, members());
    assert_eq!((summary.members, summary.failed), (35, 0));
    for (member, trajectory) in members().zip(&trajectories) {
        let end = trajectory.result.as_ref().unwrap();
        let (state, statistics) = alone(&member, 5.0, &method, options);
        let distance = (end.state.q - state.q).amax().max((end.state.v - state.v).amax());
        assert!(distance < 1e-8, "{}: {distance:e}", trajectory.index);
        assert_eq!(end.statistics.steps, statistics.steps);
    }
    let (refused, _) = run(&Ensemble::new(&method, 1.0), crate::members(3));
    for trajectory in refused {
        let Err(MemberError::Solve(error)) = trajectory.result else {
            panic!("its acceleration depends on velocities")
        };
        assert!(matches!(error.failure, Failure::NotApplicable { .. }), "{error}");
    }
}

/// The bits of all final states.
fn bits<Y: Method<f64, 2, 0> + Explicit<2> + Sync>(ensemble: &Ensemble<'_, Y>, count: u64) -> Vec<[u64; 4]> {
    let of = |state: &State<f64, 2>| [state.q[0], state.q[1], state.v[0], state.v[1]].map(f64::to_bits);
    run(ensemble, members(count)).0.iter().map(|trajectory| of(&trajectory.result.as_ref().unwrap().state)).collect()
}

#[test]
fn neither_threads_nor_neighbours_change_a_bit() {
    for lanes in LANES {
        let (rk4, pair) = (Rk4::new(7e-3), Tsitouras5::new());
        let fixed = Ensemble::new(&rk4, 2.0).with_lanes(lanes);
        let adaptive = Ensemble::new(&pair, 2.0).with_lanes(lanes);
        let (by_fixed, by_adaptive) = (bits(&fixed.with_threads(1), 101), bits(&adaptive.with_threads(1), 101));
        for threads in [2, 3] {
            assert_eq!(by_fixed, bits(&fixed.with_threads(threads), 101));
            assert_eq!(by_adaptive, bits(&adaptive.with_threads(threads), 101));
        }
        assert_eq!(by_fixed[..19], bits(&fixed.with_threads(2), 19));
        assert_eq!(by_adaptive[..19], bits(&adaptive.with_threads(2), 19));
    }
}

#[lagrangian {
    coordinates angle;
    kinetic = inertia*dot(angle)^2/2;
    potential = -cos(angle);
}]
#[derive(Clone, Copy)]
pub(crate) struct Rotor {
    pub(crate) inertia: f64,
}

/// Sequences of few different values, so that members often have the values that a lane, or the lane of a neighbour, had before.
#[test]
fn values_that_return_are_those_of_their_member() {
    let method = Rk4::new(0.1);
    for seed in 0..20 {
        let mut random = Random::new(5, seed);
        let ends_together = seed % 2 == 0;
        let members: Vec<_> = (0..75)
            .map(|index| {
                let inertia = match seed {
                    0 if index < 16 => [1.0, 2.0][index % 2],
                    0 => 1.0,
                    _ => 1.0 + random.uniform(0.0..3.0).floor(),
                };
                let t = if ends_together { 0.0 } else { random.uniform(0.0..0.9) };
                Member { mechanism: Rotor { inertia }, initial: State::new(t, [1.0], [0.0]) }
            })
            .collect();
        let ensemble = Ensemble::new(&method, 1.0).with_threads(1);
        let (trajectories, _) = run(&ensemble, members.iter().copied());
        for (member, trajectory) in members.iter().zip(trajectories) {
            let (state, _) = alone(member, 1.0, &method, SharedOptions::default());
            let distance = (trajectory.result.unwrap().state.q - state.q).amax();
            assert!(distance < 1e-14, "{distance:e} for seed {seed}, member {}", trajectory.index);
        }
    }
}

#[test]
fn angles_beyond_the_main_range_of_the_sine() {
    let members = || {
        grid([(-3e5, 3e5, 40)])
            .map(|[angle]| Member { mechanism: Rotor { inertia: 1.0 }, initial: State::new(0.0, [angle], [50.0]) })
    };
    let method = Rk4::new(2e-3);
    let (trajectories, _) = run(&Ensemble::new(&method, 1.0).with_threads(1), members());
    for (member, trajectory) in members().zip(trajectories) {
        let (state, _) = alone(&member, 1.0, &method, SharedOptions::default());
        let end = trajectory.result.unwrap().state;
        assert!((end.q - state.q).amax() < 1e-9 && (end.v - state.v).amax() < 1e-9);
    }
}

#[test]
fn backward_and_empty_spans() {
    for lanes in LANES {
        let method = Dop853::new();
        let (trajectories, _) = run(&Ensemble::new(&method, -2.0).with_lanes(lanes), members(20));
        assert!(trajectories.iter().all(|trajectory| trajectory.result.as_ref().unwrap().state.t == -2.0));
        let still = Member { mechanism: Rotor { inertia: 1.0 }, initial: State::new(1.0, [0.1], [0.0]) };
        let (trajectories, summary) =
            run(&Ensemble::new(&Rk4::new(0.1), 1.0).with_lanes(lanes), [still; 3].into_iter());
        assert_eq!(trajectories[2].result.as_ref().unwrap().state, still.initial);
        assert_eq!(summary.statistics.steps, 0);
        assert_eq!(run(&Ensemble::new(&Rk4::new(0.1), 1.0).with_lanes(lanes), [still; 0].into_iter()).1.members, 0);
    }
}

#[test]
fn constraints_run_by_threads() {
    let pendulum = lagrange_models::SphericalPendulumCartesian::default();
    let members = std::iter::repeat_n(
        Member { mechanism: pendulum, initial: lagrange_models::SphericalPendulumCartesian::pushed() },
        4,
    );
    let rattle = Rattle::new(1e-3);
    let summary = Ensemble::new(&rattle, 0.1).run_scalar(members, None, |_| ControlFlow::Continue(()));
    assert_eq!((summary.members, summary.failed), (4, 0));
}

/// A capacitor that a source charges through a resistor.
#[lagrangian {
    coordinates charge;
    kinetic     = 0;
    potential   = charge^2/(2*c);
    dissipation = r*dot(charge)^2/2;
    force charge = source;
}]
#[derive(Clone, Copy, Debug)]
struct Charging {
    r: f64,
    c: f64,
    source: f64,
}

/// The default tolerances follow each member's own sizes, also where small and large ones share the lanes.
#[test]
fn tolerances_follow_each_member() {
    let members = || {
        [1e-12, 1.0, 1e-6, 1e-15, 1e-9, 1e-3].into_iter().cycle().take(36).map(|c| Member {
            mechanism: Charging { r: 1e-9 / c, c, source: 5.0 },
            initial: State::new(0.0, [0.0], [0.0]),
        })
    };
    let (method, options) = (DormandPrince5::new(), SharedOptions::default());
    for lanes in LANES {
        let ensemble = Ensemble::new(&method, 4e-9).with_options(options).with_lanes(lanes).with_threads(2);
        let (trajectories, summary) = run(&ensemble, members());
        assert_eq!((summary.members, summary.failed), (36, 0));
        for (member, trajectory) in members().zip(&trajectories) {
            let end = trajectory.result.as_ref().unwrap();
            let (state, statistics) = alone(&member, 4e-9, &method, options);
            let volts = end.state.v[0] / member.mechanism.c;
            assert!((volts - 5.0 * (1.0 - f64::exp(-4.0))).abs() < 1e-4, "{lanes:?}, {member:?}: {volts}");
            assert!((volts - state.v[0] / member.mechanism.c).abs() < 1e-9, "{lanes:?}, {member:?}: {volts}");
            assert!(end.statistics.steps.abs_diff(statistics.steps) <= 1, "{lanes:?}, {member:?}");
        }
    }
}
