//! The computation of one trajectory at a time in each thread, without lanes.

use super::{End, Ensemble, Member, MemberError, MemberResult, SharedFunction, local};
use crate::controller::{Controller, DefaultInputs};
use crate::event::{Direction, Event};
use crate::method::Method;
use crate::options::Options;
use crate::solve::integrate;
use crate::system::Mechanism;
use crate::workers::Queue;
use core::ops::ControlFlow;

/// The event that ends a trajectory, if there is one.
pub(super) type Terminal<'a, const N: usize> = Option<(Direction, &'a SharedFunction<'a, N>)>;

/// Integrates members with their own inputs until there are none.
pub(super) fn work<Y, M, I, F, const N: usize, const C: usize, const U: usize>(
    ensemble: &Ensemble<'_, Y>,
    event: Terminal<'_, N>,
    queue: &Queue<'_, I, F, MemberResult<N>>,
) where
    Y: Method<f64, N, C>,
    M: Mechanism<N, C, U>,
    I: Iterator<Item = Member<M, N>>,
    F: FnMut(u64, MemberResult<N>) -> ControlFlow<()>,
{
    while let Some((index, member)) = queue.take(true) {
        queue.give(index, trajectory(ensemble, event, index, &member));
    }
}

/// Integrates members with the inputs of their controllers until there are none.
pub(super) fn controlled<Y, M, K, I, F, const N: usize, const C: usize, const U: usize>(
    ensemble: &Ensemble<'_, Y>,
    event: Terminal<'_, N>,
    queue: &Queue<'_, I, F, (MemberResult<N>, K)>,
) where
    Y: Method<f64, N, C>,
    M: Mechanism<N, C, U>,
    K: Controller<f64, N, U>,
    I: Iterator<Item = (Member<M, N>, K)>,
    F: FnMut(u64, (MemberResult<N>, K)) -> ControlFlow<()>,
{
    while let Some((index, (member, mut controller))) = queue.take(true) {
        let result = member.mechanism.prepare::<f64>().map_err(MemberError::Prepare);
        let result = result.and_then(|system| integrated(ensemble, event, index, &member, &system, &mut controller));
        queue.give(index, (result, controller));
    }
}

/// Integrates one member with its own inputs.
#[inline(never)]
pub(super) fn trajectory<Y, M, const N: usize, const C: usize, const U: usize>(
    ensemble: &Ensemble<'_, Y>,
    event: Terminal<'_, N>,
    index: u64,
    member: &Member<M, N>,
) -> MemberResult<N>
where
    Y: Method<f64, N, C>,
    M: Mechanism<N, C, U>,
{
    let system = member.mechanism.prepare::<f64>().map_err(MemberError::Prepare)?;
    integrated(ensemble, event, index, member, &system, &mut DefaultInputs::of(&system))
}

/// Integrates one member by [`integrate`].
fn integrated<Y, M, K, const N: usize, const C: usize, const U: usize>(
    ensemble: &Ensemble<'_, Y>,
    event: Terminal<'_, N>,
    index: u64,
    member: &Member<M, N>,
    system: &M::Prepared<f64>,
    controller: &mut K,
) -> MemberResult<N>
where
    Y: Method<f64, N, C>,
    M: Mechanism<N, C, U>,
    K: Controller<f64, N, U>,
{
    let mut state = member.initial;
    let events = event.map(|(direction, function)| Event::new(local(function)).going(direction).terminal());
    let options = Options { events: events.as_slice(), ..ensemble.options() };
    match integrate(system, &mut state, ensemble.end(index), ensemble.method, &options, controller, &mut ()) {
        Ok(report) => Ok(End { state, outcome: report.outcome, statistics: report.statistics }),
        Err(error) => Err(MemberError::Solve(error)),
    }
}
