//! The computation of one trajectory at a time in each thread, without lanes.

use super::{End, Ensemble, Member, MemberError, MemberResult, SharedFunction, local};
use crate::controller::DefaultInputs;
use crate::event::{Direction, Event};
use crate::method::Method;
use crate::options::Options;
use crate::solve::integrate;
use crate::system::Mechanism;
use crate::workers::Queue;
use core::ops::ControlFlow;

/// The event that ends a trajectory, if there is one.
pub(super) type Terminal<'a, const N: usize> = Option<(Direction, &'a SharedFunction<'a, N>)>;

/// Integrates members until there are none.
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
        queue.give(index, trajectory(ensemble, event, &member));
    }
}

/// Integrates one member by [`integrate`].
#[inline(never)]
pub(super) fn trajectory<Y, M, const N: usize, const C: usize, const U: usize>(
    ensemble: &Ensemble<'_, Y>,
    event: Terminal<'_, N>,
    member: &Member<M, N>,
) -> MemberResult<N>
where
    Y: Method<f64, N, C>,
    M: Mechanism<N, C, U>,
{
    let system = member.mechanism.prepare::<f64>().map_err(MemberError::Prepare)?;
    let mut state = member.initial;
    let events = event.map(|(direction, function)| Event::new(local(function)).going(direction).terminal());
    let options = Options { events: events.as_slice(), ..ensemble.options() };
    let mut inputs = DefaultInputs::of(&system);
    match integrate(&system, &mut state, ensemble.t_end, ensemble.method, &options, &mut inputs, &mut ()) {
        Ok(report) => Ok(End { state, outcome: report.outcome, statistics: report.statistics }),
        Err(error) => Err(MemberError::Solve(error)),
    }
}
