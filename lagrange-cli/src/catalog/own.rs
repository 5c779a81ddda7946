//! The macro `catalog!`, which makes a catalogue of a program's own mechanisms in one expression.

use super::{Entry, Model, Units};
use lagrange_runtime::prelude::*;

/// A mechanism with its default values. The macro [`catalog!`](crate::catalog!) makes it.
///
/// The initial state is added by a separate call, [`Defaults::at`]. The compiler then knows the
/// number of coordinates before it reads the initial values. If a list of them has a wrong length,
/// its message names both lengths.
#[doc(hidden)]
pub struct Defaults<T, const N: usize, const C: usize, const U: usize>(fn() -> T);

impl<T: Mechanism<N, C, U>, const N: usize, const C: usize, const U: usize> Defaults<T, N, C, U> {
    /// Takes a function that returns the mechanism with its default values.
    pub fn new(mechanism: fn() -> T) -> Self {
        Self(mechanism)
    }

    /// Adds a function that returns the initial state.
    pub fn at(self, initial: fn() -> State<f64, N>) -> Setting<T, N, C, U> {
        Setting { mechanism: self.0, initial }
    }
}

/// A mechanism with its default values and its default initial state.
///
/// The function `entry` exists twice. For mechanisms without constraints it is a method of this
/// type. For all others it comes from the trait [`Constrained`].
#[doc(hidden)]
pub struct Setting<T, const N: usize, const C: usize, const U: usize> {
    mechanism: fn() -> T,
    initial: fn() -> State<f64, N>,
}

/// Returns the state at the time 0 with these coordinates and velocities. Both lists have one
/// number for each coordinate of the mechanism.
#[doc(hidden)]
pub fn starting<const N: usize>(coordinates: [f64; N], velocities: [f64; N]) -> State<f64, N> {
    State::new(0.0, coordinates, velocities)
}

impl<T: Mechanism<N, 0, U> + Clone + 'static, const N: usize, const U: usize> Setting<T, N, 0, U> {
    /// Returns the entry of a mechanism without constraints, with this name on the command line and numbers in these units.
    pub fn entry(self, name: &'static str, units: Units) -> Box<dyn Model> {
        Box::new(Entry::free(name, self.mechanism, self.initial).with_units(units))
    }
}

/// The function `entry` of mechanisms with constraints.
#[doc(hidden)]
pub trait Constrained {
    /// Returns the entry of a mechanism with constraints, with this name on the command line and numbers in these units.
    fn entry(self, name: &'static str, units: Units) -> Box<dyn Model>;
}

impl<T: Mechanism<N, C, U> + Clone + 'static, const N: usize, const C: usize, const U: usize> Constrained
    for Setting<T, N, C, U>
{
    fn entry(self, name: &'static str, units: Units) -> Box<dyn Model> {
        Box::new(Entry::constrained(name, self.mechanism, self.initial).with_units(units))
    }
}

/// Makes a [`Catalog`](crate::catalog::Catalog) of mechanisms.
///
/// Each mechanism is written with its default values. After `at` follow its initial coordinates and
/// its initial velocities, as two arrays. The name of a mechanism on the command line is the name
/// of its type; case, `-` and `_` do not matter there.
///
/// Lists and reports describe a mechanism by the doc comment of its struct, and a parameter by the
/// doc comment of its field. The values must not use local variables, because they are evaluated
/// again for each command.
///
/// `units = lagrange_cli::catalog::Units::SI;` before the mechanisms says in which units their numbers are, by a value of type
/// [`Units`](crate::catalog::Units). Without it no unit is written beside times and energies.
///
/// ```no_run
/// use lagrange_runtime::prelude::*;
///
/// /// A point mass on a massless rod.
/// #[lagrangian {
///     coordinates theta;
///     kinetic   = m*l^2*dot(theta)^2/2;
///     potential = -m*g*l*cos(theta);
/// }]
/// #[derive(Clone, Debug)]
/// struct Pendulum {
///     /// Mass, kg.
///     m: f64,
///     /// Length of the rod, m.
///     l: f64,
///     /// Acceleration of gravity, m/s².
///     g: f64,
/// }
///
/// fn main() -> std::process::ExitCode {
///     lagrange_cli::run(&lagrange_cli::catalog![
///         units = lagrange_cli::catalog::Units::SI;
///         Pendulum { m: 1.0, l: 0.5, g: 9.81 } at [1.0], [0.0];
///     ])
/// }
/// ```
#[macro_export]
macro_rules! catalog {
    (units = $units:expr; $($mechanism:ident { $($values:tt)* } at $q:expr, $v:expr);+ $(;)?) => {{
        #[allow(unused_imports, reason = "only mechanisms under constraints need the trait")]
        use $crate::catalog::Constrained as _;
        $crate::Catalog::of([$(
            $crate::catalog::Defaults::new(|| $mechanism { $($values)* })
            .at(|| $crate::catalog::starting($q, $v))
            .entry(::core::stringify!($mechanism), $units),
        )+])
    }};
    ($($mechanism:ident { $($values:tt)* } at $q:expr, $v:expr);+ $(;)?) => {
        $crate::catalog![
            units = $crate::catalog::Units::UNSTATED;
            $($mechanism { $($values)* } at $q, $v);+
        ]
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "write each mechanism with its values, its initial coordinates and its initial velocities, and `;` between mechanisms: \
             `Pendulum { m: 1.0, l: 0.5, g: 9.81 } at [1.0], [0.0];`"
        )
    };
}
