//! Many motions from many starts: phase portraits, and times of first passage.

use super::AnalysisError;
use crate::event::Event;
use crate::method::Method;
use crate::options::{AnyOptions, Options};
use crate::solve::solve;
use crate::state::State;
use crate::system::System;
use std::vec::Vec;

/// Returns one curve of a phase portrait for each start: the states at `samples` equal intervals of time from the start to
/// `t_end`, the start included.
///
/// All motions have the default inputs. The options `t_eval` and `events` are replaced.
///
/// # Errors
/// [`AnalysisError::NotApplicable`] if `samples` is 0. [`AnalysisError::State`] with the failure of the first motion that fails.
///
/// ```
/// use lagrange_runtime::analysis::phase_portrait;
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = dot(x)^2/2;
///     potential = k*x^2/2;
/// }]
/// struct Oscillator {
///     k: f64,
/// }
///
/// let system = Oscillator { k: 1.0 }.prepare::<f64>()?;
/// let starts = [0.5, 1.0].map(|x| State::new(0.0, [x], [0.0]));
/// let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
/// let curves = phase_portrait(&system, starts, 7.0, 100, &Dop853::new(), &options)?;
/// // The curves are circles.
/// for (curve, radius) in curves.iter().zip([0.5, 1.0]) {
///     assert!(curve.len() == 101 && curve.iter().all(|s| (s.q[0].hypot(s.v[0]) - radius).abs() < 1e-8));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn phase_portrait<'o, S, M, const N: usize, const C: usize, const U: usize>(
    system: &S,
    starts: impl IntoIterator<Item = State<f64, N>>,
    t_end: f64,
    samples: usize,
    method: &M,
    options: &impl AnyOptions<'o, f64, N>,
) -> Result<Vec<Vec<State<f64, N>>>, AnalysisError>
where
    S: System<f64, N, C, U> + ?Sized,
    M: Method<f64, N, C>,
{
    if samples == 0 {
        let needs = "at least one interval between samples".into();
        return Err(AnalysisError::NotApplicable { analysis: "a phase portrait", needs });
    }
    let options: Options<'_, f64, N> = options.options();
    let curve = |start: State<f64, N>| {
        let step = (t_end - start.t) / samples as f64;
        let at = |k| if k == samples { t_end } else { start.t + k as f64 * step };
        let times: Vec<f64> = (0..=samples).map(at).collect();
        let options = Options { events: &[], t_eval: Some(&times), ..options };
        let solution = solve(system, start, t_end, method, &options)
            .map_err(|failed| AnalysisError::failure(failed.error.failure, system.coordinates()))?;
        Ok(solution.states().collect())
    };
    starts.into_iter().map(curve).collect()
}

/// Returns for each start the time from the start until the function of `event` is first 0, crossed in the event's direction;
/// `None` where that does not happen until `t_end`.
///
/// For starts on a grid these are the data of a map of flip times: take a function that is 0 where a pendulum stands upright.
/// The motions have the default inputs. The motion ends at the event, which does not map the state. The options `t_eval` and
/// `events` are replaced too.
///
/// # Errors
/// [`AnalysisError::State`] with the failure of the first motion that fails.
///
/// ```
/// use lagrange_runtime::analysis::first_passages;
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates y;
///     kinetic = dot(y)^2/2;
///     potential = g*y;
/// }]
/// struct Stone {
///     g: f64,
/// }
///
/// let system = Stone { g: 9.81 }.prepare::<f64>()?;
/// let starts = [1.0, 2.0, 1000.0].map(|y| State::new(0.0, [y], [0.0]));
/// let ground = Event::new(&|_, q, _| q[0]);
/// let times = first_passages(&system, starts, 3.0, &Dop853::new(), &Options::default(), ground)?;
/// assert!((times[0].unwrap() - (2.0_f64 / 9.81).sqrt()).abs() < 1e-9);
/// assert!((times[1].unwrap() - (4.0_f64 / 9.81).sqrt()).abs() < 1e-9 && times[2].is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_passages<'o, S, M, const N: usize, const C: usize, const U: usize>(
    system: &S,
    starts: impl IntoIterator<Item = State<f64, N>>,
    t_end: f64,
    method: &M,
    options: &impl AnyOptions<'o, f64, N>,
    event: Event<'_, f64, N>,
) -> Result<Vec<Option<f64>>, AnalysisError>
where
    S: System<f64, N, C, U> + ?Sized,
    M: Method<f64, N, C>,
{
    let events = [Event { map: None, ..event.terminal() }];
    let options = Options { events: &events, t_eval: Some(&[]), ..options.options() };
    let passage = |start: State<f64, N>| {
        let solution = solve(system, start, t_end, method, &options)
            .map_err(|failed| AnalysisError::failure(failed.error.failure, system.coordinates()))?;
        Ok(solution.events.first().map(|event| event.before.t - start.t))
    };
    starts.into_iter().map(passage).collect()
}
