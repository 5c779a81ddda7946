//! Options that do not depend on the number of coordinates.

use super::{ATOL, Options, RTOL, Tolerance};
use crate::scalar::Real;

/// Options for mechanisms of any number of coordinates: one value that `into` converts for each mechanism.
///
/// ```
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
/// }]
/// struct Slider {
///     m: f64,
/// }
///
/// #[lagrangian {
///     coordinates x, y;
///     kinetic = m*(dot(x)^2 + dot(y)^2)/2;
///     potential = m*g*y;
/// }]
/// struct Stone {
///     m: f64,
///     g: f64,
/// }
///
/// let tight = SharedOptions { rtol: 1e-12, atol: 1e-12, ..SharedOptions::default() };
/// let slider = Slider { m: 1.0 }.prepare::<f64>()?;
/// solve(&slider, State::new(0.0, [0.0], [1.0]), 1.0, &Dop853::new(), &tight.into())?;
///
/// // What has the mechanism's own size is added where it is used.
/// let floor = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[1];
/// let events = [Event::new(&floor).terminal()];
/// let stone = Stone { m: 1.0, g: 9.81 }.prepare::<f64>()?;
/// let options = Options { events: &events, ..tight.into() };
/// let solution = solve(&stone, State::new(0.0, [0.0, 1.0], [1.0, 0.0]), 1.0, &Dop853::new(), &options)?;
/// assert_eq!(solution.outcome, Outcome::Event(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedOptions<'a, R: Real> {
    /// [`Options::rtol`], the same for every component.
    pub rtol: R,
    /// [`Options::atol`], the same for every component. The value of the default, 1e-9, stands for [`Tolerance::Following`].
    pub atol: R,
    /// [`Options::max_step`].
    pub max_step: R,
    /// [`Options::first_step`].
    pub first_step: Option<R>,
    /// [`Options::min_step`].
    pub min_step: R,
    /// [`Options::max_steps`].
    pub max_steps: Option<u64>,
    /// [`Options::t_eval`].
    pub t_eval: Option<&'a [R]>,
    /// [`Options::stops`].
    pub stops: &'a [R],
    /// [`Options::locate_switches`].
    pub locate_switches: bool,
    /// [`Options::dense_output`].
    pub dense_output: bool,
    /// [`Options::event_samples`].
    pub event_samples: u32,
}

impl<R: Real> Default for SharedOptions<'_, R> {
    fn default() -> Self {
        // The defaults do not depend on the number of coordinates.
        let Options {
            rtol: _,
            atol: _,
            max_step,
            first_step,
            min_step,
            max_steps,
            t_eval,
            stops,
            locate_switches,
            dense_output,
            events: _,
            event_samples,
        } = Options::<R, 0>::default();
        Self {
            rtol: R::from_f64(RTOL),
            atol: R::from_f64(ATOL),
            max_step,
            first_step,
            min_step,
            max_steps,
            t_eval,
            stops,
            locate_switches,
            dense_output,
            event_samples,
        }
    }
}

impl<'a, R: Real, const N: usize> From<SharedOptions<'a, R>> for Options<'a, R, N> {
    fn from(shared: SharedOptions<'a, R>) -> Self {
        let most = R::from_f64(ATOL);
        Self {
            rtol: shared.rtol.into(),
            atol: if shared.atol == most { Tolerance::Following { most } } else { shared.atol.into() },
            max_step: shared.max_step,
            first_step: shared.first_step,
            min_step: shared.min_step,
            max_steps: shared.max_steps,
            t_eval: shared.t_eval,
            stops: shared.stops,
            locate_switches: shared.locate_switches,
            dense_output: shared.dense_output,
            events: &[],
            event_samples: shared.event_samples,
        }
    }
}
