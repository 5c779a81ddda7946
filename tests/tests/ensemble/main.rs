//! Trajectories of ensembles against integrations one at a time.

mod events;
mod failures;
mod members;
mod trajectories;

use lagrange_runtime::ensemble::{Ensemble, Member, Random, Summary, Trajectory, Vectorization};
use lagrange_runtime::method::Explicit;
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

/// A driven double pendulum, whose equations depend on time, parameters and an input.
#[lagrangian {
    coordinates theta, phi;
    let elbow = [l*sin(theta), -l*cos(theta)];
    let tip = elbow + [sin(phi), -cos(phi)];
    kinetic = m*norm2(dot(elbow))/2 + norm2(dot(tip))/2;
    potential = 9.81*(m*elbow[1] + tip[1]);
    dissipation = 0.05*dot(phi)^2/2;
    force theta = push*cos(3*t);
}]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driven {
    pub(crate) m: f64,
    pub(crate) l: f64,
    #[input]
    pub(crate) push: f64,
}

/// Members with parameters, inputs, times and states of their own.
pub(crate) fn members(count: u64) -> impl Iterator<Item = Member<Driven, 2>> + Clone + Send {
    (0..count).map(|index| {
        let mut random = Random::new(3, index);
        let mechanism =
            Driven { m: random.uniform(0.5..2.0), l: random.uniform(0.5..2.0), push: random.uniform(-1.0..1.0) };
        let t = random.uniform(-1.0..1.0);
        let q = [random.uniform(-2.0..2.0), random.uniform(-2.0..2.0)];
        let v = [random.normal(), random.normal()];
        Member { mechanism, initial: State::new(t, q, v) }
    })
}

/// The trajectories of an ensemble, which are received in order.
pub(crate) fn run<Y, M, const N: usize, const U: usize>(
    ensemble: &Ensemble<'_, Y>,
    members: impl Iterator<Item = Member<M, N>> + Send,
) -> (Vec<Trajectory<N>>, Summary)
where
    Y: Method<f64, N, 0> + Explicit<N> + Sync,
    M: Mechanism<N, 0, U> + Send,
{
    let mut trajectories = Vec::new();
    let summary = ensemble.run(members, None, |trajectory| {
        assert_eq!(trajectory.index, trajectories.len() as u64);
        trajectories.push(trajectory);
        ControlFlow::Continue(())
    });
    (trajectories, summary)
}

/// The member's trajectory by `integrate`.
pub(crate) fn alone<M: Mechanism<N, 0, U>, const N: usize, const U: usize>(
    member: &Member<M, N>,
    t_end: f64,
    method: &impl Method<f64, N, 0>,
    options: SharedOptions,
) -> (State<f64, N>, Statistics) {
    let system = member.mechanism.prepare::<f64>().unwrap();
    let (mut state, mut inputs) = (member.initial, DefaultInputs::of(&system));
    let report = integrate(&system, &mut state, t_end, method, &options.into(), &mut inputs, &mut ()).unwrap();
    (state, report.statistics)
}

/// The ways to run an ensemble.
pub(crate) const LANES: [Vectorization; 2] = [Vectorization::Widest, Vectorization::Off];
