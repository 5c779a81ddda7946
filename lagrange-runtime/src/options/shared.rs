//! Options that depend neither on the number of coordinates nor on the type of numbers.

use super::{ATOL, Options, RTOL, Tolerance};
use crate::scalar::Real;

/// Options for mechanisms of any number of coordinates and for numbers of any type, in plain `f64`.
///
/// Functions that run to an end, such as [`solve`](crate::solve::solve), [`sensitivities`](crate::analysis::sensitivities) and
/// [`Shooting::find`](crate::analysis::Shooting::find), take one value for each mechanism and number type. Where a function takes
/// `&Options`, `into` converts. Times, such as [`Options::t_eval`], and events belong to one motion: they are added to the converted options.
///
/// ```
/// use lagrange_runtime::analysis::transition_matrix;
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
/// let slider = Slider { m: 1.0 };
/// let start = State::new(0.0, [0.0], [1.0]);
/// solve(&slider.prepare::<f64>()?, start, 1.0, &Dop853::new(), &tight)?;
/// // The same options for numbers that carry derivatives.
/// let (_, matrix) = transition_matrix(&slider, &start, 1.0, &Dop853::new(), &tight)?;
/// assert!((matrix[(0, 1)] - 1.0).abs() < 1e-12);
///
/// // What belongs to one motion is added where it is used.
/// let floor = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[1];
/// let events = [Event::new(&floor).terminal()];
/// let stone = Stone { m: 1.0, g: 9.81 }.prepare::<f64>()?;
/// let options = Options { events: &events, ..tight.into() };
/// let solution = solve(&stone, State::new(0.0, [0.0, 1.0], [1.0, 0.0]), 1.0, &Dop853::new(), &options)?;
/// assert_eq!(solution.outcome, Outcome::Event(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedOptions {
    /// [`Options::rtol`], the same for every component.
    pub rtol: f64,
    /// [`Options::atol`], the same for every component. The value of the default, 1e-9, stands for [`Tolerance::Following`].
    pub atol: f64,
    /// [`Options::max_step`].
    pub max_step: f64,
    /// [`Options::first_step`].
    pub first_step: Option<f64>,
    /// [`Options::min_step`].
    pub min_step: f64,
    /// [`Options::max_steps`].
    pub max_steps: Option<u64>,
    /// [`Options::locate_switches`].
    pub locate_switches: bool,
    /// [`Options::dense_output`].
    pub dense_output: bool,
    /// [`Options::event_samples`].
    pub event_samples: u32,
}

impl Default for SharedOptions {
    fn default() -> Self {
        // The defaults depend neither on the number of coordinates nor on the type of numbers.
        let Options {
            rtol: _,
            atol: _,
            max_step,
            first_step,
            min_step,
            max_steps,
            t_eval: _,
            stops: _,
            locate_switches,
            dense_output,
            events: _,
            ends_at: _,
            event_samples,
        } = Options::<f64, 0>::default();
        Self {
            rtol: RTOL,
            atol: ATOL,
            max_step,
            first_step,
            min_step,
            max_steps,
            locate_switches,
            dense_output,
            event_samples,
        }
    }
}

impl<R: Real, const N: usize> From<SharedOptions> for Options<'_, R, N> {
    fn from(shared: SharedOptions) -> Self {
        let follows = shared.atol == ATOL;
        Self {
            rtol: shared.rtol.into(),
            atol: if follows { Tolerance::Following { most: R::from_f64(ATOL) } } else { shared.atol.into() },
            max_step: R::from_f64(shared.max_step),
            first_step: shared.first_step.map(R::from_f64),
            min_step: R::from_f64(shared.min_step),
            max_steps: shared.max_steps,
            locate_switches: shared.locate_switches,
            dense_output: shared.dense_output,
            event_samples: shared.event_samples,
            ..Self::default()
        }
    }
}

/// What functions that run to an end take as options of a motion in the numbers `R` with `N` coordinates: [`Options`], or [`SharedOptions`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not options for these numbers and coordinates",
    note = "`SharedOptions` serve all numbers and coordinates",
    note = "an analysis that differentiates a motion runs it on dual numbers, `Options<'_, Dual<f64, DERIVATIVES>, N>`, or on those of `with_width`"
)]
pub trait AnyOptions<'a, R: Real, const N: usize> {
    /// The options of the motion.
    fn options(&self) -> Options<'a, R, N>;
}

impl<'a, R: Real, const N: usize> AnyOptions<'a, R, N> for Options<'a, R, N> {
    fn options(&self) -> Self {
        *self
    }
}

impl<'a, R: Real, const N: usize> AnyOptions<'a, R, N> for SharedOptions {
    fn options(&self) -> Options<'a, R, N> {
        (*self).into()
    }
}
