//! A catalogue of a program's own mechanisms, in one expression.

use super::{Entry, Model};
use lagrange_runtime::prelude::*;

/// A mechanism with its default values. The macro [`catalog!`](crate::catalog!) makes it.
///
/// The initial state is added by a call of its own: the compiler then knows the number of coordinates before it reads the lists, and
/// names both lengths where one is wrong.
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
/// The function `entry` exists twice. Mechanisms without constraints have it themselves. All others have it from the trait
/// [`Constrained`].
#[doc(hidden)]
pub struct Setting<T, const N: usize, const C: usize, const U: usize> {
    mechanism: fn() -> T,
    initial: fn() -> State<f64, N>,
}

/// The state with these initial coordinates and velocities, one of each for every coordinate of the mechanism.
#[doc(hidden)]
pub fn starting<const N: usize>(coordinates: [f64; N], velocities: [f64; N]) -> State<f64, N> {
    State::new(0.0, coordinates, velocities)
}

impl<T: Mechanism<N, 0, U> + 'static, const N: usize, const U: usize> Setting<T, N, 0, U> {
    /// The entry of a mechanism without constraints.
    pub fn entry(self, name: &'static str) -> Box<dyn Model> {
        Box::new(Entry::free(name, self.mechanism, self.initial))
    }
}

/// Mechanisms under constraints.
#[doc(hidden)]
pub trait Constrained {
    /// The entry of a mechanism under constraints.
    fn entry(self, name: &'static str) -> Box<dyn Model>;
}

impl<T: Mechanism<N, C, U> + 'static, const N: usize, const C: usize, const U: usize> Constrained
    for Setting<T, N, C, U>
{
    fn entry(self, name: &'static str) -> Box<dyn Model> {
        Box::new(Entry::constrained(name, self.mechanism, self.initial))
    }
}

/// A [`Catalog`](crate::catalog::Catalog) of mechanisms with their default values and the coordinates and velocities that they
/// start with, as arrays. The names on the command line are those of the types; case, `-` and `_` do not matter there.
///
/// Lists and reports describe a mechanism by the doc comment of its struct, and its parameters by those of the fields. The values
/// cannot use local variables, because they are computed again for each command.
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
///         Pendulum { m: 1.0, l: 0.5, g: 9.81 } at [1.0], [0.0];
///     ])
/// }
/// ```
#[macro_export]
macro_rules! catalog {
    ($($mechanism:ident { $($values:tt)* } at $q:expr, $v:expr);+ $(;)?) => {{
        #[allow(unused_imports, reason = "only mechanisms under constraints need the trait")]
        use $crate::catalog::Constrained as _;
        $crate::Catalog::of([$(
            $crate::catalog::Defaults::new(|| $mechanism { $($values)* })
            .at(|| $crate::catalog::starting($q, $v))
            .entry(::core::stringify!($mechanism)),
        )+])
    }};
    ($($other:tt)*) => {
        ::core::compile_error!(
            "write each mechanism with its values, its initial coordinates and its initial velocities, and `;` between mechanisms: \
             `Pendulum { m: 1.0, l: 0.5, g: 9.81 } at [1.0], [0.0];`"
        )
    };
}
