//! Poincaré sections.

use super::AnalysisError;
use crate::event::Event;
use crate::method::Method;
use crate::options::{AnyOptions, Options};
use crate::solve::solve;
use crate::state::State;
use crate::system::System;
use std::vec::Vec;

/// The states at which a motion crosses a surface, in the order of time.
///
/// The surface is where the function of the event `section` is 0, crossed in the event's direction.
/// The motion runs from `initial` to `t_end` with the default inputs. Like any [`Event`], a crossing is located on the method's
/// interpolant to the rounding of the time, so that its state is as accurate as the interpolant. The options `events` and
/// `t_eval` are replaced. For a section at equal times, as of a driven mechanism, use [`Options::t_eval`]. Source: M. Hénon,
/// *On the numerical computation of Poincaré maps*, Physica D 5, 1982.
///
/// # Errors
/// [`AnalysisError::State`] with the failure of the integration, such as a section that is NaN.
///
/// ```
/// use lagrange_runtime::analysis::poincare_section;
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates x, y;
///     kinetic = (dot(x)^2 + dot(y)^2)/2;
///     potential = (x^2 + a*y^2)/2;
/// }]
/// struct Bowl {
///     a: f64,
/// }
///
/// // x = sin t crosses 0 upward at 2πk, where y = cos(ωt) with ω² = a.
/// let system = Bowl { a: 2.0 }.prepare::<f64>()?;
/// let start = State::new(0.0, [0.0, 1.0], [1.0, 0.0]);
/// let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
/// let points = poincare_section(&system, start, 20.0, &Dop853::new(), &options, Event::new(&|_, q, _| q[0]).going(Direction::Rising))?;
/// assert_eq!(points.len(), 3);
/// for (k, point) in points.iter().enumerate() {
///     let t = (k + 1) as f64 * 2.0 * std::f64::consts::PI;
///     assert!((point.t - t).abs() < 1e-8 && (point.q[1] - (2.0_f64.sqrt() * t).cos()).abs() < 1e-8);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn poincare_section<'o, S, M, const N: usize, const C: usize, const U: usize>(
    system: &S,
    initial: State<f64, N>,
    t_end: f64,
    method: &M,
    options: &impl AnyOptions<'o, f64, N>,
    section: Event<'_, f64, N>,
) -> Result<Vec<State<f64, N>>, AnalysisError>
where
    S: System<f64, N, C, U> + ?Sized,
    M: Method<f64, N, C>,
{
    let events = [section];
    let options = Options { events: &events, t_eval: Some(&[]), ..options.options() };
    let solution = solve(system, initial, t_end, method, &options)
        .map_err(|failed| AnalysisError::failure(failed.error.failure, system.coordinates()))?;
    Ok(solution.events.iter().map(|event| event.before).collect())
}
