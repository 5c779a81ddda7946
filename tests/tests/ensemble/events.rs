//! The event that ends a trajectory, in lanes against one trajectory at a time.

use crate::members;
use crate::trajectories::Rotor;
use lagrange_runtime::ensemble::{
    Ensemble, Member, MemberError, Random, SharedFunction, Trajectory, Vectorization, grid,
};
use lagrange_runtime::method::Explicit;
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

/// How many levels each function is compared with. With 8 of them the comparison takes minutes without optimisation.
const SERIES: u64 = 1;

/// A function of the state whose zero ends a trajectory.
type Ending = SharedFunction<'static, 2>;

/// The trajectories of an ensemble that an event ends.
fn run<Y, M, const N: usize, const U: usize>(
    ensemble: &Ensemble<'_, Y>,
    members: impl Iterator<Item = Member<M, N>> + Send,
    event: (Direction, &SharedFunction<'_, N>),
) -> Vec<Trajectory<N>>
where
    Y: Method<f64, N, 0> + Explicit<N> + Sync,
    M: Mechanism<N, 0, U> + Send,
{
    let mut trajectories = Vec::new();
    ensemble.run(members, Some(event), |trajectory| {
        trajectories.push(trajectory);
        ControlFlow::Continue(())
    });
    trajectories
}

/// Compares trajectories in lanes with those of `integrate`: each ends at the same event, or at none.
fn agrees<Y: Method<f64, 2, 0> + Explicit<2> + Sync>(method: &Y, t_end: f64, tolerance: f64) {
    let options = SharedOptions { rtol: 1e-9, atol: 1e-9, ..SharedOptions::default() };
    for (seed, direction) in [Direction::Any, Direction::Rising, Direction::Falling].into_iter().enumerate() {
        for series in 0..SERIES {
            let mut random = Random::new(11 + seed as u64, series);
            let (level, slope) = (random.uniform(-2.0..2.0), random.normal());
            // Functions of the state and of time: smooth, with kinks, and with jumps.
            let functions: [Box<Ending>; 6] = [
                Box::new(move |_, q, _| q[1] - level),
                Box::new(move |t, q, v| v[0] + slope * q[1] - level * t),
                Box::new(move |_, q, _| q[1].abs() - level.abs()),
                Box::new(move |_, q, v| (q[0] - level).min(v[1] + 2.0)),
                Box::new(move |_, q, _| if q[0] * q[1] > level { 1.0 } else { -1.0 }),
                Box::new(move |_, q, _| (q[1] - level).powi(3)),
            ];
            for (kind, function) in functions.iter().enumerate() {
                let ensemble = Ensemble::new(method, t_end).with_options(options).with_threads(1);
                let in_lanes = run(&ensemble, members(17), (direction, function));
                let alone = run(&ensemble.with_lanes(Vectorization::Off), members(17), (direction, function));
                for (lane, alone) in in_lanes.iter().zip(&alone) {
                    let name = format!("kind {kind}, {direction:?}, series {series}, member {}", lane.index);
                    let (lane, alone) = (lane.result.as_ref().unwrap(), alone.result.as_ref().unwrap());
                    assert_eq!(lane.outcome, alone.outcome, "{name}");
                    let distance = (lane.state.q - alone.state.q).amax().max((lane.state.t - alone.state.t).abs());
                    // The time of a triple zero is known to the third root of the rounding of its function.
                    let allowed = if kind == 5 { tolerance.max(1e-4) } else { tolerance };
                    assert!(distance <= allowed, "{name}: {distance:e}");
                }
            }
        }
    }
}

#[test]
fn trajectories_end_at_the_events_of_integrate() {
    agrees(&Rk4::new(1e-1), 1.0, 1e-9);
    agrees(&Tsitouras5::new(), -1.0, 1e-6);
    agrees(&Verner9::new(), 1.0, 1e-6);
}

/// A trajectory that begins at a zero of the function, and functions that are not defined.
#[test]
fn zeros_at_the_start_and_undefined_functions() {
    let start: Box<Ending> = Box::new(|_, q, _| q[1] - 0.5);
    let undefined: Box<Ending> = Box::new(|t, _, _| if t > 0.7 { f64::NAN } else { 1.0 });
    let method = Tsitouras5::new();
    let members = || members(17).map(|member| Member { initial: State::new(0.0, [0.3, 0.5], [1.0, -2.0]), ..member });
    let ensemble = Ensemble::new(&method, 1.0);
    for function in [&*start, &*undefined] {
        let in_lanes = run(&ensemble, members(), (Direction::Any, function));
        assert_eq!(in_lanes, run(&ensemble.with_lanes(Vectorization::Off), members(), (Direction::Any, function)));
    }
    let failed = run(&ensemble, members(), (Direction::Any, &*undefined));
    for trajectory in failed {
        let Err(MemberError::Solve(error)) = trajectory.result else { panic!("the function is undefined") };
        assert!(matches!(error.failure, Failure::UndefinedEvent { event: 0, t } if t > 0.7), "{error}");
    }
}

/// Pendulums that turn back just beyond an angle, and stay beyond it for 3 to 50 thousandths of a second.
#[test]
fn short_visits_beyond_the_zero_end_a_trajectory() {
    let method = Rk4::new(0.1);
    let members = || {
        (0..17).map(|index| {
            let angle = 1.0 + 1e-6 * f64::from(index * index);
            Member { mechanism: Rotor { inertia: 1.0 }, initial: State::new(0.0, [angle], [0.0]) }
        })
    };
    let angle = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| q[0] + 1.0;
    let ensemble = Ensemble::new(&method, 4.0);
    let in_lanes = run(&ensemble, members(), (Direction::Any, &angle));
    let alone = run(&ensemble.with_lanes(Vectorization::Off), members(), (Direction::Any, &angle));
    let outcomes = |trajectories: &[Trajectory<1>]| -> Vec<_> {
        trajectories.iter().map(|trajectory| trajectory.result.as_ref().unwrap().outcome).collect()
    };
    assert_eq!(outcomes(&in_lanes), outcomes(&alone));
    let found = outcomes(&alone).iter().filter(|outcome| **outcome == Outcome::Event(0)).count();
    assert!((10..17).contains(&found), "{found}");
}

#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = x^2/2;
    state charge: dot(charge) == rate*cos(20*t);
}]
#[derive(Clone, Copy)]
struct Charged {
    rate: f64,
}

/// The hidden coordinate of a state may be so large that the change of the state within a step is lost in its rounding.
#[test]
fn events_of_states_are_those_of_integrate() {
    let members = || {
        grid([(0.5, 1.5, 17)]).map(|[rate]| Member {
            mechanism: Charged { rate: 20.0 * rate },
            initial: State::new(0.0, [0.3, 1e15], [0.0, 0.0]),
        })
    };
    let full = |_: f64, _: &SVector<f64, 2>, v: &SVector<f64, 2>| v[Charged::INDEX.charge] - 0.99;
    let method = Rk4::new(0.2);
    let ensemble = Ensemble::new(&method, 1.0);
    let in_lanes = run(&ensemble, members(), (Direction::Any, &full));
    assert_eq!(in_lanes, run(&ensemble.with_lanes(Vectorization::Off), members(), (Direction::Any, &full)));
    let ends = in_lanes.iter().filter(|end| end.result.as_ref().is_ok_and(|end| end.outcome == Outcome::Event(0)));
    assert!((5..17).contains(&ends.count()));
}
