//! The options of an integration, under SciPy's names.

use crate::error::Failure;
use crate::event::Event;
use crate::instant::Cause;
#[cfg(feature = "std")]
use crate::scalar::Taped;
use crate::scalar::{DoubleDouble, Dual, Real, Scalar};
use crate::state::time_rounding;
use crate::statistics::ROUNDINGS;
use crate::system::System;
use nalgebra::SVector;

mod check;
mod shared;

pub use shared::{AnyOptions, SharedOptions};

/// A tolerance: one for all components of the state, or one for each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance<R: Real, const N: usize> {
    /// One value for every coordinate and every velocity.
    Uniform(R),
    /// An absolute tolerance that follows the motion: for each component the smaller of `most` and of its relative tolerance times the
    /// largest magnitude that the component has reached. A component whose relative tolerance is 0 has the tolerance `most`. So a motion of
    /// any size gets the relative tolerance. Errors that are rounding, such as those that shorter steps do not reduce, are accepted up to
    /// `most`. While a contact is closed or a friction sticks, the rounding of the forces that cancel is added.
    ///
    /// Only [`Options::atol`] can follow.
    Following {
        /// The largest absolute tolerance, for every coordinate and every velocity.
        most: R,
    },
    /// A separate tolerance for each component.
    Each {
        /// One for each coordinate, in its unit.
        q: SVector<R, N>,
        /// One for each velocity, in its unit.
        v: SVector<R, N>,
    },
    /// As [`Tolerance::Following`], with the largest absolute tolerance of each component, as [`Options::of`] has it.
    FollowingEach {
        /// The largest one for each coordinate, in its unit.
        q: SVector<R, N>,
        /// The largest one for each velocity, in its unit.
        v: SVector<R, N>,
    },
}

/// Options of an integration. The defaults are `rtol` 1e-6, `atol` at most 1e-9 ([`Tolerance::Following`]), no limit on steps, and every
/// step's end stored. [`Options::of`] has the defaults of a mechanism that states nominal sizes.
///
/// Options that depend neither on the number of coordinates nor on the type of numbers are in [`SharedOptions`], which converts into this
/// type. Functions that run to an end, such as [`solve`](crate::solve::solve), take either of them.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a, R: Real, const N: usize> {
    /// Relative tolerance of a step's error, for adaptive methods: 0, or at least the rounding of the numbers. An error below
    /// four roundings of a component ([`ROUNDINGS`]) cannot be resolved. Where `rtol` and `atol`
    /// ask for less, an error of that size is accepted and the step is counted; a [`Warning`](crate::statistics::Warning) tells
    /// the user.
    pub rtol: Tolerance<R, N>,
    /// Absolute tolerance of a step's error, for adaptive methods. By default it follows the motion, and is at most 1e-9.
    pub atol: Tolerance<R, N>,
    /// The largest step size, for adaptive methods. It is positive, and may be infinite.
    pub max_step: R,
    /// The first step size, for adaptive methods. `None` chooses it automatically. A size below `min_step` is raised to it.
    pub first_step: Option<R>,
    /// The smallest step size that is tried, for adaptive methods. Steps that end at the end time, a stop or a switch may be
    /// smaller. Where a step of this size is rejected, the integration fails with [`Failure::BelowMinStep`]. With 0, only the
    /// rounding of the time limits the size.
    pub min_step: R,
    /// The largest number of steps that are tried, including rejected ones. Without it, adaptive steps fail with
    /// [`Failure::NoProgress`] in two cases: 30 000 attempts in a row advance by less than 3·10⁻⁴ of the span and meet a jump
    /// of the accelerations, or 10⁷ attempts advance by less than 10⁻⁹ of the span. Explicit methods fail with [`Failure::Stiff`] where stiff
    /// equations would take more than 10⁸ steps.
    pub max_steps: Option<u64>,
    /// The times at which [`solve`](crate::solve::solve) stores states: in order, and inside the span. They do not change the
    /// steps, except those of [`Extrapolation`](crate::method::Extrapolation), which controls the error of its interpolant where
    /// it is asked for. A time at a step's end gets that step's state; any other is interpolated. Without this option, every step's end
    /// is stored.
    pub t_eval: Option<&'a [R]>,
    /// Times at which steps end exactly, in order. Use them where the equations jump at known times, or where states are wanted
    /// at the ends of steps. The equations are evaluated up to a rounding before a stop, and from a rounding after it. The
    /// method computes again after a stop what it carries from step to step. Stops outside the span are ignored.
    pub stops: &'a [R],
    /// Whether [`solve`](crate::solve::solve) stores every step's interpolant, which
    /// [`Solution::sample`](crate::solution::Solution::sample) evaluates.
    pub dense_output: bool,
    /// Whether steps end where the system's switching functions change their sign (default). Then every step of every method is
    /// one of smooth equations. Without it, only the error estimate reacts to a switch. The option costs nothing for a system
    /// without switching functions.
    pub locate_switches: bool,
    /// Functions whose zeros are located along the motion, with what happens there.
    pub events: &'a [Event<'a, R, N>],
    /// Instants after which the motion is over: impacts and changes of phase at contacts and at constraints that modes switch, and changes of modes, as
    /// [`Solution::instants`](crate::solution::Solution::instants) has them. All that happens at the instant is done: the last state is that after maps,
    /// impacts and changes of modes, and the outcome is [`Outcome::Instant`](crate::outcome::Outcome::Instant) with the index in this list. An event ends a
    /// motion by [`Event::terminal`].
    pub ends_at: &'a [Cause],
    /// The least number of values by which the search for events examines each step: nine are taken in each group of eight or fewer. More are
    /// taken where they do not tell whether a function crosses 0 ([`Event`]).
    pub event_samples: u32,
}

/// The default of `rtol`.
const RTOL: f64 = 1e-6;

/// The default of `atol`.
const ATOL: f64 = 1e-9;

impl<R: Real, const N: usize> Default for Options<'_, R, N> {
    fn default() -> Self {
        Self {
            rtol: Tolerance::Uniform(R::from_f64(RTOL)),
            atol: Tolerance::Following { most: R::from_f64(ATOL) },
            max_step: R::from_f64(f64::INFINITY),
            first_step: None,
            max_steps: None,
            t_eval: None,
            min_step: R::ZERO,
            stops: &[],
            dense_output: false,
            locate_switches: true,
            events: &[],
            ends_at: &[],
            event_samples: 8,
        }
    }
}

/// A plain number is the tolerance of every component, whatever numbers the motion has.
impl<R: Real, const N: usize> From<f64> for Tolerance<R, N> {
    fn from(value: f64) -> Self {
        Self::Uniform(R::from_f64(value))
    }
}

/// Numbers of other types, so that a tolerance in the numbers of the motion converts too.
macro_rules! from_numbers {
    ($([$($parameters:tt)*] $number:ty;)*) => {$(
        impl<$($parameters)* const N: usize> From<$number> for Tolerance<$number, N> {
            fn from(value: $number) -> Self {
                Self::Uniform(value)
            }
        }
    )*};
}

from_numbers! {
    [] f32;
    [] DoubleDouble;
    [S: Real, const D: usize,] Dual<S, D>;
}

#[cfg(feature = "std")]
from_numbers! {
    [] Taped;
}

impl<R: Real, const N: usize> Tolerance<R, N> {
    /// The tolerance of coordinate `index`. Where the tolerance follows the motion, it is the largest one.
    #[inline]
    pub fn of_coordinate(&self, index: usize) -> R {
        match self {
            Self::Uniform(value) | Self::Following { most: value } => *value,
            Self::Each { q, .. } | Self::FollowingEach { q, .. } => q[index],
        }
    }

    /// The tolerance of the velocity of coordinate `index`. Where the tolerance follows the motion, it is the largest one.
    #[inline]
    pub fn of_velocity(&self, index: usize) -> R {
        match self {
            Self::Uniform(value) | Self::Following { most: value } => *value,
            Self::Each { v, .. } | Self::FollowingEach { v, .. } => v[index],
        }
    }

    /// This tolerance times the nominal size of each coordinate of `system`, where the tolerance is one number for all components.
    ///
    /// The size is the larger magnitude of both ends of the range that the block states, `coordinates x: um in -5..5;`, and 1 without a range.
    /// A velocity has the size of its coordinate over the unit of the time, because a block states no sizes of velocities. Tolerances
    /// that have a number for each component stay as they are, and so do all if no coordinate has a range.
    ///
    /// Then a motion has the same relative accuracy in every unit of length:
    /// ```
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates x: um in -5..5, y: um;
    ///     kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    /// }]
    /// struct Speck {
    ///     m: f64,
    /// }
    ///
    /// let system = Speck { m: 1.0 }.prepare::<f64>()?;
    /// let tolerance = Tolerance::<f64, 2>::Uniform(0.001).at_sizes_of(&system);
    /// assert_eq!([tolerance.of_coordinate(0), tolerance.of_coordinate(1)], [0.005, 0.001]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn at_sizes_of<const C: usize, const U: usize>(self, system: &(impl System<R, N, C, U> + ?Sized)) -> Self {
        let ranges = system.nominal_ranges();
        if ranges.is_empty() {
            return self;
        }
        let sized = |of_all: R| {
            SVector::from_fn(|index, _| {
                let range = ranges.get(index).copied().flatten();
                range.map_or(of_all, |[low, high]| of_all * R::from_f64(low.abs().max(high.abs())))
            })
        };
        match self {
            Self::Uniform(of_all) => Self::Each { q: sized(of_all), v: sized(of_all) },
            Self::Following { most } => Self::FollowingEach { q: sized(most), v: sized(most) },
            Self::Each { .. } | Self::FollowingEach { .. } => self,
        }
    }

    /// Whether the tolerance follows the motion.
    #[inline(always)]
    pub(crate) fn follows(&self) -> bool {
        matches!(self, Self::Following { .. } | Self::FollowingEach { .. })
    }
}

impl<R: Real, const N: usize> Options<'_, R, N> {
    /// The default options for `system`: those of [`Options::default`], with [`Options::atol`] times the nominal sizes of the coordinates
    /// ([`Tolerance::at_sizes_of`]). Without nominal ranges they are the defaults.
    #[must_use]
    pub fn of<const C: usize, const U: usize>(system: &(impl System<R, N, C, U> + ?Sized)) -> Self {
        let options = Self::default();
        Self { atol: options.atol.at_sizes_of(system), ..options }
    }

    /// Checks that every option makes sense for an integration from `t` to `t_end`.
    ///
    /// # Errors
    /// [`Failure::BadOption`] or [`Failure::BadEvaluationTime`] names the first option that does not.
    pub fn check(&self, t: R, t_end: R) -> Result<(), Failure> {
        self.check_settings(t, t_end)?;
        self.check_evaluation_times(t, t_end)
    }

    /// Checks every option except `t_eval`.
    pub(crate) fn check_settings(&self, t: R, t_end: R) -> Result<(), Failure> {
        let of = |index: usize| {
            // The bound keeps panics out of the compiled code.
            let i = if index < N { index } else { (index - N).min(N.saturating_sub(1)) };
            let of_component = |tolerance: &Tolerance<R, N>| match index < N {
                true => tolerance.of_coordinate(i).to_f64(),
                false => tolerance.of_velocity(i).to_f64(),
            };
            [of_component(&self.rtol), of_component(&self.atol)]
        };
        check::settings(&check::Settings {
            tolerances: (&of, 2 * N),
            follows: self.rtol.follows(),
            rounding: R::EPSILON,
            sizes: [self.max_step.to_f64(), self.min_step.to_f64()],
            first_step: self.first_step.map(Scalar::to_f64),
            ends: [t_end.to_f64(), (t_end - t).to_f64()],
        })?;
        self.check_stops(t, t_end)
    }

    /// Whether a relative tolerance is below the least that counts ([`ROUNDINGS`]). Then the
    /// absolute tolerance may be below it too.
    #[inline(always)]
    pub(crate) fn asks_beyond_reach(&self) -> bool {
        match &self.rtol {
            Tolerance::Uniform(rtol) | Tolerance::Following { most: rtol } => *rtol < out_of_reach(),
            Tolerance::Each { q, v } | Tolerance::FollowingEach { q, v } => {
                q.iter().chain(v).any(|rtol| *rtol < out_of_reach())
            }
        }
    }

    fn check_stops(&self, t: R, t_end: R) -> Result<(), Failure> {
        let mut previous: Option<R> = None;
        for &stop in self.stops {
            if !stop.is_finite() {
                return Err(Failure::bad_option("stops", stop, "finite"));
            }
            if previous.is_some_and(|previous| if t <= t_end { stop <= previous } else { stop >= previous }) {
                let allowed = "after the time before it, in the direction of the integration";
                return Err(Failure::bad_option("stops", stop, allowed));
            }
            previous = Some(stop);
        }
        Ok(())
    }

    /// The first stop strictly after `t` on the way to `t_end`, and before it.
    pub(crate) fn next_stop(&self, t: R, t_end: R) -> Option<R> {
        let forward = t < t_end;
        let passed = |stop: &R| if forward { *stop <= t } else { *stop >= t };
        let next = *self.stops.get(self.stops.partition_point(passed))?;
        let ahead = if forward { next < t_end } else { next > t_end };
        ahead.then_some(next)
    }

    pub(crate) fn check_evaluation_times(&self, t: R, t_end: R) -> Result<(), Failure> {
        let (low, high) = if t <= t_end { (t, t_end) } else { (t_end, t) };
        let rounding = time_rounding(t, t_end);
        let times = self.t_eval.unwrap_or(&[]);
        for (index, &time) in times.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| times.get(before));
            let allowed = if !time.is_finite() {
                "finite"
            } else if time < low - rounding || time > high + rounding {
                "between the initial time and `t_end`"
            } else if before.is_some_and(|&before| if t <= t_end { time <= before } else { time >= before }) {
                "after the time before it, in the direction of the integration"
            } else {
                continue;
            };
            return Err(Failure::BadEvaluationTime { index, value: time.to_f64(), allowed });
        }
        Ok(())
    }
}

/// Returns the smallest relative tolerance that has an effect, [`ROUNDINGS`] roundings of a component.
pub(crate) fn out_of_reach<R: Real>() -> R {
    R::from_f64(ROUNDINGS * R::EPSILON)
}
