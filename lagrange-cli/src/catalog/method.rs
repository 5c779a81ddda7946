//! The methods of integration: one table with their names, kinds and constructors.
//!
//! A row adds a method to the command line, its help, the simulation of every mechanism and the diagrams of work and precision.

use super::{RequestError, plain};
use clap::ValueEnum;
use lagrange_runtime::method::Symmetric;
use lagrange_runtime::method_choice;
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::Facts;
use std::sync::OnceLock;

/// What a method needs of a mechanism, and which settings it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A fixed step of (q, v); under constraints each step is projected.
    Fixed,
    /// A step that adapts; under constraints each step is projected.
    Adaptive,
    /// A step that adapts, for accelerations without velocities and without constraints.
    AdaptiveNystrom,
    /// A step that adapts, for stiff mechanisms.
    AdaptiveStiff,
    /// As [`Kind::AdaptiveStiff`], without constraints.
    AdaptiveStiffFree,
    /// A fixed step of (q, p), also under holonomic constraints.
    Canonical,
    /// As [`Kind::Canonical`]; a [`Scheme`](super::Scheme) may raise the order.
    Composable,
    /// A fixed step of (q, p) without constraints; a [`Scheme`](super::Scheme) may raise the order.
    FreeComposable,
    /// A fixed step in which contacts are resolved, without constraints.
    TimeStepping,
    /// A fixed step for L = T(v) − V(q) without constraints.
    Separable,
    /// As [`Kind::Separable`]; a [`Scheme`](super::Scheme) may raise the order.
    SeparableComposable,
}

impl Kind {
    /// Whether the step adapts to tolerances.
    pub fn is_adaptive(self) -> bool {
        matches!(self, Self::Adaptive | Self::AdaptiveNystrom | Self::AdaptiveStiff | Self::AdaptiveStiffFree)
    }

    /// Whether a step evaluates accelerations only, and no derivatives of them.
    pub fn is_explicit(self) -> bool {
        matches!(self, Self::Fixed | Self::Adaptive)
    }

    /// Whether a [`Scheme`](super::Scheme) may raise the order.
    pub fn is_composable(self) -> bool {
        matches!(self, Self::Composable | Self::FreeComposable | Self::SeparableComposable)
    }

    /// Whether methods of this kind apply to a mechanism of which `facts` are proved.
    pub fn fits(self, facts: &Facts) -> bool {
        match self {
            Self::Fixed | Self::Adaptive | Self::AdaptiveStiff => true,
            Self::AdaptiveStiffFree | Self::FreeComposable | Self::TimeStepping => facts.unconstrained,
            Self::AdaptiveNystrom => facts.unconstrained && facts.velocity_free_acceleration,
            Self::Canonical | Self::Composable => facts.holonomic,
            Self::Separable | Self::SeparableComposable => {
                facts.unconstrained && facts.separable && facts.velocity_free_acceleration
            }
        }
    }
}

/// A group: its kind, and the type of its methods. A row: the help; the name; the name in diagrams and messages; the type; the
/// constructor, of the fixed step if the method has one.
macro_rules! methods {
    ($($kind:ident($Group:ident) {
        $($(#[$help:meta])+ $name:ident($label:literal): $Method:ty = $new:expr;)+
    })+) => {
        /// A method of integration, as the command line names it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub enum MethodName {
            $($($(#[$help])+ $name,)+)+
        }

        impl MethodName {
            /// Returns the method of this name; case, `-` and `_` do not matter.
            ///
            /// # Errors
            /// [`RequestError::UnknownMethod`] lists the names there are.
            pub fn find(name: &str) -> Result<Self, RequestError> {
                // The description of an option is made anew by each call, which takes longer than short motions.
                static NAMES: OnceLock<Vec<(MethodName, String)>> = OnceLock::new();
                let named = |method: &Self| Some((*method, plain(method.to_possible_value()?.get_name())));
                let names = NAMES.get_or_init(|| Self::value_variants().iter().filter_map(named).collect());
                let wanted = plain(name);
                let found = names.iter().find(|(_, known)| *known == wanted);
                found.map(|(method, _)| *method).ok_or_else(|| RequestError::UnknownMethod {
                    name: name.to_owned(),
                    known: (Self::value_variants().iter().filter_map(Self::to_possible_value))
                        .map(|value| value.get_name().to_owned())
                        .collect(),
                })
            }

            /// Returns the method's name in diagrams and messages.
            pub const fn label(self) -> &'static str {
                match self {
                    $($(Self::$name => $label,)+)+
                }
            }

            /// Returns what this method needs of a mechanism, and which settings it has.
            pub fn kind(self) -> Kind {
                match self {
                    $($(Self::$name)|+ => Kind::$kind,)+
                }
            }

            /// Returns the method, with this step if it has a fixed one.
            pub(super) fn with_step(self, step: f64) -> Chosen {
                match self {
                    $($(Self::$name => Chosen::$kind($Group::$name($new(step))),)+)+
                }
            }
        }

        /// A method with its step, by its kind.
        #[allow(clippy::large_enum_variant, reason = "one value serves a whole motion")]
        pub(super) enum Chosen {
            $($kind($Group),)+
        }

        $(method_choice! {
            pub(super) enum $Group: f64 {
                $($name($Method)),+
            }
        })+
    };
}

methods! {
    Fixed(Explicit) {
        /// Classical Runge–Kutta, order 4, fixed step
        Rk4("Runge–Kutta 4"): Rk4<f64> = Rk4::new;
        /// Predictor–corrector Verlet, order 2, fixed step
        Verlet("Verlet, predicted"): Verlet<f64> = Verlet::new;
    }
    Adaptive(Pair) {
        /// Bogacki–Shampine 3(2), adaptive step, for loose tolerances
        BogackiShampine3("Bogacki–Shampine 3(2)"): BogackiShampine3<f64> = |_| BogackiShampine3::new();
        /// Runge–Kutta–Fehlberg 4(5), adaptive step
        Rkf45("Runge–Kutta–Fehlberg 4(5)"): Rkf45<f64> = |_| Rkf45::new();
        /// Dormand–Prince 5(4), adaptive step
        DormandPrince5("Dormand–Prince 5(4)"): DormandPrince5<f64> = |_| DormandPrince5::new();
        /// Tsitouras 5(4), adaptive step
        Tsitouras5("Tsitouras 5(4)"): Tsitouras5<f64> = |_| Tsitouras5::new();
        /// Verner 6(5), adaptive step
        Verner6("Verner 6(5)"): Verner6<f64> = |_| Verner6::new();
        /// Dormand–Prince 8(5,3), adaptive step, for tight tolerances
        Dop853("DOP853"): Dop853<f64> = |_| Dop853::new();
        /// Verner 9(8), adaptive step, for the tightest tolerances
        Verner9("Verner 9(8)"): Verner9<f64> = |_| Verner9::new();
        /// Gragg–Bulirsch–Stoer extrapolation of variable order, adaptive step
        Extrapolation("extrapolation"): Extrapolation<f64> = |_| Extrapolation::new();
    }
    AdaptiveNystrom(Nystrom) {
        /// Nyström pair 8(6), adaptive step, for accelerations without velocities
        Nystrom8("Dormand–El-Mikkawy–Prince 8(6)"): Nystrom8<f64> = |_| Nystrom8::unproved();
    }
    AdaptiveStiff(Stiff) {
        /// Radau IIA, order 5, adaptive step, for stiff mechanisms
        Radau5("Radau IIA, order 5"): Radau5 = |_| Radau5::new();
        /// Radau IIA, order 9, adaptive step, for stiff mechanisms and tight tolerances
        Radau9("Radau IIA, order 9"): Radau9 = |_| Radau9::new();
        /// Radau IIA of order 5, 9 or 13, which follows the convergence of each step, adaptive step, for stiff mechanisms
        VariableRadau("Radau IIA, variable order"): VariableRadau = |_| VariableRadau::new();
    }
    AdaptiveStiffFree(StiffFree) {
        /// Rosenbrock's method Rodas5P, order 5, adaptive step, for stiff mechanisms without constraints
        #[value(name = "rodas5p")]
        Rodas5P("Rodas5P"): Rodas5P = |_| Rodas5P::new();
        /// Kennedy and Carpenter, diagonally implicit, order 4, adaptive step, for stiff mechanisms without constraints
        Esdirk4("ESDIRK4(3)6L[2]SA"): Esdirk4 = |_| Esdirk4::new();
    }
    Canonical(Implicit) {
        /// Implicit midpoint rule on (q, p), order 2, symplectic, fixed step
        ImplicitMidpoint("implicit midpoint"): ImplicitMidpoint<f64> = ImplicitMidpoint::new;
        /// Gauss collocation with 2 stages, order 4, symplectic, fixed step
        Gauss2("Gauss, 2 stages"): Gauss<f64, 2> = Gauss::new;
        /// Gauss collocation with 3 stages, order 6
        Gauss3("Gauss, 3 stages"): Gauss<f64, 3> = Gauss::new;
        /// Gauss collocation with 4 stages, order 8
        Gauss4("Gauss, 4 stages"): Gauss<f64, 4> = Gauss::new;
        /// Gauss collocation with 5 stages, order 10
        Gauss5("Gauss, 5 stages"): Gauss<f64, 5> = Gauss::new;
        /// Gauss collocation with 6 stages, order 12
        Gauss6("Gauss, 6 stages"): Gauss<f64, 6> = Gauss::new;
        /// Generalized-α with the spectral radius 0.8 at infinite frequency, order 2, damps what is fast, fixed step
        GeneralizedAlpha("generalized-α"): GeneralizedAlpha<f64> = |h| GeneralizedAlpha::new(h, 0.8);
    }
    Composable(Variational) {
        /// Variational integrator by the midpoint rule, order 2, symplectic, fixed step
        VariationalMidpoint("variational midpoint"): VariationalMidpoint<f64> = VariationalMidpoint::new;
        /// Variational integrator by the trapezoidal rule, order 2, symplectic, fixed step
        VariationalTrapezoid("variational trapezoid"): VariationalTrapezoid<f64> = VariationalTrapezoid::new;
        /// RATTLE, order 2, symplectic under constraints too, fixed step
        Rattle("RATTLE"): Rattle<f64> = Rattle::new;
        /// SHAKE, RATTLE with the momentum projected for output only
        Shake("SHAKE"): Rattle<f64> = Rattle::shake;
    }
    FreeComposable(Preserving) {
        /// Averaged vector field with 4 nodes, order 2, preserves the energy, fixed step, without constraints
        EnergyPreserving("averaged vector field"): EnergyPreserving<f64, 4> = EnergyPreserving::new;
    }
    TimeStepping(Stepping) {
        /// Moreau's and Jean's time-stepping scheme for many contacts, order 1, fixed step, without constraints
        MoreauJean("Moreau–Jean"): MoreauJean<f64> = MoreauJean::new;
    }
    SeparableComposable(SymmetricSplitting) {
        /// Störmer–Verlet for L = T(v) − V(q), order 2, symplectic, fixed step
        StormerVerlet("Störmer–Verlet"): StormerVerlet<f64> = StormerVerlet::unproved;
    }
    Separable(OtherSplitting) {
        /// Symplectic Euler for L = T(v) − V(q), order 1, fixed step
        SymplecticEuler("symplectic Euler"): SymplecticEuler<f64> = SymplecticEuler::unproved;
    }
}

impl Symmetric for Variational {}
impl Symmetric for Preserving {}
impl Symmetric for SymmetricSplitting {}
